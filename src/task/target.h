/* What is to be told of each node: its target, as a dataset, its readers and its files have it: one class for each
 * node, or a number. Code that asks only whether a target is known, how many scores tell it, or takes those of some
 * nodes, asks here, and need not know what it is. */
#ifndef GPRI_TARGET_H
#define GPRI_TARGET_H

#include "base/compiler.h"
#include "base/names.h"

/* More classes than this is a mistake in the labels (such as node ids), and would cost memory for each class. */
#define GPRI_MOST_CLASSES 1000000

/* Zeroed: there is none. */
typedef struct gpri_target {
    int32_t *labels;  /* (nodes) 0 .. classes - 1, or -1: not known; NULL: there are none. Of a number: 0 where it is
                         known, so that what deals out nodes by class deals out all of them alike */
    int64_t classes;  /* 0: no node has a label; 1: the target is a number */
    float *numbers;   /* (nodes) of a number: it, in its own unit; NaN: not known. NULL: the target is a class */
    gpri_names names; /* (classes), or none: numbers */
} gpri_target;

/* Whether that of a node is known. */
GPRI_INLINE bool gpri_target_known(const gpri_target *target, int64_t node) { return target->labels[node] >= 0; }
GPRI_INLINE bool gpri_target_is_number(const gpri_target *target) { return target->numbers != NULL; }
/* How many classes there are: 0 of a number. */
GPRI_INLINE int64_t gpri_target_classes(const gpri_target *target) { return target->numbers ? 0 : target->classes; }
/* Of how many nodes it is. */
int64_t gpri_target_count(const gpri_target *target, int64_t nodes);
/* How many scores a model gives a node to tell it. */
GPRI_INLINE int64_t gpri_target_scores(const gpri_target *target) { return target->classes; }

/* The loss of a guess without knowledge. */
double gpri_target_guess(const gpri_target *target);
/* Fails where there is nothing to learn. name: of the data. */
gpr_status gpri_target_tells(const gpri_target *target, int64_t nodes, const char *name) GPRI_MUST_CHECK;

/* From what a caller gives, which is checked. labels: (nodes), or NULL: none is known. classes: 0: as many as labels
   show. names: (classes), or NULL. Free it in any case. */
gpr_status gpri_target_of_labels(gpr_ctx *ctx, gpri_target *out, const int32_t *labels, int64_t nodes, int64_t classes,
                                 const char *const *names) GPRI_MUST_CHECK;
/* numbers: (nodes), NaN: not known; an infinite one is an error. Free it in any case. */
gpr_status gpri_target_of_numbers(gpr_ctx *ctx, gpri_target *out, const float *numbers, int64_t nodes) GPRI_MUST_CHECK;
/* Room for those of `nodes` nodes, of the same kind as `like`. Free it in any case. */
gpr_status gpri_target_new(gpr_ctx *ctx, gpri_target *out, const gpri_target *like, int64_t nodes) GPRI_MUST_CHECK;
/* That of node i becomes that of node j of `from`. */
GPRI_INLINE void gpri_target_copy(const gpri_target *to, int64_t i, const gpri_target *from, int64_t j) {
    to->labels[i] = from->labels[j];
    if (to->numbers) to->numbers[i] = from->numbers[j];
}
/* Leaves it zeroed. */
void gpri_target_free(gpr_ctx *ctx, gpri_target *target);

#endif
