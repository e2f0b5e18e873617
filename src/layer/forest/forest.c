/* Scores of a forest (trees/forest.h), whose trees are the weights of the layer: a row of each for a tree. It learns
 * nothing by gradients: a training adds trees round by round (gpri_forest_grow), and so has no backward pass. A round
 * is one tree for each group of scores. Computed on the host alone.
 *
 * Beside what a score needs, the weights have what explanations need: the weight of the training nodes that came to a
 * node of a tree (cover), what its question gained (gain), and which columns of the data there are (columns). */
#include "layer/forest/forest.h"

#include <string.h>

#include "tensor/label_counts.h"

enum { ROWS = 256 };

typedef struct {
    gpri_layer base;
    gpri_forest_form form;
    gpri_weight *weights[GPRI_FOREST_WEIGHTS]; /* (trees x nodes) */
    gpri_weight *columns;                      /* (1 x own) */
    const int32_t *kept;                       /* (own) of features that are ready; or NULL */
    const gpri_real *counts;                   /* as form.counts */
    int64_t count_ld;
} forest_layer;

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    forest_layer *layer = (forest_layer *)base;
    return gpri_net_share(net, &layer->counts, layer->form.counts, net->walk.rows.nodes * layer->count_ld,
                          sizeof *layer->counts, "counts of labels");
}

static void reset(gpri_layer *base, gpri_net *net) {
    const forest_layer *layer = (const forest_layer *)base;
    for (int w = 0; w < GPRI_FOREST_WEIGHTS; w++)
        memset(layer->weights[w]->value, 0, (size_t)layer->weights[w]->size * sizeof(gpri_real));
    for (int64_t k = 0; layer->kept && k < layer->form.plan.own; k++)
        layer->columns->value[k] = (gpri_real)layer->kept[k];
    (void)net;
}

static gpri_forest forest_of(const forest_layer *layer) {
    return (gpri_forest){.trees = layer->weights[0]->rows,
                         .groups = layer->form.groups,
                         .depth = layer->form.depth,
                         .stride = layer->weights[0]->width,
                         .split = layer->weights[GPRI_FOREST_SPLIT]->value,
                         .value = layer->weights[GPRI_FOREST_VALUE]->value};
}

static gpri_forest_row row_of(const forest_layer *layer, const gpri_features *x, int64_t node) {
    return (gpri_forest_row){x->dense + node * x->ld, layer->counts ? layer->counts + node * layer->count_ld : NULL,
                             x->cols};
}

void gpri_forest_begin(const gpri_forest_form *form, const gpri_forest_row *row, gpri_real *z) {
    for (int64_t g = 0; g < form->scores; g++)
        z[form->groups == 1 ? 1 : g] = row->rest[form->count_columns - form->scores + g];
}

static void forward(gpri_layer *base, const gpri_tile *tile, gpri_matrix y, gpri_matrix x) {
    const forest_layer *layer = (const forest_layer *)base;
    const gpri_forest forest = forest_of(layer);
    (void)x;
    for (int64_t i = 0; i < y.rows; i++) {
        const gpri_forest_row row = row_of(layer, &tile->net->features_view, tile->first + i);
        memset(y.at + i * y.ld, 0, (size_t)y.width * sizeof *y.at);
        gpri_forest_begin(&layer->form, &row, y.at + i * y.ld);
        gpri_forest_add(&forest, 0, forest.trees, &row, y.at + i * y.ld);
    }
}

static const gpri_layer_type type = {
    .name = "forest", .size = sizeof(forest_layer), .plan = plan, .forward = forward, .reset = reset};

gpri_act *gpri_forest_scores(gpri_net *net, gpri_act *x, int64_t classes, const gpri_forest_form *form) {
    static const char *const names[] = {"split", "value", "cover", "gain"};
    const int64_t trees = form->rounds * form->groups, nodes = gpri_tree_nodes(form->depth);
    forest_layer *layer = gpri_net_add(net, &type, x, NULL, classes);
    if (!layer) return x;
    layer->form = *form;
    layer->kept = x->features->kept;
    layer->count_ld = gpri_padded(form->count_columns);
    for (int w = 0; w < GPRI_FOREST_WEIGHTS; w++) {
        layer->weights[w] = gpri_net_weight(net, "trees", names[w], trees, trees, nodes);
        if (!layer->weights[w]) return layer->base.out;
    }
    layer->columns = gpri_net_weight(net, "trees", "columns", 1, 1, form->plan.own);
    return layer->base.out;
}

/* ---- for a training, and for explanations ---- */

static const forest_layer *layer_of(const gpri_net *net) {
    for (int i = 0; i < net->layer_count; i++)
        if (net->layers[i]->type == &type) return (const forest_layer *)net->layers[i];
    return NULL;
}

const gpri_forest_form *gpri_net_forest(const gpri_net *net, gpri_forest *forest) {
    const forest_layer *layer = layer_of(net);
    if (forest && layer) *forest = forest_of(layer);
    return layer ? &layer->form : NULL;
}

gpri_real *gpri_forest_tree(const gpri_net *net, gpri_forest_weight weight, int64_t tree) {
    const forest_layer *layer = layer_of(net);
    return layer->weights[weight]->value + tree * layer->weights[weight]->width;
}

gpri_forest_row gpri_forest_row_of(const gpri_net *net, int64_t node) {
    return row_of(layer_of(net), &net->features_view, node);
}

gpr_status gpri_forest_check(const gpri_net *net, const gpri_real *values) {
    const forest_layer *layer = layer_of(net);
    const gpri_weight *split = layer->weights[GPRI_FOREST_SPLIT];
    const int64_t columns = gpri_tree_plan_columns(&layer->form.plan) + layer->form.count_columns;
    float *row;
    gpr_status status = GPR_OK;
    for (int64_t k = 0; layer->kept && k < layer->form.plan.own; k++)
        if (values[layer->columns->offset + k] != (gpri_real)layer->kept[k])
            return gpri_fail(GPR_ERROR_FORMAT,
                             "weight trees.columns: number %lld is not that of this data: the state is damaged",
                             (long long)k);
    NEED(gpri_alloc(net->ctx, &row, split->cols, sizeof *row, "trees"));
    for (int64_t t = 0; t < split->rows && status == GPR_OK; t++) {
        for (int64_t i = 0; i < split->cols; i++) row[i] = (float)values[split->offset + t * split->width + i];
        status = gpri_tree_check(row, layer->form.depth, columns, t);
    }
    gpri_free(net->ctx, row);
    return status;
}

typedef struct {
    const gpri_net *net;
    const forest_layer *layer;
    gpri_matrix z;
    int64_t round;
} growing;

static void grow_rows(void *arg, int64_t first, int64_t end) {
    const growing *work = arg;
    const gpri_forest forest = forest_of(work->layer);
    for (int64_t i = first; i < end; i++) {
        const gpri_forest_row row = row_of(work->layer, &work->net->features_view, i);
        gpri_forest_add(&forest, work->round * forest.groups, (work->round + 1) * forest.groups, &row,
                        work->z.at + i * work->z.ld);
    }
}

void gpri_forest_grow(gpri_net *net, int64_t round) {
    growing work = {net, layer_of(net), gpri_net_output(net, GPRI_EVAL_STREAM), round};
    gpri_net_deal(net, work.z.rows, ROWS, work.z.rows * work.layer->form.groups * work.layer->form.depth, grow_rows,
                  &work);
}
