/* What the numbers of each section of a .gpr file must be. */
#ifndef GPRI_CHECK_ARRAYS_H
#define GPRI_CHECK_ARRAYS_H

#include "io/mapped/mapped.h"

/* Sums over the pieces of a section. */
typedef struct gpri_mapped_sums {
    uint64_t arcs;   /* of hashes: up minus down */
    int64_t counted; /* empty rows; arcs of edges in both directions; features that are not 0 */
} gpri_mapped_sums;

/* What a section, or a part of it, belongs to. */
typedef struct gpri_mapped_owner {
    const gpr_dataset *data;
    const gpri_graph *graph; /* of an array of a graph: which */
} gpri_mapped_owner;

/* Checks elements first .. end - 1 of a section, or of the array of a graph; returns the place of the first wrong one,
   or -1. */
typedef int64_t (*gpri_mapped_check_fn)(const gpri_mapped_owner *of, gpri_mapped_kind kind, int64_t first, int64_t end,
                                        gpri_mapped_sums *sum);

typedef struct gpri_mapped_rule {
    gpri_mapped_check_fn check; /* NULL: the contents are checked when the file is opened */
    bool leads;                 /* it locates others: it is checked before them */
    const char *rule;           /* for messages */
} gpri_mapped_rule;
extern const gpri_mapped_rule gpri_mapped_rules[GPRI_MAPPED_KINDS];

#endif
