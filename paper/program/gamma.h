/* gprgnn paper: the learned filters of a cell. */
#ifndef PAPER_GAMMA_H
#define PAPER_GAMMA_H

#include "paper/program/paper.h"

enum { MOST_HOPS = 64, MOST_FRAMES = 128 };

/* Mean and 95 % confidence interval over the runs of all draws. gamma and -gamma are the same filter, as the network
   before it may change its sign too: a run is turned where it points away from the first one. */
typedef struct gamma_means {
    int64_t count; /* weights; 0: there are none */
    int64_t runs;
    double mean[MOST_HOPS], ci95[MOST_HOPS];
} gamma_means;

void mean_gamma(gamma_means *out, const paper *tables, const paper_cell *cell);

/* The same over the epochs, from the runs that were kept with their history. */
typedef struct gamma_frames {
    int64_t count, frames; /* weights; moments: 0 if there is no history */
    int64_t at[MOST_FRAMES];
    double mean[MOST_FRAMES][MOST_HOPS];
} gamma_frames;
void mean_frames(gamma_frames *out, const paper *tables, const paper_cell *cell);

typedef struct gamma_signs {
    int positive, negative; /* weights that differ from 0 by more than their interval */
} gamma_signs;
gamma_signs signs_of(const gamma_means *means);
/* What the paper states of the filter learned on this dataset, as a word: "yes" or "no"; "" if it states nothing. On a
   homophilic graph all weights have one sign, on a heterophilic one at least one has another. */
const char *signs_as_stated(const char *dataset, gamma_signs signs);

#endif
