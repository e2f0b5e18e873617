/* The rounds of a search: how many there are, how many settings and runs each has. */
#include "search/search.h"

enum {
    SHARE = 3,     /* one of so many settings goes on */
    FEWEST = 3,    /* settings of the last round */
    FIRST_RUNS = 2 /* at least, in the first round */
};

int64_t gpri_search_share(int64_t count) { return (count + SHARE - 1) / SHARE; }

int64_t gpri_search_runs_before(const gpr_search *search, int following) {
    int64_t runs = search->runs;
    for (int i = 0; i < following; i++) runs = gpri_search_share(runs);
    return runs;
}

int gpri_search_rounds(const gpr_search *search, int64_t settings) {
    int rounds = 1;
    while (search->halving && gpri_search_share(settings) >= FEWEST &&
           gpri_search_runs_before(search, rounds) >= FIRST_RUNS &&
           gpri_search_runs_before(search, rounds) < gpri_search_runs_before(search, rounds - 1)) {
        settings = gpri_search_share(settings);
        rounds++;
    }
    return rounds;
}

int64_t gpri_search_runs_from(const gpr_search *search, int rounds, int round, int64_t settings) {
    int64_t runs = 0;
    for (; round < rounds; round++, settings = gpri_search_share(settings))
        runs += settings * (gpri_search_runs_before(search, rounds - 1 - round) -
                            (round ? gpri_search_runs_before(search, rounds - round) : 0));
    return runs;
}

int64_t gpri_search_runs(const gpr_search *search, int64_t settings) {
    return gpri_search_runs_from(search, gpri_search_rounds(search, settings), 0, settings);
}

int64_t gpri_search_planned(const gpr_search *search, int model) {
    int64_t settings = 0;
    for (int64_t i = 0; i < search->count; i++) settings += search->settings[i].model == model;
    return gpri_search_runs(search, settings);
}
