/* Points of an embedding: their distance and their memory, and progress while they are computed. */
#include "embed/embedding.h"

#include <math.h>

double gpri_distance(gpri_metric metric, gpri_point a, gpri_point b) {
    double dx = a.x - b.x, dy = a.y - b.y, square = dx * dx + dy * dy;
    if (metric == GPRI_METRIC_EUCLIDEAN) return sqrt(square);
    /* arcosh(1 + 2 s), accurate for small s */
    double inside = (1 - a.x * a.x - a.y * a.y) * (1 - b.x * b.x - b.y * b.y);
    return 2 * asinh(sqrt(square / inside));
}

gpr_status gpri_embedding_report(gpr_ctx *ctx, double share) {
    const gpr_progress progress = {.struct_size = sizeof progress, .stage = "embedding", .share = share};
    if (!ctx->job.progress || ctx->job.progress(ctx->job.user, &progress) == 0) return GPR_OK;
    return gpri_fail(GPR_ERROR_STOPPED, "stopped by the caller while the embedding was made");
}

void gpri_embedding_free(gpr_ctx *ctx, gpri_embedding *embedding) {
    gpri_free(ctx, embedding->points);
    *embedding = (gpri_embedding){0};
}
