/* Opens a dataset several times and prints the times: bench_reading [--threads N] [--times N] [--format WORD] DATA
 *
 * Prints JSON: the seconds of each time, what was read, and the peak resident memory of the process. */
#include <gprgnn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int complain(void) {
    fprintf(stderr, "bench_reading: %s\n", gpr_last_error());
    return 1;
}

int main(int argc, char **argv) {
    gpr_ctx_options options = {.struct_size = sizeof options};
    const char *path = NULL, *format = NULL;
    int times = 1;
    for (int i = 1; i < argc; i++) {
        if (i + 1 < argc && strcmp(argv[i], "--threads") == 0) options.threads = atoi(argv[++i]);
        else if (i + 1 < argc && strcmp(argv[i], "--times") == 0) times = atoi(argv[++i]);
        else if (i + 1 < argc && strcmp(argv[i], "--format") == 0) format = argv[++i];
        else path = argv[i];
    }
    if (!path || times < 1) {
        fputs("usage: bench_reading [--threads N] [--times N] [--format WORD] DATA\n", stderr);
        return 2;
    }
    gpr_ctx *ctx = NULL;
    gpr_dataset *data = NULL;
    gpr_dataset_info info = {.struct_size = sizeof info};
    if (gpr_ctx_new(&ctx, &options) < 0) return complain();
    printf("{\"seconds\": [");
    for (int i = 0; i < times; i++) {
        gpr_dataset_free(data);
        const double before = seconds_now();
        if (gpr_dataset_open_as(ctx, &data, path, NULL, format) < 0) return complain();
        printf("%s%.6f", i ? ", " : "", seconds_now() - before);
    }
    const long long peak = (long long)gpr_peak_memory(); /* before anything is measured in the graph */
    if (gpr_dataset_describe(ctx, data, &info) < 0) return complain();
    printf("], \"peak_memory_bytes\": %lld, \"nodes\": %lld, \"edges\": %lld, \"features\": %lld}\n", peak,
           (long long)info.nodes, (long long)info.edges, (long long)info.features);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    return 0;
}
