/* DATA as a person writes it: a cSBM with its options, a dataset's name, or a path. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "data/dataset.h"

/* Those that `gprgnn fetch` knows. */
static const char *const known_names[] = {"cora",  "citeseer",  "pubmed",           "computers",
                                          "photo", "chameleon", "squirrel",         "actor",
                                          "texas", "cornell",   "cornell_corrected"};
enum { KNOWN = sizeof known_names / sizeof *known_names };

/* ---- csbm:key=value,... --------------------------------------------------------------------------- */

static gpr_status set_whole(const char *key, const char *text, int64_t *out) {
    double real;
    if (gpri_parse_int(text, out)) return GPR_OK;
    if (gpri_parse_real(text, &real) && real > -9e15 && real < 9e15 && real == (double)(int64_t)real) { /* 1e6 */
        *out = (int64_t)real;
        return GPR_OK;
    }
    return gpri_fail(GPR_ERROR_ARGUMENT, "csbm: %s is '%s': it must be a whole number", key, text);
}

static gpr_status set_real(const char *key, const char *text, double *out) {
    if (gpri_parse_real(text, out)) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT, "csbm: %s is '%s': it must be a number", key, text);
}

static gpr_status set_option(gpr_csbm_options *options, const char *key, const char *value, unsigned *seen) {
    static const char *const keys[] = {"phi", "n", "f", "d", "eps", "seed"};
    enum { KEYS = sizeof keys / sizeof *keys };
    int which = 0;
    int64_t seed = 0;
    while (which < KEYS && strcmp(keys[which], key) != 0) which++;
    if (which == KEYS) {
        const char *near = gpr_nearest_word(key, keys, KEYS);
        return gpri_fail(GPR_ERROR_ARGUMENT, "csbm: unknown key '%s': %s%s%sthe keys are phi, n, f, d, eps, seed", key,
                         near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
    }
    if (*seen & 1u << which) return gpri_fail(GPR_ERROR_ARGUMENT, "csbm: %s is given twice", key);
    *seen |= 1u << which;
    switch (which) {
    case 0: return set_real(key, value, &options->phi);
    case 1: return set_whole(key, value, &options->nodes);
    case 2: return set_whole(key, value, &options->features);
    case 3: return set_real(key, value, &options->degree);
    case 4: return set_real(key, value, &options->epsilon);
    default: break;
    }
    gpr_status status = set_whole(key, value, &seed);
    if (status != GPR_OK) return status;
    if (seed < 0) return gpri_fail(GPR_ERROR_ARGUMENT, "csbm: seed is %lld: it must be 0 or more", (long long)seed);
    options->seed = (uint64_t)seed;
    return GPR_OK;
}

/* text: what follows "csbm", empty or ":phi=...". */
static gpr_status open_csbm(gpr_ctx *ctx, gpr_dataset **out, const char *text) {
    gpr_status status = GPR_OK;
    gpr_csbm_options options;
    char *copy = NULL;
    unsigned seen = 0;
    gpr_csbm_defaults(&options);
    if (*text == ':') {
        TRY(gpri_strdup(ctx, &copy, text + 1));
        for (char *entry = copy, *next; entry; entry = next) {
            next = strchr(entry, ',');
            if (next) *next++ = 0;
            char *equals = strchr(entry, '=');
            if (!equals)
                THROW(GPR_ERROR_ARGUMENT,
                      "csbm: '%s' is no setting: write csbm:key=value,key=value, such as csbm:phi=-0.5,n=5000", entry);
            *equals = 0;
            TRY(set_option(&options, entry, equals + 1, &seen));
        }
    }
    TRY(gpr_dataset_csbm(ctx, out, &options));
done:
    gpri_free(ctx, copy);
    return status;
}

/* ---- Formats --------------------------------------------------------------------------------------- */

typedef enum format { FORMAT_AUTO, FORMAT_NPZ, FORMAT_PLANETOID, FORMAT_GEOM_GCN, FORMATS } format;

static const char *const format_words[FORMATS] = {"auto", "npz", "planetoid", "geom-gcn"};

static gpr_status find_format(format *out, const char *word) {
    *out = FORMAT_AUTO;
    for (int i = 0; word && i < FORMATS; i++)
        if (strcmp(word, format_words[i]) == 0) {
            *out = (format)i;
            return GPR_OK;
        }
    if (!word) return GPR_OK;
    const char *near = gpr_nearest_word(word, format_words, FORMATS);
    return gpri_fail(GPR_ERROR_ARGUMENT, "unknown format '%s': %s%s%sthe formats are auto, npz, planetoid and geom-gcn",
                     word, near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
}

static bool is_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool ends_in(const char *text, const char *end) {
    size_t size = strlen(text), tail = strlen(end);
    return size > tail && strcmp(text + size - tail, end) == 0;
}

/* Is there a file of that name with one of these endings? */
static bool any_file(const char *path, const char *const *endings) {
    char name[4096]; /* no longer path can be opened */
    for (; *endings; endings++)
        if (snprintf(name, sizeof name, "%s%s", path, *endings) < (int)sizeof name && is_file(name)) return true;
    return false;
}

static const char *const planetoid_parts[] = {".allx", ".graph", ".test.index", ".ally", ".tx",
                                              ".ty",   ".x",     ".y",          NULL};
static const char *const geom_gcn_parts[] = {"/out1_graph_edges.txt", "/out1_node_feature_label.txt", NULL};

/* *prefix: the common beginning if `path` is one of Planetoid's files, "ind.cora.graph"; else a copy of it. */
static gpr_status cut_part(gpr_ctx *ctx, char **prefix, const char *path, bool *is_part) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    gpr_status status = gpri_strdup(ctx, prefix, path);
    *is_part = false;
    for (int i = 0; status == GPR_OK && planetoid_parts[i] && strncmp(name, "ind.", 4) == 0; i++)
        if (ends_in(name, planetoid_parts[i])) {
            (*prefix)[strlen(path) - strlen(planetoid_parts[i])] = 0;
            *is_part = true;
            break;
        }
    return status;
}

/* What is at a path tells its format. */
static gpr_status open_path(gpr_ctx *ctx, gpr_dataset **out, const char *path, format form) {
    gpr_status status = GPR_OK;
    char *prefix = NULL;
    bool is_part;
    struct stat info;
    TRY(cut_part(ctx, &prefix, path, &is_part));
    const bool there = stat(path, &info) == 0 || (errno != ENOENT && errno != ENOTDIR);
    if (form == FORMAT_AUTO) {
        form = FORMAT_NPZ;
        if (there ? is_part && is_file(path) : any_file(prefix, planetoid_parts)) form = FORMAT_PLANETOID;
        if (is_folder(path) && !any_file(path, geom_gcn_parts))
            THROW(GPR_ERROR_FORMAT,
                  "%s is a folder: expected an .npz file, a folder with out1_graph_edges.txt (Geom-GCN), or what "
                  "Planetoid's files have in common, such as %s/ind.cora",
                  path, path);
        if (is_folder(path)) form = FORMAT_GEOM_GCN;
    }
    if (form == FORMAT_PLANETOID) {
        TRY(gpri_read_planetoid(ctx, out, prefix));
    } else if (!there) {
        THROW(GPR_ERROR_NOT_FOUND,
              "no file %s: expected csbm, a dataset's name, or the path of an .npz file, of Planetoid's files up to "
              "ind.NAME, or of a Geom-GCN folder",
              path);
    } else if (form == FORMAT_GEOM_GCN) {
        TRY(gpri_read_geomgcn(ctx, out, path));
    } else {
        TRY(gpri_read_npz(ctx, out, path));
    }
done:
    gpri_free(ctx, prefix);
    return status;
}

/* ---- Names ---------------------------------------------------------------------------------------- */

/* The folders that names are looked up in, in order; an entry is NULL where there is none. */
typedef struct places {
    const char *folders[3];
    gpri_text cache;
} places;

static void find_places(places *where, gpr_ctx *ctx, const char *data_dir) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME"), *data = getenv("GPRGNN_DATA");
    *where = (places){.cache = {.ctx = ctx}};
    if (data_dir && *data_dir) where->folders[0] = data_dir;
    if (data && *data) where->folders[1] = data;
    if (cache && *cache) gpri_text_add(&where->cache, "%s/gprgnn", cache);
    else if (home && *home) gpri_text_add(&where->cache, "%s/.cache/gprgnn", home);
    where->folders[2] = where->cache.bytes;
}

/* Where a dataset may be in a folder, in order. */
static const struct {
    const char *before, *after;
    format form;
} below[] = {
    {"", ".npz", FORMAT_NPZ},
    {"graphs/", ".npz", FORMAT_NPZ},
    {"planetoid/ind.", "", FORMAT_PLANETOID},
    {"geom-gcn/", "", FORMAT_GEOM_GCN},
};
enum { BELOW = sizeof below / sizeof *below };

static bool is_there(const char *path, format form) {
    if (form == FORMAT_PLANETOID) return any_file(path, planetoid_parts);
    return form == FORMAT_GEOM_GCN ? any_file(path, geom_gcn_parts) : is_file(path);
}

/* *path: the first place that has the dataset, and in *form its format; empty if none has it. */
static gpr_status look_up(gpri_text *path, const places *where, const char *name, format *form) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; where->folders[i] && k < BELOW; k++) {
            if (*form != FORMAT_AUTO && *form != below[k].form) continue;
            const bool film = below[k].form == FORMAT_GEOM_GCN && strcmp(name, "actor") == 0; /* its name there */
            gpri_text_free(path);
            gpri_text_add(path, "%s/%s%s%s", where->folders[i], below[k].before, film ? "film" : name, below[k].after);
            gpr_status status = gpri_text_status(path);
            if (status != GPR_OK || is_there(path->bytes, below[k].form)) {
                *form = below[k].form;
                return status;
            }
        }
    gpri_text_free(path);
    return GPR_OK;
}

static gpr_status not_found(gpr_ctx *ctx, const places *where, const char *name, format form) {
    gpri_text text = {.ctx = ctx};
    const char *near = NULL;
    bool known = false;
    for (int i = 0; i < KNOWN; i++) known = known || strcmp(name, known_names[i]) == 0;
    if (!known) near = gpr_nearest_word(name, known_names, KNOWN);
    gpri_text_add(&text, "no dataset '%s': ", name);
    if (near) gpri_text_add(&text, "did you mean '%s'? ", near);
    gpri_text_add(&text, "looked for ");
    int listed = 0;
    for (int k = 0; k < BELOW; k++)
        if (form == FORMAT_AUTO || form == below[k].form)
            gpri_text_add(&text, "%s%s%s%s", listed++ ? ", " : "", below[k].before, name, below[k].after);
    gpri_text_add(&text, " in");
    listed = 0;
    for (int i = 0; i < 3; i++)
        if (where->folders[i]) gpri_text_add(&text, "%s %s", listed++ ? "," : "", where->folders[i]);
    if (!listed)
        gpri_text_add(&text, " no folder (no --data-dir, and none of GPRGNN_DATA, XDG_CACHE_HOME, HOME is set)");
    if (known) gpri_text_add(&text, "; 'gprgnn fetch %s' downloads it", name);
    else gpri_text_add(&text, "; give csbm, the path of an .npz file, or one of");
    for (int i = 0; !known && i < KNOWN; i++) gpri_text_add(&text, "%s %s", i ? "," : "", known_names[i]);
    gpr_status status = gpri_text_status(&text);
    if (status == GPR_OK) status = gpri_fail(GPR_ERROR_NOT_FOUND, "%s", text.bytes);
    gpri_text_free(&text);
    return status;
}

static gpr_status open_name(gpr_ctx *ctx, gpr_dataset **out, const char *name, const char *data_dir, format form) {
    gpr_status status = GPR_OK;
    gpri_text path = {.ctx = ctx};
    places where;
    format found = form;
    find_places(&where, ctx, data_dir);
    TRY(gpri_text_status(&where.cache));
    TRY(look_up(&path, &where, name, &found));
    if (path.bytes) {
        TRY(open_path(ctx, out, path.bytes, found));
    } else if (is_folder(name) || any_file(name, planetoid_parts)) { /* something that happens to be here */
        TRY(open_path(ctx, out, name, form));
    } else {
        TRY(not_found(ctx, &where, name, form));
    }
done:
    gpri_text_free(&path);
    gpri_text_free(&where.cache);
    return status;
}

gpr_status gpr_dataset_open_as(gpr_ctx *ctx, gpr_dataset **out, const char *spec, const char *data_dir,
                               const char *word) {
    format form;
    if (!out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_open: out is NULL");
    *out = NULL;
    if (!ctx || !spec) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_open: a NULL argument");
    gpr_status status = find_format(&form, word);
    if (status != GPR_OK) return status;
    if (!*spec)
        return gpri_fail(GPR_ERROR_ARGUMENT, "the dataset has no name: give csbm, a name such as cora, or a path");
    if (strncmp(spec, "csbm", 4) == 0 && (!spec[4] || spec[4] == ':')) {
        if (form == FORMAT_AUTO) return open_csbm(ctx, out, spec + 4);
        return gpri_fail(GPR_ERROR_ARGUMENT, "%s is made, not read: the format %s is for files", spec, word);
    }
    /* A bare word is a name unless a file of that name is here. */
    if (strchr(spec, '/') || ends_in(spec, ".npz") || is_file(spec)) return open_path(ctx, out, spec, form);
    return open_name(ctx, out, spec, data_dir, form);
}

gpr_status gpr_dataset_open(gpr_ctx *ctx, gpr_dataset **out, const char *spec, const char *data_dir) {
    return gpr_dataset_open_as(ctx, out, spec, data_dir, NULL);
}
