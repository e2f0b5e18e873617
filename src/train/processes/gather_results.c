/* What a run folder says of all nodes, and no process has alone: measures of the graph, kinds of nodes; the predictions
 * are kept as those of one process are (train/outcome.c). Process 0 keeps it while the others are there; what
 * comes after the training needs them no more, and opens no rows of theirs. */
#include "data/describe.h"
#include "model/model.h"
#include "tensor/prepare.h"
#include "train/processes/processes.h"

/* Somebody keeps the states of the training in process 0, and so will keep its results. */
bool gpri_gather_wanted(const gpri_experiment *experiment) {
    return gpri_spreads_rows(experiment->ctx) && gpri_first_saves(experiment->ctx) &&
           gpri_describes_together(experiment->data);
}

gpr_status gpri_gather_begin(gpri_experiment *experiment) {
    if (!gpri_gather_wanted(experiment) || !gpri_is_first_process(experiment->ctx)) return GPR_OK;
    return gpri_calloc(experiment->ctx, &experiment->gathered, 1, sizeof *experiment->gathered, "measures of all rows");
}

/* ---- rows of all processes ---- */

/* Bytes before the rows of each process, of `size` for each row or, if that is 0, for each of its arcs. */
static void find_begins(int64_t *begin, const gpri_experiment *experiment, int64_t row_size, int64_t arc_size) {
    for (int64_t p = 0; p <= gpri_process_count(experiment->ctx); p++) {
        const int64_t row = gpri_processes_cut(experiment, p);
        begin[p] = row_size * row + arc_size * experiment->data->graph.rowptr[row];
    }
}

static gpr_status bring_kinds(gpri_experiment *experiment, gpri_gathered *gathered, int64_t *begin, gpri_range rows) {
    gpr_ctx *ctx = experiment->ctx;
    const gpr_dataset *data = experiment->data;
    uint8_t *kinds = NULL; /* (nodes) untouched memory is not taken */
    gpr_status status = gpri_all_well(ctx, gpri_alloc(ctx, &kinds, data->graph.nodes, sizeof *kinds, "kinds of nodes"));
    if (status == GPR_OK) {
        gpri_homophily_kinds(kinds, &data->graph, data->target.labels, rows);
        find_begins(begin, experiment, 1, 0);
        gpri_first_gets(ctx, kinds, kinds + rows.first, begin);
        if (gathered) gathered->kinds = kinds, kinds = NULL;
    }
    gpri_free(ctx, kinds);
    return status;
}

/* A graph whose spectrum will be drawn. */
static bool is_small(const gpri_experiment *experiment) {
    const gpri_graph *graph = &experiment->data->graph;
    return graph->nodes + graph->arcs <= GPRI_SPECTRUM_MOST && gpri_model_filter(experiment->params);
}

static gpr_status bring_graph(gpri_experiment *experiment, gpri_gathered *gathered, int64_t *begin, gpri_range rows) {
    const gpr_ctx *ctx = experiment->ctx;
    const gpri_graph *graph = &experiment->data->graph;
    const gpri_backing *backing = &experiment->data->backing;
    gpr_status status = GPR_OK;
    if (!is_small(experiment) || gpri_all_most(ctx, backing->file && !backing->whole(backing->file)) == 0)
        return GPR_OK;
    if (gathered) status = gpri_alloc(experiment->ctx, &gathered->column, graph->arcs, sizeof *graph->column, "graph");
    if (gathered && graph->weight && status == GPR_OK)
        status = gpri_alloc(experiment->ctx, &gathered->weight, graph->arcs, sizeof *graph->weight, "graph");
    NEED(gpri_all_well(ctx, status));
    const int64_t first = graph->rowptr[rows.first];
    find_begins(begin, experiment, 0, sizeof *graph->column);
    gpri_first_gets(ctx, gathered ? gathered->column : NULL, graph->column + first, begin);
    find_begins(begin, experiment, 0, sizeof *graph->weight);
    if (graph->weight) gpri_first_gets(ctx, gathered ? gathered->weight : NULL, graph->weight + first, begin);
    return status;
}

gpr_status gpri_gather_make(gpri_experiment *experiment) {
    gpr_ctx *ctx = experiment->ctx;
    gpri_gathered *gathered = experiment->gathered;
    gpr_result *result = experiment->result;
    gpr_dataset_info info = {.struct_size = sizeof info};
    int64_t *begin = NULL; /* (size + 1) */
    gpr_status status = GPR_OK;
    if (!gpri_gather_wanted(experiment)) return GPR_OK;
    gpri_preparation_forget(
        experiment->prepared); /* what follows needs memory, and mostly nothing is trained any more */
    const int64_t process = gpri_process_number(ctx);
    const gpri_range rows = {gpri_processes_cut(experiment, process), gpri_processes_cut(experiment, process + 1)};
    TRY(gpri_all_well(ctx, gpri_alloc(ctx, &begin, gpri_process_count(ctx) + 1, sizeof *begin, "processes")));
    TRY(gpri_describe_together(ctx, &info, experiment->data, rows));
    TRY(bring_kinds(experiment, gathered, begin, rows));
    TRY(bring_graph(experiment, gathered, begin, rows));
    if (!gathered) goto done;
    info.name = NULL;
    gathered->info = info;
    result->gathered = gathered;
    experiment->gathered = NULL;
done:
    gpri_free(ctx, begin);
    return status;
}
