/* Columns in heads: dots and sums of each head, and the mean over heads. A head may have any number of columns. */
#include "tensor/cuda/base/columns.cuh"
#include "tensor/cuda/base/each.cuh"
#include "tensor/cuda/base/ops.cuh"

/* A power of 2 of threads for each row and head. */
struct head_dots {
    gpri_matrix s, x, a;
    int64_t heads, out;
    int lanes;
    enum { THREADS = 256 };

    __device__ void run() const {
        const int lane = (int)threadIdx.x % lanes;
        const int64_t place = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / lanes;
        const bool inside = place < s.rows * heads; /* all threads of a warp take part in its sums */
        int64_t row, head;
        divide(place, heads, &row, &head);
        gpri_real sum = 0;
        for (int64_t c = lane; inside && c < out; c += lanes)
            sum = fmaf(*element(x, row, head * out + c), *element(a, row, head * out + c), sum);
        sum = gpri_warp_sum(sum, lanes);
        if (inside && lane == 0) *element(s, row, head) = sum;
    }
};

void gpri_cuda_head_dots(gpri_matrix s, gpri_matrix x, gpri_matrix a, int64_t heads, int64_t out) {
    head_dots op = {s, x, a, heads, out, 1};
    while (op.lanes < GPRI_CUDA_WARP && 2 * op.lanes <= out) op.lanes *= 2;
    launch(op, dim3(gpri_cuda_blocks(s.rows * heads * op.lanes, op.THREADS)), op.THREADS);
}

__device__ __forceinline__ int64_t head_of(int64_t column, int64_t out) {
    return (int64_t)((uint32_t)column / (uint32_t)out);
}

struct head_add {
    gpri_matrix y, s, x;
    int64_t out;
    __device__ void at(int64_t row, int64_t c) const {
        gpri_real *to = element(y, row, c);
        *to = fmaf(*element(s, row, head_of(c, out)), *element(x, row, c), *to);
    }
};

/* The sum over all rows. */
struct head_column {
    gpri_matrix s, x;
    int64_t out;
    __device__ __forceinline__ gpri_real value(int64_t i, int64_t c) const {
        return __ldg(element(s, i, head_of(c, out))) * __ldg(element(x, i, c));
    }
};

void gpri_cuda_head_add(gpri_matrix y, gpri_matrix s, gpri_matrix x, int64_t heads, int64_t out) {
    if (y.ld == 0) launch_columns(head_column{s, x, out}, y.at, s.rows, heads * out);
    else launch_each<1>(head_add{y, s, x, out}, s.rows, heads * out);
}

struct head_mean_forward {
    gpri_matrix z, y;
    int64_t heads;
    __device__ void at(int64_t row, int64_t c) const {
        gpri_real sum = 0;
        for (int64_t h = 0; h < heads && c < z.cols; h++) sum += *element(y, row, h * z.cols + c);
        *element(z, row, c) = sum / (gpri_real)heads;
    }
};

void gpri_cuda_head_mean_forward(gpri_matrix z, gpri_matrix y, int64_t heads) {
    launch_each<1>(head_mean_forward{z, y, heads}, z.rows, z.width);
}

struct head_mean_backward {
    gpri_matrix dy, dz;
    int64_t heads;
    __device__ void at(int64_t row, int64_t c) const {
        const bool real = c < heads * dz.cols;
        *element(dy, row, c) = real ? *element(dz, row, c % dz.cols) / (gpri_real)heads : 0;
    }
};

void gpri_cuda_head_mean_backward(gpri_matrix dy, gpri_matrix dz, int64_t heads) {
    launch_each<1>(head_mean_backward{dy, dz, heads}, dy.rows, dy.width);
}
