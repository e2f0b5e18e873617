/* A small grid, in two rounds: first the correction, then the smoothing of the outcome with and without it; over all
 * edges, and over each relation of the filter alone. A choice is better if it has the higher goal (gpri_fitting_metric)
 * on the validation nodes; if both are equal, the lower loss. */
#include "train/smooth_choice.h"

#include <math.h>
#include <string.h>

#include "data/defaults.h"
#include "task/loss.h"

static const float alphas[] = {0.1F, 0.25F, 0.5F, 0.75F};
static const float scales[] = {0, 1}; /* 0: by the mean error */
enum { ALPHAS = sizeof alphas / sizeof *alphas, SCALES = sizeof scales / sizeof *scales };

bool gpri_labels_may_help(const gpr_dataset *data, const gpr_params *params) {
    return !gpri_is_published(data) && !gpri_model_is(params, GPRI_MODEL_BY_ROWS);
}

bool gpri_smooth_asked(const gpr_params *params, const gpr_dataset *data) {
    if (!gpri_params_is(params, GPRI_SMOOTH_AUTO)) return gpri_params_is(params, GPRI_SMOOTH_YES);
    return gpri_labels_may_help(data, params);
}

typedef struct {
    gpri_spreader spreader;
    const gpri_graph *over; /* the spreader's */
    const gpr_dataset *data;
    const gpr_split *split;
    int32_t *known;              /* (nodes) */
    gpri_real *p;                /* (nodes x ld) of the model */
    gpri_real *corrected, *made; /* (nodes x ld) with the best correction so far; the one at hand */
    gpri_metric_plan goal;       /* over the validation nodes, count of them, numbered from 0 */
    int64_t *val_nodes, *order;  /* (count) their nodes; 0, 1, ... */
    int32_t *val_labels;         /* (count) */
    gpri_real *val_scores;       /* (count x ld) room */
} smoothing_search;

/* Figures of the validation nodes. */
typedef struct {
    double goal, loss;
} figure;

static bool better(figure a, figure b) { return a.goal > b.goal || (a.goal == b.goal && a.loss < b.loss); }

typedef struct {
    double accuracy, loss;
    int64_t nodes;
} part_figure;

/* Accuracy in percent and mean loss of a part; NaN if it has no node. */
static part_figure judge_part(const smoothing_search *search, const gpri_real *q, gpr_part part) {
    const int64_t C = search->spreader.classes;
    part_figure found = {0};
    int64_t right = 0;
    for (int64_t i = 0; i < search->spreader.nodes; i++) {
        if (search->split->part[i] != part) continue;
        const gpri_real *row = q + i * search->spreader.ld;
        const int32_t label = search->data->target.labels[i];
        right += gpri_best_of(row, C) == label;
        found.loss += gpri_loss_of_probability((double)row[label], 1e-30);
        found.nodes++;
    }
    found.accuracy = found.nodes > 0 ? 100 * (double)right / (double)found.nodes : NAN;
    found.loss = found.nodes > 0 ? found.loss / (double)found.nodes : NAN;
    return found;
}

/* q: probabilities. The goal looks at the scores that have them. */
static figure judge(const smoothing_search *search, const gpri_real *q) {
    const int64_t ld = search->spreader.ld;
    const gpri_matrix scores = {search->val_scores, search->goal.count, search->spreader.classes, ld, ld};
    for (int64_t i = 0; i < scores.rows; i++)
        for (int64_t c = 0; c < scores.cols; c++)
            scores.at[i * ld + c] = gpri_score_of_share(q[search->val_nodes[i] * ld + c]);
    return (figure){gpri_metric_value(scores, search->val_labels, &search->goal, 0),
                    judge_part(search, q, GPR_VAL).loss};
}

/* Which nodes the goal looks at, with room to compute it. */
static gpr_status new_goal(smoothing_search *search, gpri_measure metric) {
    gpr_ctx *ctx = search->spreader.ctx;
    const gpr_split *split = search->split;
    const int64_t classes = search->data->target.classes;
    int64_t count = 0, at = 0;
    gpri_metric_plan *goal = &search->goal;
    for (int64_t c = 0; c < classes; c++) count += gpr_split_count(split, GPR_VAL, c);
    NEED(gpri_alloc(ctx, &search->val_nodes, count, sizeof *search->val_nodes, "validation nodes"));
    NEED(gpri_alloc(ctx, &search->order, count, sizeof *search->order, "validation nodes"));
    NEED(gpri_alloc(ctx, &search->val_labels, count, sizeof *search->val_labels, "validation nodes"));
    NEED(gpri_alloc(ctx, &search->val_scores, count * search->spreader.ld, sizeof *search->val_scores, "scores"));
    for (int64_t i = 0; i < split->nodes; i++) {
        if (split->part[i] != GPR_VAL) continue;
        search->val_nodes[at] = i;
        search->val_labels[at] = search->data->target.labels[i];
        search->order[at] = at;
        at++;
    }
    *goal = (gpri_metric_plan){.metric = metric, .nodes = search->order, .count = count};
    goal->positive = gpri_positive_class(search->data->target.labels, split->nodes, classes);
    if (gpri_metric_keys(metric, count))
        NEED(gpri_alloc(ctx, &goal->keys, gpri_metric_keys(metric, count), sizeof *goal->keys, "scores"));
    return gpri_alloc(ctx, &goal->counts, 3 * classes, sizeof *goal->counts, "scores");
}

/* The spreader goes over another graph of the same nodes. */
static gpr_status go_over(smoothing_search *search, const gpri_graph *graph, int threads) {
    gpr_ctx *ctx = search->spreader.ctx;
    if (search->over == graph) return GPR_OK;
    search->over = graph;
    gpri_spreader_free(&search->spreader);
    return gpri_spreader_new(ctx, &search->spreader, graph, search->known, search->data->target.classes, threads);
}

static gpr_status search_begin(smoothing_search *search, const gpri_trainer *trainer, const gpr_split *split,
                               gpri_measure metric, int threads) {
    gpr_ctx *ctx = trainer->ctx;
    const int64_t nodes = split->nodes;
    *search = (smoothing_search){.spreader = {.ctx = ctx}, .data = trainer->data, .split = split};
    NEED(gpri_alloc(ctx, &search->known, nodes, sizeof *search->known, "known labels"));
    for (int64_t i = 0; i < nodes; i++)
        search->known[i] = split->part[i] == GPR_TRAIN ? trainer->data->target.labels[i] : -1;
    NEED(go_over(search, &trainer->data->graph, threads));
    NEED(gpri_calloc(ctx, &search->p, nodes * search->spreader.ld, sizeof *search->p, "probabilities"));
    NEED(gpri_net_scores(trainer->net, search->p, search->spreader.ld));
    gpri_spreader_softmax(&search->spreader, search->p);
    NEED(gpri_calloc(ctx, &search->corrected, nodes * search->spreader.ld, sizeof *search->corrected, "probabilities"));
    NEED(gpri_calloc(ctx, &search->made, nodes * search->spreader.ld, sizeof *search->made, "probabilities"));
    return new_goal(search, metric);
}

static void search_free(smoothing_search *search) {
    gpr_ctx *ctx = search->spreader.ctx;
    gpri_free_all(ctx, search->known, search->p, search->corrected, search->made, search->val_nodes, search->order,
                  search->val_labels, search->val_scores, search->goal.keys, search->goal.counts);
    gpri_spreader_free(&search->spreader);
}

/* The best of the grid. *at: the figure of doing nothing, or with force the least possible; becomes that of the
   choice. */
static gpri_smoothing choose(smoothing_search *search, figure *at) {
    const int64_t bytes = search->spreader.nodes * search->spreader.ld * (int64_t)sizeof *search->made;
    gpri_smoothing best = {0}, correction = {0};
    figure corrected = {-INFINITY, INFINITY};
    for (int a = 0; a < ALPHAS; a++) {
        gpri_spreader_spread_errors(&search->spreader, search->p, (double)alphas[a]);
        for (int s = 0; s < SCALES; s++) {
            gpri_spreader_correct(&search->spreader, search->made, search->p, (double)scales[s]);
            const figure now = judge(search, search->made);
            if (!better(now, corrected)) continue;
            corrected = now;
            correction = (gpri_smoothing){.correct = alphas[a], .scale = scales[s]};
            memcpy(search->corrected, search->made, (size_t)bytes);
        }
    }
    if (better(corrected, *at)) {
        *at = corrected;
        best = correction;
    }
    for (int with = 0; with < 2; with++)
        for (int a = 0; a < ALPHAS; a++) {
            gpri_spreader_smooth(&search->spreader, search->made, with ? search->corrected : search->p, search->p,
                                 (double)alphas[a]);
            const figure now = judge(search, search->made);
            if (!better(now, *at)) continue;
            *at = now;
            best = with ? correction : (gpri_smoothing){0};
            best.smooth = alphas[a];
        }
    return best;
}

/* Of all edges and, where the filter knows them apart, of each relation. */
static gpr_status choose_edges(smoothing_search *search, gpri_smoothing *best, figure *at, const gpr_params *params,
                               int threads) {
    const gpri_graph *all = &search->data->graph;
    const int count = gpri_filter_relations(params);
    gpri_smoothing now = {.correct = 0};
    *best = choose(search, at);
    for (int r = 0; r < count; r++) {
        const gpri_graph *graph = gpri_graph_relation(all, gpri_filter_relation(now.relation, params, r));
        if (!graph || graph == all) continue;
        NEED(go_over(search, graph, threads));
        now = choose(search, at);
        if (!gpri_smooths(&now)) continue;
        gpri_filter_relation(now.relation, params, r);
        *best = now;
    }
    return go_over(search, gpri_graph_relation(all, best->relation), threads);
}

gpr_status gpri_smooth_choose(gpri_run *out, gpri_real **scores, const gpri_trainer *trainer, const gpr_split *split,
                              const gpr_params *params, int threads) {
    /* where no validation node can choose */
    static const gpri_smoothing usual = {.correct = 0.1F, .scale = 0, .smooth = 0.25F};
    const bool forced = gpri_params_is(params, GPRI_SMOOTH_YES);
    gpri_smoothing_outcome *found = &out->smoothing;
    gpr_status status = GPR_OK;
    smoothing_search search;
    *found = (gpri_smoothing_outcome){.asked = true};
    TRY(search_begin(&search, trainer, split, gpri_fitting_metric(params, split, GPR_VAL), threads));
    const figure before = judge(&search, search.p);
    figure after = forced ? (figure){-INFINITY, INFINITY} : before;
    found->goal = gpri_measure_word(search.goal.metric);
    found->before = before.goal;
    found->val_accuracy = out->info.val_accuracy;
    found->test_accuracy = out->info.test_accuracy;
    found->val_loss = out->info.val_loss;
    if (trainer->rule.part_count[GPR_VAL] > 0) TRY(choose_edges(&search, &found->how, &after, params, threads));
    else if (forced) found->how = usual;
    found->after = trainer->rule.part_count[GPR_VAL] > 0 ? after.goal : NAN;
    if (!gpri_smooths(&found->how)) goto done;
    gpri_spreader_apply(&search.spreader, search.p, &found->how);
    const part_figure val = judge_part(&search, search.p, GPR_VAL), test = judge_part(&search, search.p, GPR_TEST);
    out->info.val_loss = val.loss;
    out->info.val_accuracy = val.accuracy;
    out->info.test_accuracy = test.accuracy;
    if (!gpri_is_loss(trainer->rule.metric)) out->info.val_metric = found->after; /* the goal is that metric */
    gpri_spreader_log(&search.spreader, search.p);
    *scores = search.p;
    search.p = NULL;
done:
    search_free(&search);
    return status;
}
