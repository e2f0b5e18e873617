/* The largest eigenvalues of a symmetric matrix and their vectors, with ARPACK. */
#include "embed/eigen.h"

#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/thread.h"
#include "file/library.h"

enum {
    LEAST_SIZE = 16, /* ARPACK needs more rows than vectors */
    VECTORS = 32,    /* of the Lanczos basis: more take more memory and fewer restarts */
    RESTARTS = 3000,
    START = 5 /* the layer of its random numbers */
};

/* ARPACK's work arrays; n: padded size. */
typedef struct workspace {
    int n, vectors;
    double *start;  /* (n) */
    double *basis;  /* (vectors x n) */
    double *shift;  /* (3 n) vectors to multiply, and the products */
    double *small;  /* (vectors (vectors + 8)) */
    double *values; /* (count) ascending */
} workspace;

/* ARPACK's two functions dsaupd_c and dseupd_c, as arpack.h declares them, so that no header is needed to build.
   libarpack.so.2 has 32-bit integers; one with 64-bit integers has another name. */
typedef int a_int;
typedef void iterate_function(a_int *ido, const char *bmat, a_int n, const char *which, a_int nev, double tol,
                              double *resid, a_int ncv, double *v, a_int ldv, a_int *iparam, a_int *ipntr,
                              double *workd, double *workl, a_int lworkl, a_int *info);
typedef void finish_function(a_int rvec, const char *howmny, const a_int *select, double *d, double *z, a_int ldz,
                             double sigma, const char *bmat, a_int n, const char *which, a_int nev, double tol,
                             double *resid, a_int ncv, double *v, a_int ldv, a_int *iparam, a_int *ipntr, double *workd,
                             double *workl, a_int lworkl, a_int *info);

/* Loaded on first use: with its BLAS it would cost every program start 4 MB and a few milliseconds (measured on Debian
   12 with OpenBLAS). */
typedef struct arpack {
    void *handle; /* of the shared library */
    iterate_function *iterate;
    finish_function *finish;
} arpack;

static gpri_lock one_at_a_time = GPRI_LOCK_READY; /* ARPACK keeps its state between calls in static variables */

static gpr_status load(arpack *a) {
    a->handle = dlopen("libarpack.so.2", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); /* it may have threads of its own */
    if (a->handle && gpri_library_find(&a->iterate, a->handle, "dsaupd_c") &&
        gpri_library_find(&a->finish, a->handle, "dseupd_c"))
        return GPR_OK;
    return gpri_fail(GPR_ERROR_IO, "ARPACK, which finds eigenvectors, cannot be loaded: install "
                                   "libarpack.so.2 (Debian: libarpack2)");
}

static gpr_status make_workspace(gpr_ctx *ctx, workspace *w, int64_t size, int count) {
    if (size > INT_MAX / VECTORS)
        return gpri_fail(GPR_ERROR_ARGUMENT, "%lld rows: too many for eigenvectors", (long long)size);
    w->n = size < LEAST_SIZE ? LEAST_SIZE : (int)size;
    w->vectors = w->n < VECTORS ? w->n : VECTORS;
    NEED(gpri_alloc(ctx, &w->start, w->n, sizeof(double), "eigenvectors"));
    NEED(gpri_calloc(ctx, &w->basis, (int64_t)w->vectors * w->n, sizeof(double), "eigenvectors"));
    NEED(gpri_calloc(ctx, &w->shift, (int64_t)3 * w->n, sizeof(double), "eigenvectors"));
    NEED(gpri_calloc(ctx, &w->small, (int64_t)w->vectors * (w->vectors + 8), sizeof(double), "eigenvectors"));
    NEED(gpri_calloc(ctx, &w->values, count, sizeof(double), "eigenvectors"));
    gpri_random random = gpri_random_of(0, GPRI_RANDOM_EMBEDDING, 0, START);
    for (int i = 0; i < w->n; i++) w->start[i] = 2 * gpri_uniform(random, (uint64_t)i) - 1;
    return GPR_OK;
}

/* ARPACK asks for products until it has converged. *info: ARPACK's own status. */
static void iterate(const arpack *a, workspace *w, int64_t size, int count, gpri_product multiply, void *arg,
                    double tolerance, int restarts, int *info) {
    int work = 0, options[11] = {1, 0, restarts, 1, 0, 0, 1}, place[11] = {0};
    int small = w->vectors * (w->vectors + 8), chosen[VECTORS] = {0};
    *info = 1; /* start from our vector */
    for (;;) {
        a->iterate(&work, "I", w->n, "LA", count, tolerance, w->start, w->vectors, w->basis, w->n, options, place,
                   w->shift, w->small, small, info);
        if (work != 1 && work != -1) break;
        double *to = w->shift + place[1] - 1;
        multiply(arg, to, w->shift + place[0] - 1);
        memset(to + size, 0, (size_t)(w->n - size) * sizeof *to);
    }
    if (*info == 0)
        a->finish(1, "A", chosen, w->values, w->basis, w->n, 0, "I", w->n, "LA", count, tolerance, w->start, w->vectors,
                  w->basis, w->n, options, place, w->shift, w->small, small, info);
}

static void copy_vector(double *to, const double *from, int64_t size) {
    double length = 0, largest = 0;
    int64_t first = 0;
    for (int64_t i = 0; i < size; i++) {
        length += from[i] * from[i];
        largest = fmax(largest, fabs(from[i]));
    }
    while (first < size - 1 && fabs(from[first]) < 1e-3 * largest) first++;
    double factor = length < 0.5 ? 0 : from[first] < 0 ? -1 : 1; /* 0: it lies in the padding rows */
    for (int64_t i = 0; i < size; i++) to[i] = factor * from[i];
}

gpr_status gpri_eigen_largest(gpr_ctx *ctx, double *values, double *vectors, int64_t size, int count,
                              gpri_product multiply, void *arg) {
    return gpri_eigen_near(ctx, values, vectors, size, count, multiply, arg, 1e-10, RESTARTS);
}

gpr_status gpri_eigen_near(gpr_ctx *ctx, double *values, double *vectors, int64_t size, int count,
                           gpri_product multiply, void *arg, double tolerance, int restarts) {
    gpr_status status = GPR_OK;
    workspace w = {0};
    arpack a = {0};
    int info = 0;
    TRY(load(&a));
    TRY(make_workspace(ctx, &w, size, count));
    gpri_acquire(&one_at_a_time);
    iterate(&a, &w, size, count, multiply, arg, tolerance, restarts, &info);
    gpri_release(&one_at_a_time);
    if (info != 0)
        THROW(GPR_ERROR_NUMERIC, "the eigenvectors of a matrix of %lld rows were not found (ARPACK: %d)",
              (long long)size, info);
    for (int k = 0; k < count; k++) {
        int from = count - 1 - k;
        values[k] = w.values[from];
        copy_vector(vectors + k * size, w.basis + (int64_t)from * w.n, size);
    }
done:
    if (a.handle) dlclose(a.handle);
    gpri_free_all(ctx, w.start, w.basis, w.shift, w.small, w.values);
    return status;
}
