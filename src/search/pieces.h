/* The work of a study, in pieces. */
#ifndef GPRI_PIECES_H
#define GPRI_PIECES_H

#include "search/study.h"

/* Runs [first, end) of a cell. */
typedef struct gpri_piece {
    int64_t cell, first, end;
} gpri_piece;

typedef struct gpri_pieces {
    gpri_piece *at; /* (count) owned */
    int64_t count, capacity;
    int64_t runs, done; /* asked for in all cells; those of them that are kept */
} gpri_pieces;

/* What the kept runs lack, for so many jobs of all processes together. The same in all of them. */
gpr_status gpri_pieces_cut(const gpr_study *study, gpri_pieces *out, int64_t jobs) GPRI_MUST_CHECK;
/* Leaves those of this process. Each turn of P pieces begins with another process: a grid may have a period. */
void gpri_pieces_deal(gpri_pieces *pieces, const gpr_ctx *ctx);

#endif
