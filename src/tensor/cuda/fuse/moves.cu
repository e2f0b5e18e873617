/* Several copies and fillings with zeros in one kernel. */
#include "tensor/cuda/fuse/fused.cuh"

struct move_all {
    element_moves moves;
    enum { THREADS = 256 };

    __device__ void run() const {
        int j = moves.count - 1;
        while (j > 0 && blockIdx.x < moves.of[j].first_block) j--;
        const element_move &move = moves.of[j];
        const int64_t place = (int64_t)(blockIdx.x - move.first_block) * THREADS + threadIdx.x;
        const int V = move.by_four ? 4 : 1;
        if (place >= move.y.rows * (move.y.width / V)) return;
        int64_t row, column;
        divide(place, move.y.width / V, &row, &column);
        if (move.by_four) {
            pack<4> e = {{0, 0, 0, 0}};
            if (move.x.at) e = load<4>(element(move.x, row, 4 * column));
            store(element(move.y, row, 4 * column), e);
        } else *element(move.y, row, column) = move.x.at ? *element(move.x, row, column) : 0;
    }
};

void gpri_cuda_move(element_moves *moves) {
    unsigned blocks = 0;
    for (int j = 0; j < moves->count; j++) {
        element_move *move = &moves->of[j];
        move->by_four = gpri_by_four(move->y) && (!move->x.at || (gpri_by_four(move->x.at) && move->x.ld % 4 == 0));
        move->first_block = blocks;
        blocks += gpri_cuda_blocks(move->y.rows * (move->y.width / (move->by_four ? 4 : 1)), move_all::THREADS);
    }
    launch(move_all{*moves}, dim3(blocks), move_all::THREADS);
}
