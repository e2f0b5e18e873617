/* Passes of a trained model, without dropout: the training stream is the evaluation, so gradients are those of the
 * scores. */
#include "explain/pass.h"

#include <math.h>
#include <string.h>

#include "model/first/first.h"

/* Values of the features that may be changed. The rest stays borrowed from the input. */
static gpr_status copy_features(gpri_pass *p) {
    gpr_status status = GPR_OK;
    const gpri_features *from = &p->input.features;
    gpri_features *to = &p->features;
    p->copied = true;
    to->dense = NULL;
    to->rowptr = NULL;
    to->column = NULL;
    to->value = NULL;
    if (from->dense) {
        TRY(gpri_alloc(p->ctx, &to->dense, from->rows * from->ld, sizeof *to->dense, "features"));
        memcpy(to->dense, from->dense, (size_t)(from->rows * from->ld) * sizeof *to->dense);
        return GPR_OK;
    }
    const int64_t count = gpri_features_count(from);
    TRY(gpri_alloc(p->ctx, &to->rowptr, from->rows + 1, sizeof *to->rowptr, "features"));
    TRY(gpri_alloc(p->ctx, &to->column, count, sizeof *to->column, "features"));
    TRY(gpri_alloc(p->ctx, &to->value, count, sizeof *to->value, "features"));
    memcpy(to->rowptr, from->rowptr, (size_t)(from->rows + 1) * sizeof *to->rowptr);
    if (count > 0) memcpy(to->column, from->column, (size_t)count * sizeof *to->column);
    if (count > 0) memcpy(to->value, from->value, (size_t)count * sizeof *to->value);
done:
    return status;
}

void gpri_pass_warn(gpr_ctx *ctx, const gpr_model *model) {
    if (gpri_smooths(&model->smoothing))
        gpri_log(ctx, GPR_LOG_WARNING,
                 "the predictions of this model are smoothed over the graph (`smooth`); what follows is about its "
                 "scores before that");
}

gpr_status gpri_pass_new(gpr_ctx *ctx, gpri_pass *pass, const gpr_model *model, const gpr_dataset *data, bool backward,
                         bool copies, bool every) {
    gpr_status status = GPR_OK;
    *pass = (gpri_pass){.ctx = ctx, .model = model, .data = data, .input = {.features = {.rows = 0}}};
    gpri_recipe recipe = gpri_recipe_of(model->params, model->classes);
    recipe.dropout = recipe.dprate = 0;
    recipe.half = false; /* what is explained is exact */
    TRY(gpri_first_refuse(model, "this explanation"));
    TRY(gpri_refuse_foreign_file(model));
    TRY(gpri_dataset_ready(ctx, data));
    recipe.labels.share = 1; /* all that are known, in both streams */
    TRY(gpri_know_of_model(ctx, &recipe, &pass->knowledge, model, data, every));
    TRY(gpri_model_input_new(ctx, &pass->input, model, data, backward));
    TRY(gpri_model_relate(ctx, &pass->input.features, model->params, &data->graph));
    pass->features = pass->input.features;
    if (copies) TRY(copy_features(pass));
    TRY(gpri_model_net(ctx, &pass->net, model->params, &recipe, &data->graph, &pass->features, ctx->threads, 0,
                       backward));
    TRY(gpri_model_put(model, pass->net));
    TRY(gpri_alloc(ctx, &pass->z, data->graph.nodes * model->classes, sizeof *pass->z, "scores"));
    TRY(gpri_pass_run(pass));
    TRY(gpri_check_scores(pass->net, model, data, &pass->features, model->params));
done:
    return status;
}

void gpri_pass_free(gpri_pass *pass) {
    if (!pass->ctx) return;
    gpri_net_free(pass->net);
    if (pass->copied) {
        gpri_free(pass->ctx, pass->features.dense);
        gpri_free(pass->ctx, pass->features.rowptr);
        gpri_free(pass->ctx, pass->features.column);
        gpri_free(pass->ctx, pass->features.value);
    }
    gpri_model_input_free(pass->ctx, &pass->input);
    gpri_knowledge_free(pass->ctx, &pass->knowledge);
    gpri_free(pass->ctx, pass->z);
    *pass = (gpri_pass){.ctx = NULL};
}

gpr_status gpri_pass_read(const gpri_pass *pass, double *out, gpri_matrix from) {
    enum { ROWS = 256 };
    gpr_status status = GPR_OK;
    gpri_real *rows = NULL;
    TRY(gpri_alloc(pass->ctx, &rows, ROWS * from.ld, sizeof *rows, "scores"));
    for (int64_t first = 0; first < from.rows; first += ROWS) {
        const int64_t count = from.rows - first < ROWS ? from.rows - first : ROWS;
        pass->net->device->get(pass->net->device, rows, from.at + first * from.ld,
                               ((count - 1) * from.ld + from.cols) * (int64_t)sizeof *rows);
        for (int64_t i = 0; i < count; i++)
            for (int64_t c = 0; c < from.cols; c++) out[(first + i) * from.cols + c] = (double)rows[i * from.ld + c];
    }
done:
    gpri_free(pass->ctx, rows);
    return status;
}

gpr_status gpri_pass_run(gpri_pass *pass) {
    gpr_status status = GPR_OK;
    gpri_net_forward(pass->net, pass->net->trains ? GPRI_BOTH_STREAMS : GPRI_EVAL_STREAM);
    TRY(gpri_device_check(pass->ctx));
    TRY(gpri_pass_read(pass, pass->z, gpri_net_output(pass->net, GPRI_EVAL_STREAM)));
done:
    return status;
}

static void put_array(const gpri_pass *pass, const void *to, const void *from, int64_t bytes) {
    if (from && to != from) pass->net->device->put(pass->net->device, (void *)(uintptr_t)to, from, bytes);
}

void gpri_pass_put_features(gpri_pass *pass) {
    const gpri_features *x = &pass->features, *view = &pass->net->features_view;
    const int64_t count = gpri_features_count(x);
    if (x->dense) put_array(pass, view->dense, x->dense, x->rows * x->ld * (int64_t)sizeof *x->dense);
    if (x->dense) return;
    put_array(pass, view->rowptr, x->rowptr, (x->rows + 1) * (int64_t)sizeof *x->rowptr);
    put_array(pass, view->column, x->column, count * (int64_t)sizeof *x->column);
    put_array(pass, view->value, x->value, count * (int64_t)sizeof *x->value);
}

int64_t gpri_pass_best(const gpri_pass *pass, int64_t node, int64_t besides) {
    const int64_t classes = pass->model->classes;
    const double *z = pass->z + node * classes;
    int64_t best = -1;
    for (int64_t c = 0; c < classes; c++)
        if (c != besides && (best < 0 || z[c] > z[best])) best = c;
    return best;
}

double gpri_pass_log_probability(const gpri_pass *pass, int64_t node, int64_t class_id) {
    const int64_t classes = pass->model->classes;
    const double *z = pass->z + node * classes, largest = z[gpri_pass_best(pass, node, -1)];
    const double scale = pass->model->temperature > 0 ? 1 / pass->model->temperature : 1;
    double sum = 0;
    for (int64_t c = 0; c < classes; c++) sum += exp((z[c] - largest) * scale);
    return (z[class_id] - largest) * scale - log(sum);
}
