/* gprgnn paper: means of the learned filters. */
#include "paper/program/gamma.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The way that the runs of a cell point. */
typedef struct direction {
    int64_t count; /* weights of the first run; 0: none yet */
    double like[MOST_HOPS];
} direction;

/* 1, or -1 for a run that points away from the first one. The first run itself: so that its largest weight is
   positive. */
static double turn_of(direction *way, const float *gamma, int64_t count) {
    double product = 0;
    if (way->count == 0) {
        int64_t largest = 0;
        for (int64_t k = 1; k < count; k++)
            if (fabsf(gamma[k]) > fabsf(gamma[largest])) largest = k;
        way->count = count;
        for (int64_t k = 0; k < count; k++) way->like[k] = copysign(1, (double)gamma[largest]) * (double)gamma[k];
    }
    for (int64_t k = 0; k < count; k++) product += way->like[k] * (double)gamma[k];
    return product < 0 ? -1 : 1;
}

/* Adds the filters of one draw: (runs x MOST_HOPS). */
static void gather(gamma_means *out, double *values, direction *way, const paper *tables, int64_t cell) {
    gpr_cell_info info = {.struct_size = sizeof info};
    if (cell < 0 || gpr_study_cell(tables->study, cell, &info) < 0) return;
    for (int64_t run = 0; run < info.runs; run++) {
        int64_t count;
        const float *gamma = gpr_study_gamma(tables->study, cell, run, &count);
        if (!gamma || count > MOST_HOPS || (out->count > 0 && out->count != count)) continue;
        const double turn = turn_of(way, gamma, count);
        out->count = count;
        for (int64_t k = 0; k < count; k++) values[out->runs * MOST_HOPS + k] = turn * (double)gamma[k];
        out->runs++;
    }
}

void mean_gamma(gamma_means *out, const paper *tables, const paper_cell *cell) {
    double *values = calloc((size_t)(cell->runs + 1) * MOST_HOPS, sizeof *values);
    double *column = calloc((size_t)cell->runs + 1, sizeof *column);
    direction way = {.count = 0};
    *out = (gamma_means){.count = 0};
    for (int draw = 0; values && column && draw < cell->draws; draw++)
        gather(out, values, &way, tables, cell->at[draw]);
    for (int64_t k = 0; k < out->count; k++) {
        gpr_statistics_info found = {.struct_size = sizeof found};
        for (int64_t run = 0; run < out->runs; run++) column[run] = values[run * MOST_HOPS + k];
        if (gpr_statistics(column, out->runs, &found) < 0) continue;
        out->mean[k] = found.mean;
        out->ci95[k] = found.count > 1 ? found.ci95 : NAN;
    }
    free(values);
    free(column);
}

/* A run that has stopped keeps its last row. */
static void add_run(gamma_frames *out, const float *history, int64_t rows, int64_t stride, double turn) {
    for (int64_t f = 0; f < out->frames; f++) {
        int64_t row = out->at[f] / stride;
        if (row >= rows) row = rows - 1;
        for (int64_t k = 0; k < out->count; k++) out->mean[f][k] += turn * (double)history[row * out->count + k];
    }
}

void mean_frames(gamma_frames *out, const paper *tables, const paper_cell *cell) {
    gpr_cell_info info = {.struct_size = sizeof info};
    int64_t runs = 0, longest = 0, widest = 1;
    direction way = {.count = 0};
    *out = (gamma_frames){.count = 0};
    if (cell->at[0] < 0 || gpr_study_cell(tables->study, cell->at[0], &info) < 0) return;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t run = 0; run < info.runs; run++) {
            int64_t rows, stride, count;
            const float *history = gpr_study_gamma_history(tables->study, cell->at[0], run, &rows, &stride);
            const float *gamma = gpr_study_gamma(tables->study, cell->at[0], run, &count);
            if (!history || !gamma || count > MOST_HOPS || (out->count > 0 && count != out->count)) continue;
            if (pass == 1) {
                add_run(out, history, rows, stride, turn_of(&way, gamma, count));
                runs++;
                continue;
            }
            out->count = count;
            if ((rows - 1) * stride > longest) longest = (rows - 1) * stride;
            if (stride > widest) widest = stride;
            while (longest / widest + 1 > MOST_FRAMES) widest *= 2;
            out->frames = longest / widest + 1;
            for (int64_t f = 0; f < out->frames; f++) out->at[f] = f * widest;
        }
    for (int64_t f = 0; runs > 0 && f < out->frames; f++)
        for (int64_t k = 0; k < out->count; k++) out->mean[f][k] /= (double)runs;
}

gamma_signs signs_of(const gamma_means *means) {
    gamma_signs signs = {0, 0};
    for (int64_t k = 0; k < means->count; k++) {
        signs.positive += means->mean[k] > means->ci95[k];
        signs.negative += means->mean[k] < -means->ci95[k];
    }
    return signs;
}

const char *signs_as_stated(const char *dataset, gamma_signs signs) {
    static const char *const homophilic[] = {"cora", "citeseer", "pubmed", "computers", "photo"};
    static const char *const heterophilic[] = {"chameleon", "actor", "squirrel", "texas", "cornell"};
    const bool both = signs.positive > 0 && signs.negative > 0;
    for (int i = 0; i < 5; i++) {
        if (strcmp(dataset, homophilic[i]) == 0) return both ? "no" : "yes";
        if (strcmp(dataset, heterophilic[i]) == 0) return both ? "yes" : "no";
    }
    return "";
}
