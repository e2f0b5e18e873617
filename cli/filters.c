/* The weights of a filter of several relations, directions or classes, part by part. */
#include "filters.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "response.h"

enum { MOST_ROWS = 32, CELL = 10, FIRST = 6 /* columns of the terminal: of a number, and before the first */ };

const char *filter_title(char *text, size_t room, const char *relation, const char *direction) {
    const bool directed = strcmp(direction, "undirected") != 0;
    snprintf(text, room, "%s%s%s", *relation ? relation : "all edges", directed ? ", " : "", directed ? direction : "");
    return text;
}

/* Classes that fit beside each other. */
static int64_t classes_shown(int64_t columns, int width) {
    const int64_t room = (width - FIRST) / CELL;
    return columns < room ? columns : room < 1 ? 1 : room;
}

static void print_heads(FILE *out, const char *first, int64_t shown) {
    char head[32];
    fprintf(out, "  %-*s", FIRST - 2, first);
    for (int64_t c = 0; c < shown; c++) {
        snprintf(head, sizeof head, "class %" PRId64, c);
        fprintf(out, "%*s", CELL, head);
    }
    fputc('\n', out);
}

static void print_rest(FILE *out, int64_t columns, int64_t shown) {
    if (columns > shown) fprintf(out, "  and %" PRId64 " more classes: see the JSON\n", columns - shown);
}

/* A row for each k, a column for each class. */
static void print_table(FILE *out, const gpr_filter_info *info, const float *gamma, int64_t first, int width) {
    const int64_t shown = classes_shown(info->columns, width);
    print_heads(out, "k", shown);
    for (int64_t k = first; k <= info->hops && k < MOST_ROWS; k++) {
        fprintf(out, "  %-*" PRId64, FIRST - 2, k);
        for (int64_t c = 0; c < shown; c++) fprintf(out, "%*.5f", CELL, (double)gamma[k * info->columns + c]);
        fputc('\n', out);
    }
    if (info->hops >= MOST_ROWS)
        fprintf(out, "  and %" PRId64 " more hops: see the JSON\n", info->hops + 1 - MOST_ROWS);
    print_rest(out, info->columns, shown);
}

/* What a part adds to the scores, beside those of all; -1: the nodes themselves. */
static bool print_share(FILE *out, const gpr_inspection *found, int64_t index) {
    gpr_inspected_filter part = {.struct_size = sizeof part};
    double all = 0, own = 0, itself = 0;
    for (int64_t i = 0; found && gpr_inspection_filter(found, i, &part) == GPR_OK; i++) {
        if (!part.contribution) return false;
        if (i == 0 && strcmp(part.basis, "bernstein") != 0) itself = part.contribution[0];
        all += part.part;
        if (i == index) own = part.part;
    }
    if (index < 0) own = itself;
    if (!found || (index < 0 && itself == 0)) return false;
    all += itself;
    fprintf(out, "%s: adds %.4g to the scores, %.1f %%", index < 0 ? "  no edge" : "", own,
            all > 0 ? 100 * own / all : 0);
    return true;
}

/* (hops + 1 x columns); NULL: it cannot be had. */
static float *gamma_of(const gpr_model *model, int64_t index, gpr_filter_info *info) {
    *info = (gpr_filter_info){.struct_size = sizeof *info};
    if (gpr_model_filter(model, index, info) != GPR_OK) return NULL;
    float *gamma = calloc((size_t)((info->hops + 1) * info->columns), sizeof *gamma);
    if (gamma && gpr_model_filter_gamma(model, index, gamma) == GPR_OK) return gamma;
    free(gamma);
    return NULL;
}

/* The scale of all parts. */
static chart_part scale_of(const gpr_model *model) {
    chart_part scale = {0, 0, 0};
    gpr_filter_info info;
    float *gamma;
    for (int64_t i = 0; i < gpr_model_filter_count(model) && (gamma = gamma_of(model, i, &info)); i++) {
        for (int64_t k = 0; k < (info.hops + 1) * info.columns; k++) {
            scale.low = fmin(scale.low, (double)gamma[k]);
            scale.high = fmax(scale.high, (double)gamma[k]);
        }
        free(gamma);
    }
    return scale;
}

static void print_part(FILE *out, const gpr_model *model, const gpr_inspection *found, int64_t index, chart_part scale,
                       int width, bool utf8) {
    gpr_filter_info info;
    char title[64];
    float *gamma = gamma_of(model, index, &info);
    if (!gamma) return;
    fprintf(out, "  %s", filter_title(title, sizeof title, info.relation, info.direction));
    (void)print_share(out, found, index);
    fputc('\n', out);
    scale.first = index > 0 && strcmp(info.basis, "bernstein") != 0; /* the nodes themselves: in the first */
    if (info.columns > 1) print_table(out, &info, gamma, scale.first, width);
    else print_gamma_part(out, gamma, info.hops + 1, &scale, width, utf8);
    free(gamma);
}

void print_filters(FILE *out, const gpr_model *model, const gpr_inspection *found, int width, bool utf8) {
    gpr_filter_info info = {.struct_size = sizeof info};
    const int64_t count = gpr_model_filter_count(model);
    if (count == 0 || gpr_model_filter(model, 0, &info) != GPR_OK) return;
    fprintf(out, "filter    %s%s, %s%s\n", strcmp(info.basis, "monomial") == 0 ? "powers" : "polynomials of the basis ",
            strcmp(info.basis, "monomial") == 0 ? "" : info.basis,
            info.columns > 1 ? "weights for each class" : "the same weights for all classes",
            info.loops || strcmp(info.direction, "undirected") != 0 ? "" : ", no loops");
    const chart_part scale = scale_of(model);
    for (int64_t i = 0; i < count; i++) print_part(out, model, found, i, scale, width, utf8);
    if (print_share(out, found, -1)) fputc('\n', out);
}

/* g at five places, for each class. */
static void print_places(FILE *out, const gpr_inspected_filter *part, int64_t points, int width, const char *lambda) {
    const int64_t shown = classes_shown(part->columns, width);
    print_heads(out, lambda, shown);
    for (int64_t i = 0; i < 5; i++) {
        fprintf(out, "  %-*g", FIRST - 2, -1 + 0.5 * (double)i);
        for (int64_t c = 0; c < shown; c++)
            fprintf(out, "%*.4f", CELL, part->response[i * (points - 1) / 4 * part->columns + c]);
        fputc('\n', out);
    }
    print_rest(out, part->columns, shown);
}

void print_filter_responses(FILE *out, const gpr_inspection *found, int width, bool utf8) {
    gpr_inspected_filter part = {.struct_size = sizeof part};
    const char *lambda = utf8 ? "λ" : "l";
    const double *grid;
    int64_t points;
    char title[64];
    bool directed = false;
    if (gpr_inspection_series(found, "lambda", &grid, &points) != GPR_OK || points < 5) return;
    for (int64_t i = 0; gpr_inspection_filter(found, i, &part) == GPR_OK; i++) {
        directed = directed || !part.response;
        if (!part.response) continue;
        fprintf(out, "response  g(%s) of %s\n", utf8 ? "λ" : "lambda",
                filter_title(title, sizeof title, part.relation, part.direction));
        if (part.columns > 1) print_places(out, &part, points, width, lambda);
        else print_response(out, part.response, points, NULL, 0, width, utf8);
    }
    if (directed) fputs("response  a direction has none: the eigenvalues of its matrix are complex\n", out);
}
