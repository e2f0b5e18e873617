/* Why trees gave a node its score: the shares of their columns (trees/shap.h), which add up to it. */
#include <math.h>

#include "explain/explanation.h"
#include "model/trained/tree_names.h"
#include "spectral/rank.h"
#include "trees/shap.h"

/* Of a class; of two classes the first has the score 0. The scores of a stack begin with that of its network, which is
   the share of its column, beside what the trees ask about it. */
static void share_out(double *shares, const gpri_pass *pass, int64_t node, int64_t class_id, int64_t columns) {
    gpri_forest forest;
    const gpri_forest_row row = gpri_forest_row_of(pass->net, node);
    const gpri_forest_form *form = gpri_net_forest(pass->net, &forest);
    const int64_t group = forest.groups == 1 ? 0 : class_id;
    if (class_id < 0 || (forest.groups == 1 && class_id == 0)) return;
    gpri_forest_shares(&forest, gpri_forest_tree(pass->net, GPRI_FOREST_COVER, 0), group, &row, columns, shares);
    if (form->scores)
        shares[columns - form->scores + group] += (double)row.rest[form->count_columns - form->scores + group];
}

/* The number that trees ask about, in the units of the data where it is of one of its columns. */
static double value_of(const gpri_pass *pass, const gpri_forest_row *row, int64_t column, int64_t feature) {
    const gpri_scaling *scaling = &pass->model->scaling;
    const double value = (double)(column < row->count ? row->first[column] : row->rest[column - row->count]);
    if (feature < 0 || scaling->cols == 0 || scaling->factor[feature] == 0) return value;
    const double before = value / (double)scaling->factor[feature] + (double)scaling->mean[feature];
    if (!gpri_has_curve(&scaling->curves, feature)) return before;
    return (double)gpri_curve_origin(&scaling->curves, feature, (float)before);
}

gpr_status gpri_explain_trees(gpr_ctx *ctx, gpri_explained *out, const gpri_pass *pass, int64_t top) {
    gpr_explanation_info *info = &out->info;
    const int64_t columns = gpri_trees_column_count(pass->model);
    const gpri_forest_row row = gpri_forest_row_of(pass->net, info->node);
    double *shares = NULL, *rival = NULL; /* (columns + 1) */
    gpri_ranked *order = NULL;
    char name[GPRI_TREE_NAME];
    gpr_status status = GPR_OK;
    TRY(gpri_calloc(ctx, &shares, columns + 1, sizeof *shares, "explanation"));
    TRY(gpri_calloc(ctx, &rival, columns + 1, sizeof *rival, "explanation"));
    TRY(gpri_alloc(ctx, &order, columns, sizeof *order, "explanation"));
    share_out(shares, pass, info->node, info->class_id, columns);
    share_out(rival, pass, info->node, info->rival, columns);
    info->bias_score = shares[columns];
    info->bias_lead = shares[columns] - rival[columns];
    for (int64_t c = 0; c < columns; c++) {
        info->columns_score += shares[c];
        info->columns_lead += shares[c] - rival[c];
        if (shares[c] != 0 || rival[c] != 0) order[info->columns++] = (gpri_ranked){fabs(shares[c] - rival[c]), c};
    }
    const int64_t listed = gpri_rank_first(order, info->columns, top);
    TRY(gpri_calloc(ctx, &out->columns, listed, sizeof *out->columns, "explanation"));
    info->listed_columns = listed;
    for (int64_t r = 0; r < listed; r++) {
        const int64_t c = order[r].node;
        char *own = NULL;
        int64_t feature;
        TRY(gpri_strdup(ctx, &own, gpri_trees_column_name(name, &feature, pass->model, c)));
        out->columns[r] =
            (gpr_explained_column){.struct_size = sizeof out->columns[r],
                                   .feature = feature,
                                   .name = own,
                                   .value = value_of(pass, &row, c, feature),
                                   .input = (double)(c < row.count ? row.first[c] : row.rest[c - row.count]),
                                   .score = shares[c],
                                   .lead = shares[c] - rival[c]};
    }
done:
    gpri_free_all(ctx, shares, rival, order);
    return status;
}
