/* The public functions for downloads: which datasets there are, where they go, and the options of a download. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/struct.h"
#include "base/text.h"
#include "fetch/fetch.h"

int gpr_fetch_count(void) { return GPRI_CATALOGUE_SIZE; }

gpr_status gpr_fetch_find(const char *name, int *index) {
    const char *names[GPRI_CATALOGUE_SIZE];
    char list[512];
    if (!name || !index) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_fetch_find: a NULL argument");
    gpri_catalogue_names(names);
    for (*index = 0; *index < GPRI_CATALOGUE_SIZE; ++*index)
        if (strcmp(names[*index], name) == 0) return gpri_finish(GPR_OK);
    const char *near = gpr_nearest_word(name, names, GPRI_CATALOGUE_SIZE);
    if (near)
        return gpri_fail(GPR_ERROR_ARGUMENT, "no dataset '%s' is known to be fetched: did you mean '%s'?", name, near);
    gpri_catalogue_list(list, sizeof list);
    return gpri_fail(GPR_ERROR_ARGUMENT, "no dataset '%s' is known to be fetched: there are %s", name, list);
}

static gpr_status find_folder(gpri_text *out, const char *data_dir) {
    if (data_dir && *data_dir) gpri_text_add(out, "%s", data_dir);
    else gpri_cache_folder(out);
    NEED(gpri_text_status(out));
    if (out->bytes) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT, "there is no cache folder, as neither XDG_CACHE_HOME nor HOME is set: "
                                         "name a folder with `data-dir`");
}

gpr_status gpr_fetch_folder(gpr_ctx *ctx, char *out, size_t size, const char *data_dir) {
    if (!ctx || !out || !size) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_fetch_folder: a NULL argument");
    gpri_text folder = {.ctx = ctx};
    gpr_status status = GPR_OK;
    out[0] = 0;
    TRY(find_folder(&folder, data_dir));
    if ((size_t)folder.size >= size)
        THROW(GPR_ERROR_ARGUMENT, "the folder's name has %lld bytes: no more than %zu fit", (long long)folder.size,
              size - 1);
    memcpy(out, folder.bytes, (size_t)folder.size + 1);
done:
    gpri_text_free(&folder);
    return gpri_finish(status);
}

static gpr_status check_index(const char *call, int index) {
    if (index >= 0 && index < GPRI_CATALOGUE_SIZE) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT, "%s: index is %d: it must be in [0, %d)", call, index, GPRI_CATALOGUE_SIZE);
}

static gpr_status check_file(const char *call, int index, int file) {
    const int count = gpri_catalogue[index].file_count;
    if (file >= 0 && file < count) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT, "%s: file is %d: it must be in [0, %d)", call, file, count);
}

gpr_status gpr_fetch_describe(int index, gpr_fetch_info *out) {
    NEED(check_index("gpr_fetch_describe", index));
    const gpri_catalogue_entry *set = &gpri_catalogue[index];
    gpr_fetch_info info = {.struct_size = sizeof info,
                           .name = set->name,
                           .source = set->source,
                           .licence = set->licence,
                           .note = set->note,
                           .files = set->file_count};
    for (int i = 0; i < set->file_count; i++) info.bytes += set->files[i].bytes;
    return gpri_finish(GPRI_STRUCT_OUT(out, gpr_fetch_info, "gpr_fetch_describe", &info));
}

gpr_status gpr_fetch_file(int index, int file, gpr_fetch_file_info *out) {
    NEED(check_index("gpr_fetch_file", index));
    NEED(check_file("gpr_fetch_file", index, file));
    const gpri_catalogue_file *found = &gpri_catalogue[index].files[file];
    const gpr_fetch_file_info info = {.struct_size = sizeof info,
                                      .path = found->path,
                                      .url = found->url,
                                      .sha256 = found->sha256,
                                      .bytes = found->bytes,
                                      .fingerprint = found->sha256 ? NULL : gpri_catalogue[index].fingerprint};
    return gpri_finish(GPRI_STRUCT_OUT(out, gpr_fetch_file_info, "gpr_fetch_file", &info));
}

/* *state and why: of one file; path: its name, to be freed. */
static gpr_status verify(gpr_ctx *ctx, gpr_fetch_state *state, char why[GPRI_WHY], gpri_text *path, int index, int file,
                         const char *data_dir) {
    const gpri_catalogue_entry *set = &gpri_catalogue[index];
    NEED(find_folder(path, data_dir));
    gpri_text_add(path, "/%s", set->files[file].path);
    NEED(gpri_text_status(path));
    return gpri_fetched_file(ctx, state, why, set, &set->files[file], path->bytes);
}

gpr_status gpr_fetch_present(gpr_ctx *ctx, int index, const char *data_dir, int64_t *files) {
    gpr_status status = GPR_OK;
    gpri_text path = {.ctx = ctx};
    if (!ctx || !files) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_fetch_present: a NULL argument");
    *files = 0;
    TRY(check_index("gpr_fetch_present", index));
    for (int i = 0; i < gpri_catalogue[index].file_count; i++) {
        char why[GPRI_WHY];
        gpr_fetch_state state;
        gpri_text_free(&path);
        TRY(verify(ctx, &state, why, &path, index, i, data_dir));
        *files += state == GPR_FETCH_CORRECT;
        if (state > GPR_FETCH_CORRECT)
            gpri_log(ctx, GPR_LOG_WARNING, "%s is not correct: %s; fetch it again with `force`", path.bytes, why);
    }
done:
    gpri_text_free(&path);
    return gpri_finish(status);
}

gpr_status gpr_fetch_verify(gpr_ctx *ctx, int index, int file, const char *data_dir, gpr_fetch_state *state, char *why,
                            size_t size) {
    gpr_status status = GPR_OK;
    char reason[GPRI_WHY] = "";
    gpri_text path = {.ctx = ctx};
    if (!ctx || !state) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_fetch_verify: a NULL argument");
    *state = GPR_FETCH_MISSING;
    TRY(check_index("gpr_fetch_verify", index));
    TRY(check_file("gpr_fetch_verify", index, file));
    TRY(verify(ctx, state, reason, &path, index, file, data_dir));
done:
    if (why && size) snprintf(why, size, "%s", reason);
    gpri_text_free(&path);
    return gpri_finish(status);
}

void gpr_fetch_options_init(gpr_fetch_options *options, size_t struct_size) {
    const gpr_fetch_options usual = {.retries = 3, .timeout = 30, .pause = 1};
    GPRI_STRUCT_INIT(options, struct_size, gpr_fetch_options, usual);
}

/* A program that calls it has room for the struct of 0.1.0. */
void gpr_fetch_defaults(gpr_fetch_options *options) { gpr_fetch_options_init(options, GPRI_FIRST_gpr_fetch_options); }

static gpr_status check_options(const gpr_fetch_options *options) {
    const char *mirror = options->mirror;
    if (options->retries < 0 || options->retries > 100)
        return gpri_fail(GPR_ERROR_ARGUMENT, "retries is %d: it must be in [0, 100]", options->retries);
    if (options->timeout < 1 || options->timeout > 3600)
        return gpri_fail(GPR_ERROR_ARGUMENT, "timeout is %d: it must be in [1, 3600] seconds", options->timeout);
    if (!(options->pause >= 0 && options->pause <= 60))
        return gpri_fail(GPR_ERROR_ARGUMENT, "pause is %g: it must be in [0, 60] seconds", options->pause);
    if (options->max_time < 0 || options->max_time > 31536000)
        return gpri_fail(GPR_ERROR_ARGUMENT, "max-time is %d: it must be in [0, 31536000] seconds", options->max_time);
    if (mirror && strncasecmp(mirror, "http://", 7) != 0 && strncasecmp(mirror, "https://", 8) != 0)
        return gpri_fail(GPR_ERROR_ARGUMENT, "mirror is '%s': it must begin with http:// or https://", mirror);
    return GPR_OK;
}

gpr_status gpr_fetch(gpr_ctx *ctx, gpr_fetch_result *result, const char *name, const gpr_fetch_options *options) {
    gpr_status status = GPR_OK;
    gpr_fetch_options own;
    gpr_fetch_result fetched;
    gpri_text folder = {.ctx = ctx};
    int index;
    if (!ctx || !name) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_fetch: a NULL argument");
    gpr_fetch_options_init(&own, sizeof own);
    if (options) TRY(GPRI_STRUCT_IN(&own, options, gpr_fetch_options, "gpr_fetch", "options"));
    if (result) TRY(GPRI_STRUCT_CHECK(result, gpr_fetch_result, "gpr_fetch", "result"));
    TRY(check_options(&own));
    TRY(gpr_fetch_find(name, &index));
    TRY(find_folder(&folder, own.data_dir));
    status = gpri_fetch_load(ctx, &fetched, &gpri_catalogue[index], folder.bytes, &own);
    if (result) gpri_struct_out(result, &fetched, sizeof fetched);
done:
    gpri_text_free(&folder);
    return gpri_finish(status);
}
