/* What explains a model with blocks, against its equation by hand: sizes of what each part of a block gives,
 * derivatives of scores by a factor before a hop and by features against differences, quartiles. In double precision.
 */
#include "filters.h"
#include "spectral/inspection.h"

enum { NODES = 40, CLASSES = 3, FEATURES = 9, HIDDEN = 6, HOPS = 3, MOST_PARTS = 12 };

static const filter_set sets[] = {
    {"plain", false, false, {"norm", "batch", NULL}},
    {"both ways, layer norm", false, true, {"direction", "both", "norm", "layer", NULL}},
    {"three relations, no norm", true, true, {"norm", "none", "layers", "3", "gamma", "shared", NULL}},
    {"a direction for each relation",
     true,
     true,
     {"norm", "batch", "direction", "pay=both,device=against", "loops", "yes", NULL}},
    {"no residuals", true, false, {"norm", "batch", "residual", "no", "layers", "3", NULL}},
    {"no residuals, layer norm", false, true, {"direction", "both", "norm", "layer", "residual", "no", NULL}},
    {"one hop, shared", false, true, {"K", "1", "gamma", "shared", NULL}},
};

/* The equation with a factor before one hop of a part; and what its parts give. */
typedef struct {
    const gpr_model *model;
    int64_t parts, terms, hops, layers;
    const char *norm;
    bool plain; /* without residuals */
    double s[MOST_PARTS][NODES * NODES]; /* of a term */
    double gamma[MOST_PARTS][(HOPS + 1) * HIDDEN];
    double x[NODES * FEATURES];
    int64_t part, hop; /* that have the factor */
    double factor;
    double own[MOST_PARTS], whole[MOST_PARTS], each[MOST_PARTS][HOPS + 1]; /* sizes, by part; own by block */
    double z[NODES * CLASSES];
} by_hand;

static const gpri_tensor *weight_of(const by_hand *b, int64_t block, const char *name) {
    char text[32];
    if (block == 0) return tensor_of(b->model, name);
    snprintf(text, sizeof text, "block%d.%s", (int)block, name);
    return tensor_of(b->model, text);
}

/* y (NODES x columns of w) += x w. */
static void add_product(double *y, const double *x, const gpri_tensor *w) {
    for (int64_t i = 0; i < NODES; i++)
        for (int64_t c = 0; c < w->cols; c++)
            for (int64_t f = 0; f < w->rows; f++)
                y[i * w->cols + c] += x[i * w->rows + f] * (double)w->values[f * w->cols + c];
}

static void add_bias(double *y, const gpri_tensor *bias, bool relu) {
    for (int64_t i = 0; i < NODES * bias->cols; i++) {
        y[i] += (double)bias->values[i % bias->cols];
        if (relu && y[i] < 0) y[i] = 0;
    }
}

/* block 0: the last norm. */
static void normalize(const by_hand *b, double *h, const double *x, int64_t block) {
    memcpy(h, x, NODES * HIDDEN * sizeof *h);
    if (strcmp(b->norm, "batch") == 0) {
        const gpri_tensor *running = weight_of(b, block, block == 0 ? "out.running" : "running");
        for (int i = 0; i < NODES * HIDDEN; i++)
            h[i] = (x[i] - (double)running->values[i % HIDDEN]) /
                   sqrt((double)running->values[HIDDEN + i % HIDDEN] + 1e-5);
    }
    for (int i = 0; strcmp(b->norm, "layer") == 0 && i < NODES; i++) {
        double mean = 0, squares = 0;
        for (int c = 0; c < HIDDEN; c++) mean += x[i * HIDDEN + c] / HIDDEN;
        for (int c = 0; c < HIDDEN; c++) squares += pow(x[i * HIDDEN + c] - mean, 2) / HIDDEN;
        for (int c = 0; c < HIDDEN; c++) h[i * HIDDEN + c] = (x[i * HIDDEN + c] - mean) / sqrt(squares + 1e-5);
    }
}

static double size_of(const double *x, const gpri_tensor *w) {
    double y[NODES * HIDDEN] = {0}, sum = 0;
    add_product(y, x, w);
    for (int i = 0; i < NODES * HIDDEN; i++) sum += y[i] * y[i];
    return sqrt(sum);
}

/* y += p_t W_t. */
static void add_part(by_hand *b, double *y, const double *h, int64_t part, const gpri_tensor *w) {
    double p[NODES * HIDDEN] = {0}, now[NODES * HIDDEN], next[NODES * HIDDEN], hop[NODES * HIDDEN];
    memcpy(now, h, sizeof now);
    for (int64_t k = 1; k <= b->hops; k++) {
        memset(next, 0, sizeof next);
        for (int i = 0; i < NODES; i++)
            for (int j = 0; j < NODES; j++)
                for (int c = 0; c < HIDDEN; c++)
                    next[i * HIDDEN + c] += b->s[part % b->terms][i * NODES + j] * now[j * HIDDEN + c];
        memcpy(now, next, sizeof now);
        for (int i = 0; i < NODES * HIDDEN; i++) {
            hop[i] = now[i] * b->gamma[part][k * HIDDEN + i % HIDDEN];
            if (part == b->part && k == b->hop) hop[i] *= b->factor;
            p[i] += hop[i];
        }
        b->each[part][k] = size_of(hop, w);
    }
    b->whole[part] = size_of(p, w);
    add_product(y, p, w);
}

static void compute(by_hand *b) {
    double x[NODES * HIDDEN] = {0}, h[NODES * HIDDEN];
    add_product(x, b->x, weight_of(b, 0, "in.weight"));
    add_bias(x, weight_of(b, 0, "in.bias"), true);
    for (int64_t block = 1; block <= b->layers; block++) {
        double y[NODES * HIDDEN] = {0};
        if (b->plain) memcpy(h, x, sizeof h);
        else normalize(b, h, x, block);
        b->own[block - 1] = size_of(h, weight_of(b, block, "0.weight"));
        add_product(y, h, weight_of(b, block, "0.weight"));
        for (int64_t t = 0; t < b->terms; t++) {
            char name[24];
            snprintf(name, sizeof name, "%d.weight", (int)t + 1);
            add_part(b, y, h, (block - 1) * b->terms + t, weight_of(b, block, name));
        }
        if (b->plain) {
            normalize(b, h, y, block);
            memcpy(y, h, sizeof y);
        }
        add_bias(y, weight_of(b, block, "bias"), true);
        for (int i = 0; i < NODES * HIDDEN; i++) x[i] = y[i] + (b->plain ? 0 : x[i]);
    }
    normalize(b, h, x, 0);
    memset(b->z, 0, sizeof b->z);
    add_product(b->z, h, weight_of(b, 0, "out.weight"));
    add_bias(b->z, weight_of(b, 0, "out.bias"), false);
}

static void near(const char *set, const char *what, double got, double want, double most) {
    if (!(fabs(got - want) <= most * (1 + fabs(want)))) fail_msg("%s, %s: %.12g, not %.12g", set, what, got, want);
}

static void begin(by_hand *b, const kinds_data *d, const gpr_model *model) {
    *b = (by_hand){.model = model,
                   .parts = gpr_model_filter_count(model),
                   .layers = atoi(gpr_model_param(model, "layers")),
                   .hops = atoi(gpr_model_param(model, "K")),
                   .norm = gpr_model_param(model, "norm"),
                   .plain = strcmp(gpr_model_param(model, "residual"), "no") == 0,
                   .factor = 1};
    b->terms = b->parts / b->layers;
    assert_true(b->parts > 0 && b->parts <= MOST_PARTS && b->hops <= HOPS);
    for (int i = 0; i < NODES * FEATURES; i++) b->x[i] = (double)d->dense[i];
    for (int64_t f = 0; f < b->parts; f++) {
        gpr_filter_info part = {.struct_size = sizeof part};
        float gamma[(HOPS + 1) * HIDDEN];
        assert_ok(gpr_model_filter(model, f, &part));
        assert_ok(gpr_model_filter_gamma(model, f, gamma));
        assert_int_equal(part.block, 1 + f / b->terms);
        assert_int_equal(part.hops, b->hops);
        if (f < b->terms) kinds_matrix(b->s[f], NODES, d, &part);
        for (int64_t i = 0; i < (b->hops + 1) * HIDDEN; i++)
            b->gamma[f][i] = (double)gamma[part.columns > 1 ? i : i / HIDDEN];
        for (int64_t c = 0; c < part.columns; c++) assert_true(gamma[c] == 0); /* a block has no gamma_0 */
    }
}

/* The sizes, and what is said of gamma alone. */
static void check_inspection(const char *set, gpr_ctx *ctx, by_hand *b, const gpr_dataset *data) {
    gpr_inspection *inspection;
    gpr_inspection_info info = {.struct_size = sizeof info};
    const double *series;
    int64_t count;
    compute(b);
    assert_ok(gpr_inspection_new(ctx, &inspection, b->model, data, NULL));
    assert_ok(gpr_inspection_describe(inspection, &info));
    assert_int_equal(info.filters, b->parts);
    assert_int_equal(info.filter, GPR_FILTER_NONE);
    assert_ok(gpr_inspection_series(inspection, "response", &series, &count));
    assert_null(series);
    for (int64_t f = 0; f < b->parts; f++) {
        gpr_inspected_filter part = {.struct_size = sizeof part};
        int64_t mixed = 0;
        assert_ok(gpr_inspection_filter(inspection, f, &part));
        assert_int_equal(part.block, 1 + f / b->terms);
        assert_null(part.response);
        near(set, "the node itself", part.contribution[0], f % b->terms == 0 ? b->own[part.block - 1] : 0, 1e-9);
        near(set, "a part", part.part, b->whole[f], 1e-9);
        for (int64_t k = 1; k <= b->hops; k++) {
            int64_t below[3] = {0};
            near(set, "a hop", part.contribution[k], b->each[f][k], 1e-9);
            for (int q = 0; q < 3; q++)
                for (int64_t c = 0; c < part.columns; c++)
                    below[q] += part.gamma[k * part.columns + c] <= part.quartiles[3 * k + q];
            for (int q = 0; part.columns > 1 && q < 3; q++) assert_int_equal(below[q], (q + 1) * (HIDDEN - 1) / 4 + 1);
        }
        for (int64_t c = 0; c < part.columns; c++) {
            double low = 0, high = 0;
            for (int64_t k = 1; k <= b->hops; k++) {
                low = fmin(low, part.gamma[k * part.columns + c]);
                high = fmax(high, part.gamma[k * part.columns + c]);
            }
            mixed += low < 0 && high > 0;
        }
        if (b->hops < 2) assert_true(isnan(part.mixed));
        else near(set, "mixed signs", part.mixed, (double)mixed / (double)part.columns, 1e-12);
    }
    gpr_inspection_free(inspection);
    assert_ok(gpr_inspection_new(ctx, &inspection, b->model, NULL, NULL));
    for (int64_t f = 0; f < b->parts;
         f++) { /* of the weights alone: h with one 1 in each row is no data but W's rows */
        gpr_inspected_filter part = {.struct_size = sizeof part};
        char name[24];
        assert_ok(gpr_inspection_filter(inspection, f, &part));
        assert_null(part.contribution);
        assert_true(isnan(part.part));
        snprintf(name, sizeof name, "%d.weight", (int)(f % b->terms) + 1);
        for (int64_t k = 1; k <= b->hops; k++) {
            double rows[NODES * HIDDEN] = {0};
            for (int c = 0; c < HIDDEN; c++) rows[c * HIDDEN + c] = b->gamma[f][k * HIDDEN + c];
            near(set, "weights", part.weights[k], size_of(rows, weight_of(b, part.block, name)), 1e-9);
        }
    }
    gpr_inspection_free(inspection);
}

/* The derivative of a score, and of its lead, by `*number` at 1 or as it is, times it. */
static void check_slope(const char *set, const char *what, by_hand *b, double *number, int64_t node,
                        const gpr_explanation_info *info, double score, double lead) {
    const double at = *number, step = 1e-6;
    double z[2][2];
    for (int side = 0; side < 2; side++) {
        *number = at + (side ? step : -step);
        compute(b);
        z[side][0] = b->z[node * CLASSES + info->class_id];
        z[side][1] = b->z[node * CLASSES + info->rival];
    }
    *number = at;
    const double of_class = at * (z[1][0] - z[0][0]) / (2 * step), of_rival = at * (z[1][1] - z[0][1]) / (2 * step);
    near(set, what, score, of_class, 1e-7);
    near(set, what, lead, of_class - of_rival, 1e-7);
}

static void check_explanation(const char *set, gpr_ctx *ctx, by_hand *b, const gpr_dataset *data, int64_t node) {
    gpr_explanation *explanation;
    gpr_explanation_info info = {.struct_size = sizeof info};
    const gpr_explain_options options = {.struct_size = sizeof options, .class_id = -1, .top = FEATURES};
    const double *hops, *rings;
    double sums[HOPS + 1] = {0};
    int64_t count;
    assert_ok(gpr_explanation_new(ctx, &explanation, b->model, data, &node, 1, &options));
    assert_ok(gpr_explanation_describe(explanation, 0, &info));
    assert_false(info.exact);
    assert_int_equal(info.filters, b->parts);
    compute(b);
    near(set, "the score", info.score, b->z[node * CLASSES + info.class_id], 1e-10);
    near(set, "the lead", info.lead, info.score - b->z[node * CLASSES + info.rival], 1e-10);
    for (int64_t f = 0; f < b->parts; f++) {
        gpr_explained_filter found = {.struct_size = sizeof found};
        double score = 0;
        assert_ok(gpr_explanation_filter(explanation, 0, f, &found));
        assert_int_equal(found.block, 1 + f / b->terms);
        for (int64_t k = 1; k <= b->hops; k++) {
            b->part = f, b->hop = k;
            check_slope(set, "a hop", b, &b->factor, node, &info, found.hops[k], found.hops_lead[k]);
            score += found.hops[k];
            sums[k] += found.hops[k];
        }
        near(set, "a part", found.score, score, 1e-12);
    }
    b->hop = 0;
    assert_ok(gpr_explanation_series(explanation, 0, "hops", &hops, &count));
    assert_int_equal(count, b->hops + 1);
    for (int64_t k = 0; k < count; k++) near(set, "hops of all blocks", hops[k], sums[k], 1e-12);
    assert_ok(gpr_explanation_series(explanation, 0, "rings", &rings, &count));
    assert_true(rings == NULL && count == 0);
    assert_int_equal(info.listed_columns, FEATURES);
    for (int64_t r = 0; r < FEATURES; r++) {
        gpr_explained_column column = {.struct_size = sizeof column};
        assert_ok(gpr_explanation_column(explanation, 0, r, &column));
        check_slope(set, "a column", b, &b->x[node * FEATURES + column.feature], node, &info, column.score,
                    column.lead);
    }
    gpr_explanation_free(explanation);
}

static void blocks(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        const char *words[64];
        gpr_ctx *ctx = new_ctx(1);
        kinds_data *d = malloc(sizeof *d);
        by_hand *b = malloc(sizeof *b);
        gpr_dataset *data;
        kinds_fill(d, NODES, CLASSES, sets[i].kinds, sets[i].weighted);
        assert_ok(gpr_dataset_new(ctx, &data, &d->desc));
        training t = train(ctx, data,
                           filter_options(words, &sets[i],
                                          OPTIONS("model", "gprdeep", "epochs", "20", "hidden", "6", "layers", "2", "K",
                                                  "3", "lr", "0.05", "normalize", "none", "label-input", "no",
                                                  "label-counts", "no", "smooth", "no")));
        begin(b, d, t.model);
        check_inspection(sets[i].name, ctx, b, data);
        check_explanation(sets[i].name, ctx, b, data, 0);
        check_explanation(sets[i].name, ctx, b, data, NODES - 1); /* alone */
        training_free(&t);
        gpr_dataset_free(data);
        free(d->dense);
        free(d);
        free(b);
        gpr_ctx_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks)};
    return cmocka_run_group_tests_name("blocks_double", tests, NULL, NULL);
}
