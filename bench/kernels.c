/* Times every operation of the tables and compares it with the limits of this machine.
 *
 *     bench_kernels [--threads N] [--only TEXT] [--json FILE]
 *
 * First the machine: memory bandwidth on data of many sizes, and float32 fused multiply-adds. Then each operation, in
 * each table that this CPU can run, on the shapes that models give it on two graphs: checked against `ref`, then timed.
 * The share of the limit is the shortest time that bandwidth (on as much data) and arithmetic allow, divided by the
 * time taken. An exponential counts as one operation. --only: those with TEXT in their name. Prints Markdown. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "kernels.h"
#include "machine.h"
#include "tensor/cpu/cpu.h"

enum { MOST_TABLES = 8 };

static const graph_shape shapes[] = {
    {"csbm", "cSBM: 5000 × 2000 dense, 2 classes", 5000, 12500, 2000, 0, 2},
    {"cora_shape", "Cora's shape: 2708 × 1433 sparse, 7 classes", 2708, 5278, 1433, 49216, 7}};

typedef struct {
    gpr_ctx *ctx;
    setting *setting;
    const operation *operation;
} job;

static void job_chunk(void *arg, int64_t chunk, int slot) {
    (void)slot;
    const job *j = arg;
    int64_t from = chunk * j->operation->step, to = from + j->operation->step;
    j->operation->run(j->setting, from, to < j->operation->extent ? to : j->operation->extent);
}

static void job_work(void *arg, int threads) {
    const operation *op = ((job *)arg)->operation;
    gpri_parallel(((job *)arg)->ctx, threads, (op->extent + op->step - 1) / op->step, job_chunk, arg);
}

/* The largest difference from `wanted`, relative to its largest value. */
static double off(const gpri_real *wanted, const gpri_real *got, int64_t count) {
    double most = 0, difference = 0;
    for (int64_t i = 0; i < count; i++) {
        double d = fabs((double)wanted[i] - (double)got[i]);
        most = fmax(most, fabs((double)wanted[i]));
        if (!(d <= difference)) difference = d; /* NaN too */
    }
    return most > 0 ? difference / most : difference;
}

static void check(job *j, const gpri_ops *table, const gpri_real *wanted) {
    if (!j->operation->count) return;
    restore(j->setting);
    job_work(j, 1);
    double error = off(wanted, j->operation->output, j->operation->count);
    if (error <= 1e-4) return;
    fprintf(stderr, "bench_kernels: %s of %s on %s is off by %g\n", j->operation->name, table->name,
            j->setting->shape->name, error);
    exit(1);
}

/* ---- Output ----------------------------------------------------------------------------------------- */

static void write_entry(FILE *json, int *entries, const job *j, const char *table, const machine *m, int threads,
                        spread s) {
    const operation *op = j->operation;
    if (!json) return;
    fprintf(json,
            "%s\n  {\"name\": \"kernel/%s/%s/%s/%d\", \"who\": \"%s\", \"unit\": \"ms\", \"better\": \"less\", "
            "\"median\": %.6g, "
            "\"q1\": %.6g, \"q3\": %.6g, \"threads\": %d, \"gb_per_s\": %.4g, \"gflop_per_s\": %.4g, "
            "\"share_of_limit\": %.4g}",
            (*entries)++ ? "," : "", j->setting->shape->name, op->name, table, threads,
            strcmp(table, "ref") ? "gprgnn" : "ref", 1e3 * s.median, 1e3 * s.q1, 1e3 * s.q3, threads,
            1e-9 * op->bytes / s.median, 1e-9 * op->flops / s.median,
            limit_seconds(m, threads > 1, op->data, op->bytes, op->flops) / s.median);
}

static void time_operation(job *j, const gpri_ops **tables, int count, const machine *m, FILE *json, int *entries) {
    const operation *op = j->operation;
    int shared = op->how == TIMED_ONE_FOR_ALL;
    gpri_real *wanted = zeros(op->count, sizeof *wanted);
    j->setting->ops = tables[0];
    restore(j->setting);
    job_work(j, 1);
    if (op->count) memcpy(wanted, op->output, (size_t)op->count * sizeof *wanted);
    printf("| %s |", op->name);
    spread best = {0, 0, 0, 0};
    for (int i = 0; i < count; i++) {
        if (shared && i + 1 < count) {
            printf(" |");
            continue;
        }
        j->setting->ops = tables[i];
        check(j, tables[i], wanted);
        best = time_of(job_work, j, 1);
        printf(" %.4g |", 1e3 * best.median);
        write_entry(json, entries, j, shared ? "all" : tables[i]->name, m, 1, best);
    }
    if (m->threads > 1 && op->how != TIMED_ALONE) {
        spread many = time_of(job_work, j, m->threads);
        printf(" %.4g |", 1e3 * many.median);
        write_entry(json, entries, j, shared ? "all" : tables[count - 1]->name, m, m->threads, many);
    } else if (m->threads > 1) {
        printf(" |");
    }
    printf(" %.1f | %.1f | %.0f %% |\n", 1e-9 * op->bytes / best.median, 1e-9 * op->flops / best.median,
           100 * limit_seconds(m, 0, op->data, op->bytes, op->flops) / best.median);
    fflush(stdout);
    free(wanted);
}

static void write_machine(const machine *m, FILE *json) {
    printf("This machine: float32 fused multiply-adds %.1f GFLOP/s with 1 thread", 1e-9 * m->flops[0]);
    if (m->threads > 1) printf(", %.1f with %d", 1e-9 * m->flops[1], m->threads);
    printf(". Memory, GB/s, by the size of the data:\n\n| threads |");
    for (int size = 0; size < SIZES; size += 2) {
        int64_t kib = (int64_t)1 << (LEAST_SIZE + size - 10);
        printf(kib < 1024 ? " %" PRId64 " KiB |" : " %" PRId64 " MiB |", kib < 1024 ? kib : kib / 1024);
    }
    printf("\n|---|---|---|---|---|---|---|---|---|\n");
    for (int many = 0; many < (m->threads > 1 ? 2 : 1); many++) {
        printf("| %d |", many ? m->threads : 1);
        for (int size = 0; size < SIZES; size += 2) printf(" %.1f |", 1e-9 * m->bandwidth[many][size]);
        printf("\n");
    }
    if (!json) return;
    fprintf(json, "{\"threads\": %d, \"least_bytes\": %d", m->threads, 1 << LEAST_SIZE);
    for (int many = 0; many < 2; many++) {
        const char *name = many ? "all" : "one";
        fprintf(json, ", \"fma_gflop_per_s_%s\": %.4g, \"memory_gb_per_s_%s\": [", name, 1e-9 * m->flops[many], name);
        for (int size = 0; size < SIZES; size++)
            fprintf(json, "%s%.4g", size ? ", " : "", 1e-9 * m->bandwidth[many][size]);
        fprintf(json, "]");
    }
    fprintf(json, ", \"entries\": [");
}

static void time_shape(gpr_ctx *ctx, const graph_shape *shape, const char *only, const machine *m, FILE *json,
                       int *entries) {
    const gpri_ops *tables[MOST_TABLES];
    int count = gpri_ops_all(tables, MOST_TABLES);
    setting t;
    make_setting(ctx, &t, shape);
    printf("\n%s. Milliseconds:\n\n| operation |", shape->title);
    for (int i = 0; i < count; i++) printf(" %s |", tables[i]->name);
    if (m->threads > 1) printf(" %s, %d threads |", tables[count - 1]->name, m->threads);
    printf(" GB/s | GFLOP/s | of the limit |\n|---|");
    for (int i = 0; i < count + 3 + (m->threads > 1); i++) printf("---|");
    printf("\n");
    operation operations[MOST_OPERATIONS];
    int many = list_gprgnn(&t, operations);
    many += list_gat(&t, operations + many);
    many += list_jknet(&t, operations + many);
    many += list_geomgcn(&t, operations + many);
    many += list_gprdeep(&t, operations + many);
    for (int i = 0; i < many; i++) {
        if (!strstr(operations[i].name, only)) continue;
        job j = {ctx, &t, &operations[i]};
        time_operation(&j, tables, count, m, json, entries);
    }
    free_setting(ctx, &t);
}

int main(int argc, char **argv) {
    int threads = gpri_machine_threads();
    const char *path = NULL, *only = "";
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 < argc && strcmp(argv[i], "--threads") == 0) {
            threads = atoi(argv[i + 1]);
        } else if (i + 1 < argc && strcmp(argv[i], "--only") == 0) {
            only = argv[i + 1];
        } else if (i + 1 < argc && strcmp(argv[i], "--json") == 0) {
            path = argv[i + 1];
        } else {
            fputs("usage: bench_kernels [--threads N] [--only TEXT] [--json FILE]\n", stderr);
            return 2;
        }
    }
    if (threads < 1 || threads > GPRI_MAX_THREADS) {
        fprintf(stderr, "bench_kernels: threads must be from 1 to %d\n", GPRI_MAX_THREADS);
        return 2;
    }
    FILE *json = path ? fopen(path, "w") : NULL;
    if (path && !json) {
        perror(path);
        return 1;
    }
    gpr_ctx *ctx = NULL;
    if (gpr_ctx_new(&ctx, NULL)) {
        fprintf(stderr, "bench_kernels: %s\n", gpr_last_error());
        return 1;
    }
    machine m = measure_machine(ctx, threads);
    write_machine(&m, json);
    int entries = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) time_shape(ctx, &shapes[i], only, &m, json, &entries);
    gpr_ctx_free(ctx);
    if (!json) return 0;
    fprintf(json, "]}\n");
    if (fclose(json)) {
        perror(path);
        return 1;
    }
    return 0;
}
