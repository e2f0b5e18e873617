/* Steps on the elements of one or two matrices, in one kernel. */
#include "tensor/cuda/fuse/program.cuh"

/* The rows of the second matrix come after those of the first. */
template <int V> struct chain_rows {
    element_chain chain;
    __device__ void at(int64_t row, int64_t column) const {
        const int which = row >= chain.y[0].rows;
        if (which) row -= chain.y[0].rows;
        gpri_real *to = element(chain.y[which], row, column);
        pack<V> e = load<V>(to);
        run_program<V>(chain.program[which], row, column, &e);
        store(to, e);
    }
};

static bool by_four(const element_chain *chain) {
    bool four = true;
    for (int which = 0; which < 2; which++) {
        four = four && gpri_by_four(chain->y[which]);
        for (int s = 0; s < chain->program[which].count; s++) {
            const element_step *step = &chain->program[which].steps[s];
            four = four && gpri_by_four(step->at) && step->ld % 4 == 0;
        }
    }
    return four;
}

void gpri_cuda_chain(const element_chain *chain) {
    const int64_t rows = chain->y[0].rows + chain->y[1].rows, width = chain->y[0].width;
    if (by_four(chain)) launch_each<4>(chain_rows<4>{*chain}, rows, width);
    else launch_each<1>(chain_rows<1>{*chain}, rows, width);
}
