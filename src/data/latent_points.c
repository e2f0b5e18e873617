/* Points of the plane for all nodes, in the user's own files. */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "data/latent_file.h"
#include "data/npy.h"

#define MOST_BYTES ((int64_t)1 << 40)

/* Not finite, or so large that a distance would not be. */
static bool is_lost(gpri_point p) { return !(fabs(p.x) < 1e150 && fabs(p.y) < 1e150); }

static gpr_status wrong_size(const char *path, int64_t rows, int64_t cols, int64_t nodes) {
    return gpri_fail(GPR_ERROR_MISMATCH, "%s holds %lld x %lld numbers: expected %lld x 2, a point for every node",
                     path, (long long)rows, (long long)cols, (long long)nodes);
}

static gpr_status new_points(gpr_ctx *ctx, gpri_embedding *out, int64_t nodes) {
    *out = (gpri_embedding){.nodes = nodes, .metric = GPRI_METRIC_EUCLIDEAN};
    return gpri_alloc(ctx, &out->points, nodes, sizeof *out->points, "points");
}

gpr_status gpri_read_points_npy(gpr_ctx *ctx, gpri_embedding *out, int64_t nodes, const char *path) {
    gpr_status status = GPR_OK;
    char *bytes = NULL, *text = NULL;
    int64_t size, text_at, text_size;
    gpri_npy npy;
    *out = (gpri_embedding){0};
    TRY(gpri_read_whole(ctx, &bytes, &size, path, MOST_BYTES));
    if (size < GPRI_NPY_PREAMBLE) THROW(GPR_ERROR_FORMAT, "%s: cut off after %lld bytes", path, (long long)size);
    status = gpri_npy_preamble((unsigned char *)bytes, &text_at, &text_size);
    if (status == GPR_OK && (text_size > GPRI_NPY_MOST_HEADER || text_size > size - text_at))
        status = gpri_fail(GPR_ERROR_FORMAT, "its header goes beyond the end of the file");
    if (status == GPR_OK) status = gpri_alloc(ctx, &text, text_size + 1, 1, "header");
    if (status == GPR_OK) {
        memcpy(text, bytes + text_at, (size_t)text_size);
        text[text_size] = 0;
        status = gpri_npy_parse(&npy, text);
    }
    if (status != GPR_OK) {
        gpri_fail_prefix(status, "%s", path);
        goto done;
    }
    if (npy.dims != 2 || npy.shape[0] != nodes || npy.shape[1] != 2) {
        status = wrong_size(path, npy.shape[0], npy.shape[1], nodes);
        goto done;
    }
    if ((size - text_at - text_size) / npy.itemsize < npy.count)
        THROW(GPR_ERROR_FORMAT, "%s: cut off: its %lld numbers of %d bytes are not all there", path,
              (long long)npy.count, npy.itemsize);
    TRY(new_points(ctx, out, nodes));
    status =
        gpri_npy_convert(out->points, GPRI_AS_DOUBLE, &npy, 0, npy.count, (unsigned char *)bytes + text_at + text_size);
    if (status != GPR_OK) gpri_fail_prefix(status, "%s", path);
    for (int64_t i = 0; status == GPR_OK && i < nodes; i++)
        if (is_lost(out->points[i]))
            THROW(GPR_ERROR_FORMAT, "%s: the point of node %lld is (%g, %g): expected two finite numbers", path,
                  (long long)i, out->points[i].x, out->points[i].y);
done:
    gpri_free(ctx, bytes);
    gpri_free(ctx, text);
    if (status != GPR_OK) gpri_embedding_free(ctx, out);
    return status;
}

gpr_status gpri_read_points(gpr_ctx *ctx, gpri_embedding *out, int64_t nodes, gpri_delimited *table) {
    gpr_status status = GPR_OK;
    const gpri_field *fields;
    int64_t count, row = 0;
    TRY(new_points(ctx, out, nodes));
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
            if (!gpri_span_real(fields[c].text, fields[c].size, &place[c])) {
                status = gpri_delimited_fail(table, "'%.*s' is no number", GPRI_FIELD(fields[c]));
                goto done;
            }
        out->points[row] = (gpri_point){place[0], place[1]};
        if (is_lost(out->points[row])) {
            status = gpri_delimited_fail(table, "(%g, %g): expected two finite numbers", place[0], place[1]);
            goto done;
        }
    }
    if (row != nodes) status = wrong_size(gpri_delimited_path(table), row, 2, nodes);
done:
    if (status != GPR_OK) gpri_embedding_free(ctx, out);
    return status;
}
