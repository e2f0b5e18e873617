/* gpr_split_new: a split by a rule (data/split.c) or from files. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "data/defaults.h"
#include "data/order/reorder.h"
#include "file/path.h"
#include "io/numpy/split_masks.h"
#include "io/split.h"
#include "io/text/split_lists.h"

typedef enum source { RULE, TIME, COLUMN, MASKS, TABLE, FOLDER } source;

static bool is_table(const char *spec) {
    return gpri_name_ends(spec, ".csv") || gpri_name_ends(spec, ".tsv") || gpri_name_ends(spec, ".txt");
}

/* Fails for a text that is neither a rule nor looks like a path. */
static gpr_status find_source(source *out, gpri_split_rule *rule, const char *spec) {
    static const char *const words[] = {"auto", "sparse", "dense", "planetoid", "column"};
    const size_t size = spec ? strlen(spec) : 0;
    *out = RULE;
    if (size == 0)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "the split is empty: give sparse, dense, TRAIN/VAL/TEST, an .npz file or a table");
    if (gpri_ends_with(spec, ".npz")) *out = MASKS;
    else if (is_table(spec)) *out = TABLE;
    else if (strcmp(spec, "column") == 0) *out = COLUMN;
    if (*out != RULE) return GPR_OK;
    if (gpri_split_is_by_time(spec)) {
        *out = TIME;
        NEED(gpri_split_parse(rule, spec + sizeof GPRI_BY_TIME - 1));
        return rule->kind == GPRI_SPLIT_SHARES ? GPR_OK
                                               : gpri_fail(GPR_ERROR_ARGUMENT,
                                                           "split '%s': give shares of the nodes, such as "
                                                           "time:60/20/20",
                                                           spec);
    }
    if (gpri_split_names_rule(spec)) return gpri_split_parse(rule, spec);
    if (strchr(spec, '/') && !isdigit((unsigned char)*spec)) {
        *out = FOLDER;
        return GPR_OK;
    }
    const char *near = gpr_nearest_word(spec, words, 5);
    return gpri_fail(
        GPR_ERROR_ARGUMENT,
        "split '%s' is not known: %s%s%sgive sparse, dense, TRAIN/VAL/TEST such as 60/20/20, "
        "planetoid:20/500/1000, column, a file that ends in .npz, a table that ends in .csv, or a folder as "
        "DIR/split",
        spec, near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
}

gpr_status gpri_split_check(const char *spec) {
    gpri_split_rule rule;
    source from;
    if (spec && strcmp(spec, "auto") == 0) return GPR_OK;
    NEED(find_source(&from, &rule, spec));
    if (from == RULE || from == TIME || from == COLUMN) return GPR_OK;
    NEED(gpri_may_look(spec));
    if (from != FOLDER && !gpri_is_file(spec))
        return gpri_fail(GPR_ERROR_NOT_FOUND, "split '%s': there is no such file", spec);
    if (from == FOLDER && !gpri_is_folder(spec))
        return gpri_fail(GPR_ERROR_NOT_FOUND,
                         gpri_is_file(spec) ? "split '%s' is a file: give one that ends in .npz, or a folder"
                                            : "split '%s': there is no such folder",
                         spec);
    return GPR_OK;
}

/* The column of the table of nodes. Nodes without a label have no part. */
static gpr_status take_own(uint8_t *part, const gpr_dataset *data) {
    if (!data->own_split.part)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "split 'column' is a column of `nodes`, and %s has none: give `split-column` with its name",
                         data->name);
    for (int64_t i = 0; i < data->graph.nodes; i++)
        part[i] = gpri_target_known(&data->target, i) ? data->own_split.part[i] : GPR_UNUSED;
    return GPR_OK;
}

/* OGB's lists have numbers. Those of tables, and all that end in .txt, have ids. */
static gpr_status read_folder(gpr_ctx *ctx, uint8_t *part, const gpr_dataset *data, const char *folder) {
    gpri_text path = {.ctx = ctx};
    bool listed = false;
    gpr_status status = gpri_split_part_file(&path, folder, GPR_TRAIN, &listed);
    gpri_text_free(&path);
    if (status != GPR_OK) return status;
    if (listed || (data->from_table && data->node_ids.count > 0))
        return gpri_split_read_id_lists(ctx, part, data, folder);
    NEED(gpri_split_read_folder(ctx, part, data->graph.nodes, folder));
    return gpri_order_parts(ctx, part, data);
}

gpr_status gpri_split_make(gpr_ctx *ctx, gpr_split **out, const gpr_dataset *data, const char *spec, uint64_t seed,
                           int64_t run, unsigned care) {
    gpr_status status = GPR_OK;
    gpr_split *split = NULL;
    gpri_split_rule rule;
    source from;
    *out = NULL;
    spec = gpri_split_meaning(data, spec);
    TRY(find_source(&from, &rule, spec));
    TRY(gpri_dataset_ready_nodes(ctx, data));
    TRY(gpri_split_begin(ctx, &split, data));
    switch (from) {
    case MASKS:
        TRY(gpri_split_read(ctx, split->part, split->nodes, spec, run));
        TRY(gpri_order_parts(ctx, split->part, data));
        break;
    case TABLE: TRY(gpri_split_read_ids(ctx, split->part, data, spec)); break;
    case FOLDER: TRY(read_folder(ctx, split->part, data, spec)); break;
    case TIME: TRY(gpri_split_by_time(ctx, split, data, &rule, spec, care & GPRI_SPLIT_WARN)); break;
    case COLUMN: TRY(take_own(split->part, data)); break;
    case RULE: TRY(gpri_split_draw(ctx, split, data, &rule, spec, seed + (uint64_t)run)); break;
    }
    TRY(gpri_split_finish(split, data, spec, care));
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
    return gpri_finish(gpri_split_make(ctx, out, data, spec, seed, run, GPRI_SPLIT_WARN));
}

gpr_status gpri_split_settle(gpr_params *params, const gpr_dataset *data) {
    const char *spec = gpri_params_text(params, GPRI_PARAM_SPLIT), *meaning = gpri_split_meaning(data, spec);
    char by_time[64];
    gpri_split_rule rule;
    source from;
    if (data->own_split.timed && data->own_split.part && strcmp(meaning, "column") != 0)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "`split` is '%s', and `val-from` and `test-from` divide the column `time` %s: leave one of "
                         "both out",
                         spec, data->own_split.column);
    if (data->own_split.time && !gpri_split_is_by_time(meaning)) {
        NEED(find_source(&from, &rule, spec));
        if (from != RULE || rule.kind != GPRI_SPLIT_SHARES || strlen(spec) > 50)
            return gpri_fail(GPR_ERROR_ARGUMENT,
                             "`split` is '%s', and the split is by the column `time` %s: give shares such as 60/20/20, "
                             "or leave one of both out",
                             spec, data->own_split.column);
        snprintf(by_time, sizeof by_time, GPRI_BY_TIME "%s", spec);
        return gpri_params_settle(params, GPRI_PARAM_SPLIT, by_time);
    }
    return meaning == spec ? GPR_OK : gpri_params_settle(params, GPRI_PARAM_SPLIT, meaning);
}

unsigned gpri_split_care(const gpr_params *params, const gpr_dataset *data) {
    const bool own =
        gpri_params_is(params, GPRI_SPLIT_COLUMN) || gpri_split_is_by_time(gpri_params_text(params, GPRI_PARAM_SPLIT));
    if (gpri_params_asked(params, GPRI_PARAM_SPLIT)) return GPRI_SPLIT_ASKED;
    return own || gpri_is_published(data) ? 0 : GPRI_SPLIT_COVER; /* a preset of the paper leaves classes out */
}

bool gpri_split_is_fixed(const char *spec) {
    if (strcmp(spec, "column") == 0 || gpri_split_is_by_time(spec) || is_table(spec)) return true;
    return !gpri_ends_with(spec, ".npz") && !gpri_split_names_rule(spec);
}
