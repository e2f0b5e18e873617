/* A search: the settings that it tries, and what is known of each. */
#ifndef GPRI_SEARCH_H
#define GPRI_SEARCH_H

#include "search/grid.h"
#include "search/study.h"

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
    gpri_setting *settings; /* (count) in the order of the grid; after the search, best first */
    int64_t count, capacity;
    gpri_text json, preset; /* what the last call gave */
};

/* Fills in models and settings, without duplicates, and checks every one. */
gpr_status gpri_search_settle(gpr_search *search, const char *models) GPRI_MUST_CHECK;

/* Runs of a model that the search will ask for, in all rounds: fewer only where settings diverge. */
int64_t gpri_search_planned(const gpr_search *search, int model);

/* Whether an option goes into a preset: it was set, and says what is computed. */
bool gpri_search_keeps(const gpr_params *params, gpri_param id);

#endif
