/* The handle of an explanation, and its parts. */
#include "explain/explanation.h"

#include <string.h>

#include "base/struct.h"

void gpr_explanation_free(gpr_explanation *explanation) {
    if (!explanation) return;
    gpr_ctx *ctx = explanation->ctx;
    for (int64_t e = 0; explanation->explained && e < explanation->count; e++) {
        gpri_explained *node = &explanation->explained[e];
        for (int s = 0; s < GPRI_EXPLAINED_SERIES; s++) gpri_free(ctx, node->series[s]);
        for (int64_t i = 0; node->nodes && i < node->info.listed; i++)
            gpri_free(ctx, (char *)(uintptr_t)node->nodes[i].id);
        for (int64_t i = 0; node->columns && i < node->info.listed_columns; i++)
            gpri_free(ctx, (char *)(uintptr_t)node->columns[i].name);
        gpri_free_all(ctx, node->numbers, node->filters, node->nodes, node->columns, node->id);
    }
    gpri_free_all(ctx, explanation->explained, explanation->gamma, explanation->relations, explanation->model,
                  explanation->dataset);
    gpri_names_free(ctx, &explanation->class_names);
    gpri_free_all(ctx, explanation->json, explanation);
}

/* The node of that index, or NULL after an error message. */
static const gpri_explained *find(const gpr_explanation *explanation, int64_t index, const char *call) {
    if (explanation && index >= 0 && index < explanation->count) return &explanation->explained[index];
    if (!explanation) (void)!gpri_fail(GPR_ERROR_ARGUMENT, "%s: a NULL argument", call);
    else (void)!gpri_check_index(call, "index", index, explanation->count);
    return NULL;
}

gpr_status gpr_explanation_describe(const gpr_explanation *explanation, int64_t index, gpr_explanation_info *out) {
    const gpri_explained *explained = find(explanation, index, "gpr_explanation_describe");
    if (!explained) return GPR_ERROR_ARGUMENT;
    return gpri_finish(GPRI_STRUCT_OUT(out, gpr_explanation_info, "gpr_explanation_describe", &explained->info));
}

gpr_status gpr_explanation_node(const gpr_explanation *explanation, int64_t index, int64_t rank,
                                gpr_explained_node *out) {
    const gpri_explained *explained = find(explanation, index, "gpr_explanation_node");
    if (!explained) return GPR_ERROR_ARGUMENT;
    NEED(gpri_check_index("gpr_explanation_node", "rank", rank, explained->info.listed));
    return gpri_finish(GPRI_STRUCT_OUT(out, gpr_explained_node, "gpr_explanation_node", &explained->nodes[rank]));
}

gpr_status gpr_explanation_filter(const gpr_explanation *explanation, int64_t index, int64_t filter,
                                  gpr_explained_filter *out) {
    const gpri_explained *explained = find(explanation, index, "gpr_explanation_filter");
    if (!explained) return GPR_ERROR_ARGUMENT;
    NEED(gpri_check_index("gpr_explanation_filter", "filter", filter, explained->info.filters));
    return gpri_finish(
        GPRI_STRUCT_OUT(out, gpr_explained_filter, "gpr_explanation_filter", &explained->filters[filter]));
}

gpr_status gpr_explanation_column(const gpr_explanation *explanation, int64_t index, int64_t rank,
                                  gpr_explained_column *out) {
    const gpri_explained *explained = find(explanation, index, "gpr_explanation_column");
    if (!explained) return GPR_ERROR_ARGUMENT;
    NEED(gpri_check_index("gpr_explanation_column", "rank", rank, explained->info.listed_columns));
    return gpri_finish(GPRI_STRUCT_OUT(out, gpr_explained_column, "gpr_explanation_column", &explained->columns[rank]));
}

gpr_status gpr_explanation_series(const gpr_explanation *explanation, int64_t index, const char *what,
                                  const double **values, int64_t *count) {
    static const char *const names[] = {[GPRI_EXPLAINED_HOPS] = "hops",
                                        [GPRI_EXPLAINED_HOPS_LEAD] = "hops_lead",
                                        [GPRI_EXPLAINED_RINGS] = "rings",
                                        [GPRI_EXPLAINED_RINGS_LEAD] = "rings_lead",
                                        [GPRI_EXPLAINED_RING_NODES] = "ring_nodes",
                                        [GPRI_EXPLAINED_SERIES] = "gamma"};
    if (values) *values = NULL;
    if (count) *count = 0;
    if (!what || !values) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_explanation_series: a NULL argument");
    const gpri_explained *explained = find(explanation, index, "gpr_explanation_series");
    if (!explained) return GPR_ERROR_ARGUMENT;
    for (int s = 0; s <= GPRI_EXPLAINED_SERIES; s++) {
        if (strcmp(names[s], what) != 0) continue;
        *values = s == GPRI_EXPLAINED_SERIES ? explanation->gamma : explained->series[s];
        if (count) *count = *values ? explanation->hops + 1 : 0;
        return gpri_finish(GPR_OK);
    }
    const char *near = gpr_nearest_word(what, names, GPRI_EXPLAINED_SERIES + 1);
    return gpri_fail(GPR_ERROR_ARGUMENT, "an explanation has no series '%s': did you mean '%s'?", what,
                     near ? near : "hops");
}
