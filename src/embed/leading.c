/* Leading eigenvectors by block power iteration: X is multiplied by a Chebyshev polynomial of the matrix, which is
 * large above the eigenvalues that are wanted and at most 1 below them; then X is made orthonormal, and turned so that
 * its columns are the best approximations in its span (Rayleigh-Ritz). */
#include "embed/leading.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/thread.h"

enum {
    ROWS = 1024, /* of a chunk */
    SPARE = 8,   /* columns more than asked for: the last ones converge slowly */
    DEGREE = 8,  /* of the polynomials */
    ROUNDS = 12,
    SWEEPS = 30, /* of Jacobi's method, at most */
    SUMS = 64,   /* chunks of sums, at most */
    START = 10   /* the layer of its random numbers */
};

typedef struct block {
    gpr_ctx *ctx;
    const gpri_graph *graph;
    double *scale;  /* (nodes) */
    int64_t cols;   /* m */
    float *x;       /* (nodes x m) */
    float *y;       /* the same, for products */
    float *before;  /* the same */
    double *sums;   /* (chunks of sums x m x m) */
    double *gram;   /* (m x m) */
    double *turn;   /* (m x m) */
    double *values; /* (m) */
    double *row;    /* (threads x m) */
    /* of a product: to = factor (A - centre) from - back to */
    const float *from;
    float *to;
    double factor, centre, back;
} block;

static int64_t chunks_of(const block *b) { return gpri_chunk_count(b->graph->nodes, ROWS); }

/* For sums, each of which takes memory: fewer chunks. */
static int64_t rows_of_sum(const block *b) { return b->graph->nodes / SUMS < ROWS ? ROWS : b->graph->nodes / SUMS + 1; }

/* ---- Products ------------------------------------------------------------------------------------- */

static void multiply_chunk(void *arg, int64_t chunk, int slot) {
    const block *b = arg;
    const gpri_graph *g = b->graph;
    const gpri_range range = gpri_chunk_of(chunk, ROWS, g->nodes);
    const int64_t m = b->cols;
    double *sum = b->row + slot * m;
    for (int64_t i = range.first; i < range.end; i++) {
        memset(sum, 0, (size_t)m * sizeof *sum);
        for (int64_t k = g->rowptr[i]; k < g->rowptr[i + 1]; k++) {
            const double w = b->scale[g->column[k]] * (g->weight ? (double)g->weight[k] : 1);
            const float *other = b->from + g->column[k] * m;
            for (int64_t j = 0; j < m; j++) sum[j] += w * (double)other[j];
        }
        float *to = b->to + i * m;
        const float *own = b->from + i * m;
        for (int64_t j = 0; j < m; j++)
            to[j] = (float)(b->factor * (b->scale[i] * sum[j] - b->centre * (double)own[j]) - b->back * (double)to[j]);
    }
}

static void multiply(block *b, float *to, const float *from, double factor, double centre, double back) {
    b->to = to;
    b->from = from;
    b->factor = factor;
    b->centre = centre;
    b->back = back;
    gpri_parallel(b->ctx, b->ctx->threads, chunks_of(b), multiply_chunk, b);
}

static void swap(float **a, float **b) {
    float *kept = *a;
    *a = *b;
    *b = kept;
}

/* x becomes T(A) x, where T is the Chebyshev polynomial that is at most 1 on [-1, cut]. */
static void filter(block *b, double cut) {
    const double half = (cut + 1) / 2, centre = (cut - 1) / 2;
    memset(b->before, 0, (size_t)(b->graph->nodes * b->cols) * sizeof *b->before);
    multiply(b, b->before, b->x, 1 / half, centre, 0); /* T_1 */
    swap(&b->x, &b->before);                           /* x: T_1, before: T_0 */
    for (int k = 2; k <= DEGREE; k++) {
        multiply(b, b->before, b->x, 2 / half, centre, 1);
        swap(&b->x, &b->before);
    }
}

/* ---- Small matrices ------------------------------------------------------------------------------- */

static void gram_chunk(void *arg, int64_t chunk, GPRI_UNUSED int slot) {
    const block *b = arg;
    const gpri_range range = gpri_chunk_of(chunk, rows_of_sum(b), b->graph->nodes);
    const int64_t m = b->cols;
    double *sum = b->sums + chunk * m * m;
    memset(sum, 0, (size_t)(m * m) * sizeof *sum);
    for (int64_t i = range.first; i < range.end; i++) {
        const float *left = b->from + i * m, *right = b->to + i * m;
        for (int64_t p = 0; p < m; p++)
            for (int64_t q = 0; q < m; q++) sum[p * m + q] += (double)left[p] * (double)right[q];
    }
}

/* gram = left' right, made symmetric. The chunks are added in their order. */
static void multiply_small(block *b, float *left, float *right) {
    const int64_t m = b->cols, chunks = gpri_chunk_count(b->graph->nodes, rows_of_sum(b));
    b->from = left;
    b->to = right;
    gpri_parallel(b->ctx, b->ctx->threads, chunks, gram_chunk, b);
    for (int64_t p = 0; p < m * m; p++) {
        double sum = 0;
        for (int64_t chunk = 0; chunk < chunks; chunk++) sum += b->sums[chunk * m * m + p];
        b->gram[p] = sum;
    }
    for (int64_t p = 0; p < m; p++)
        for (int64_t q = 0; q < p; q++)
            b->gram[p * m + q] = b->gram[q * m + p] = (b->gram[p * m + q] + b->gram[q * m + p]) / 2;
}

static void rotate(double *a, double *v, int64_t m, int64_t p, int64_t q) {
    const double theta = (a[q * m + q] - a[p * m + p]) / (2 * a[p * m + q]);
    const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int64_t k = 0; k < m; k++) {
        const double x = a[k * m + p], y = a[k * m + q];
        a[k * m + p] = c * x - s * y;
        a[k * m + q] = s * x + c * y;
    }
    for (int64_t k = 0; k < m; k++) {
        const double x = a[p * m + k], y = a[q * m + k];
        a[p * m + k] = c * x - s * y;
        a[q * m + k] = s * x + c * y;
    }
    for (int64_t k = 0; k < m; k++) {
        const double x = v[k * m + p], y = v[k * m + q];
        v[k * m + p] = c * x - s * y;
        v[k * m + q] = s * x + c * y;
    }
}

/* Jacobi's method: values: (m) falling; the columns of turn are the vectors of gram, which is lost. */
static void solve_small(block *b) {
    const int64_t m = b->cols;
    double *a = b->gram, *v = b->turn;
    for (int64_t p = 0; p < m * m; p++) v[p] = p % (m + 1) == 0;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double off = 0, all = 0;
        for (int64_t p = 0; p < m; p++)
            for (int64_t q = 0; q < m; q++) {
                all += a[p * m + q] * a[p * m + q];
                if (p != q) off += a[p * m + q] * a[p * m + q];
            }
        if (!(off > 1e-26 * all)) break;
        for (int64_t p = 0; p < m; p++)
            for (int64_t q = p + 1; q < m; q++)
                if (fabs(a[p * m + q]) > 1e-300) rotate(a, v, m, p, q);
    }
    for (int64_t p = 0; p < m; p++) b->values[p] = a[p * m + p];
    for (int64_t p = 0; p < m; p++) { /* by selection: the largest first */
        int64_t best = p;
        for (int64_t q = p + 1; q < m; q++)
            if (b->values[q] > b->values[best]) best = q;
        if (best == p) continue;
        const double value = b->values[p];
        b->values[p] = b->values[best];
        b->values[best] = value;
        for (int64_t k = 0; k < m; k++) {
            const double entry = v[k * m + p];
            v[k * m + p] = v[k * m + best];
            v[k * m + best] = entry;
        }
    }
}

static void turn_chunk(void *arg, int64_t chunk, int slot) {
    const block *b = arg;
    const gpri_range range = gpri_chunk_of(chunk, ROWS, b->graph->nodes);
    const int64_t m = b->cols;
    double *sum = b->row + slot * m;
    for (int64_t i = range.first; i < range.end; i++) {
        float *row = b->to + i * m;
        memset(sum, 0, (size_t)m * sizeof *sum);
        for (int64_t p = 0; p < m; p++)
            for (int64_t q = 0; q < m; q++) sum[q] += (double)row[p] * b->turn[p * m + q];
        for (int64_t q = 0; q < m; q++) row[q] = (float)sum[q];
    }
}

/* x becomes x turn. */
static void turn_columns(block *b) {
    b->to = b->x;
    gpri_parallel(b->ctx, b->ctx->threads, chunks_of(b), turn_chunk, b);
}

/* ---- The whole ------------------------------------------------------------------------------------ */

/* Columns that hardly differ from others are made 0: the graph has fewer vectors. */
static void make_orthonormal(block *b) {
    const int64_t m = b->cols;
    for (int pass = 0; pass < 2; pass++) { /* the second repairs what rounding left of the first */
        multiply_small(b, b->x, b->x);
        solve_small(b);
        for (int64_t q = 0; q < m; q++) {
            const bool kept = b->values[q] > 1e-13 * b->values[0];
            const double factor = kept ? 1 / sqrt(b->values[q]) : 0;
            for (int64_t p = 0; p < m; p++) b->turn[p * m + q] *= factor;
        }
        turn_columns(b);
    }
}

static void find_best(block *b) {
    multiply(b, b->y, b->x, 1, 0, 0);
    multiply_small(b, b->x, b->y);
    solve_small(b);
    turn_columns(b);
}

/* The eigenvalues of the first `count` columns no longer move. */
static bool settled(const block *b, const double *before, int64_t count) {
    for (int64_t j = 0; j < count; j++)
        if (!(fabs(b->values[j] - before[j]) <= 1e-6)) return false;
    return true;
}

static void copy_out(const block *b, float *out, int64_t count) {
    const int64_t n = b->graph->nodes, m = b->cols;
    for (int64_t j = 0; j < count; j++) {
        float largest = 0;
        for (int64_t i = 0; i < n; i++)
            if (fabsf(b->x[i * m + j]) > fabsf(largest)) largest = b->x[i * m + j];
        const float sign = largest < 0 ? -1 : 1;
        for (int64_t i = 0; i < n; i++) out[i * count + j] = sign * b->x[i * m + j];
    }
}

static gpr_status make_block(block *b, int64_t count) {
    const int64_t n = b->graph->nodes;
    double mean = 0;
    b->cols = count + SPARE < n ? count + SPARE : n;
    NEED(gpri_alloc(b->ctx, &b->scale, n, sizeof *b->scale, "eigenvectors"));
    NEED(gpri_alloc(b->ctx, &b->x, n * b->cols, sizeof *b->x, "eigenvectors"));
    NEED(gpri_calloc(b->ctx, &b->y, n * b->cols, sizeof *b->y, "eigenvectors"));
    NEED(gpri_alloc(b->ctx, &b->before, n * b->cols, sizeof *b->before, "eigenvectors"));
    NEED(gpri_alloc(b->ctx, &b->sums, gpri_chunk_count(n, rows_of_sum(b)) * b->cols * b->cols, sizeof *b->sums,
                    "eigenvectors"));
    NEED(gpri_alloc(b->ctx, &b->gram, b->cols * b->cols, sizeof *b->gram, "eigenvectors"));
    NEED(gpri_alloc(b->ctx, &b->turn, b->cols * b->cols, sizeof *b->turn, "eigenvectors"));
    NEED(gpri_alloc(b->ctx, &b->values, b->cols, sizeof *b->values, "eigenvectors"));
    NEED(gpri_alloc(b->ctx, &b->row, b->cols * b->ctx->threads, sizeof *b->row, "eigenvectors"));
    for (int64_t i = 0; i < n; i++) {
        double degree = 0;
        for (int64_t k = b->graph->rowptr[i]; k < b->graph->rowptr[i + 1]; k++)
            degree += b->graph->weight ? (double)b->graph->weight[k] : 1;
        b->scale[i] = degree;
        mean += degree / (double)n;
    }
    for (int64_t i = 0; i < n; i++) b->scale[i] = mean > 0 ? 1 / sqrt(b->scale[i] + mean) : 0;
    const gpri_random random = gpri_random_of(0, GPRI_RANDOM_EMBEDDING, 0, START);
    for (int64_t k = 0; k < n * b->cols; k++) b->x[k] = (float)(2 * gpri_uniform(random, (uint64_t)k) - 1);
    return GPR_OK;
}

gpr_status gpri_leading_vectors(gpr_ctx *ctx, float *out, const gpri_graph *graph, int64_t count) {
    gpr_status status = GPR_OK;
    block b = {.ctx = ctx, .graph = graph};
    double before[GPRI_LEADING_MOST] = {0}, cut = 0;
    if (count < 1 || count > GPRI_LEADING_MOST || count > graph->nodes)
        THROW(GPR_ERROR_ARGUMENT, "%lld eigenvectors: there can be from 1 to %lld", (long long)count,
              (long long)(graph->nodes < GPRI_LEADING_MOST ? graph->nodes : GPRI_LEADING_MOST));
    TRY(make_block(&b, count));
    make_orthonormal(&b);
    for (int round = 0; round < ROUNDS; round++) {
        filter(&b, cut);
        make_orthonormal(&b);
        find_best(&b);
        if (settled(&b, before, count)) break;
        memcpy(before, b.values, (size_t)count * sizeof *before);
        cut = b.values[b.cols - 1] < 0 ? 0 : b.values[b.cols - 1] > 0.9 ? 0.9 : b.values[b.cols - 1];
    }
    copy_out(&b, out, count);
done:
    gpri_free_all(ctx, b.scale, b.x, b.y, b.before, b.sums, b.gram, b.turn, b.values, b.row);
    return status;
}
