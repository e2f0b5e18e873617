/* A step of an LSTM: one thread for each row and unit. */
#include "tensor/cuda/base/each.cuh"
#include "tensor/cuda/base/ops.cuh"

__device__ __forceinline__ gpri_real sigmoid(gpri_real x) { return 1 / (1 + expf(-x)); }

struct lstm_forward {
    gpri_matrix gates, c, h, before;
    __device__ void at(int64_t row, int64_t u) const {
        const int64_t units = c.cols;
        gpri_real *at = element(gates, row, u);
        const gpri_real i = sigmoid(at[0]), f = sigmoid(at[units]), g = tanhf(at[2 * units]);
        const gpri_real o = sigmoid(at[3 * units]);
        const gpri_real state = (before.at ? f * *element(before, row, u) : 0) + i * g;
        at[0] = i;
        at[units] = f;
        at[2 * units] = g;
        at[3 * units] = o;
        *element(c, row, u) = state;
        *element(h, row, u) = o * tanhf(state);
    }
};

void gpri_cuda_lstm_forward(gpri_matrix gates, gpri_matrix c, gpri_matrix h, gpri_matrix before) {
    launch_each<1>(lstm_forward{gates, c, h, before}, gates.rows, c.cols);
}

struct lstm_backward {
    gpri_matrix gates, dc, c, before, dh;
    __device__ void at(int64_t row, int64_t u) const {
        const int64_t units = c.cols;
        gpri_real *at = element(gates, row, u), *dc_at = element(dc, row, u);
        const gpri_real i = at[0], f = at[units], g = at[2 * units], o = at[3 * units];
        const gpri_real d_h = *element(dh, row, u), t = tanhf(*element(c, row, u));
        const gpri_real d_c = *dc_at + d_h * o * (1 - t * t);
        at[0] = d_c * g * i * (1 - i);
        at[units] = before.at ? d_c * *element(before, row, u) * f * (1 - f) : 0;
        at[2 * units] = d_c * i * (1 - g * g);
        at[3 * units] = d_h * t * o * (1 - o);
        *dc_at = d_c * f;
    }
};

void gpri_cuda_lstm_backward(gpri_matrix gates, gpri_matrix dc, gpri_matrix c, gpri_matrix before, gpri_matrix dh) {
    launch_each<1>(lstm_backward{gates, dc, c, before, dh}, gates.rows, c.cols);
}
