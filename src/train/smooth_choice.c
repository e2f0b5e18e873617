/* A small grid, in two rounds: first the correction, then the smoothing of the outcome with and without it. A choice is
 * better if it has the higher goal (gpri_fitting_metric) on the validation nodes; if both are equal, the lower
 * loss. */
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
    const gpr_dataset *data;
    const gpr_split *split;
    int32_t *known;              /* (nodes) */
    gpri_real *p;                /* (nodes x ld) of the model */
    gpri_real *corrected, *made; /* (nodes x ld) with the best correction so far; the one at hand */
    gpri_metric_plan goal;       /* over the validation nodes, count of them, numbered from 0 */
    int64_t *val_nodes, *order;  /* (count) their nodes; 0, 1, ... */
    int32_t *val_labels;         /* (count) */
    gpri_real *val_scores;       /* (count x ld) room */
} search;

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
static part_figure judge_part(const search *of, const gpri_real *q, gpr_part part) {
    const int64_t C = of->spreader.classes;
    part_figure found = {0};
    int64_t right = 0;
    for (int64_t i = 0; i < of->spreader.nodes; i++) {
        if (of->split->part[i] != part) continue;
        const gpri_real *row = q + i * of->spreader.ld;
        const int32_t label = of->data->labels[i];
        right += gpri_best_of(row, C) == label;
        found.loss += gpri_loss_of_probability((double)row[label], 1e-30);
        found.nodes++;
    }
    found.accuracy = found.nodes > 0 ? 100 * (double)right / (double)found.nodes : NAN;
    found.loss = found.nodes > 0 ? found.loss / (double)found.nodes : NAN;
    return found;
}

/* q: probabilities. The goal looks at the scores that have them. */
static figure judge(const search *of, const gpri_real *q) {
    const int64_t ld = of->spreader.ld;
    const gpri_matrix scores = {of->val_scores, of->goal.count, of->spreader.classes, ld, ld};
    for (int64_t i = 0; i < scores.rows; i++)
        for (int64_t c = 0; c < scores.cols; c++)
            scores.at[i * ld + c] = gpri_score_of_share(q[of->val_nodes[i] * ld + c]);
    return (figure){gpri_metric_value(scores, of->val_labels, &of->goal, 0), judge_part(of, q, GPR_VAL).loss};
}

/* Which nodes the goal looks at, with room to compute it. */
static gpr_status new_goal(search *of, gpri_measure metric) {
    gpr_ctx *ctx = of->spreader.ctx;
    const gpr_split *split = of->split;
    const int64_t classes = of->data->classes;
    int64_t count = 0, at = 0;
    gpri_metric_plan *goal = &of->goal;
    gpr_status status = GPR_OK;
    for (int64_t c = 0; c < classes; c++) count += gpr_split_count(split, GPR_VAL, c);
    TRY(gpri_alloc(ctx, &of->val_nodes, count, sizeof *of->val_nodes, "validation nodes"));
    TRY(gpri_alloc(ctx, &of->order, count, sizeof *of->order, "validation nodes"));
    TRY(gpri_alloc(ctx, &of->val_labels, count, sizeof *of->val_labels, "validation nodes"));
    TRY(gpri_alloc(ctx, &of->val_scores, count * of->spreader.ld, sizeof *of->val_scores, "scores"));
    for (int64_t i = 0; i < split->nodes; i++) {
        if (split->part[i] != GPR_VAL) continue;
        of->val_nodes[at] = i;
        of->val_labels[at] = of->data->labels[i];
        of->order[at] = at;
        at++;
    }
    *goal = (gpri_metric_plan){.metric = metric, .nodes = of->order, .count = count};
    goal->positive = gpri_positive_class(of->data->labels, split->nodes, classes);
    if (gpri_metric_keys(metric, count))
        TRY(gpri_alloc(ctx, &goal->keys, gpri_metric_keys(metric, count), sizeof *goal->keys, "scores"));
    TRY(gpri_alloc(ctx, &goal->counts, 3 * classes, sizeof *goal->counts, "scores"));
done:
    return status;
}

static gpr_status search_begin(search *of, const gpri_trainer *trainer, const gpr_split *split, gpri_measure metric,
                               int threads) {
    gpr_ctx *ctx = trainer->ctx;
    gpr_status status = GPR_OK;
    const int64_t nodes = split->nodes;
    *of = (search){.spreader = {.ctx = ctx}, .data = trainer->data, .split = split};
    TRY(gpri_alloc(ctx, &of->known, nodes, sizeof *of->known, "known labels"));
    for (int64_t i = 0; i < nodes; i++) of->known[i] = split->part[i] == GPR_TRAIN ? trainer->data->labels[i] : -1;
    TRY(gpri_spreader_new(ctx, &of->spreader, &trainer->data->graph, of->known, trainer->data->classes, threads));
    TRY(gpri_calloc(ctx, &of->p, nodes * of->spreader.ld, sizeof *of->p, "probabilities"));
    TRY(gpri_net_scores(trainer->net, of->p, of->spreader.ld));
    gpri_spreader_softmax(&of->spreader, of->p);
    TRY(gpri_calloc(ctx, &of->corrected, nodes * of->spreader.ld, sizeof *of->corrected, "probabilities"));
    TRY(gpri_calloc(ctx, &of->made, nodes * of->spreader.ld, sizeof *of->made, "probabilities"));
    TRY(new_goal(of, metric));
done:
    return status;
}

static void search_free(search *of) {
    gpr_ctx *ctx = of->spreader.ctx;
    gpri_free(ctx, of->known);
    gpri_free(ctx, of->p);
    gpri_free(ctx, of->corrected);
    gpri_free(ctx, of->made);
    gpri_free(ctx, of->val_nodes);
    gpri_free(ctx, of->order);
    gpri_free(ctx, of->val_labels);
    gpri_free(ctx, of->val_scores);
    gpri_free(ctx, of->goal.keys);
    gpri_free(ctx, of->goal.counts);
    gpri_spreader_free(&of->spreader);
}

/* The best of the grid. *at: the figure of doing nothing, or with force the least possible; becomes that of the
   choice. */
static gpri_smoothing choose(search *of, figure *at) {
    const int64_t bytes = of->spreader.nodes * of->spreader.ld * (int64_t)sizeof *of->made;
    gpri_smoothing best = {0}, correction = {0};
    figure corrected = {-INFINITY, INFINITY};
    for (int a = 0; a < ALPHAS; a++) {
        gpri_spreader_spread_errors(&of->spreader, of->p, (double)alphas[a]);
        for (int s = 0; s < SCALES; s++) {
            gpri_spreader_correct(&of->spreader, of->made, of->p, (double)scales[s]);
            const figure now = judge(of, of->made);
            if (!better(now, corrected)) continue;
            corrected = now;
            correction = (gpri_smoothing){.correct = alphas[a], .scale = scales[s]};
            memcpy(of->corrected, of->made, (size_t)bytes);
        }
    }
    if (better(corrected, *at)) {
        *at = corrected;
        best = correction;
    }
    for (int with = 0; with < 2; with++)
        for (int a = 0; a < ALPHAS; a++) {
            gpri_spreader_smooth(&of->spreader, of->made, with ? of->corrected : of->p, of->p, (double)alphas[a]);
            const figure now = judge(of, of->made);
            if (!better(now, *at)) continue;
            *at = now;
            best = with ? correction : (gpri_smoothing){0};
            best.smooth = alphas[a];
        }
    return best;
}

gpr_status gpri_smooth_choose(gpri_run *out, gpri_real **scores, const gpri_trainer *trainer, const gpr_params *params,
                              int threads) {
    /* where no validation node can choose */
    static const gpri_smoothing usual = {.correct = 0.1F, .scale = 0, .smooth = 0.25F};
    const bool forced = gpri_params_is(params, GPRI_SMOOTH_YES);
    gpri_smoothing_outcome *found = &out->smoothing;
    gpr_status status = GPR_OK;
    search of;
    *found = (gpri_smoothing_outcome){.asked = true};
    TRY(search_begin(&of, trainer, out->split, gpri_fitting_metric(params, out->split, GPR_VAL), threads));
    const figure before = judge(&of, of.p);
    figure after = forced ? (figure){-INFINITY, INFINITY} : before;
    found->goal = gpri_measure_word(of.goal.metric);
    found->before = before.goal;
    found->val_accuracy = out->info.val_accuracy;
    found->test_accuracy = out->info.test_accuracy;
    found->val_loss = out->info.val_loss;
    if (trainer->rule.part_count[GPR_VAL] > 0) found->how = choose(&of, &after);
    else if (forced) found->how = usual;
    found->after = trainer->rule.part_count[GPR_VAL] > 0 ? after.goal : NAN;
    if (!gpri_smooths(&found->how)) goto done;
    gpri_spreader_apply(&of.spreader, of.p, &found->how);
    const part_figure val = judge_part(&of, of.p, GPR_VAL), test = judge_part(&of, of.p, GPR_TEST);
    out->info.val_loss = val.loss;
    out->info.val_accuracy = val.accuracy;
    out->info.test_accuracy = test.accuracy;
    if (!gpri_is_loss(trainer->rule.metric)) out->info.val_metric = found->after; /* the goal is that metric */
    gpri_spreader_log(&of.spreader, of.p);
    *scores = of.p;
    of.p = NULL;
done:
    search_free(&of);
    return status;
}
