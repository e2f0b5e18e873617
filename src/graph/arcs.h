/* The arcs of one row while a graph is built.
 *
 * Each edge (s, d) enters as the arcs s -> d and d -> s. Within its row an arc is column * 2, and one more if it is the
 * second arc of its edge: so that merging can tell "given in both directions" (fine) from "given twice" (a duplicate).
 * Ids are below 2^31 - 1: the bit is free. */
#ifndef GPRI_ARCS_H
#define GPRI_ARCS_H

#include <stdint.h>

/* Sorts the columns in ascending order, in place. column: (count) of a graph with so many nodes; weight: (count), moved
   along, or NULL. */
void gpri_arcs_sort(uint32_t *column, float *weight, int64_t count, int64_t nodes);
/* Merges equal columns of a sorted row and drops the lowest bit. The largest of their weights stays. `to` may be `from`
   or before it. Returns how many are left. Adds to *duplicates, and to *mutual the arcs whose edge was given in both
   directions. */
int64_t gpri_arcs_merge(uint32_t *to, float *to_weight, const uint32_t *from, const float *from_weight, int64_t count,
                        int64_t *duplicates, int64_t *mutual);

#endif
