/* What a run folder says of all nodes, and no process has alone: the predictions of the best run, measures of the
 * graph, kinds of nodes. Process 0 keeps it while the others are there; what comes after the training needs them no
 * more, and opens no rows of theirs. */
#include <string.h>

#include "data/describe.h"
#include "file/checksum.h"
#include "model/known.h"
#include "tensor/prepare.h"
#include "train/processes/processes.h"

/* Somebody keeps the states of the training in process 0, and so will keep its results. */
static bool is_wanted(const gpri_experiment *all) {
    return gpri_spreads_rows(all->ctx) && all->ctx->root_saves && gpri_describes_together(all->data);
}

gpr_status gpri_about_begin(gpri_experiment *all) {
    if (!is_wanted(all) || all->ctx->group->rank > 0) return GPR_OK;
    return gpri_calloc(all->ctx, &all->about, 1, sizeof *all->about, "predictions");
}

/* Where labels are used, nodes without one are predicted in a pass of their own. */
bool gpri_about_wants(const gpri_experiment *all, const gpr_model *model) {
    return is_wanted(all) && !gpri_model_uses_labels(model) &&
           strcmp(gpri_params_text(all->params, GPRI_PARAM_PREDICTIONS), "all") == 0;
}

/* Runs come one after the other where rows are dealt out. */
void gpri_about_take(gpri_experiment *all, int64_t run, gpri_outcome *made) {
    const gpri_run *runs = all->result->runs;
    gpri_about *about = all->about;
    const bool better =
        made->classes && about &&
        (!about->classes || gpri_run_better(&runs[run].info, &runs[about->run].info, gpri_params_metric(all->params)));
    if (better) {
        gpri_outcome old = {about->classes, about->proba};
        about->classes = made->classes;
        about->proba = made->proba;
        about->run = run;
        *made = old;
    }
    gpri_outcome_free(all->ctx, made);
}

void gpri_about_refit(gpri_experiment *all, const gpri_outcome *made) {
    const gpri_about *about = all->about;
    const int64_t C = all->data->classes;
    for (int64_t i = 0; about && about->classes && made->classes && i < all->data->graph.nodes; i++) {
        if (all->data->labels[i] >= 0) continue;
        about->classes[i] = made->classes[i];
        memcpy(about->proba + i * C, made->proba + i * C, (size_t)C * sizeof *about->proba);
    }
}

/* ---- rows of all processes ---- */

/* Bytes before the rows of each process, of `size` for each row or, if that is 0, for each of its arcs. */
static void find_begins(int64_t *begin, const gpri_experiment *all, int64_t row_size, int64_t arc_size) {
    for (int64_t p = 0; p <= all->ctx->group->size; p++) {
        const int64_t row = gpri_processes_cut(all, p);
        begin[p] = row_size * row + arc_size * all->data->graph.rowptr[row];
    }
}

static gpr_status bring_kinds(gpri_experiment *all, gpri_about *about, int64_t *begin, gpri_range rows) {
    gpr_ctx *ctx = all->ctx;
    const gpr_dataset *data = all->data;
    uint8_t *kinds = NULL; /* (nodes) untouched memory is not taken */
    gpr_status status = gpri_alloc(ctx, &kinds, data->graph.nodes, sizeof *kinds, "kinds of nodes");
    status = gpri_group_all_well(ctx->group, status);
    if (status == GPR_OK) {
        gpri_homophily_kinds(kinds, &data->graph, data->labels, rows);
        find_begins(begin, all, 1, 0);
        gpri_group_bring(ctx->group, kinds, kinds + rows.first, begin);
        if (about) about->kinds = kinds, kinds = NULL;
    }
    gpri_free(ctx, kinds);
    return status;
}

/* A graph whose spectrum will be drawn. */
static bool is_small(const gpri_experiment *all) {
    const gpri_graph *graph = &all->data->graph;
    return graph->nodes + graph->arcs <= GPRI_SPECTRUM_MOST && gpri_model_filter(all->params);
}

static gpr_status bring_graph(gpri_experiment *all, gpri_about *about, int64_t *begin, gpri_range rows) {
    gpri_group *group = all->ctx->group;
    const gpri_graph *graph = &all->data->graph;
    const gpri_backing *backing = &all->data->backing;
    gpr_status status = GPR_OK;
    if (!is_small(all) || gpri_group_most(group, backing->file && !backing->whole(backing->file)) == 0) return GPR_OK;
    if (about) status = gpri_alloc(all->ctx, &about->column, graph->arcs, sizeof *graph->column, "graph");
    if (about && graph->weight && status == GPR_OK)
        status = gpri_alloc(all->ctx, &about->weight, graph->arcs, sizeof *graph->weight, "graph");
    TRY(gpri_group_all_well(group, status));
    const int64_t first = graph->rowptr[rows.first];
    find_begins(begin, all, 0, sizeof *graph->column);
    gpri_group_bring(group, about ? about->column : NULL, graph->column + first, begin);
    find_begins(begin, all, 0, sizeof *graph->weight);
    if (graph->weight) gpri_group_bring(group, about ? about->weight : NULL, graph->weight + first, begin);
done:
    return status;
}

gpr_status gpri_about_make(gpri_experiment *all, const gpr_model *model) {
    gpr_ctx *ctx = all->ctx;
    gpri_about *about = all->about;
    gpr_result *result = all->result;
    gpr_dataset_info info = {.struct_size = sizeof info};
    int64_t *begin = NULL; /* (size + 1) */
    gpr_status status = GPR_OK;
    if (!is_wanted(all)) return GPR_OK;
    gpri_features_free(ctx, &all->features); /* nothing is trained any more */
    all->features = (gpri_features){.rows = 0};
    const gpri_range rows = {gpri_processes_cut(all, ctx->group->rank), gpri_processes_cut(all, ctx->group->rank + 1)};
    TRY(gpri_group_all_well(ctx->group, gpri_alloc(ctx, &begin, ctx->group->size + 1, sizeof *begin, "processes")));
    TRY(gpri_describe_together(ctx, &info, all->data, rows));
    TRY(bring_kinds(all, about, begin, rows));
    TRY(bring_graph(all, about, begin, rows));
    if (!about) goto done;
    info.name = NULL;
    about->info = info;
    about->weights = gpri_model_checksum(model);
    if (about->classes && result->runs[result->best].number != about->run) { /* never */
        gpri_outcome other = {about->classes, about->proba};
        gpri_outcome_free(ctx, &other);
        about->classes = NULL;
        about->proba = NULL;
    }
    result->about = about;
    all->about = NULL;
done:
    gpri_free(ctx, begin);
    return status;
}
