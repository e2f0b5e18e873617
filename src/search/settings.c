/* The settings of a search: all combinations of a grid, or some that are drawn. */
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "data/describe.h"
#include "io/split.h"
#include "model/model.h"
#include "search/search.h"

/* Without a grid and a model: models that differ in how they use the graph. */
static const char several_models[] = "gprgnn,mlp,gcn,sage";

bool gpri_search_keeps(const gpr_params *params, gpri_param id) {
    const char *source = gpr_params_source(params, gpri_param_word(id));
    return gpri_param_is_identity(id) && strcmp(source, "default") != 0 && gpri_params_applies(params, id);
}

/* ---- models ---- */

static gpr_status add_model(gpr_search *search, const char *name) {
    gpr_params *trial = NULL;
    gpr_status status = gpr_params_new(search->ctx, &trial);
    if (status == GPR_OK) status = gpri_params_set_from(trial, GPRI_FROM_FLAG, "model", name);
    if (status == GPR_OK && gpri_params_is(trial, GPRI_MODEL_AUTO))
        status = gpri_fail(GPR_ERROR_ARGUMENT, "`model` auto is all of its candidates: give it alone, or name models");
    gpr_params_free(trial);
    for (int i = 0; status == GPR_OK && i < search->model_count; i++)
        if (strcmp(search->models[i], name) == 0) return GPR_OK;
    if (status == GPR_OK) strcpy(search->models[search->model_count++], name);
    return status;
}

bool gpri_search_is_auto(const gpr_search *search, const char *models) {
    const bool asked = strcmp(gpr_params_source(search->params, "model"), "default") != 0;
    if (!models && asked) models = gpri_params_text(search->params, GPRI_PARAM_MODEL);
    return models && strcmp(models, "auto") == 0;
}

/* The candidates that `train` would try on this data, each as a model. */
static gpr_status read_candidates(gpr_search *search) {
    gpri_candidate_list list;
    gpr_params *asked = NULL;
    gpr_status status = GPR_OK;
    TRY(gpri_params_copy(search->ctx, &asked, search->params));
    TRY(gpri_params_set_from(asked, GPRI_FROM_FLAG, "model", "auto"));
    TRY(gpri_candidates_for(search->ctx, &search->asked, search->data, asked));
    TRY(gpri_candidates_list(search->ctx, &list, search->asked));
    for (int i = 0; i < list.count && i < GPRI_SEARCH_MODELS; i++) {
        const gpri_candidate *candidate = &gpri_candidates[list.which[i]];
        search->candidates[search->model_count] = candidate;
        snprintf(search->models[search->model_count++], sizeof search->models[0], "%s", candidate->model);
    }
done:
    gpr_params_free(asked);
    return status;
}

static gpr_status read_models(gpr_search *search, const char *models) {
    gpr_status status = GPR_OK;
    char *copy = NULL, *rest;
    const bool asked = strcmp(gpr_params_source(search->params, "model"), "default") != 0;
    if (gpri_search_is_auto(search, models)) return read_candidates(search);
    if (!models && asked) models = gpri_params_text(search->params, GPRI_PARAM_MODEL);
    if (!models) models = search->grid_text ? gpri_value_word(GPRI_MODEL_GPRGNN) : several_models;
    TRY(gpri_strdup(search->ctx, &copy, models));
    for (char *name = strtok_r(copy, ", ", &rest); name; name = strtok_r(NULL, ", ", &rest))
        TRY(add_model(search, name));
    if (search->model_count == 0)
        THROW(GPR_ERROR_ARGUMENT, "`model` is empty: it must name a model, or several: a,b,c");
done:
    gpri_free(search->ctx, copy);
    return status;
}

static bool some_model_has(const gpr_search *search, gpri_param id) {
    for (int m = 0; m < search->model_count; m++)
        if (gpr_param_applies((int)id, search->models[m])) return true;
    return false;
}

static bool is_fixed(const gpr_search *search, gpri_param id) {
    return strcmp(gpr_params_source(search->params, gpri_param_word(id)), "default") != 0;
}

/* Every option must be of use to one of the models. Of the library's own grids, what is fixed is left out. */
static gpr_status check_options(gpr_search *search) {
    gpri_grid *grid = &search->grid;
    const char *only = search->model_count == 1 ? "the model" : "none of the models";
    for (int i = 0; i < GPRI_PARAM_COUNT; i++)
        if (i != GPRI_PARAM_MODEL && i != GPRI_PARAM_BUDGET && !(search->asked && i == GPRI_PARAM_CANDIDATES) &&
            is_fixed(search, (gpri_param)i) && !some_model_has(search, (gpri_param)i))
            return gpri_fail(GPR_ERROR_ARGUMENT, "%s of the search has %soption '%s'", only,
                             search->model_count == 1 ? "no " : "the ", gpri_param_word((gpri_param)i));
    for (int i = 0; grid->given && i < grid->count; i++) {
        const char *word = gpri_param_word(grid->axes[i].id);
        if (is_fixed(search, grid->axes[i].id))
            return gpri_fail(GPR_ERROR_ARGUMENT, "`%s` is fixed, and it is in the grid: give one of them", word);
        if (!some_model_has(search, grid->axes[i].id))
            return gpri_fail(GPR_ERROR_ARGUMENT, "grid: %s of the search has %soption '%s': it is for %s", only,
                             search->model_count == 1 ? "no " : "the ", word,
                             gpri_param_row_of(grid->axes[i].id)->models);
    }
    return GPR_OK;
}

/* ---- one setting ---- */

/* alpha means something to two kinds of initial filters. appnp has no others. */
static bool uses_alpha(const gpr_params *params) {
    return !gpri_params_applies(params, GPRI_PARAM_INIT) || gpri_params_is(params, GPRI_INIT_PPR) ||
           gpri_params_is(params, GPRI_INIT_NPPR);
}

/* delta:K is the last hop, whatever K is. */
static gpr_status name_last_hop(gpr_params *params) {
    char text[32];
    if (strcmp(gpri_params_text(params, GPRI_PARAM_INIT), "delta:K") != 0) return GPR_OK;
    snprintf(text, sizeof text, "delta:%lld", (long long)gpri_params_int(params, GPRI_PARAM_K));
    return gpri_params_set_from(params, GPRI_FROM_FLAG, "init", text);
}

static gpr_status candidate_options(const gpr_search *search, gpr_params **out, int model) {
    gpr_status status = gpri_params_copy(search->ctx, out, search->asked);
    if (status == GPR_OK) status = gpri_candidate_settle(*out, search->asked, search->candidates[model]);
    if (status == GPR_OK) status = gpri_split_settle(*out, search->data);
    return status;
}

static gpr_status fixed_options(const gpr_search *search, gpr_params **out, int model) {
    if (search->asked) return candidate_options(search, out, model);
    gpr_status status = gpr_params_new(search->ctx, out);
    if (status == GPR_OK) status = gpri_params_set_from(*out, GPRI_FROM_FLAG, "model", search->models[model]);
    for (int i = 0; status == GPR_OK && i < GPRI_PARAM_COUNT; i++)
        if (i != GPRI_PARAM_MODEL && is_fixed(search, (gpri_param)i) && gpri_params_applies(*out, (gpri_param)i))
            status = gpri_params_set_from(*out, GPRI_FROM_FLAG, gpri_param_word((gpri_param)i),
                                          gpri_params_text(search->params, (gpri_param)i));
    if (status == GPR_OK) status = gpri_split_settle(*out, search->data);
    return status;
}

static bool in_grid(const gpr_search *search, gpri_param id) {
    for (int i = 0; i < search->grid.count; i++)
        if (search->grid.axes[i].id == id) return true;
    return false;
}

static gpr_status describe(const gpr_search *search, gpri_setting *setting) {
    gpri_text text = {.ctx = search->ctx};
    const gpri_candidate *candidate = search->candidates[setting->model];
    if (candidate) gpri_text_add(&text, "%s", candidate->word);
    for (int i = 0; i < GPRI_PARAM_COUNT; i++)
        if (in_grid(search, (gpri_param)i) && gpri_search_keeps(setting->params, (gpri_param)i) &&
            !is_fixed(search, (gpri_param)i))
            gpri_text_add(&text, "%s%s=%s", text.size ? " " : "", gpri_param_word((gpri_param)i),
                          gpri_params_text(setting->params, (gpri_param)i));
    gpr_status status = gpri_text_status(&text);
    if (status == GPR_OK) status = gpri_strdup(search->ctx, &setting->text, text.bytes ? text.bytes : "defaults");
    gpri_text_free(&text);
    return status;
}

/* A preset is a file of lines `word = value`, without any way to quote these. */
static gpr_status check_presentable(const gpr_params *params) {
    for (int i = 0; i < GPRI_PARAM_COUNT; i++) {
        const char *text = gpri_params_text(params, (gpri_param)i);
        if (gpri_search_keeps(params, (gpri_param)i) && (strpbrk(text, "#\n\r\"'") || *text == ' '))
            return gpri_fail(GPR_ERROR_ARGUMENT, "`%s` is '%s': a preset cannot hold '#', quotes and line ends",
                             gpri_param_word((gpri_param)i), text);
    }
    return GPR_OK;
}

static gpr_status check(const gpr_search *search, const gpr_params *params) {
    gpr_status status = GPR_OK;
    double *gamma = NULL;
    TRY(gpr_params_check(params));
    TRY(check_presentable(params));
    if (gpri_model_filter(params)) TRY(gpri_gamma_initial(search->ctx, &gamma, NULL, params, 1, 0));
done:
    gpri_free(search->ctx, gamma);
    return status;
}

/* Takes over params, also on failure. */
static gpr_status add_setting(gpr_search *search, gpr_params *params, int model, const char *fingerprint) {
    gpr_status status = GPR_OK;
    gpri_setting made = {.params = params, .model = model, .place = search->count};
    TRY(check(search, params));
    TRY(gpri_run_key(search->ctx, made.key, fingerprint, search->data, params));
    for (int64_t i = 0; i < search->count; i++)
        if (strcmp(search->settings[i].key, made.key) == 0) goto done;
    if (search->count == GPRI_SEARCH_SETTINGS)
        THROW(GPR_ERROR_ARGUMENT, "the grid has more than %d settings: take fewer values, or `draws`",
              GPRI_SEARCH_SETTINGS);
    TRY(describe(search, &made));
    TRY(gpri_grow(search->ctx, &search->settings, &search->capacity, search->count + 1, sizeof *search->settings,
                  "settings"));
    search->settings[search->count++] = made;
    return GPR_OK;
done:
    gpr_params_free(made.params);
    gpri_free(search->ctx, made.text);
    return status;
}

/* ---- all of a model ---- */

/* Those of the grid that the model has, and that are not fixed. */
static int axes_of(const gpr_search *search, const gpri_grid_axis **out, int model) {
    int count = 0;
    for (int i = 0; i < search->grid.count; i++) {
        const gpri_grid_axis *axis = &search->grid.axes[i];
        /* of trees these are other numbers than of networks, and the library's grids have those of networks */
        const bool other = search->asked && !search->grid.given &&
                           (axis->id == GPRI_PARAM_LR || axis->id == GPRI_PARAM_WEIGHT_DECAY) &&
                           gpr_param_applies(GPRI_PARAM_DEPTH, search->models[model]);
        if (!other && !is_fixed(search, axis->id) && gpr_param_applies((int)axis->id, search->models[model]))
            out[count++] = axis;
    }
    return count;
}

/* at: index of each value, the last axis counts fastest. False: it was the last combination. */
static bool step(int64_t *at, const gpri_grid_axis *const *axes, int count) {
    for (int i = count - 1; i >= 0; i--) {
        if (++at[i] < axes[i]->count) return true;
        at[i] = 0;
    }
    return false;
}

static gpr_status add_product(gpr_search *search, int model, const char *fingerprint) {
    gpr_status status = GPR_OK;
    gpr_params *params = NULL;
    const gpri_grid_axis *axes[GPRI_PARAM_COUNT];
    int64_t at[GPRI_PARAM_COUNT] = {0};
    const int count = axes_of(search, axes, model);
    for (int i = 0; i < count; i++)
        if (axes[i]->range)
            return gpri_fail(GPR_ERROR_ARGUMENT, "grid: %s is %s..%s: with a range, give `draws`",
                             gpri_param_word(axes[i]->id), axes[i]->values[0], axes[i]->values[1]);
    do {
        int64_t alpha = -1; /* its value; -1: not in the grid */
        int place = -1;
        TRY(fixed_options(search, &params, model));
        for (int i = 0; i < count; i++) {
            if (axes[i]->id == GPRI_PARAM_ALPHA) {
                place = i;
                alpha = at[i];
            } else {
                TRY(gpri_params_set_from(params, GPRI_FROM_FLAG, gpri_param_word(axes[i]->id), axes[i]->values[at[i]]));
            }
        }
        TRY(name_last_hop(params));
        if (alpha >= 0 && uses_alpha(params))
            TRY(gpri_params_set_from(params, GPRI_FROM_FLAG, "alpha", axes[place]->values[alpha]));
        if (alpha <= 0 || uses_alpha(params)) {
            status = add_setting(search, params, model, fingerprint);
            params = NULL;
            if (status != GPR_OK) goto done;
        }
        gpr_params_free(params);
        params = NULL;
    } while (step(at, axes, count));
done:
    gpr_params_free(params);
    return status;
}

/* A candidate as `train` tries it. */
static gpr_status add_plain(gpr_search *search, int model, const char *fingerprint) {
    gpr_params *params = NULL;
    const gpr_status status = fixed_options(search, &params, model);
    if (status == GPR_OK) return add_setting(search, params, model, fingerprint);
    gpr_params_free(params);
    return status;
}

/* Of the word alone: an option more in the library changes nothing. */
static uint32_t number_of(const char *word) {
    uint32_t hash = 2166136261u;
    for (; *word; word++) hash = (hash ^ (unsigned char)*word) * 16777619u;
    return (hash ^ hash >> 16) & 0xffff;
}

static gpr_status draw(gpr_search *search, gpr_params *params, const gpri_grid_axis *axis, int64_t index) {
    const char *word = gpri_param_word(axis->id);
    const uint64_t seed = (uint64_t)gpri_params_int(search->params, GPRI_PARAM_SEED);
    const double uniform = gpri_uniform(gpri_random_of(seed, GPRI_RANDOM_SEARCH, 0, number_of(word)), (uint64_t)index);
    char text[64];
    if (!axis->range)
        return gpri_params_set_from(params, GPRI_FROM_FLAG, word,
                                    axis->values[(int64_t)(uniform * (double)axis->count)]);
    gpri_grid_draw(axis, uniform, text, sizeof text);
    return gpri_params_set_from(params, GPRI_FROM_FLAG, word, text);
}

static gpr_status add_draws(gpr_search *search, int model, const char *fingerprint) {
    gpr_status status = GPR_OK;
    gpr_params *params = NULL;
    const gpri_grid_axis *axes[GPRI_PARAM_COUNT];
    const int count = axes_of(search, axes, model);
    for (int64_t d = 0; d < search->draws; d++) {
        TRY(fixed_options(search, &params, model));
        for (int i = 0; i < count; i++)
            if (axes[i]->id != GPRI_PARAM_ALPHA) TRY(draw(search, params, axes[i], d));
        TRY(name_last_hop(params));
        for (int i = 0; i < count; i++)
            if (axes[i]->id == GPRI_PARAM_ALPHA && uses_alpha(params)) TRY(draw(search, params, axes[i], d));
        status = add_setting(search, params, model, fingerprint);
        params = NULL;
        if (status != GPR_OK) goto done;
    }
done:
    gpr_params_free(params);
    return status;
}

gpr_status gpri_search_settle(gpr_search *search, const char *models) {
    char fingerprint[GPRI_FINGERPRINT_SIZE];
    NEED(read_models(search, models));
    NEED(check_options(search));
    gpri_fingerprint(fingerprint, search->data);
    for (int m = 0; m < search->model_count && search->asked; m++) NEED(add_plain(search, m, fingerprint));
    for (int m = 0; m < search->model_count; m++)
        NEED(search->draws > 0 ? add_draws(search, m, fingerprint) : add_product(search, m, fingerprint));
    return GPR_OK;
}
