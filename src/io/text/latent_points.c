/* Points of the plane for all nodes, in the user's own files. */
#include <math.h>

#include "base/text.h"
#include "io/numpy/npy.h"
#include "io/text/latent_file.h"

/* Not finite, or so large that a distance would not be. */
static bool is_lost(gpri_point p) { return !(fabs(p.x) < 1e150 && fabs(p.y) < 1e150); }

static gpr_status wrong_size(const char *path, int64_t rows, int64_t cols, int64_t nodes) {
    return gpri_fail(GPR_ERROR_MISMATCH, "%s holds %lld x %lld numbers: expected %lld x 2, a point for every node",
                     path, (long long)rows, (long long)cols, (long long)nodes);
}

gpr_status gpri_read_points_npy(gpr_ctx *ctx, gpri_embedding *out, int64_t nodes, const char *path) {
    gpr_status status = GPR_OK;
    gpri_array array;
    *out = (gpri_embedding){.nodes = nodes, .metric = GPRI_METRIC_EUCLIDEAN};
    TRY(gpri_npy_file_read(ctx, &array, path, GPRI_AS_DOUBLE, -1));
    out->points = array.data; /* a row is a point */
    if (array.dims != 2 || array.shape[0] != nodes || array.shape[1] != 2)
        LEAVE(wrong_size(path, array.shape[0], array.shape[1], nodes));
    for (int64_t i = 0; i < nodes; i++)
        if (is_lost(out->points[i]))
            THROW(GPR_ERROR_FORMAT, "%s: the point of node %lld is (%g, %g): expected two finite numbers", path,
                  (long long)i, out->points[i].x, out->points[i].y);
done:
    if (status != GPR_OK) gpri_embedding_free(ctx, out);
    return status;
}

gpr_status gpri_read_points(gpr_ctx *ctx, gpri_embedding *out, int64_t nodes, gpri_delimited *table) {
    gpr_status status = GPR_OK;
    const gpri_field *fields;
    int64_t count, row = 0;
    *out = (gpri_embedding){.nodes = nodes, .metric = GPRI_METRIC_EUCLIDEAN};
    TRY(gpri_alloc(ctx, &out->points, nodes, sizeof *out->points, "points"));
    for (;; row++) {
        TRY(gpri_delimited_next(table, &fields, &count));
        if (count == 0) break;
        if (count != 2)
            THROW(GPR_ERROR_FORMAT,
                  "%s:%lld: %lld columns: expected two, the point of a node; or Geom-GCN's relations, "
                  "from,to <tab> space <tab> relation",
                  gpri_delimited_path(table), (long long)gpri_delimited_line(table), (long long)count);
        if (row >= nodes) continue; /* counted to the end, for the message */
        double place[2];
        for (int c = 0; c < 2; c++)
            if (!gpri_span_real(fields[c].text, fields[c].size, &place[c]))
                LEAVE(gpri_delimited_fail(table, "'%.*s' is not a number", GPRI_FIELD(fields[c])));
        out->points[row] = (gpri_point){place[0], place[1]};
        if (is_lost(out->points[row]))
            LEAVE(gpri_delimited_fail(table, "(%g, %g): expected two finite numbers", place[0], place[1]));
    }
    if (row != nodes) status = wrong_size(gpri_delimited_path(table), row, 2, nodes);
done:
    if (status != GPR_OK) gpri_embedding_free(ctx, out);
    return status;
}
