/* All eigenvalues of a symmetric matrix: LAPACK's dsyevd. */
#include "spectral/lapack.h"

#include <dlfcn.h>

#include "file/library.h"

/* As Fortran declares it: all arguments by address, then the lengths of the texts. liblapack.so.3 has 32-bit
   integers. */
typedef void dsyevd_function(const char *job, const char *half, const int *n, double *matrix, const int *ld,
                             double *values, double *work, const int *work_size, int *whole, const int *whole_size,
                             int *info, size_t job_length, size_t half_length);

/* Without vectors, dsyevd needs one whole number, and as many others as its answer to a size of -1 says. */
gpr_status gpri_symmetric_eigenvalues(gpr_ctx *ctx, double *values, double *matrix, int size, bool *found) {
    gpr_status status = GPR_OK;
    const int unknown = -1, one = 1;
    int whole = 0, info = 0;
    double wanted = 0, *work = NULL;
    void *library = dlopen("liblapack.so.3", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); /* it may have threads */
    dsyevd_function *solve;
    *found = library && gpri_library_find(&solve, library, "dsyevd_");
    if (!*found) goto done;
    solve("N", "L", &size, matrix, &size, values, &wanted, &unknown, &whole, &unknown, &info, 1, 1);
    const int work_size = wanted > 2.0 * size + 1 ? (int)wanted : 2 * size + 1;
    TRY(gpri_alloc(ctx, &work, work_size, sizeof *work, "eigenvalues"));
    solve("N", "L", &size, matrix, &size, values, work, &work_size, &whole, &one, &info, 1, 1);
    if (info != 0)
        THROW(GPR_ERROR_NUMERIC, "the eigenvalues of a matrix of %d rows were not found (LAPACK: %d)", size, info);
done:
    if (library) dlclose(library);
    gpri_free(ctx, work);
    return status;
}
