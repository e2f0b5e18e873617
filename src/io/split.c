/* gpr_split_new: a split by a rule (data/split.c) or from files. */
#include <ctype.h>
#include <string.h>

#include "file/path.h"
#include "io/split.h"

typedef enum source { RULE, MASKS, FOLDER } source;

/* Fails for a text that is neither a rule nor looks like a path. */
static gpr_status find_source(source *out, gpri_split_rule *rule, const char *spec) {
    static const char *const words[] = {"sparse", "dense", "planetoid"};
    const size_t size = spec ? strlen(spec) : 0;
    *out = RULE;
    if (size == 0)
        return gpri_fail(GPR_ERROR_ARGUMENT, "the split is empty: give sparse, dense, TRAIN/VAL/TEST or an .npz file");
    if (size > 4 && strcmp(spec + size - 4, ".npz") == 0) {
        *out = MASKS;
        return GPR_OK;
    }
    if (gpri_split_names_rule(spec)) return gpri_split_parse(rule, spec);
    if (strchr(spec, '/') && !isdigit((unsigned char)*spec)) {
        *out = FOLDER;
        return GPR_OK;
    }
    const char *near = gpr_nearest_word(spec, words, 3);
    return gpri_fail(GPR_ERROR_ARGUMENT,
                     "split '%s' is not known: %s%s%sgive sparse, dense, TRAIN/VAL/TEST such as 60/20/20, "
                     "planetoid:20/500/1000, a file that ends in .npz, or a folder as DIR/split",
                     spec, near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
}

gpr_status gpri_split_check(const char *spec) {
    gpri_split_rule rule;
    source from;
    gpr_status status = find_source(&from, &rule, spec);
    if (status != GPR_OK || from == RULE) return status;
    if (from == MASKS && !gpri_is_file(spec))
        return gpri_fail(GPR_ERROR_NOT_FOUND, "split '%s': there is no such file", spec);
    if (from == FOLDER && !gpri_is_folder(spec))
        return gpri_fail(GPR_ERROR_NOT_FOUND,
                         gpri_is_file(spec) ? "split '%s' is a file: give one that ends in .npz, or a folder"
                                            : "split '%s': there is no such folder",
                         spec);
    return GPR_OK;
}

gpr_status gpri_split_make(gpr_ctx *ctx, gpr_split **out, const gpr_dataset *data, const char *spec, uint64_t seed,
                           int64_t run, bool warn) {
    gpr_status status = GPR_OK;
    gpr_split *split = NULL;
    gpri_split_rule rule;
    source from;
    *out = NULL;
    TRY(find_source(&from, &rule, spec));
    TRY(gpri_dataset_ready(ctx, data));
    TRY(gpri_split_begin(ctx, &split, data));
    switch (from) {
    case MASKS: TRY(gpri_split_read(ctx, split->part, split->nodes, spec, run)); break;
    case FOLDER: TRY(gpri_split_read_folder(ctx, split->part, split->nodes, spec)); break;
    case RULE: TRY(gpri_split_draw(ctx, split, data, &rule, spec, seed + (uint64_t)run)); break;
    }
    TRY(gpri_split_finish(split, data, spec, warn));
    *out = split;
    split = NULL;
done:
    gpr_split_free(split);
    return status;
}

gpr_status gpr_split_new(gpr_ctx *ctx, gpr_split **out, const gpr_dataset *data, const char *spec, uint64_t seed,
                         int64_t run) {
    if (!out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_split_new: out is NULL");
    *out = NULL;
    if (!ctx || !data || !spec) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_split_new: a NULL argument");
    if (run < 0)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_split_new: run is %lld: it must be 0 or more", (long long)run);
    return gpri_finish(gpri_split_make(ctx, out, data, spec, seed, run, true));
}
