/* Near points of an embedding, found with a vantage-point tree. It needs only the triangle inequality of the metric, so
 * it serves the plane and the hyperbolic disk. Memory grows with the points, not with their pairs. */
#ifndef GPRI_NEAREST_H
#define GPRI_NEAREST_H

#include "embed/embedding.h"

typedef struct gpri_nearest gpri_nearest;

/* The embedding must outlive it. */
gpr_status gpri_nearest_new(gpr_ctx *ctx, gpri_nearest **out, const gpri_embedding *embedding) GPRI_MUST_CHECK;
void gpri_nearest_free(gpri_nearest *tree); /* NULL is fine */

/* The points other than `node` at a distance below `radius`, in no particular order. Returns how many there are, or
   some number above `most` if there are more. found, distances: (most) each, or NULL. */
int64_t gpri_nearest_find(const gpri_nearest *tree, int64_t node, double radius, int64_t most, int32_t *found,
                          double *distances);

/* The largest radius with at most `pairs` pairs of points nearer than it. It has exactly as many, unless several pairs
   are equally far apart. Infinite if there are no more than `pairs` pairs in total. */
gpr_status gpri_nearest_radius(gpri_nearest *tree, double *radius, int64_t pairs) GPRI_MUST_CHECK;

#endif
