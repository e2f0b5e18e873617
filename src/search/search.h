/* A search: the settings that it tries, and what is known of each. */
#ifndef GPRI_SEARCH_H
#define GPRI_SEARCH_H

#include "search/grid.h"
#include "search/study.h"
#include "train/candidates/candidates.h"

enum {
    GPRI_SEARCH_MODELS = 16,     /* at most */
    GPRI_SEARCH_SETTINGS = 10000 /* at most */
};

typedef struct gpri_setting {
    gpr_params *params;
    char *text; /* the options of the grid: "lr=0.01 init=ppr" */
    char key[GPRI_KEY_SIZE];
    int model;     /* index of search->models */
    int64_t place; /* in the grid */
    int64_t cell;  /* of the study, with the runs of its last round */
    int round;     /* the last one that it took part in */
    bool alive;    /* it goes on to the next round */
    int64_t runs, failed;
    gpr_statistics_info val_accuracy, val_loss, test_accuracy; /* test: only of those that are chosen */
    gpr_statistics_info val_metric;                            /* of the option `metric`; NaN where it is the loss */
    double cost; /* what is chosen by, as a mean over the runs and turned so that lower is better; NaN: none */
    bool chosen; /* the best of its model */
} gpri_setting;

struct gpr_search {
    gpr_ctx *ctx;
    const gpr_dataset *data; /* borrowed */
    gpr_params *params;      /* what is the same for all settings */
    gpri_grid grid;
    char *grid_text;        /* as the caller gave it; NULL: the small grid */
    const char *metric;     /* a constant: what settings are chosen by */
    int64_t draws, runs;    /* runs: of the last round */
    bool halving, finished; /* finished: there is a best one */
    char models[GPRI_SEARCH_MODELS][16];
    int model_count;
    const gpri_candidate
        *candidates[GPRI_SEARCH_MODELS]; /* of `model` auto, whose candidates are the models; or NULL */
    gpr_params *asked;                   /* with them: what they are settled for; or NULL */
    double budget, planned, whole; /* seconds of work: the aim, of what is tried, of all; budget 0: none was given */
    int64_t left_out;              /* settings that the budget has no room for */
    gpri_setting *settings;        /* (count) in the order of the grid; after the search, best first */
    int64_t count, capacity;
    gpri_text json, preset; /* what the last call gave */
};

/* Whether what is searched are the candidates of `model` auto. models: what the caller gave; or NULL. */
bool gpri_search_is_auto(const gpr_search *search, const char *models);
/* Fills in models and settings, without duplicates, and checks every one. */
gpr_status gpri_search_settle(gpr_search *search, const char *models) GPRI_MUST_CHECK;

/* ---- rounds ---- */

/* Settings of so many that go on; runs in a round that so many others follow; rounds of a model with so many settings.
 */
int64_t gpri_search_share(int64_t count);
int64_t gpri_search_runs_before(const gpr_search *search, int following);
int gpri_search_rounds(const gpr_search *search, int64_t settings);
/* Runs that the rounds from `round` on will ask for, beyond those of the round before. */
int64_t gpri_search_runs_from(const gpr_search *search, int rounds, int round, int64_t settings);
/* Runs that the search will ask for of so many settings of a model, in all rounds: fewer only where settings diverge.
   gpri_search_planned: of those that the model has. */
int64_t gpri_search_runs(const gpr_search *search, int64_t settings);
int64_t gpri_search_planned(const gpr_search *search, int model);

/* Leaves out settings that the budget has no room for; see afford.c. Without a budget all stay. */
gpr_status gpri_search_afford(gpr_search *search) GPRI_MUST_CHECK;
/* After the search: what was spent, and what more would try. */
void gpri_search_tell_budget(const gpr_search *search);

/* Whether an option goes into a preset: it was set, and says what is computed. */
bool gpri_search_keeps(const gpr_params *params, gpri_param id);

#endif
