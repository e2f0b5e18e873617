#include "data/latent.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A pipe or what cannot be read is none. */
static bool is_npy(const char *path) {
    char bytes[6] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return false;
    bool is = pread(fd, bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes && memcmp(bytes, "\x93NUMPY", 6) == 0;
    close(fd);
    return is;
}

static void say_radius(gpr_ctx *ctx, const gpri_neighbourhood *found, const char *embedding, double seconds) {
    gpri_log(ctx, GPR_LOG_INFO,
             "embedding %s: %.2f s; rho %.4g; %.2f latent neighbours a node, %.2f in the graph, %lld pairs are both",
             embedding, seconds, found->radius, found->latent_mean, found->graph_mean, (long long)found->both);
}

/* Relations or points: the same file, opened once. */
static gpr_status read_file(gpr_ctx *ctx, gpri_relations *out, gpri_neighbourhood *found, gpri_embedding *points,
                            const gpri_graph *graph, const char *path) {
    gpr_status status = GPR_OK;
    gpri_delimited *table = NULL;
    const gpri_delimited_options options = {.ragged = true}; /* they have their own messages */
    if (is_npy(path)) return gpri_read_points_npy(ctx, points, graph->nodes, path);
    TRY(gpri_delimited_open(ctx, &table, path, &options));
    if (gpri_holds_relations(table)) TRY(gpri_read_relations(ctx, out, found, graph, table));
    else TRY(gpri_read_points(ctx, points, graph->nodes, table));
done:
    gpri_delimited_close(table);
    return status;
}

gpr_status gpri_latent_open(gpr_ctx *ctx, gpri_relations *out, const gpri_graph *graph, const char *embedding) {
    gpr_status status = GPR_OK;
    gpri_embedding points = {0};
    gpri_neighbourhood found = {0};
    double started = seconds_now();
    *out = (gpri_relations){0};
    if (strcmp(embedding, "isomap") == 0) TRY(gpri_embed_isomap(ctx, &points, graph));
    else if (strcmp(embedding, "poincare") == 0) TRY(gpri_embed_poincare(ctx, &points, graph));
    else {
        status = read_file(ctx, out, &found, &points, graph, embedding);
        if (status == GPR_OK || status == GPR_ERROR_MEMORY) TRY(status);
        else {
            status = gpri_fail_prefix(GPR_ERROR_ARGUMENT, "embedding");
            goto done;
        }
    }
    if (points.points) {
        TRY(gpri_relations_embed(ctx, out, &found, graph, &points));
        say_radius(ctx, &found, embedding, seconds_now() - started);
    } else {
        gpri_log(ctx, GPR_LOG_INFO,
                 "relations of %s: %.2f latent neighbours a node, %.2f in the graph, %lld pairs are both", embedding,
                 found.latent_mean, found.graph_mean, (long long)found.both);
    }
done:
    gpri_embedding_free(ctx, &points);
    return status;
}
