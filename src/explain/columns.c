/* Gradient times input of the features.
 *
 * The backward pass leaves dL/d(X W) of the first layer, so dL/dX = dL/d(X W) W', of the rows and columns that are
 * wanted alone. */
#include <math.h>

#include "explain/explanation.h"
#include "spectral/rank.h"

gpr_status gpri_each_input(gpr_ctx *ctx, const gpri_pass *pass, int64_t first, int64_t end, gpri_input_fn fn,
                           void *arg) {
    gpr_status status = GPR_OK;
    const gpri_features *x = &pass->features;
    const gpri_device *device = pass->net->device;
    const gpri_weight *weight;
    const gpri_matrix dy = gpri_input_gradient(pass->net, &weight);
    gpri_real *w = NULL, *row = NULL; /* (features x width), (width) */
    TRY(gpri_alloc(ctx, &w, weight->rows * weight->width, sizeof *w, "weights"));
    TRY(gpri_alloc(ctx, &row, dy.width, sizeof *row, "gradient"));
    device->get(device, w, weight->value, weight->rows * weight->width * (int64_t)sizeof *w);
    for (int64_t i = first; i < end; i++) {
        device->get(device, row, dy.at + i * dy.ld, dy.width * (int64_t)sizeof *row);
        const int64_t from = x->dense ? 0 : x->rowptr[i], to = x->dense ? x->cols : x->rowptr[i + 1];
        for (int64_t k = from; k < to; k++) {
            const int64_t feature = x->dense ? k : x->column[k];
            const double input = (double)(x->dense ? x->dense[i * x->ld + k] : x->value[k]);
            double gradient = 0;
            if (input == 0) continue;
            for (int64_t c = 0; c < dy.width; c++) gradient += (double)row[c] * (double)w[feature * weight->width + c];
            fn(arg, i, feature, input, gradient);
        }
    }
done:
    gpri_free_all(ctx, w, row);
    return status;
}

/* ---- Of one node -------------------------------------------------------------------------------------- */

typedef struct {
    gpr_explained_column *columns; /* (count) that are not 0 */
    int64_t count;
    bool both; /* the rival's turn */
} found;

static void take(void *arg, int64_t node, int64_t feature, double input, double gradient) {
    found *f = arg;
    (void)node;
    gpr_explained_column *column = &f->columns[f->count++];
    if (f->both) {
        column->lead -= input * gradient;
        return;
    }
    *column = (gpr_explained_column){.struct_size = sizeof *column,
                                     .feature = feature,
                                     .input = input,
                                     .score = input * gradient,
                                     .lead = input * gradient};
}

/* The gradient of one score, by its features. */
static gpr_status differentiate(gpr_ctx *ctx, found *f, gpri_pass *pass, int64_t node, int64_t class_id) {
    const gpri_matrix dz = gpri_net_output(pass->net, GPRI_TRAIN_STREAM); /* the scores become their gradient */
    const gpri_real one = 1;
    pass->net->ops->zero(dz);
    pass->net->device->put(pass->net->device, dz.at + node * dz.ld + class_id, &one, sizeof one);
    gpri_net_backward(pass->net);
    NEED(gpri_device_check(ctx));
    f->count = 0;
    return gpri_each_input(ctx, pass, node, node + 1, take, f);
}

/* As the data has it, before it was scaled and normalised. */
static double value_of(const gpri_pass *pass, int64_t node, int64_t feature) {
    const gpri_feature_matrix *table = pass->input.moved.rows ? &pass->input.moved : &pass->data->features;
    if (table->dense) return (double)table->dense[node * table->cols + feature];
    for (int64_t k = table->rowptr[node]; k < table->rowptr[node + 1]; k++)
        if (table->column[k] == feature) return (double)table->value[k];
    return 0;
}

gpr_status gpri_explain_columns(gpr_ctx *ctx, gpri_explained *out, gpri_pass *pass, int64_t top) {
    gpr_status status = GPR_OK;
    gpr_explanation_info *info = &out->info;
    const gpri_features *x = &pass->features;
    const int64_t most = x->dense ? x->cols : x->rowptr[info->node + 1] - x->rowptr[info->node];
    found f = {.count = 0};
    gpri_ranked *order = NULL;
    TRY(gpri_alloc(ctx, &f.columns, most, sizeof *f.columns, "explanation"));
    TRY(gpri_alloc(ctx, &order, most, sizeof *order, "explanation"));
    TRY(differentiate(ctx, &f, pass, info->node, info->class_id));
    if (!info->exact) TRY(gpri_explain_blocks(out, pass, false));
    if (info->rival >= 0) {
        TRY(gpri_pass_run_again(pass));
        f.both = true;
        TRY(differentiate(ctx, &f, pass, info->node, info->rival));
        if (!info->exact) TRY(gpri_explain_blocks(out, pass, true));
    }
    info->columns = f.count;
    for (int64_t i = 0; i < f.count; i++) {
        info->columns_score += f.columns[i].score;
        info->columns_lead += f.columns[i].lead;
        order[i] = (gpri_ranked){fabs(f.columns[i].lead), i};
    }
    const int64_t listed = gpri_rank_first(order, f.count, top);
    TRY(gpri_calloc(ctx, &out->columns, listed, sizeof *out->columns, "explanation"));
    info->listed_columns = listed;
    for (int64_t r = 0; r < listed; r++) {
        gpr_explained_column column = f.columns[order[r].node];
        const char *known = gpr_model_feature_name(pass->model, column.feature);
        char *name = NULL;
        if (known) TRY(gpri_strdup(ctx, &name, known));
        column.name = name;
        column.value = value_of(pass, info->node, column.feature);
        out->columns[r] = column;
    }
done:
    gpri_free_all(ctx, f.columns, order);
    return status;
}
