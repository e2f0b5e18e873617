/* From a model and data to scores: features, known labels, network, forward pass, smoothing. */
#include "model/predict/pass.h"

#include <string.h>

#include "model/cause.h"
#include "model/trained/stacked.h"
#include "tensor/counter.h"
#include "tensor/prepare.h"

gpr_status gpri_pass_read_features(gpri_pass *pass) {
    const gpri_graph *graph = &pass->data->graph;
    const bool trees = gpri_model_is(pass->params, GPRI_MODEL_FOREST);
    if (trees && pass->ctx->job.device != pass->ctx->job.cpu)
        return gpri_fail(GPR_ERROR_ARGUMENT, "the model %s is computed on the CPU: give `device` cpu",
                         gpr_model_name(pass->model));
    NEED(gpri_model_input_new(pass->ctx, &pass->input, pass->model, pass->data, pass->trains));
    NEED(pass->looks && (!trees || pass->copied) /* their columns are made of the copy */
             ? gpri_model_relate(pass->ctx, &pass->input.features, pass->params, graph)
             : gpri_model_prepare(pass->ctx, &pass->input.features, pass->params, graph, pass->model));
    pass->features = pass->input.features;
    return GPR_OK;
}

static gpr_status new_net(gpri_pass *pass, gpri_recipe *recipe, const gpri_device *device) {
    recipe->device = device;
    const gpri_features *features = pass->columns.rows > 0 ? &pass->columns : &pass->features;
    return gpri_model_net(pass->ctx, &pass->net, pass->params, recipe, &pass->data->graph, features, pass->ctx->threads,
                          0, pass->trains);
}

/* Whether the device has memory for it, before anything is taken. */
static gpr_status check_room(gpri_pass *pass, gpri_recipe *recipe) {
    gpri_counter counter;
    if (!pass->ctx->job.device->room) return GPR_OK;
    gpri_counter_begin(&counter, pass->ctx->job.device);
    gpr_status status = new_net(pass, recipe, &counter.device);
    gpri_net_free(pass->net);
    pass->net = NULL;
    return status == GPR_OK ? gpri_counter_fits(&counter, "the prediction") : status;
}

/* Of a stack: (*out) (nodes x columns) what its network says, with the labels that are known now. */
static gpr_status ask_network(const gpri_pass *pass, gpri_real **out) {
    gpr_ctx *ctx = pass->ctx;
    const int64_t nodes = pass->data->graph.nodes, classes = pass->model->classes, ld = gpri_padded(classes);
    const int64_t columns = gpri_stack_columns(pass->params, classes);
    gpri_pass own = {.ctx = ctx, .data = pass->data};
    gpr_model *network = NULL;
    gpri_real *z = NULL;
    gpr_status status = GPR_OK;
    *out = NULL;
    TRY(gpri_stack_network(ctx, &network, pass->model));
    own.model = network;
    own.params = network->params;
    if (pass->knowledge.known)
        TRY(gpri_copy(ctx, &own.knowledge.known, pass->knowledge.known, nodes, sizeof *own.knowledge.known, "labels"));
    if (pass->copied) own.features = pass->features;
    else if (pass->raw) own.features = *pass->raw;
    else TRY(gpri_pass_read_features(&own));
    TRY(gpri_pass_run(&own));
    TRY(gpri_calloc(ctx, &z, nodes * ld, sizeof *z, "scores"));
    TRY(gpri_net_scores(own.net, z, ld));
    TRY(gpri_alloc(ctx, out, nodes * columns, sizeof **out, "scores of the network"));
    for (int64_t i = 0; i < nodes; i++) gpri_stack_score(*out + i * columns, z + i * ld, classes);
done:
    gpri_pass_free(&own);
    gpr_model_free(network);
    gpri_free(ctx, z);
    return status;
}

static gpr_status join_network(gpri_pass *pass, gpri_recipe *recipe) {
    gpri_real *scores;
    gpr_status status = ask_network(pass, &scores);
    if (status == GPR_OK)
        status = gpri_stack_join(pass->ctx, recipe, &pass->knowledge, scores, pass->data->graph.nodes);
    gpri_free(pass->ctx, scores);
    return status;
}

static gpr_status build(gpri_pass *pass) {
    gpr_ctx *ctx = pass->ctx;
    const gpr_model *model = pass->model;
    gpri_recipe recipe = gpri_recipe_of(pass->params, model->classes, model);
    if (pass->looks) {
        recipe.dropout = recipe.dprate = 0;
        recipe.labels.share = 1; /* all that are known, in both streams */
        recipe.looks = true;
        recipe.all_gradients = pass->filter;
    }
    if (pass->knowledge.known)
        NEED(gpri_know(ctx, &recipe, &pass->knowledge, pass->params, &pass->data->graph, gpri_model_known_share(model),
                       ctx->threads));
    if (gpri_params_is(pass->params, GPRI_MODEL_STACK)) NEED(join_network(pass, &recipe));
    if (!pass->looks && pass->input.features.rows > 0) NEED(check_room(pass, &recipe));
    NEED(new_net(pass, &recipe, ctx->job.device));
    return gpri_model_put(model, pass->net);
}

gpr_status gpri_pass_run(gpri_pass *pass) {
    if (!pass->net) NEED(build(pass));
    gpri_net_forward(pass->net, pass->looks && pass->trains ? GPRI_BOTH_STREAMS : GPRI_EVAL_STREAM);
    return gpri_device_check(pass->ctx);
}

bool gpri_pass_forget(gpri_pass *pass) {
    if (!gpri_model_takes_labels(pass->params) && !gpri_model_counts_labels(pass->params)) return false;
    gpri_net_free(pass->net);
    pass->net = NULL;
    return true;
}

gpr_status gpri_pass_check(const gpri_pass *pass) {
    const gpri_suspects suspects = {
        .data = pass->data, .features = &pass->features, .params = pass->params, .model = pass->model};
    return gpri_check_scores(pass->net, &suspects, 0, NULL);
}

gpr_status gpri_pass_outcome(const gpri_pass *pass, gpri_real **z) {
    gpr_ctx *ctx = pass->ctx;
    const gpri_graph *graph = &pass->data->graph;
    const gpri_graph *over = gpri_graph_relation(graph, pass->model->smoothing.relation);
    const int64_t classes = pass->model->classes, ld = gpri_padded(classes);
    gpri_spreader spreader = {.ctx = ctx};
    gpr_status status = GPR_OK;
    TRY(gpri_calloc(ctx, z, graph->nodes * ld, sizeof **z, "scores"));
    TRY(gpri_net_scores(pass->net, *z, ld));
    if (!gpri_smooths(&pass->model->smoothing)) goto done;
    if (!over)
        THROW(GPR_ERROR_MISMATCH, "the model adjusts its predictions over the relation '%s', which the data lacks",
              pass->model->smoothing.relation);
    TRY(gpri_spreader_new(ctx, &spreader, over, pass->knowledge.known, classes, ctx->threads));
    gpri_spreader_softmax(&spreader, *z);
    gpri_spreader_apply(&spreader, *z, &pass->model->smoothing);
    gpri_spreader_log(&spreader, *z);
done:
    gpri_spreader_free(&spreader);
    return status;
}

void gpri_pass_free(gpri_pass *pass) {
    if (!pass->ctx) return;
    gpri_net_free(pass->net);
    if (pass->copied) {
        gpri_free_all(pass->ctx, pass->features.dense, pass->features.rowptr, pass->features.column,
                      pass->features.value);
    }
    gpri_features_free(pass->ctx, &pass->columns);
    gpri_model_input_free(pass->ctx, &pass->input);
    gpri_knowledge_free(pass->ctx, &pass->knowledge);
    gpri_free(pass->ctx, pass->z);
    *pass = (gpri_pass){.ctx = NULL};
}

/* ---- looks into the network ---- */

/* Values of the features that may be changed. The rest stays borrowed from the input. */
static gpr_status copy_features(gpri_pass *p) {
    const gpri_features *from = &p->input.features;
    gpri_features *to = &p->features;
    to->dense = NULL;
    to->rowptr = NULL;
    to->column = NULL;
    to->value = NULL;
    if (from->dense)
        return gpri_copy(p->ctx, &to->dense, from->dense, from->rows * from->ld, sizeof *to->dense, "features");
    const int64_t count = gpri_features_count(from);
    NEED(gpri_copy(p->ctx, &to->rowptr, from->rowptr, from->rows + 1, sizeof *to->rowptr, "features"));
    NEED(gpri_copy(p->ctx, &to->column, from->column, count, sizeof *to->column, "features"));
    return gpri_copy(p->ctx, &to->value, from->value, count, sizeof *to->value, "features");
}

/* Of trees. */
static gpr_status make_columns(const gpri_pass *p, gpri_features *out) {
    return gpri_trees_columns(p->ctx, out, &p->features, p->params, &p->data->graph,
                              gpri_model_tensor(p->model, GPRI_TREES_COLUMNS));
}

gpr_status gpri_pass_new(gpr_ctx *ctx, gpri_pass *pass, const gpr_model *model, const gpr_dataset *data, unsigned how) {
    gpr_status status = GPR_OK;
    *pass = (gpri_pass){.ctx = ctx,
                        .model = model,
                        .data = data,
                        .params = model->params,
                        .looks = true,
                        .trains = how & (GPRI_PASS_BACKWARD | GPRI_PASS_FILTER),
                        .copied = how & GPRI_PASS_COPIES,
                        .filter = how & GPRI_PASS_FILTER};
    gpri_labels labels = {.nodes = 0};
    if (pass->trains && gpri_model_is(model->params, GPRI_MODEL_FOREST))
        THROW(GPR_ERROR_ARGUMENT, "the model %s has no gradients, which this needs", gpr_model_name(model));
    TRY(gpri_refuse_foreign_file(model));
    TRY(gpri_dataset_ready(ctx, data));
    TRY(gpri_know_of_model(ctx, &pass->knowledge, &labels, model, data, how & GPRI_PASS_EVERY));
    TRY(gpri_pass_read_features(pass));
    if (pass->copied) TRY(copy_features(pass));
    if (gpri_model_is(model->params, GPRI_MODEL_FOREST) && pass->copied) TRY(make_columns(pass, &pass->columns));
    TRY(gpri_alloc(ctx, &pass->z, data->graph.nodes * model->classes, sizeof *pass->z, "scores"));
    TRY(gpri_pass_run_again(pass));
    TRY(gpri_pass_check(pass));
done:
    gpri_labels_free(ctx, &labels);
    return status;
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

gpr_status gpri_pass_run_again(gpri_pass *pass) {
    NEED(gpri_pass_run(pass));
    return gpri_pass_read(pass, pass->z, gpri_net_output(pass->net, GPRI_EVAL_STREAM));
}

typedef struct {
    const gpri_net *net;
    gpri_targets targets;
    double *losses; /* (chunks), in the device's memory */
} loss_sums;

static void loss_rows(void *arg, gpri_chunk rows) {
    const loss_sums *learning = arg;
    const gpri_matrix z = gpri_net_output(learning->net, GPRI_TRAIN_STREAM); /* it becomes its own gradient */
    learning->net->ops->nll_backward(gpri_rows_of(z, rows.first - learning->net->walk.rows.first, rows.count),
                                     &learning->losses[rows.chunk], &learning->targets, rows.first);
}

gpr_status gpri_pass_learn(gpri_pass *pass, const int32_t *labels, const uint8_t *part, int64_t count, double *loss) {
    gpri_net *net = pass->net;
    const int64_t nodes = pass->data->graph.nodes, chunks = gpri_own_chunks(&net->walk.rows);
    loss_sums learning = {.net = net, .targets = {.weight = (gpri_real)(1.0 / (double)count)}};
    double *losses = NULL, sum = 0;
    gpr_status status = GPR_OK;
    TRY(gpri_net_share(net, &learning.targets.labels, labels, nodes, sizeof *labels, "labels"));
    TRY(gpri_net_share(net, &learning.targets.part, part, nodes, sizeof *part, "labels"));
    TRY(gpri_net_alloc(net, &learning.losses, chunks, sizeof *losses, false, "scores"));
    gpri_walker_rows(&net->walk, 16, loss_rows, &learning);
    gpri_net_backward(net);
    TRY(gpri_device_check(pass->ctx));
    if (!loss) goto done;
    TRY(gpri_alloc(pass->ctx, &losses, chunks, sizeof *losses, "scores"));
    net->device->get(net->device, losses, learning.losses, chunks * (int64_t)sizeof *losses);
    for (int64_t c = 0; c < chunks; c++) sum += losses[c];
    *loss = sum / (double)count;
done:
    gpri_free(pass->ctx, losses);
    return status;
}

static void put_array(const gpri_pass *pass, const void *to, const void *from, int64_t bytes) {
    if (from && to != from) pass->net->device->put(pass->net->device, (void *)(uintptr_t)to, from, bytes);
}

/* The columns of trees are made anew, and the scores of a stack's network; the net reads them where they lie. */
static gpr_status put_columns(gpri_pass *pass) {
    const int64_t classes = pass->model->classes, all = gpri_trees_form(pass->params, classes, NULL).count_columns;
    gpri_features made;
    gpri_real *scores = NULL;
    NEED(make_columns(pass, &made));
    memcpy(pass->columns.dense, made.dense, (size_t)(made.rows * made.ld) * sizeof *made.dense);
    gpri_features_free(pass->ctx, &made);
    if (!gpri_params_is(pass->params, GPRI_MODEL_STACK)) return GPR_OK;
    gpr_status status = ask_network(pass, &scores);
    if (status == GPR_OK) gpri_stack_show(&pass->knowledge, all, classes, scores, pass->data->graph.nodes);
    gpri_free(pass->ctx, scores);
    return status;
}

gpr_status gpri_pass_put_features(gpri_pass *pass) {
    const gpri_features *x = &pass->features, *view = &pass->net->features_view;
    const int64_t count = gpri_features_count(x);
    if (pass->columns.rows > 0) return put_columns(pass);
    if (x->dense) put_array(pass, view->dense, x->dense, x->rows * x->ld * (int64_t)sizeof *x->dense);
    if (x->dense) return GPR_OK;
    put_array(pass, view->rowptr, x->rowptr, (x->rows + 1) * (int64_t)sizeof *x->rowptr);
    put_array(pass, view->column, x->column, count * (int64_t)sizeof *x->column);
    put_array(pass, view->value, x->value, count * (int64_t)sizeof *x->value);
    return GPR_OK;
}
