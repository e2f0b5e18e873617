/* Searches: every setting gets some runs, the better third of each model gets more, until the last few have all. What
 * counts is the mean over runs on the validation nodes. The accuracy on test nodes is asked for at the end, of what was
 * chosen. */
#include "search/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/print.h"
#include "base/struct.h"
#include "data/defaults.h"
#include "data/describe.h"
#include "dist/all.h"
#include "io/split.h"
#include "task/metrics/metrics.h"

enum {
    USUAL_RUNS = 10 /* of the last round */
};

/* ---- making one ---- */

/* The words beside val_accuracy and val_loss are those of the option `metric`: then the trainings go by it too. NULL:
   that option where it is set, else the metric that fits the classes of the first run's split. */
static gpr_status read_metric(gpr_search *search, const char *metric, const gpr_split *split) {
    const char *known[GPRI_MEASURES + 2] = {"val_accuracy", "val_loss"};
    enum { OWN = 2 };
    int count = OWN;
    for (int m = 0; m < GPRI_MEASURES; m++)
        if (gpri_measure_each_step((gpri_measure)m)) known[count++] = gpri_measure_choice((gpri_measure)m);
    search->metric = known[0];
    if (!metric) {
        const gpri_measure fitting = gpri_fitting_metric(search->params, split, GPR_VAL);
        if (fitting == GPRI_ACCURACY && gpri_is_loss(gpri_params_metric(search->params))) return GPR_OK;
        metric = gpri_measure_choice(fitting);
    }
    if (strcmp(metric, "auc") == 0) metric = gpri_measure_word(GPRI_ROC_AUC); /* another word for it */
    for (int i = 0; i < count; i++)
        if (strcmp(metric, known[i]) == 0) {
            search->metric = known[i];
            return i < OWN ? GPR_OK : gpri_params_set_from(search->params, GPRI_FROM_FLAG, "metric", metric);
        }
    const char *near = gpr_nearest_word(metric, known, count);
    return gpri_fail(GPR_ERROR_ARGUMENT,
                     "metric '%s' is not known: %s%s%sit must be val_accuracy, val_loss, accuracy, balanced_accuracy, "
                     "macro_f1, roc_auc or average_precision%s",
                     metric, near ? "did you mean '" : "", near ? near : "", near ? "'? " : "",
                     strncmp(metric, "test", 4) == 0 ? ", as test nodes must not choose" : "");
}

static gpr_status no_validation(const gpr_search *search) {
    return gpri_fail(GPR_ERROR_ARGUMENT, "there is no %s to choose by: `split` leaves no nodes for validation",
                     search->metric);
}

/* What to choose by, and that the split of the first run has nodes for it. */
static gpr_status settle_metric(gpr_search *search, const char *metric) {
    gpr_split *split = NULL;
    gpr_status status = GPR_OK;
    if (gpri_target_is_number(&search->data->target))
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "the target of %s is a number, and searches are of classes so far: train each setting with "
                         "`runs`, and compare the results",
                         search->data->name);
    TRY(gpri_split_make(search->ctx, &split, search->data, gpri_params_text(search->params, GPRI_PARAM_SPLIT),
                        (uint64_t)gpri_params_int(search->params, GPRI_PARAM_SEED), 0,
                        gpri_split_care(search->params, search->data)));
    TRY(read_metric(search, metric, split));
    if (!memchr(split->part, GPR_VAL, (size_t)split->nodes)) status = no_validation(search);
done:
    gpr_split_free(split);
    return status;
}

/* What was chosen for the data of a user, everyone should see once. */
static gpr_status say_scale(const gpr_search *search) {
    const gpr_dataset *data = search->data;
    const gpri_range rows = {0, data->features.rows};
    gpri_feature_scale scale;
    if (!gpri_params_is(search->params, GPRI_NORMALIZE_AUTO)) return GPR_OK;
    const gpr_status status = gpri_scale_of(search->ctx, &scale, data, GPRI_NORMALIZE_AUTO, rows, NULL);
    if (status == GPR_OK)
        gpri_log(search->ctx, gpri_is_published(data) ? GPR_LOG_INFO : GPR_LOG_NOTICE,
                 "features: %s (`normalize` auto)", gpri_scale_text(scale));
    return status;
}

gpr_status gpr_search_new(gpr_ctx *ctx, gpr_search **out, const gpr_dataset *data, const gpr_params *params,
                          const gpr_search_options *options) {
    gpr_status status = GPR_OK;
    gpr_search *search = NULL;
    gpr_search_options given = {.struct_size = sizeof given};
    if (out) *out = NULL;
    if (!ctx || !out || !data || !params) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_search_new: a NULL argument");
    if (options) TRY(GPRI_STRUCT_IN(&given, options, gpr_search_options, "gpr_search_new", "options"));
    if (given.draws < 0) THROW(GPR_ERROR_ARGUMENT, "`draws` is %lld: it must be 1 or more", (long long)given.draws);
    TRY(gpri_calloc(ctx, &search, 1, sizeof *search, "search"));
    search->ctx = ctx;
    search->data = data;
    search->draws = given.draws;
    search->halving = !given.no_halving;
    search->json.ctx = search->preset.ctx = ctx;
    TRY(gpri_params_copy(ctx, &search->params, params));
    TRY(gpri_split_settle(search->params, data));
    search->runs = gpri_params_int(params, GPRI_PARAM_RUNS);
    if (strcmp(gpr_params_source(params, "runs"), "default") == 0) search->runs = USUAL_RUNS;
    TRY(gpri_dataset_ready(ctx, data));
    TRY(gpri_dataset_needs_labels(data));
    TRY(gpri_defaults_look(ctx, data));
    TRY(settle_metric(search, given.metric));
    if (given.grid) TRY(gpri_strdup(ctx, &search->grid_text, given.grid));
    const char *space = gpri_search_is_auto(search, given.models) ? "auto" : NULL;
    TRY(gpri_grid_read(ctx, &search->grid, given.grid ? given.grid : space));
    TRY(gpri_search_settle(search, given.models));
    TRY(gpri_search_afford(search));
    TRY(say_scale(search));
    *out = search;
    search = NULL;
done:
    gpr_search_free(search);
    return gpri_finish(status);
}

void gpr_search_free(gpr_search *search) {
    if (!search) return;
    for (int64_t i = 0; i < search->count; i++) {
        gpr_params_free(search->settings[i].params);
        gpri_free(search->ctx, search->settings[i].text);
    }
    gpri_free(search->ctx, search->settings);
    gpri_grid_free(&search->grid);
    gpri_free(search->ctx, search->grid_text);
    gpr_params_free(search->params);
    gpr_params_free(search->asked);
    gpri_text_free(&search->json);
    gpri_text_free(&search->preset);
    gpri_free(search->ctx, search);
}

/* ---- order ---- */

/* Below 0: a is better. What is NaN, or has diverged runs, comes after all others. */
static int compare_numbers(double a, double b) {
    if (isnan(a) || isnan(b)) return isnan(a) - isnan(b);
    return (a > b) - (a < b);
}

static int compare(const gpri_setting *a, const gpri_setting *b) {
    int order = (a->failed > b->failed) - (a->failed < b->failed);
    if (order == 0) order = compare_numbers(a->cost, b->cost);
    if (order == 0) order = compare_numbers(a->val_loss.mean, b->val_loss.mean);
    return order ? order : (a->place > b->place) - (a->place < b->place);
}

/* Those with more runs first: they were better so far. */
static int best_first(const void *a, const void *b) {
    const gpri_setting *x = a, *y = b;
    return x->runs != y->runs ? (x->runs < y->runs) - (x->runs > y->runs) : compare(x, y);
}

static int by_place(const void *a, const void *b) {
    const gpri_setting *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

static void sort(gpr_search *search, int (*order)(const void *, const void *)) {
    qsort(search->settings, (size_t)search->count, sizeof *search->settings, order);
}

/* ---- rounds ---- */

/* The state of one search. */
typedef struct {
    gpr_search *search;
    gpr_study *study;
    int rounds[GPRI_SEARCH_MODELS];
    int64_t alive[GPRI_SEARCH_MODELS]; /* settings in this round */
    int round;
    int64_t done, planned; /* runs, of all rounds */
    gpr_study_progress_fn progress;
    void *user;
} searching;

static gpr_status add_cells(searching *state) {
    gpr_search *search = state->search;
    char runs[32];
    for (int64_t i = 0; i < search->count; i++) {
        gpri_setting *setting = &search->settings[i];
        gpr_cell_info info = {.struct_size = sizeof info};
        const int rounds = state->rounds[setting->model];
        if (!setting->alive || state->round >= rounds) continue;
        setting->round = state->round;
        setting->runs = gpri_search_runs_before(search, rounds - 1 - state->round);
        gpri_print(runs, sizeof runs, "%lld", (long long)setting->runs);
        NEED(gpri_params_set_from(setting->params, GPRI_FROM_FLAG, "runs", runs));
        NEED(gpr_study_add(state->study, search->data, setting->params, 0, &setting->cell));
        NEED(gpr_study_cell(state->study, setting->cell, &info));
        state->done += info.done - (state->round ? gpri_search_runs_before(search, rounds - state->round) : 0);
    }
    return GPR_OK;
}

static bool takes_part(const searching *state, const gpri_setting *setting) { return setting->round == state->round; }

/* What the caller hears: runs of the whole search, and the setting in place of the cell. */
static int report(void *user, const gpr_study_progress *of_study) {
    searching *state = user;
    gpr_study_progress progress = *of_study;
    if (progress.finished) state->done++;
    progress.runs = state->planned;
    progress.done = state->done;
    for (int64_t i = 0; i < state->search->count; i++)
        if (takes_part(state, &state->search->settings[i]) && state->search->settings[i].cell == of_study->cell)
            progress.cell = i;
    return state->progress ? state->progress(state->user, &progress) : 0;
}

/* Of one number over the runs of a setting. */
static gpr_status measure(const searching *state, const gpri_setting *setting, const char *what,
                          gpr_statistics_info *out) {
    double *values = NULL;
    gpr_status status = gpri_alloc(state->search->ctx, &values, setting->runs, sizeof *values, "values");
    *out = (gpr_statistics_info){.struct_size = sizeof *out};
    if (status == GPR_OK) status = gpr_study_values(state->study, setting->cell, what, values);
    if (status == GPR_OK) status = gpr_statistics(values, setting->runs, out);
    if (status == GPR_OK && out->count < 2) out->ci95 = NAN; /* one value has no interval */
    gpri_free(state->search->ctx, values);
    return status;
}

static double cost_of(const gpr_search *search, const gpri_setting *setting) {
    if (strcmp(search->metric, "val_loss") == 0) return setting->val_loss.mean;
    return strcmp(search->metric, "val_accuracy") == 0 ? -setting->val_accuracy.mean : -setting->val_metric.mean;
}

static gpr_status measure_all(searching *state) {
    for (int64_t i = 0; i < state->search->count; i++) {
        gpri_setting *setting = &state->search->settings[i];
        gpr_cell_info info = {.struct_size = sizeof info};
        if (!takes_part(state, setting)) continue;
        NEED(gpr_study_cell(state->study, setting->cell, &info));
        setting->failed = info.failed;
        NEED(measure(state, setting, "val_accuracy", &setting->val_accuracy));
        NEED(measure(state, setting, "val_loss", &setting->val_loss));
        NEED(measure(state, setting, "val_metric", &setting->val_metric));
        setting->cost = cost_of(state->search, setting);
    }
    return GPR_OK;
}

/* Lets the better ones go on. A setting with diverged runs only does not, whatever the others are. */
static void choose_survivors(searching *state) {
    gpr_search *search = state->search;
    for (int m = 0; m < search->model_count; m++) {
        const int64_t most = gpri_search_share(state->alive[m]);
        if (state->round + 1 >= state->rounds[m]) continue;
        state->alive[m] = 0;
        for (int64_t i = 0; i < search->count; i++) {
            gpri_setting *setting = &search->settings[i];
            int64_t better = 0;
            if (!takes_part(state, setting) || setting->model != m) continue;
            for (int64_t j = 0; j < search->count; j++) {
                const gpri_setting *other = &search->settings[j];
                better += takes_part(state, other) && other->model == m && compare(other, setting) < 0;
            }
            setting->alive = better < most && setting->failed < setting->runs;
            state->alive[m] += setting->alive;
        }
    }
}

static void plan_all(searching *state) {
    gpr_search *search = state->search;
    sort(search, by_place);
    search->finished = false;
    for (int64_t i = 0; i < search->count; i++) {
        gpri_setting *setting = &search->settings[i];
        setting->alive = true;
        setting->chosen = false;
        setting->round = -1;
        setting->runs = setting->failed = 0;
        setting->cost = NAN;
        state->alive[setting->model]++;
    }
    for (int m = 0; m < search->model_count; m++) state->rounds[m] = gpri_search_rounds(search, state->alive[m]);
}

static bool begin_round(searching *state) {
    bool more = false;
    state->planned = 0;
    for (int m = 0; m < state->search->model_count; m++) {
        more = more || (state->round < state->rounds[m] && state->alive[m] > 0);
        state->planned += gpri_search_runs_from(state->search, state->rounds[m], state->round, state->alive[m]);
    }
    state->planned += state->done;
    return more;
}

/* ---- the end ---- */

/* Why no setting has a value. */
static gpr_status nothing_to_choose(const gpr_search *search) {
    for (int64_t i = 0; i < search->count; i++)
        if (search->settings[i].failed < search->settings[i].runs && isnan(search->settings[i].val_loss.mean))
            return no_validation(search);
    return gpri_fail(GPR_ERROR_NUMERIC, "the trainings of all %lld settings diverged: try smaller values of `lr`",
                     (long long)search->count);
}

/* The best of each model, and of them the test accuracy. */
static gpr_status choose(searching *state) {
    gpr_search *search = state->search;
    bool has_best[GPRI_SEARCH_MODELS] = {false};
    sort(search, best_first);
    if (isnan(search->settings[0].cost)) return nothing_to_choose(search);
    for (int64_t i = 0; i < search->count; i++) {
        gpri_setting *setting = &search->settings[i];
        if (has_best[setting->model]) continue;
        has_best[setting->model] = true;
        setting->chosen = !isnan(setting->cost);
        if (setting->chosen) NEED(measure(state, setting, "test_accuracy", &setting->test_accuracy));
        else
            gpri_log(search->ctx, GPR_LOG_WARNING, "all trainings of %s diverged: it is left out",
                     search->models[setting->model]);
    }
    search->finished = true;
    return GPR_OK;
}

/* Of several processes: that all plan the same rounds. What is trained in one is compared before it (gpr_study_run). */
static gpr_status match_plans(const gpr_search *search) {
    char text[160];
    snprintf(text, sizeof text, "%lld settings of %d models, %lld runs, %lld draws, metric %s, %s",
             (long long)search->count, search->model_count, (long long)search->runs, (long long)search->draws,
             search->metric, search->halving ? "halving" : "no halving");
    return gpri_all_same(search->ctx, text, "another search", "give the same options to all");
}

gpr_status gpr_search_run(gpr_search *search, gpr_study *study, int jobs, gpr_study_progress_fn progress, void *user) {
    if (!search || !study) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_search_run: a NULL argument");
    searching state = {.search = search, .study = study, .progress = progress, .user = user};
    NEED(match_plans(search));
    for (plan_all(&state); begin_round(&state); state.round++) {
        NEED(add_cells(&state));
        NEED(gpr_study_run(study, jobs, report, &state));
        NEED(measure_all(&state));
        choose_survivors(&state);
    }
    NEED(choose(&state));
    gpri_search_tell_budget(search);
    return gpri_finish(GPR_OK);
}
