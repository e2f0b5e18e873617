/* The algorithm of the paper: one walk through a tree, with the questions of the way so far. For each column of them:
 * the share of training weight that goes on without it (zero), and whether the row goes on with it (one); and the
 * weights of all subsets of these columns by their size. */
#include "trees/shap.h"

#include <string.h>

typedef struct {
    int64_t column;
    double zero, one, weight;
} element;

typedef struct {
    const gpri_real *split, *value, *cover;
    const gpri_forest_row *row;
    double *shares;
} walk;

/* Elements 0 .. depth: the first is no column. */
static void extend(element *path, int64_t depth, double zero, double one, int64_t column) {
    path[depth] = (element){column, zero, one, depth == 0 ? 1 : 0};
    for (int64_t i = depth - 1; i >= 0; i--) {
        path[i + 1].weight += one * path[i].weight * (double)(i + 1) / (double)(depth + 1);
        path[i].weight *= zero * (double)(depth - i) / (double)(depth + 1);
    }
}

/* Takes an element out again. */
static void unwind(element *path, int64_t depth, int64_t which) {
    const double zero = path[which].zero, one = path[which].one;
    double next = path[depth].weight;
    for (int64_t i = depth - 1; i >= 0; i--) {
        if (one == 0) {
            path[i].weight *= (double)(depth + 1) / (zero * (double)(depth - i));
            continue;
        }
        const double before = path[i].weight;
        path[i].weight = next * (double)(depth + 1) / ((double)(i + 1) * one);
        next = before - path[i].weight * zero * (double)(depth - i) / (double)(depth + 1);
    }
    for (int64_t i = which; i < depth; i++) {
        path[i].column = path[i + 1].column;
        path[i].zero = path[i + 1].zero;
        path[i].one = path[i + 1].one;
    }
}

/* The sum of the weights if an element were taken out. */
static double sum_without(const element *path, int64_t depth, int64_t which) {
    element copy[GPRI_MOST_DEPTH + 2];
    double sum = 0;
    memcpy(copy, path, (size_t)(depth + 1) * sizeof *copy);
    unwind(copy, depth, which);
    for (int64_t i = 0; i < depth; i++) sum += copy[i].weight;
    return sum;
}

/* The share of a child in the weight of its parent. */
static double part_of(const walk *w, int64_t child, int64_t parent) {
    const double all = (double)w->cover[parent];
    return all > 0 ? (double)w->cover[child] / all : 0.5;
}

/* depth: elements of the way so far. */
static void follow(const walk *w, const element *before, int64_t depth, int64_t at, double zero, double one,
                   int64_t column) {
    element path[GPRI_MOST_DEPTH + 2];
    if (depth > 0) memcpy(path, before, (size_t)depth * sizeof *path);
    extend(path, depth, zero, one, column);
    if (w->split[at] == 0) {
        for (int64_t i = 1; i <= depth; i++)
            w->shares[path[i].column] +=
                sum_without(path, depth, i) * (path[i].one - path[i].zero) * (double)w->value[at];
        return;
    }
    const int64_t asked = (int64_t)fabs((double)w->split[at]) - 1;
    const bool left = gpri_forest_left((double)w->split[at], (double)w->value[at], w->row);
    const int64_t hot = 2 * at + (left ? 1 : 2), cold = 2 * at + (left ? 2 : 1);
    double zero_before = 1, one_before = 1;
    for (int64_t i = 1; i <= depth; i++) {
        if (path[i].column != asked) continue;
        zero_before = path[i].zero;
        one_before = path[i].one;
        unwind(path, depth--, i);
        break;
    }
    follow(w, path, depth + 1, hot, part_of(w, hot, at) * zero_before, one_before, asked);
    follow(w, path, depth + 1, cold, part_of(w, cold, at) * zero_before, 0, asked);
}

/* Of all training nodes. */
static double expected(const walk *w, int64_t at) {
    if (w->split[at] == 0) return (double)w->value[at];
    const int64_t left = 2 * at + 1, right = 2 * at + 2;
    return part_of(w, left, at) * expected(w, left) + part_of(w, right, at) * expected(w, right);
}

void gpri_forest_shares(const gpri_forest *forest, const gpri_real *cover, int64_t group, const gpri_forest_row *row,
                        int64_t columns, double *shares) {
    for (int64_t t = group; t < forest->trees; t += forest->groups) {
        const walk w = {forest->split + t * forest->stride, forest->value + t * forest->stride,
                        cover + t * forest->stride, row, shares};
        if (w.split[0] != 0) follow(&w, NULL, 0, 0, 1, 1, -1);
        shares[columns] += expected(&w, 0);
    }
}
