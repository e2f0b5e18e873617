/* The budget of a search: an aim in time that becomes work by the rule of `model` auto (train/candidates/afford.h), and
 * so settings; no clock is asked. A run costs its epochs, as if none ended early. Each model gets the same number of
 * settings, the largest for which all rounds of the search fit: its first one, which is the candidate itself, and
 * others in the order of their keys, which is as good as a random one and the same for every budget. So a larger budget
 * tries all that a smaller one has tried, and more. Where one setting of each model is too much, the most expensive
 * models are left out. */
#include <math.h>
#include <string.h>

#include "base/print.h"
#include "search/search.h"
#include "train/candidates/afford.h"

typedef struct {
    double seconds; /* of a run, the mean over its settings */
    int64_t count;  /* settings */
    bool in;
} model_cost;

static double seconds_of(const gpr_search *search, const gpri_setting *setting) {
    return gpri_epoch_units(search->data, setting->params) *
           (double)gpri_params_int(setting->params, GPRI_PARAM_EPOCHS) / GPRI_UNITS_PER_SECOND;
}

/* With so many settings of each model at most. */
static double cost_of(const gpr_search *search, const model_cost *models, int64_t each) {
    double all = 0;
    for (int m = 0; m < search->model_count; m++)
        if (models[m].in)
            all +=
                models[m].seconds * (double)gpri_search_runs(search, models[m].count < each ? models[m].count : each);
    return all;
}

/* Whether a setting is before another among those of its model: first is the first of the grid. */
static bool comes_first(const gpri_setting *a, const gpri_setting *b, int64_t first) {
    if (a->place == first || b->place == first) return a->place == first && b->place != first;
    return strcmp(a->key, b->key) < 0;
}

static int64_t rank_of(const gpr_search *search, int64_t index, int64_t first) {
    const gpri_setting *setting = &search->settings[index];
    int64_t rank = 0;
    for (int64_t i = 0; i < search->count; i++)
        if (search->settings[i].model == setting->model) rank += comes_first(&search->settings[i], setting, first);
    return rank;
}

/* Keeps the first `each` settings of each model that is in. */
static gpr_status cut(gpr_search *search, const model_cost *models, int64_t each) {
    int64_t first[GPRI_SEARCH_MODELS], kept = 0;
    bool *keep;
    NEED(gpri_alloc(search->ctx, &keep, search->count, sizeof *keep, "settings"));
    for (int64_t i = search->count; i-- > 0;) first[search->settings[i].model] = search->settings[i].place;
    for (int64_t i = 0; i < search->count; i++) {
        const int m = search->settings[i].model;
        keep[i] = models[m].in && rank_of(search, i, first[m]) < each;
    }
    for (int64_t i = 0; i < search->count; i++) {
        if (keep[i]) {
            search->settings[kept++] = search->settings[i];
            continue;
        }
        gpr_params_free(search->settings[i].params);
        gpri_free(search->ctx, search->settings[i].text);
    }
    search->left_out = search->count - kept;
    search->count = kept;
    gpri_free(search->ctx, keep);
    return GPR_OK;
}

static const char *time_text(char text[32], double seconds) {
    if (seconds < 90) gpri_print(text, 32, "%.0fs", ceil(seconds));
    else if (seconds < 5400) gpri_print(text, 32, "%.0fm", ceil(seconds / 60));
    else gpri_print(text, 32, "%.0fh", ceil(seconds / 3600));
    return text;
}

/* What more would try. */
static void add_rest(const gpr_search *search, char *out, size_t size) {
    char all[32];
    if (search->left_out > 0)
        gpri_print(out, size, "; %lld more are left, and `budget` %s tries all", (long long)search->left_out,
                   time_text(all, search->whole));
    else gpri_print(out, size, "; these are all");
}

gpr_status gpri_search_afford(gpr_search *search) {
    model_cost models[GPRI_SEARCH_MODELS] = {{0}};
    int64_t each = 0;
    int left = search->model_count;
    char aim[32], work[32], rest[160];
    if (!gpri_params_asked(search->params, GPRI_PARAM_BUDGET)) return GPR_OK;
    search->budget = gpri_params_budget(search->params);
    if (!(search->budget > 0)) return GPR_OK;
    for (int64_t i = 0; i < search->count; i++) {
        model_cost *model = &models[search->settings[i].model];
        model->seconds += seconds_of(search, &search->settings[i]);
        model->count++;
    }
    for (int m = 0; m < search->model_count; m++) {
        if (models[m].count > 0) models[m].seconds /= (double)models[m].count;
        models[m].in = models[m].count > 0;
        left -= !models[m].in;
        if (models[m].count > each) each = models[m].count;
    }
    search->whole = cost_of(search, models, each);
    while (each > 1 && cost_of(search, models, each) > search->budget) each--;
    for (; left > 1 && cost_of(search, models, each) > search->budget; left--) {
        int dearest = -1;
        for (int m = 0; m < search->model_count; m++)
            if (models[m].in && (dearest < 0 || models[m].seconds >= models[dearest].seconds)) dearest = m;
        models[dearest].in = false;
    }
    search->planned = cost_of(search, models, each);
    NEED(cut(search, models, each));
    add_rest(search, rest, sizeof rest);
    gpri_log(search->ctx, search->planned > search->budget ? GPR_LOG_WARNING : GPR_LOG_NOTICE,
             "budget %s: %lld setting%s of %d %s, at most %s of work%s%s", time_text(aim, search->budget),
             (long long)search->count, search->count == 1 ? "" : "s", left, search->asked ? "candidates" : "models",
             time_text(work, search->planned),
             search->planned > search->budget ? ", which is more, but the least that can be searched" : "", rest);
    return GPR_OK;
}

void gpri_search_tell_budget(const gpr_search *search) {
    double spent = 0;
    char aim[32], work[32], rest[160];
    if (!(search->budget > 0)) return;
    for (int64_t i = 0; i < search->count; i++)
        spent += seconds_of(search, &search->settings[i]) * (double)search->settings[i].runs;
    add_rest(search, rest, sizeof rest);
    gpri_log(search->ctx, GPR_LOG_NOTICE, "budget %s: at most %s of work were spent on %lld setting%s%s",
             time_text(aim, search->budget), time_text(work, spent), (long long)search->count,
             search->count == 1 ? "" : "s", rest);
}
