/* Logistic regression, or of numbers the ridge: the mean loss of the training nodes and L2, minimised by L-BFGS from 0.
 * Four strengths of L2 are tried, from strong to weak, each from the weights of the one before; the loss of the
 * validation nodes chooses. */
#include "baseline/logistic.h"

#include <math.h>
#include <string.h>

#include "task/loss.h"

enum { MEMORY = 8, MOST_STEPS = 60, LEAST_STEPS = 8, STRENGTHS = 4 };
#define MOST_WORK 2e9 /* multiplications for one strength, about a second or two */
#define DEFAULT_STRENGTH 2

static const double strengths[STRENGTHS] = {1e-2, 1e-3, 1e-4, 1e-5};

typedef struct problem {
    const gpri_features *x;
    const int32_t *labels;
    const float *numbers; /* of the ridge; NULL: labels are classes */
    gpri_unit unit;       /* of the training nodes */
    const uint8_t *part;
    int64_t classes, size; /* weights: (cols + 1) x classes, the bias last */
    double l2;
    double *row; /* (classes) */
} problem;

static void scores_of(const problem *p, const double *w, int64_t node, double *row) {
    const gpri_features *x = p->x;
    const int64_t C = p->classes;
    memcpy(row, w + x->cols * C, (size_t)C * sizeof *row);
    if (x->dense) {
        for (int64_t f = 0; f < x->cols; f++) {
            const double value = (double)x->dense[node * x->ld + f];
            for (int64_t c = 0; value != 0 && c < C; c++) row[c] += value * w[f * C + c];
        }
        return;
    }
    for (int64_t e = x->rowptr[node]; e < x->rowptr[node + 1]; e++) {
        const double value = x->value ? (double)x->value[e] : 1;
        const double *of = w + (int64_t)x->column[e] * C;
        for (int64_t c = 0; c < C; c++) row[c] += value * of[c];
    }
}

/* Scores become probabilities. */
static void softmax(double *row, int64_t classes) {
    const gpri_link link = gpri_link_of_doubles(row, classes, 1);
    for (int64_t c = 0; c < classes; c++) row[c] = gpri_probability(&link, row[c], 1);
}

static void add_gradient(const problem *p, double *gradient, int64_t node, const double *row) {
    const gpri_features *x = p->x;
    const int64_t C = p->classes;
    for (int64_t c = 0; c < C; c++) gradient[x->cols * C + c] += row[c];
    if (x->dense) {
        for (int64_t f = 0; f < x->cols; f++) {
            const double value = (double)x->dense[node * x->ld + f];
            for (int64_t c = 0; value != 0 && c < C; c++) gradient[f * C + c] += value * row[c];
        }
        return;
    }
    for (int64_t e = x->rowptr[node]; e < x->rowptr[node + 1]; e++) {
        const double value = x->value ? (double)x->value[e] : 1;
        double *of = gradient + (int64_t)x->column[e] * C;
        for (int64_t c = 0; c < C; c++) of[c] += value * row[c];
    }
}

/* The loss of a node; its scores become the derivatives by them. */
static double loss_of_row(const problem *p, int64_t node) {
    double *row = p->row;
    if (p->numbers) {
        row[0] -= ((double)p->numbers[node] - p->unit.mean) / p->unit.scale;
        return row[0] * row[0] / 2;
    }
    softmax(row, p->classes);
    const double loss = gpri_loss_of_probability(row[p->labels[node]], 1e-300);
    row[p->labels[node]] -= 1;
    return loss;
}

/* The mean loss over the nodes of a part; with a gradient, of the training nodes and with L2. NaN: no such nodes. */
static double loss_of(const problem *p, const double *w, gpr_part part, double *gradient) {
    double loss = 0, squares = 0;
    int64_t nodes = 0;
    if (gradient) memset(gradient, 0, (size_t)p->size * sizeof *gradient);
    for (int64_t i = 0; i < p->x->rows; i++) {
        if (p->part[i] != part || p->labels[i] < 0) continue;
        scores_of(p, w, i, p->row);
        loss += loss_of_row(p, i);
        nodes++;
        if (!gradient) continue;
        add_gradient(p, gradient, i, p->row);
    }
    if (!gradient) return nodes ? loss / (double)nodes : NAN;
    for (int64_t j = 0; j < p->size; j++) {
        const bool decays = j < p->x->cols * p->classes;
        gradient[j] = gradient[j] / (double)nodes + (decays ? p->l2 * w[j] : 0);
        squares += decays ? w[j] * w[j] : 0;
    }
    return loss / (double)nodes + 0.5 * p->l2 * squares;
}

static double dot(const double *a, const double *b, int64_t size) {
    double sum = 0;
    for (int64_t j = 0; j < size; j++) sum += a[j] * b[j];
    return sum;
}

/* The numbers of L-BFGS, all in one block. */
typedef struct workspace {
    double *block;
    double *w, *next, *gradient, *next_gradient, *direction, *best; /* (size) each */
    double *s, *y;                                                  /* (MEMORY x size) */
} workspace;

/* direction = -H gradient, H from the last `count` pairs of steps. */
static void find_direction(workspace *at, int64_t size, int64_t count) {
    double alpha[MEMORY];
    const int64_t kept = count < MEMORY ? count : MEMORY;
    for (int64_t j = 0; j < size; j++) at->direction[j] = -at->gradient[j];
    for (int64_t k = count - 1; k >= count - kept; k--) {
        const double *s = at->s + k % MEMORY * size, *y = at->y + k % MEMORY * size;
        alpha[k % MEMORY] = dot(s, at->direction, size) / dot(s, y, size);
        for (int64_t j = 0; j < size; j++) at->direction[j] -= alpha[k % MEMORY] * y[j];
    }
    if (kept) {
        const double *s = at->s + (count - 1) % MEMORY * size, *y = at->y + (count - 1) % MEMORY * size;
        const double scale = dot(s, y, size) / dot(y, y, size);
        for (int64_t j = 0; j < size; j++) at->direction[j] *= scale;
    }
    for (int64_t k = count - kept; k < count; k++) {
        const double *s = at->s + k % MEMORY * size, *y = at->y + k % MEMORY * size;
        const double beta = dot(y, at->direction, size) / dot(s, y, size);
        for (int64_t j = 0; j < size; j++) at->direction[j] += (alpha[k % MEMORY] - beta) * s[j];
    }
}

static void swap(double **a, double **b) {
    double *kept = *a;
    *a = *b;
    *b = kept;
}

/* From at->w on, at most `steps` evaluations of the loss. */
static void minimise(const problem *p, workspace *at, int64_t steps) {
    const int64_t size = p->size;
    double loss = loss_of(p, at->w, GPR_TRAIN, at->gradient);
    int64_t pairs = 0;
    for (int64_t step = 1; step < steps;) {
        find_direction(at, size, pairs);
        const double slope = dot(at->direction, at->gradient, size);
        if (!(slope < -1e-10)) return;
        double length = pairs ? 1 : 1 / fmax(sqrt(dot(at->gradient, at->gradient, size)), 1e-12), found = NAN;
        for (; step < steps; length *= 0.4) {
            for (int64_t j = 0; j < size; j++) at->next[j] = at->w[j] + length * at->direction[j];
            found = loss_of(p, at->next, GPR_TRAIN, at->next_gradient);
            step++;
            if (found <= loss + 1e-4 * length * slope) break;
        }
        if (!(found <= loss + 1e-4 * length * slope)) return;
        double *s = at->s + pairs % MEMORY * size, *y = at->y + pairs % MEMORY * size;
        for (int64_t j = 0; j < size; j++) {
            s[j] = at->next[j] - at->w[j];
            y[j] = at->next_gradient[j] - at->gradient[j];
        }
        if (dot(s, y, size) > 1e-12 * dot(y, y, size)) pairs++; /* else the next pair takes its place */
        swap(&at->w, &at->next);
        swap(&at->gradient, &at->next_gradient);
        loss = found;
    }
}

static gpr_status new_workspace(gpr_ctx *ctx, workspace *at, int64_t size) {
    int64_t cells;
    if (!gpri_mul_size(size, 6 + 2 * MEMORY, &cells))
        return gpri_fail(GPR_ERROR_MEMORY, "the weights of a regression do not fit in memory");
    NEED(gpri_calloc(ctx, &at->block, cells, sizeof *at->block, "weights of a regression"));
    double **const places[] = {&at->w, &at->next, &at->gradient, &at->next_gradient, &at->direction, &at->best, &at->s};
    for (int i = 0; i < 7; i++) *places[i] = at->block + i * size;
    at->y = at->s + MEMORY * size;
    return GPR_OK;
}

gpr_status gpri_logistic(gpr_ctx *ctx, float *proba, const gpri_features *x, const gpri_target *target,
                         const gpr_split *split) {
    gpr_status status = GPR_OK;
    problem p = {
        .x = x, .labels = target->labels, .numbers = target->numbers, .part = split->part, .classes = split->classes};
    workspace at = {.block = NULL};
    double best = INFINITY, work = 0;
    if (!gpri_mul_size(x->cols + 1, p.classes, &p.size))
        THROW(GPR_ERROR_MEMORY, "the weights of a regression do not fit in memory");
    if (p.numbers) p.unit = gpri_unit_of(p.numbers, p.part, GPR_TRAIN, x->rows);
    TRY(new_workspace(ctx, &at, p.size));
    TRY(gpri_alloc(ctx, &p.row, p.classes, sizeof *p.row, "scores"));
    for (int64_t i = 0; i < x->rows; i++)
        if (p.part[i] == GPR_TRAIN) work += (double)(x->dense ? x->cols : x->rowptr[i + 1] - x->rowptr[i]) + 1;
    work = 2 * work * (double)p.classes + 4 * MEMORY * (double)p.size;
    const int64_t steps = (int64_t)fmin(fmax(MOST_WORK / fmax(work, 1), LEAST_STEPS), MOST_STEPS);
    for (int i = 0; i < STRENGTHS; i++) {
        p.l2 = strengths[i];
        minimise(&p, &at, steps);
        double loss = loss_of(&p, at.w, GPR_VAL, NULL);
        if (isnan(loss)) loss = i == DEFAULT_STRENGTH ? 0 : i + 1; /* there is nothing to choose by */
        if (loss >= best) continue;
        best = loss;
        memcpy(at.best, at.w, (size_t)p.size * sizeof *at.w);
    }
    for (int64_t i = 0; i < x->rows; i++) {
        scores_of(&p, at.best, i, p.row);
        if (p.numbers) p.row[0] = gpri_in_unit(&p.unit, p.row[0]);
        else softmax(p.row, p.classes);
        for (int64_t c = 0; c < p.classes; c++) proba[i * p.classes + c] = (float)p.row[c];
    }
done:
    gpri_free_all(ctx, at.block, p.row);
    return status;
}
