/* The arcs of one row while a graph is built.
 *
 * Each edge (s, d) enters as the arcs s -> d and d -> s. Within its row an arc is column * 2, and one more if it is the
 * second arc of its edge: so that merging can tell "given in both directions" (fine) from "given twice" (a duplicate).
 * Ids are below 2^31 - 1: the bit is free. */
#ifndef GPRI_ARCS_H
#define GPRI_ARCS_H

#include <stdint.h>

/* What merging leaves of a row, or of some. */
typedef struct gpri_arcs {
    uint32_t *column;
    float *weight;  /* or NULL */
    uint8_t *sides; /* GPRI_ALONG, GPRI_AGAINST or both, or NULL: nobody asks */
    float *along;   /* with sides and weight: the largest weight of the first arcs; 0: there is none */
} gpri_arcs;

/* How many. */
typedef struct gpri_arcs_found {
    int64_t duplicates; /* arcs given again */
    int64_t mutual;     /* arcs that are left and whose edge was given in both directions */
    int64_t one_sided;  /* with sides: arcs that are left whose two directions differ */
} gpri_arcs_found;

/* Sorts the columns in ascending order, in place. column: (count) of a graph with so many nodes; weight: (count), moved
   along, or NULL. */
void gpri_arcs_sort(uint32_t *column, float *weight, int64_t count, int64_t nodes);
/* Merges equal columns of a sorted row and drops the lowest bit. The largest of their weights stays. Columns and
   weights of `to` may be `from` or before it. weight: (count), or NULL as in `to`. Returns how many are left, and adds
   to *found. */
int64_t gpri_arcs_merge(gpri_arcs to, const uint32_t *from, const float *weight, int64_t count, gpri_arcs_found *found);

#endif
