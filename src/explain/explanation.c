/* The handle of an explanation, and its parts. */
#include "explain/explanation.h"

#include <string.h>

#include "base/struct.h"

void gpr_explanation_free(gpr_explanation *explanation) {
    if (!explanation) return;
    gpr_ctx *ctx = explanation->ctx;
    for (int64_t e = 0; explanation->explained && e < explanation->count; e++) {
        gpri_explained *one = &explanation->explained[e];
        for (int s = 0; s < GPRI_EXPLAINED_SERIES; s++) gpri_free(ctx, one->series[s]);
        for (int64_t i = 0; one->nodes && i < one->info.listed; i++)
            gpri_free(ctx, (char *)(uintptr_t)one->nodes[i].id);
        for (int64_t i = 0; one->columns && i < one->info.listed_columns; i++)
            gpri_free(ctx, (char *)(uintptr_t)one->columns[i].name);
        gpri_free(ctx, one->nodes);
        gpri_free(ctx, one->columns);
        gpri_free(ctx, one->id);
    }
    gpri_free(ctx, explanation->explained);
    gpri_free(ctx, explanation->gamma);
    gpri_free(ctx, explanation->model);
    gpri_free(ctx, explanation->dataset);
    gpri_names_free(ctx, &explanation->class_names);
    gpri_free(ctx, explanation->json);
    gpri_free(ctx, explanation);
}

/* The node of that index, or NULL after an error message. */
static const gpri_explained *find(const gpr_explanation *explanation, int64_t index, const char *call) {
    if (explanation && index >= 0 && index < explanation->count) return &explanation->explained[index];
    if (!explanation) (void)!gpri_fail(GPR_ERROR_ARGUMENT, "%s: a NULL argument", call);
    else
        (void)!gpri_fail(GPR_ERROR_ARGUMENT, "%s: index %lld is not in [0, %lld)", call, (long long)index,
                         (long long)explanation->count);
    return NULL;
}

static gpr_status wrong_rank(const char *call, int64_t rank, int64_t count) {
    return gpri_fail(GPR_ERROR_ARGUMENT, "%s: rank %lld is not in [0, %lld)", call, (long long)rank, (long long)count);
}

gpr_status gpr_explanation_describe(const gpr_explanation *explanation, int64_t index, gpr_explanation_info *out) {
    const gpri_explained *one = find(explanation, index, "gpr_explanation_describe");
    if (!one) return GPR_ERROR_ARGUMENT;
    gpr_status status = GPRI_STRUCT_CHECK(out, gpr_explanation_info, "gpr_explanation_describe", "out");
    if (status == GPR_OK) gpri_struct_out(out, &one->info, sizeof one->info);
    return gpri_finish(status);
}

gpr_status gpr_explanation_node(const gpr_explanation *explanation, int64_t index, int64_t rank,
                                gpr_explained_node *out) {
    const gpri_explained *one = find(explanation, index, "gpr_explanation_node");
    if (!one) return GPR_ERROR_ARGUMENT;
    gpr_status status = GPRI_STRUCT_CHECK(out, gpr_explained_node, "gpr_explanation_node", "out");
    if (status != GPR_OK) return gpri_finish(status);
    if (rank < 0 || rank >= one->info.listed) return wrong_rank("gpr_explanation_node", rank, one->info.listed);
    gpri_struct_out(out, &one->nodes[rank], sizeof one->nodes[rank]);
    return gpri_finish(GPR_OK);
}

gpr_status gpr_explanation_column(const gpr_explanation *explanation, int64_t index, int64_t rank,
                                  gpr_explained_column *out) {
    const gpri_explained *one = find(explanation, index, "gpr_explanation_column");
    if (!one) return GPR_ERROR_ARGUMENT;
    gpr_status status = GPRI_STRUCT_CHECK(out, gpr_explained_column, "gpr_explanation_column", "out");
    if (status != GPR_OK) return gpri_finish(status);
    if (rank < 0 || rank >= one->info.listed_columns)
        return wrong_rank("gpr_explanation_column", rank, one->info.listed_columns);
    gpri_struct_out(out, &one->columns[rank], sizeof one->columns[rank]);
    return gpri_finish(GPR_OK);
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
    const gpri_explained *one = find(explanation, index, "gpr_explanation_series");
    if (!one) return GPR_ERROR_ARGUMENT;
    for (int s = 0; s <= GPRI_EXPLAINED_SERIES; s++) {
        if (strcmp(names[s], what) != 0) continue;
        *values = s == GPRI_EXPLAINED_SERIES ? explanation->gamma : one->series[s];
        if (count) *count = explanation->hops + 1;
        return gpri_finish(GPR_OK);
    }
    const char *near = gpr_nearest_word(what, names, GPRI_EXPLAINED_SERIES + 1);
    return gpri_fail(GPR_ERROR_ARGUMENT, "an explanation has no series '%s': did you mean '%s'?", what,
                     near ? near : "hops");
}
