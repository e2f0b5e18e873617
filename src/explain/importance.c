/* gpr_importance_new: for every column and repeat, one forward pass with the values of the column in another order. */
#include "explain/importance.h"

#include <math.h>

#include "base/clock.h"
#include "base/random.h"
#include "base/struct.h"
#include "model/trained/tree_names.h"
#include "spectral/rank.h"
#include "statistics/statistics.h"

enum { USUAL_MOST = 50, USUAL_REPEATS = 5 };

/* How good the scores of a pass are. */
typedef struct {
    double accuracy, loss; /* percent; mean */
} quality;

typedef struct {
    gpr_ctx *ctx;
    gpr_importance_options options;
    gpri_pass pass;
    gpri_columns columns;
    int32_t *labels; /* (nodes) as classes of the model; -1: not judged */
    uint8_t *part;   /* (nodes) GPR_TRAIN: judged */
    int64_t judged;
    int32_t *order;      /* (nodes) of one repeat */
    gpri_ranked *chosen; /* (columns) their numbers, the most promising first */
    int64_t tried;
    double *drops, *rises; /* (tried x repeats) */
    quality whole;
} measuring;

/* ---- Which nodes and columns -------------------------------------------------------------------------- */

/* The test nodes of the split, or all that have a label which the model knows. */
static gpr_status choose_nodes(measuring *m, const gpr_model *model, const gpr_dataset *data, const gpr_split *split) {
    const int64_t nodes = data->graph.nodes;
    if (gpri_model_tells_number(model))
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "the model tells a number, and the importance of columns is of classes so far: explain single "
                         "nodes, whose columns are listed");
    NEED(gpri_alloc(m->ctx, &m->labels, nodes, sizeof *m->labels, "labels"));
    NEED(gpri_alloc(m->ctx, &m->part, nodes, sizeof *m->part, "labels"));
    NEED(gpr_model_labels(m->ctx, model, data, m->labels));
    for (int64_t i = 0; i < nodes; i++) {
        const bool taken = m->labels[i] >= 0 && (!split || split->part[i] == GPR_TEST);
        m->part[i] = taken ? GPR_TRAIN : GPR_UNUSED;
        if (!taken) m->labels[i] = -1;
        m->judged += taken;
    }
    if (m->judged == 0)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "%s: no %s has a label that the model knows, so there is nothing to compare with", data->name,
                         split ? "test node" : "node");
    return GPR_OK;
}

typedef struct {
    const gpri_columns *columns;
    gpri_ranked *sums; /* (columns) sum over nodes of |gradient x input|, a column's features added up first */
    double part;       /* of the present node and column */
    int64_t node, column;
} screening;

static void end_part(screening *s) {
    if (s->column >= 0) s->sums[s->column].value += fabs(s->part);
    s->part = 0;
}

static void screen(void *arg, int64_t node, int64_t feature, double input, double gradient) {
    screening *s = arg;
    const int64_t column = s->columns->column_of[feature];
    if (node != s->node || column != s->column) end_part(s);
    s->node = node;
    s->column = column;
    s->part += input * gradient;
}

/* Columns by their gradient times input of the mean loss. A pass of its own: it needs the memory of a training. */
static gpr_status screen_columns(measuring *m, const gpr_model *model, const gpr_dataset *data) {
    gpr_status status = GPR_OK;
    gpri_pass pass = {.ctx = NULL};
    screening s = {.columns = &m->columns, .sums = m->chosen, .node = -1, .column = -1};
    TRY(gpri_pass_new(m->ctx, &pass, model, data, GPRI_PASS_BACKWARD));
    TRY(gpri_pass_learn(&pass, m->labels, m->part, m->judged, NULL));
    TRY(gpri_each_input(m->ctx, &pass, 0, data->graph.nodes, screen, &s));
    end_part(&s);
done:
    gpri_pass_free(&pass);
    return status;
}

/* Columns of trees by the gains of all questions about them and about what is made of them. */
static gpr_status screen_trees(measuring *m, const gpr_model *model) {
    const int64_t columns = gpri_trees_column_count(model);
    char name[GPRI_TREE_NAME];
    double *gains;
    int64_t feature;
    NEED(gpri_calloc(m->ctx, &gains, columns, sizeof *gains, "columns"));
    gpri_trees_gains(gains, NULL, model);
    for (int64_t c = 0; c < columns; c++) {
        (void)gpri_trees_column_name(name, &feature, model, c);
        if (feature >= 0) m->chosen[m->columns.column_of[feature]].value += gains[c];
    }
    gpri_free(m->ctx, gains);
    return GPR_OK;
}

static gpr_status choose_columns(measuring *m, const gpr_model *model, const gpr_dataset *data) {
    NEED(gpri_columns_find(m->ctx, &m->columns, &model->feature_names, model->features));
    const int64_t count = m->columns.count;
    NEED(gpri_alloc(m->ctx, &m->chosen, count, sizeof *m->chosen, "columns"));
    for (int64_t c = 0; c < count; c++) m->chosen[c] = (gpri_ranked){0, c};
    m->tried = count < m->options.most ? count : m->options.most;
    if (m->tried == count) return GPR_OK;
    const bool trees = gpri_model_is(model->params, GPRI_MODEL_FOREST);
    NEED(trees ? screen_trees(m, model) : screen_columns(m, model, data));
    gpri_rank_first(m->chosen, count, m->tried);
    gpri_log(m->ctx, GPR_LOG_INFO, "of %lld columns the %lld with the largest %s are tried", (long long)count,
             (long long)m->tried, trees ? "gains" : "gradient times input of the loss");
    return GPR_OK;
}

/* ---- Measuring ---------------------------------------------------------------------------------------- */

static quality judge(const measuring *m) {
    int64_t right = 0;
    double loss = 0;
    for (int64_t i = 0; i < m->pass.data->graph.nodes; i++) {
        if (m->labels[i] < 0) continue;
        right += gpri_look_best(&m->pass, i, -1) == m->labels[i];
        loss -= gpri_look_log_probability(&m->pass, i, m->labels[i]);
    }
    return (quality){100 * (double)right / (double)m->judged, loss / (double)m->judged};
}

/* The same order for all columns of a repeat, so that a column's number does not depend on which others are tried. */
static void shuffle(const measuring *m, int64_t repeat) {
    const gpri_random random = gpri_random_of(m->options.seed, GPRI_RANDOM_IMPORTANCE, (uint32_t)repeat, 0);
    const int64_t nodes = m->pass.data->graph.nodes;
    for (int64_t i = 0; i < nodes; i++) m->order[i] = (int32_t)i;
    for (int64_t k = nodes - 1; k > 0; k--) {
        const int64_t j = (int64_t)gpri_uniform_below(random, (uint64_t)k, (uint64_t)k + 1);
        const int32_t kept = m->order[k];
        m->order[k] = m->order[j];
        m->order[j] = kept;
    }
}

/* GPR_STOPPED: the caller wants no more; *done columns are complete. */
static gpr_status measure_columns(measuring *m, int64_t *done) {
    const int64_t repeats = m->options.repeats, passes = m->tried * repeats;
    for (*done = 0; *done < m->tried; ++*done) {
        const int64_t column = m->chosen[*done].node;
        for (int64_t r = 0; r < repeats; r++) {
            const int64_t at = *done * repeats + r;
            shuffle(m, r);
            gpri_permute_column(&m->pass.features, &m->pass.input.features, &m->columns, column, m->order);
            NEED(gpri_pass_put_features(&m->pass));
            NEED(gpri_pass_run_again(&m->pass));
            const quality now = judge(m);
            m->drops[at] = m->whole.accuracy - now.accuracy;
            m->rises[at] = now.loss - m->whole.loss;
            if (m->options.progress && m->options.progress(m->options.user, at + 1, passes)) {
                *done += r + 1 == repeats;
                return GPR_STOPPED;
            }
        }
        for (int64_t i = 0; i < m->pass.data->graph.nodes; i++) m->order[i] = (int32_t)i;
        gpri_permute_column(&m->pass.features, &m->pass.input.features, &m->columns, column, m->order);
    }
    return GPR_OK;
}

static gpr_status measure(measuring *m, int64_t *done) {
    gpr_status status = GPR_OK;
    const int64_t passes = m->tried * m->options.repeats;
    NEED(gpri_alloc(m->ctx, &m->order, m->pass.data->graph.nodes, sizeof *m->order, "nodes"));
    NEED(gpri_alloc(m->ctx, &m->drops, passes, sizeof *m->drops, "importance"));
    NEED(gpri_alloc(m->ctx, &m->rises, passes, sizeof *m->rises, "importance"));
    const double start = gpri_seconds_now();
    NEED(gpri_pass_run_again(&m->pass));
    m->whole = judge(m);
    gpri_log(m->ctx, GPR_LOG_INFO, "%lld columns, %lld repeats: %lld passes, about %.1f s", (long long)m->tried,
             (long long)m->options.repeats, (long long)passes, (gpri_seconds_now() - start) * (double)passes);
    status = measure_columns(m, done);
    if (status == GPR_STOPPED && *done == 0)
        return gpri_fail(GPR_ERROR_STOPPED, "stopped before the first column was finished");
    return status;
}

/* ---- The outcome -------------------------------------------------------------------------------------- */

/* By falling accuracy, then by rising loss, then by number. */
static bool is_before(const gpr_important_column *a, const gpr_important_column *b) {
    if (a->accuracy_drop != b->accuracy_drop) return a->accuracy_drop > b->accuracy_drop;
    if (a->loss_rise != b->loss_rise) return a->loss_rise > b->loss_rise;
    return a->feature < b->feature;
}

static gpr_status collect(const measuring *m, gpr_importance *out, const gpr_model *model, int64_t done) {
    const int64_t repeats = m->options.repeats;
    NEED(gpri_calloc(m->ctx, &out->columns, done, sizeof *out->columns, "importance"));
    for (int64_t c = 0; c < done; c++) {
        const int64_t column = m->chosen[c].node;
        const gpri_mean drop = gpri_mean_of(&m->drops[c * repeats], repeats);
        const gpri_mean rise = gpri_mean_of(&m->rises[c * repeats], repeats);
        char *name;
        NEED(gpri_columns_name(m->ctx, &name, &m->columns, &model->feature_names, column));
        gpr_important_column found = {.struct_size = sizeof found,
                                      .name = name,
                                      .feature = m->columns.first[column],
                                      .features = m->columns.size[column],
                                      .accuracy_drop = drop.mean,
                                      .accuracy_drop_ci95 = repeats > 1 ? drop.ci95 : NAN,
                                      .loss_rise = rise.mean,
                                      .loss_rise_ci95 = repeats > 1 ? rise.ci95 : NAN};
        int64_t at = c;
        for (; at > 0 && is_before(&found, &out->columns[at - 1]); at--) out->columns[at] = out->columns[at - 1];
        out->columns[at] = found;
        out->named = c + 1;
    }
    out->info.columns = m->columns.count;
    out->info.tried = done;
    out->info.accuracy = m->whole.accuracy;
    out->info.loss = m->whole.loss;
    return GPR_OK;
}

static gpr_status read_options(gpr_importance_options *own, const gpr_importance_options *given) {
    if (given) NEED(GPRI_STRUCT_IN(own, given, gpr_importance_options, "gpr_importance_new", "options"));
    if (own->most < 0 || own->repeats < 0 || own->repeats > INT32_MAX)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "gpr_importance_new: most is %lld and repeats is %lld: they must not be negative",
                         (long long)own->most, (long long)own->repeats);
    if (own->most == 0) own->most = USUAL_MOST;
    if (own->repeats == 0) own->repeats = USUAL_REPEATS;
    return GPR_OK;
}

gpr_status gpr_importance_new(gpr_ctx *ctx, gpr_importance **out, const gpr_model *model, const gpr_dataset *data,
                              const gpr_split *split, const gpr_importance_options *options) {
    gpr_status status = GPR_OK, outcome = GPR_OK;
    measuring m = {.ctx = ctx, .pass = {.ctx = NULL}};
    int64_t done = 0;
    if (out) *out = NULL;
    if (!ctx || !out || !model || !data) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_importance_new: a NULL argument");
    TRY(read_options(&m.options, options));
    TRY(gpri_dataset_ready(ctx, data));
    if (split && split->nodes != data->graph.nodes)
        THROW(GPR_ERROR_MISMATCH, "the split has %lld nodes, and %s has %lld", (long long)split->nodes, data->name,
              (long long)data->graph.nodes);
    TRY(gpri_calloc(ctx, out, 1, sizeof **out, "importance"));
    (*out)->ctx = ctx;
    (*out)->lock = (gpri_lock)GPRI_LOCK_READY;
    TRY(gpri_strdup(ctx, &(*out)->model, gpr_model_name(model)));
    TRY(gpri_strdup(ctx, &(*out)->dataset, data->name));
    TRY(choose_nodes(&m, model, data, split));
    (*out)->info = (gpr_importance_info){.struct_size = sizeof(*out)->info,
                                         .nodes = m.judged,
                                         .on_test_nodes = split != NULL,
                                         .repeats = m.options.repeats};
    TRY(gpri_look_begin(ctx, model));
    TRY(choose_columns(&m, model, data));
    TRY(gpri_pass_new(ctx, &m.pass, model, data, GPRI_PASS_COPIES));
    outcome = measure(&m, &done);
    if (outcome < 0) status = outcome;
    if (status < 0) goto done;
    TRY(collect(&m, *out, model, done));
    TRY(gpri_dataset_unchanged(ctx, data, true));
done:
    gpri_pass_free(&m.pass);
    gpri_columns_free(ctx, &m.columns);
    gpri_free_all(ctx, m.labels, m.part, m.order, m.chosen, m.drops, m.rises);
    if (status < 0 && out) {
        gpr_importance_free(*out);
        *out = NULL;
    }
    return gpri_finish(status < 0 ? status : outcome);
}
