/* What is done with each row by itself: relu, elu, dropout, softmax. */
#include "tensor/cuda/base/each.cuh"
#include "tensor/cuda/base/ops.cuh"
#include "tensor/cuda/base/reduce.cuh"

/* ---- relu, elu ---- */

template <int V> struct relu_forward {
    gpri_matrix y;
    __device__ void at(int64_t row, int64_t column) const {
        gpri_real *to = element(y, row, column);
        pack<V> e = load<V>(to);
        for (int k = 0; k < V; k++) e.v[k] = e.v[k] < 0 ? 0 : e.v[k]; /* NaN stays */
        store(to, e);
    }
};

template <int V> struct relu_backward {
    gpri_matrix dy, y;
    __device__ void at(int64_t row, int64_t column) const {
        gpri_real *to = element(dy, row, column);
        const pack<V> e = load<V>(element(y, row, column));
        pack<V> d = load<V>(to);
        for (int k = 0; k < V; k++)
            if (!(e.v[k] > 0)) d.v[k] = 0;
        store(to, d);
    }
};

template <int V> struct elu_forward {
    gpri_matrix y, x;
    __device__ void at(int64_t row, int64_t column) const {
        pack<V> e = load<V>(element(x, row, column));
        for (int k = 0; k < V; k++) e.v[k] = e.v[k] > 0 ? e.v[k] : expm1f(e.v[k]);
        store(element(y, row, column), e);
    }
};

template <int V> struct elu_backward {
    gpri_matrix dx, dy, x;
    __device__ void at(int64_t row, int64_t column) const {
        const pack<V> e = load<V>(element(x, row, column));
        pack<V> d = load<V>(element(dy, row, column));
        for (int k = 0; k < V; k++)
            if (!(e.v[k] > 0)) d.v[k] *= expf(e.v[k]);
        store(element(dx, row, column), d);
    }
};

void gpri_cuda_relu_forward(gpri_matrix y) {
    if (gpri_by_four(y)) launch_each<4>(relu_forward<4>{y}, y.rows, y.width);
    else launch_each<1>(relu_forward<1>{y}, y.rows, y.width);
}

void gpri_cuda_relu_backward(gpri_matrix dy, gpri_matrix y) {
    if (gpri_by_four(dy) && gpri_by_four(y)) launch_each<4>(relu_backward<4>{dy, y}, dy.rows, dy.width);
    else launch_each<1>(relu_backward<1>{dy, y}, dy.rows, dy.width);
}

void gpri_cuda_elu_forward(gpri_matrix y, gpri_matrix x) {
    if (gpri_by_four(y) && gpri_by_four(x)) launch_each<4>(elu_forward<4>{y, x}, y.rows, y.width);
    else launch_each<1>(elu_forward<1>{y, x}, y.rows, y.width);
}

void gpri_cuda_elu_backward(gpri_matrix dx, gpri_matrix dy, gpri_matrix x) {
    if (gpri_by_four(dx) && gpri_by_four(dy) && gpri_by_four(x))
        launch_each<4>(elu_backward<4>{dx, dy, x}, dx.rows, dx.width);
    else launch_each<1>(elu_backward<1>{dx, dy, x}, dx.rows, dx.width);
}

/* ---- dropout ---- */

/* A block makes the bits of GROUPS groups of 128 elements, one thread for each digit of a group, and uses them. */
struct dropout_rows {
    gpri_matrix x;
    gpri_mask mask;
    int64_t first, group0; /* the group of the first element */
    enum { THREADS = 256, GROUPS = 8, WORDS = 4, DIGITS = GPRI_DROPOUT_DIGITS };

    /* The same as gpri_keep_group, with the digits drawn side by side. */
    __device__ uint32_t combine(const uint32_t (*digits)[WORDS], int word) const {
        uint32_t below = 0, equal = ~(uint32_t)0;
        for (int digit = 0; digit < mask.rate.digits; digit++) {
            const uint32_t want = mask.rate.threshold >> (mask.rate.digits - 1 - digit) & 1 ? ~(uint32_t)0 : 0;
            below |= equal & ~digits[digit][word] & want;
            equal &= ~(digits[digit][word] ^ want);
        }
        return ~below;
    }

    __device__ void run() const {
        __shared__ uint32_t drawn[GROUPS][DIGITS][WORDS], kept[GROUPS * WORDS];
        const int thread = (int)threadIdx.x, own = thread / DIGITS, digit = thread % DIGITS;
        const int64_t group = group0 + (int64_t)blockIdx.x * GROUPS;
        if (own < GROUPS && digit < mask.rate.digits) {
            const philox4x32_ctr_t block =
                gpri_random_block(gpri_mask_random(&mask), (uint64_t)(group + own) * DIGITS + (uint64_t)digit);
            for (int word = 0; word < WORDS; word++) drawn[own][digit][word] = block.v[word];
        }
        __syncthreads();
        if (thread < GROUPS * WORDS) kept[thread] = combine(drawn[thread / WORDS], thread % WORDS);
        __syncthreads();
        /* Element group * 128 is `before` elements after the first one of x; the first group may begin earlier. */
        const int64_t before = group * 128 - first * x.cols, from = before > 0 ? before : 0;
        int64_t row0, column0;
        divide(from, x.cols, &row0, &column0);
        for (int bit = thread; bit < GROUPS * 128; bit += THREADS) {
            if (before + bit < 0) continue;
            int64_t row, column;
            divide(column0 + before + bit - from, x.cols, &row, &column);
            if (row0 + row >= x.rows) continue;
            gpri_real *to = element(x, row0 + row, column);
            *to = kept[bit / 32] >> (bit % 32) & 1 ? *to * mask.rate.scale : 0;
        }
    }
};

void gpri_cuda_dropout(gpri_matrix x, const gpri_mask *mask, int64_t first) {
    const int64_t begin = first * x.cols / 128, end = gpri_keep_groups((first + x.rows) * x.cols);
    const dropout_rows op = {x, *mask, first, begin};
    if (x.rows * x.cols > 0) launch(op, dim3(gpri_cuda_blocks(end - begin, op.GROUPS)), op.THREADS);
}

/* ---- softmax ---- */

/* A row takes a power of 2 of threads, at most a warp. */
struct softmax_rows {
    gpri_matrix p, q; /* q: absent in the forward pass */
    int lanes;
    enum { THREADS = 256 };

    __device__ gpri_real largest(gpri_real value) const {
        for (int step = lanes / 2; step > 0; step /= 2) {
            const gpri_real other = __shfl_xor_sync(0xffffffffu, value, step);
            value = other > value ? other : value;
        }
        return value;
    }

    __device__ void run() const {
        const int lane = (int)threadIdx.x % lanes;
        const int64_t row = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / lanes;
        const int64_t cols = row < p.rows ? p.cols : 0; /* all threads of a warp take part in its sums */
        gpri_real *p_row = p.at + row * p.ld, *q_row = q.at + row * q.ld, sum = 0;
        if (q.at) {
            for (int64_t t = lane; t < cols; t += lanes) sum += p_row[t] * q_row[t];
            sum = gpri_warp_sum(sum, lanes);
            for (int64_t t = lane; t < cols; t += lanes) q_row[t] = p_row[t] * (q_row[t] - sum);
            return;
        }
        gpri_real most = lane < cols ? p_row[lane] : -INFINITY;
        for (int64_t t = lane + lanes; t < cols; t += lanes) most = p_row[t] > most ? p_row[t] : most;
        most = largest(most);
        for (int64_t t = lane; t < cols; t += lanes) sum += expf(p_row[t] - most); /* a NaN among them makes all NaN */
        sum = gpri_warp_sum(sum, lanes);
        for (int64_t t = lane; t < cols; t += lanes) p_row[t] = expf(p_row[t] - most) / sum;
    }
};

static void softmax(gpri_matrix p, gpri_matrix q) {
    softmax_rows op = {p, q, 1};
    while (op.lanes < GPRI_CUDA_WARP && op.lanes < p.cols) op.lanes *= 2;
    launch(op, dim3(gpri_cuda_blocks(p.rows * op.lanes, op.THREADS)), op.THREADS);
}

void gpri_cuda_softmax_forward(gpri_matrix p) { softmax(p, gpri_no_matrix); }

void gpri_cuda_softmax_backward(gpri_matrix q, gpri_matrix p) { softmax(p, q); }
