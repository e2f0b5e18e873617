/* Warnings about a dataset: what a careful colleague would ask before trusting a result. And what no training can do
 * without. */
#include "base/text.h"
#include "data/describe.h"
#include "data/published.h"

/* Classes by their number of labelled nodes. */
typedef struct census {
    int64_t *sizes; /* (classes) */
    int64_t labelled, present;
} census;

static gpr_status take_census(gpr_ctx *ctx, census *out, const gpr_dataset *data) {
    NEED(gpri_alloc(ctx, &out->sizes, data->target.classes, sizeof *out->sizes, "classes"));
    gpri_class_sizes(out->sizes, data->target.labels, data->graph.nodes, data->target.classes);
    for (int64_t c = 0; c < data->target.classes; c++) {
        out->labelled += out->sizes[c];
        out->present += out->sizes[c] > 0;
    }
    return GPR_OK;
}

gpr_status gpri_dataset_needs_labels(const gpr_dataset *data) {
    for (int64_t i = 0; i < data->graph.nodes; i++)
        if (gpri_target_known(&data->target, i)) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT,
                     "%s has no labelled node: there is nothing to train on; give `label` with the column of `nodes`, "
                     "or `labels`",
                     data->name);
}

static void warn_of_labels(const gpri_listener *listener, const gpr_dataset *data, const census *labels) {
    const int64_t nodes = data->graph.nodes, bare = nodes - labels->labelled;
    if (labels->labelled == 0)
        gpri_tell(listener, GPR_LOG_WARNING, "%s: no node has a label: there is nothing to learn from or to test on",
                  data->name);
    else if (bare > nodes / 2)
        gpri_tell(listener, GPR_LOG_WARNING,
                  "%s: %lld of %lld nodes have no label (%.1f %%): they neither train nor test", data->name,
                  (long long)bare, (long long)nodes, 100 * (double)bare / (double)nodes);
    if (gpri_target_is_number(&data->target)) return;
    if (labels->labelled > 0 && labels->present == 1)
        gpri_tell(listener, GPR_LOG_WARNING, "%s: all labelled nodes are of one class: there is nothing to tell apart",
                  data->name);
    else if (labels->present > 0 && labels->present < data->target.classes)
        gpri_tell(listener, GPR_LOG_WARNING, "%s: %lld of %lld classes have no node", data->name,
                  (long long)(data->target.classes - labels->present), (long long)data->target.classes);
}

static void warn_of_duplicates(const gpri_listener *listener, const gpr_dataset *data) {
    static const char *const weights[] = {[GPRI_DUPLICATES_MAX] = ": the largest weight counts",
                                          [GPRI_DUPLICATES_SUM] = ": their weights are added",
                                          [GPRI_DUPLICATES_FIRST] = ": the first weight counts",
                                          [GPRI_DUPLICATES_COUNT] = ": their number is the weight"};
    const bool known = data->graph.weight && !(data->backing.file && data->from_table); /* a file does not say */
    if (data->graph.duplicates == 0) return;
    gpri_tell(listener, data->duplicates_asked ? GPRI_LOG_ASKED : GPR_LOG_WARNING,
              "%s: %lld %s given more than once and merged%s", data->name, (long long)data->graph.duplicates,
              data->graph.duplicates == 1 ? "edge was" : "edges were", known ? weights[data->duplicates] : "");
}

void gpri_dataset_say_directions(gpr_ctx *ctx, const gpr_dataset *data, bool option) {
    gpri_text names = {.ctx = ctx};
    int64_t edges = 0, one_way = 0;
    for (int64_t r = 0; r < gpri_relation_count(&data->graph); r++) {
        const gpri_graph *graph = gpri_relation_graph(&data->graph, r);
        const char *name = gpri_relation_name(&data->graph, r);
        if (gpri_graph_one_way(graph) == 0) continue;
        if (*name) gpri_text_add(&names, "%s%s", edges ? ", " : " of ", name);
        edges += graph->arcs / 2;
        one_way += gpri_graph_one_way(graph);
    }
    if (edges > 0)
        gpri_log(ctx, GPR_LOG_NOTICE,
                 "%s: the edges%s are directed: %lld of %lld have no reverse; all are used in both directions%s",
                 data->name, names.bytes ? names.bytes : "", (long long)one_way, (long long)edges,
                 option ? ", unless `direction` says else" : "");
    gpri_text_free(&names);
}

gpr_status gpri_dataset_warn(gpr_ctx *ctx, const gpri_listener *listener, const gpr_dataset *data) {
    gpr_status status = GPR_OK;
    census labels = {0};
    const gpri_listener own = {ctx->job.log, ctx->job.user, ctx->job.quiet};
    if (!listener) listener = &own;
    if (!listener->log) return GPR_OK;
    TRY(take_census(ctx, &labels, data));
    warn_of_duplicates(listener, data);
    if (data->graph.arcs == 0)
        gpri_tell(listener, GPR_LOG_WARNING, "%s: the graph has no edges: only the features tell nodes apart",
                  data->name);
    if (data->features.nnz == 0 && data->features.cols > 0)
        gpri_tell(listener, GPR_LOG_WARNING, "%s: all features are 0: a model cannot tell nodes apart by them",
                  data->name);
    warn_of_labels(listener, data, &labels);
    TRY(gpri_published_warn(ctx, listener, data));
done:
    gpri_free(ctx, labels.sizes);
    return status;
}

/* The usual split takes shares of each class: one with fewer nodes than parts is not in all of them. */
static gpr_status warn_of_small_classes(gpr_ctx *ctx, const gpr_dataset *data, const census *labels) {
    enum { SHOWN = 12, PARTS = 3 };
    gpri_text text = {.ctx = ctx};
    char number[24];
    int64_t found = 0;
    for (int64_t c = 0; c < data->target.classes; c++) {
        if (labels->sizes[c] == 0 || labels->sizes[c] >= PARTS || found++ >= SHOWN) continue;
        gpri_text_add(&text, "%s class %s (%lld node%s)", text.size ? "," : "",
                      gpri_name_or_number(&data->target.names, c, number), (long long)labels->sizes[c],
                      labels->sizes[c] == 1 ? "" : "s");
    }
    if (found > SHOWN) gpri_text_add(&text, " and of %lld more classes", (long long)(found - SHOWN));
    gpr_status status = gpri_text_status(&text);
    if (status == GPR_OK && found > 0)
        gpri_log(ctx, GPR_LOG_WARNING,
                 "%s: training, validation and test need 3 labelled nodes of a class to have one each: there are fewer "
                 "of%s",
                 data->name, text.bytes);
    gpri_text_free(&text);
    return status;
}

gpr_status gpr_dataset_check(gpr_ctx *ctx, const gpr_dataset *data) {
    gpr_status status = GPR_OK;
    census labels = {0};
    if (!ctx || !data) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_check: a NULL argument");
    if (!ctx->job.log) return gpri_finish(GPR_OK);
    TRY(gpri_dataset_ready(ctx, data));
    TRY(gpri_dataset_warn(ctx, NULL, data));
    TRY(take_census(ctx, &labels, data));
    if (labels.present > 1 && !data->own_split.part && !data->own_split.time)
        TRY(warn_of_small_classes(ctx, data, &labels));
done:
    gpri_free(ctx, labels.sizes);
    return gpri_finish(status);
}
