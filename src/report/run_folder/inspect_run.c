/* gpr_inspection_of_run: the model of a run folder, its split, the weights of all its runs, and the data it names. The
 * folder may be a stranger's: it chooses no file outside of it, and its numbers are checked. */
#include <math.h>

#include "file/path.h"
#include "file/run_folder.h"
#include "io/text/delimited.h"
#include "spectral/inspection.h"
#include "statistics/statistics.h"
#include "train/result.h"

/* ---- gamma.csv: run,k,initial,gamma; the rows of a run after each other, k ascending ---- */

typedef struct {
    gpr_ctx *ctx;
    double *values; /* (runs x count) */
    int64_t runs, count, capacity;
    int64_t last;                   /* number of the run that the rows belong to */
    int64_t at_run, at_k, at_gamma; /* columns */
    int64_t k;                      /* that the next row should have */
} gammas;

static gpr_status read_row(gammas *g, const gpri_delimited *table, const gpri_field *fields) {
    int64_t run, k;
    double value;
    const gpri_field *at_run = &fields[g->at_run], *at_k = &fields[g->at_k], *at_gamma = &fields[g->at_gamma];
    if (!gpri_span_int(at_run->text, at_run->size, &run) || run < 0 || !gpri_span_int(at_k->text, at_k->size, &k) ||
        !gpri_span_real(at_gamma->text, at_gamma->size, &value) || !isfinite(value))
        return gpri_delimited_fail(table, "'%.*s', '%.*s', '%.*s' are not a run, a hop and a weight",
                                   GPRI_FIELD(*at_run), GPRI_FIELD(*at_k), GPRI_FIELD(*at_gamma));
    if (g->k == g->count) g->k = 0;
    if (k != g->k || (k > 0 ? run != g->last : g->runs > 0 && run <= g->last))
        return gpri_delimited_fail(table, "run %lld, k %lld is out of order: every run has k from 0 to %lld",
                                   (long long)run, (long long)k, (long long)(g->count - 1));
    if (k == 0) {
        gpr_status status =
            gpri_grow(g->ctx, &g->values, &g->capacity, (g->runs + 1) * g->count, sizeof *g->values, "gamma.csv");
        if (status != GPR_OK) return status;
        g->runs++;
    }
    g->values[(g->runs - 1) * g->count + k] = value;
    g->last = run;
    g->k = k + 1;
    return GPR_OK;
}

static gpr_status read_gammas(gammas *g, const char *path) {
    gpr_status status = GPR_OK;
    gpri_delimited *table = NULL;
    const gpri_delimited_options options = {.delimiter = ',', .header = GPRI_HEADER_YES};
    const gpri_field *fields;
    int64_t columns;
    TRY(gpri_delimited_open(g->ctx, &table, path, &options));
    g->at_run = gpri_delimited_column(table, "run");
    g->at_k = gpri_delimited_column(table, "k");
    g->at_gamma = gpri_delimited_column(table, "gamma");
    if (g->at_run < 0 || g->at_k < 0 || g->at_gamma < 0)
        THROW(GPR_ERROR_FORMAT, "%s: it has no columns run, k and gamma", path);
    for (;;) {
        TRY(gpri_delimited_next(table, &fields, &columns));
        if (columns == 0) break;
        TRY(read_row(g, table, fields));
    }
    if (g->runs == 0 || g->k != g->count)
        THROW(GPR_ERROR_FORMAT, "%s ends before the last weight of a run: the model has %lld", path,
              (long long)g->count);
done:
    gpri_delimited_close(table);
    return status;
}

typedef struct {
    const gammas *gammas;
    int64_t k;
} one_hop;

static double weight_of(const void *arg, int64_t run) {
    const one_hop *hop = arg;
    return hop->gammas->values[run * hop->gammas->count + hop->k];
}

/* Of several runs: their weights. */
static gpr_status add_runs(gpr_ctx *ctx, gpr_inspection *out, const char *dir) {
    gpr_status status = GPR_OK;
    gammas g = {.ctx = ctx, .count = out->series[GPRI_SERIES_GAMMA].count};
    char path[GPRI_LONGEST_PATH];
    double *mean = NULL, *ci95 = NULL;
    if (g.count == 0) return GPR_OK;
    TRY(gpri_path_in(path, dir, "gamma.csv"));
    if (!gpri_is_file(path)) {
        gpri_log(ctx, GPR_LOG_WARNING, "%s is missing: only the weights of the model are shown", path);
        goto done;
    }
    TRY(read_gammas(&g, path));
    if (g.runs < 2) goto done;
    out->info.turned_runs = gpri_filters_turn(g.values, g.runs, g.count, out->series[GPRI_SERIES_GAMMA].values);
    TRY(gpri_alloc(ctx, &mean, g.count, sizeof *mean, "gamma"));
    TRY(gpri_alloc(ctx, &ci95, g.count, sizeof *ci95, "gamma"));
    for (int64_t k = 0; k < g.count; k++) {
        const gpri_mean found = gpri_mean_by(weight_of, &(one_hop){&g, k}, g.runs);
        mean[k] = found.mean;
        ci95[k] = found.ci95;
    }
    TRY(gpri_inspect_runs(out, g.values, g.runs, mean, ci95));
done:
    gpri_free_all(ctx, g.values, mean, ci95);
    return status;
}

gpr_status gpr_inspection_of_run(gpr_ctx *ctx, gpr_inspection **out, const char *dir, const gpr_dataset *data,
                                 const char *data_dir) {
    gpr_status status = GPR_OK;
    gpr_model *model = NULL;
    gpr_dataset *own = NULL;
    gpr_split *split = NULL;
    char path[GPRI_LONGEST_PATH];
    if (out) *out = NULL;
    if (!ctx || !out || !dir) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_inspection_of_run: a NULL argument");
    if (!gpri_is_folder(dir)) THROW(GPR_ERROR_NOT_FOUND, "%s is no folder", dir);
    TRY(gpr_run_folder_repair(dir));
    TRY(gpri_path_in(path, dir, "model.safetensors"));
    TRY(gpr_model_load(ctx, &model, path));
    if (!data) TRY(gpr_run_folder_data(ctx, &own, model, data_dir));
    const gpr_dataset *used = data ? data : own;
    if (used) TRY(gpr_model_split(ctx, &split, model, used, dir));
    TRY(gpr_inspection_new(ctx, out, model, used, split));
    TRY(add_runs(ctx, *out, dir));
done:
    gpr_split_free(split);
    gpr_dataset_free(own);
    gpr_model_free(model);
    if (status < 0 && *out) {
        gpr_inspection_free(*out);
        *out = NULL;
    }
    return gpri_finish(status);
}
