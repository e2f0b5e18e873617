/* DATA as a person writes it: a cSBM with its options, a dataset's name, or a path. */
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/text.h"
#include "data/generate/csbm.h"
#include "file/path.h"
#include "io/catalogue.h"
#include "io/formats.h"
#include "io/open.h"

/* ---- Names ---------------------------------------------------------------------------------------- */

/* The folders in which names are looked up, in order; NULL where there is none. */
typedef struct places {
    const char *folders[3];
    gpri_text cache;
} places;

static void find_places(places *where, gpr_ctx *ctx, const char *data_dir) {
    const char *data = getenv("GPRGNN_DATA");
    *where = (places){.cache = {.ctx = ctx}};
    if (data_dir && *data_dir) where->folders[0] = data_dir;
    if (data && *data) where->folders[1] = data;
    gpri_cache_folder(&where->cache);
    where->folders[2] = where->cache.bytes;
}

/* Where a dataset may be in a folder, in order: in formats that are seen without reading lines. */
static const struct {
    const char *before, *after;
    gpri_data_value format;
} below[] = {
    {"", ".gpr", GPRI_FORMAT_GPR},
    {"graphs/", ".gpr", GPRI_FORMAT_GPR},
    {"", ".npz", GPRI_FORMAT_NPZ},
    {"graphs/", ".npz", GPRI_FORMAT_NPZ},
    {"planetoid/ind.", "", GPRI_FORMAT_PLANETOID},
    {"geom-gcn/", "", GPRI_FORMAT_GEOM_GCN},
};
enum { BELOW = sizeof below / sizeof *below };

/* Is the k-th of those a place for this format? NULL: for any. */
static bool asked_for(int k, const gpri_format *format) { return !format || format->id == below[k].format; }

/* *path: the first place that has the dataset, and in *format its format; empty if none has it. */
static gpr_status look_up(gpri_text *path, const places *where, const char *name, const gpri_format **format) {
    const gpri_format *const asked = *format;
    gpri_head head;
    for (int i = 0; i < 3; i++) {
        if (!where->folders[i]) continue;
        const gpr_status seen = gpri_may_look(where->folders[i]);
        if (seen != GPR_OK && i == 2) break; /* a cache that nobody asked for may be that of another user */
        NEED(seen);
        for (int k = 0; k < BELOW; k++) {
            if (!asked_for(k, asked)) continue;
            const bool film = below[k].format == GPRI_FORMAT_GEOM_GCN && strcmp(name, "actor") == 0; /* there */
            gpri_text_free(path);
            gpri_text_add(path, "%s/%s%s%s", where->folders[i], below[k].before, film ? "film" : name, below[k].after);
            NEED(gpri_text_status(path));
            *format = gpri_format_at(below[k].format);
            gpri_head_init(&head, path->bytes);
            if ((*format)->fits(&head)) return GPR_OK;
        }
    }
    *format = asked;
    gpri_text_free(path);
    return GPR_OK;
}

static gpr_status not_found(gpr_ctx *ctx, const places *where, const char *name, const gpri_format *format) {
    gpri_text text = {.ctx = ctx};
    enum { KNOWN = GPRI_CATALOGUE_SIZE };
    const char *known_names[KNOWN], *near = NULL;
    char list[512];
    bool known = false;
    gpri_catalogue_names(known_names);
    for (int i = 0; i < KNOWN; i++) known = known || strcmp(name, known_names[i]) == 0;
    if (!known) near = gpr_nearest_word(name, known_names, KNOWN);
    gpri_text_add(&text, "no dataset '%s': ", name);
    if (near) gpri_text_add(&text, "did you mean '%s'? ", near);
    gpri_text_add(&text, "looked for ");
    int listed = 0;
    for (int k = 0; k < BELOW; k++)
        if (asked_for(k, format))
            gpri_text_add(&text, "%s%s%s%s", listed++ ? ", " : "", below[k].before, name, below[k].after);
    gpri_text_add(&text, " in");
    listed = 0;
    for (int i = 0; i < 3; i++)
        if (where->folders[i]) gpri_text_add(&text, "%s %s", listed++ ? "," : "", where->folders[i]);
    if (!listed)
        gpri_text_add(&text, " no folder (no `data-dir`, and none of GPRGNN_DATA, XDG_CACHE_HOME, HOME is set)");
    if (known) gpri_text_add(&text, "; `fetch %s` downloads it", name);
    else gpri_text_add(&text, "; give csbm, the path of an .npz file, or one of");
    gpri_catalogue_list(list, sizeof list);
    if (!known) gpri_text_add(&text, " %s", list);
    return gpri_text_fail(GPR_ERROR_NOT_FOUND, &text);
}

static gpr_status open_name(gpr_ctx *ctx, gpr_dataset **out, const gpr_open_options *options, const gpri_format *format,
                            gpri_edge_sink *sink) {
    gpr_status status = GPR_OK;
    gpri_text path = {.ctx = ctx};
    places where;
    const gpri_format *found = format, *here = NULL;
    const char *name = options->data;
    find_places(&where, ctx, options->data_dir);
    TRY(gpri_text_status(&where.cache));
    TRY(look_up(&path, &where, name, &found));
    if (!path.bytes) TRY(gpri_format_of(ctx, &here, name));
    if (path.bytes) {
        TRY(gpri_read_path(ctx, out, path.bytes, found, options->no_map, sink));
    } else if (gpri_is_folder(name) || here) { /* something that happens to be here */
        TRY(gpri_read_path(ctx, out, name, format, options->no_map, sink));
    } else {
        TRY(not_found(ctx, &where, name, format));
    }
done:
    gpri_text_free(&path);
    gpri_text_free(&where.cache);
    return status;
}

gpr_status gpri_dataset_open(gpr_ctx *ctx, gpr_dataset **out, const gpr_open_options *options, gpri_edge_sink *sink) {
    const gpri_format *format;
    const char *spec = options->data, *word = options->format;
    *out = NULL;
    NEED(gpri_format_named(&format, word));
    if (!*spec)
        return gpri_fail(GPR_ERROR_ARGUMENT, "the dataset has no name: give csbm, a name such as cora, or a path");
    if (strncmp(spec, "csbm", 4) == 0 && (!spec[4] || spec[4] == ':')) {
        if (!format) return gpri_finish(gpri_csbm_from_text(ctx, out, spec + 4));
        return gpri_fail(GPR_ERROR_ARGUMENT, "%s is made, not read: the format %s is for files", spec, word);
    }
    /* A bare word is a name unless a file of that name is here; no name has a dot. */
    if (strpbrk(spec, "/.") || gpri_is_file(spec)) return gpri_read_path(ctx, out, spec, format, options->no_map, sink);
    return open_name(ctx, out, options, format, sink);
}

gpr_status gpr_dataset_open_as(gpr_ctx *ctx, gpr_dataset **out, const char *spec, const char *data_dir,
                               const char *word) {
    if (!out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_open: out is NULL");
    *out = NULL;
    if (!ctx || !spec) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_open: a NULL argument");
    const gpr_open_options options = {
        .struct_size = sizeof options, .data = spec, .data_dir = data_dir, .format = word};
    const gpri_budget before = gpri_budget_begin(ctx, gpri_budget_of(0), false);
    gpr_status status = gpri_dataset_open(ctx, out, &options, NULL);
    gpri_budget_end(ctx, before);
    return gpri_finish(status);
}

gpr_status gpr_dataset_open(gpr_ctx *ctx, gpr_dataset **out, const char *spec, const char *data_dir) {
    return gpr_dataset_open_as(ctx, out, spec, data_dir, NULL);
}
