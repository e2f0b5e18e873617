/* Products with features: what its files share. */
#ifndef GPRI_CUDA_FEATURES_CUH
#define GPRI_CUDA_FEATURES_CUH

#include "tensor/cuda/fuse/fused.cuh"

/* Whether the bit is set; keep NULL: all are. */
__device__ __forceinline__ bool gpri_cuda_kept(const uint64_t *keep, int64_t bit) {
    return !keep ||
           (__ldg((const unsigned *)keep + (bit >> 5)) >> (bit & 31) & 1); /* the first half is the lower one */
}

/* features_forward_then and features_backward for dense features. */
void gpri_cuda_dense_forward(gpri_matrix train, gpri_matrix eval, const gpri_features *x, const uint64_t *keep,
                             gpri_real scale, const gpri_real *w, const gpri_real *b, int64_t first,
                             const features_then *then);
void gpri_cuda_dense_backward(gpri_real *dw, gpri_matrix dy, const gpri_features *x, const uint64_t *keep,
                              gpri_real scale, int64_t first, int64_t j0, int64_t j1);
bool gpri_cuda_dense_backward_parts(gradient_source *out, gpri_real *dw, gpri_matrix dy, const gpri_features *x,
                                    const uint64_t *keep, gpri_real scale, int64_t first);

#endif
