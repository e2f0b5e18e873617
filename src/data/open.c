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

/* ---- Names ---------------------------------------------------------------------------------------- */

static bool is_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

static bool ends_in_npz(const char *text) {
    size_t size = strlen(text);
    return size > 4 && strcmp(text + size - 4, ".npz") == 0;
}

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

/* *path: the first of FOLDER/NAME.npz and FOLDER/graphs/NAME.npz that is there; empty if none is. */
static gpr_status look_up(gpri_text *path, const places *where, const char *name) {
    static const char *const below[] = {"", "graphs/"};
    for (int i = 0; i < 3; i++)
        for (int form = 0; where->folders[i] && form < 2; form++) {
            gpri_text_free(path);
            gpri_text_add(path, "%s/%s%s.npz", where->folders[i], below[form], name);
            if (gpri_text_status(path) != GPR_OK || is_file(path->bytes)) return gpri_text_status(path);
        }
    gpri_text_free(path);
    return GPR_OK;
}

static gpr_status not_found(gpr_ctx *ctx, const places *where, const char *name) {
    gpri_text text = {.ctx = ctx};
    const char *near = NULL;
    bool known = false;
    for (int i = 0; i < KNOWN; i++) known = known || strcmp(name, known_names[i]) == 0;
    if (!known) near = gpr_nearest_word(name, known_names, KNOWN);
    gpri_text_add(&text, "no dataset '%s': ", name);
    if (near) gpri_text_add(&text, "did you mean '%s'? ", near);
    gpri_text_add(&text, "looked for %s.npz and graphs/%s.npz in", name, name);
    int listed = 0;
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

static gpr_status open_name(gpr_ctx *ctx, gpr_dataset **out, const char *name, const char *data_dir) {
    gpr_status status = GPR_OK;
    gpri_text path = {.ctx = ctx};
    places where;
    struct stat info;
    find_places(&where, ctx, data_dir);
    TRY(gpri_text_status(&where.cache));
    TRY(look_up(&path, &where, name));
    if (path.bytes) {
        TRY(gpri_read_npz(ctx, out, path.bytes));
    } else if (stat(name, &info) == 0) { /* a folder that happens to be here */
        TRY(gpri_read_npz(ctx, out, name));
    } else {
        TRY(not_found(ctx, &where, name));
    }
done:
    gpri_text_free(&path);
    gpri_text_free(&where.cache);
    return status;
}

gpr_status gpr_dataset_open(gpr_ctx *ctx, gpr_dataset **out, const char *spec, const char *data_dir) {
    if (!out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_open: out is NULL");
    *out = NULL;
    if (!ctx || !spec) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_open: a NULL argument");
    if (!*spec)
        return gpri_fail(GPR_ERROR_ARGUMENT, "the dataset has no name: give csbm, a name such as cora, or a path");
    if (strncmp(spec, "csbm", 4) == 0 && (!spec[4] || spec[4] == ':')) return open_csbm(ctx, out, spec + 4);
    /* A bare word is a name unless a file of that name is here. */
    if (strchr(spec, '/') || ends_in_npz(spec) || is_file(spec)) {
        struct stat info;
        if (stat(spec, &info) != 0 && (errno == ENOENT || errno == ENOTDIR))
            return gpri_fail(GPR_ERROR_NOT_FOUND,
                             "no file %s: expected csbm, a dataset's name, or the path of an .npz file", spec);
        return gpri_read_npz(ctx, out, spec);
    }
    return open_name(ctx, out, spec, data_dir);
}
