/* One hop over all rows: the rows are dealt out to the threads, in chunks. The equations are those of the operations
 * (tensor/ops.h); so are the names of the matrices. */
#ifndef GPRI_HOP_H
#define GPRI_HOP_H

#include "walk/walker.h"

typedef struct gpri_hop {
    const gpri_walker *walker;
    bool all_nodes; /* this process works on the rows of all nodes, which it has; else on its own */
    bool from_file; /* the graph may lie in a file: its next arcs are asked for ahead */
    gpri_matrix out, in, before, h, sum; /* a row for each node that the process has; what is absent is not there */
    const gpri_step *step;
    const gpri_real *theta; /* NULL: 1 */
    double *dots;           /* (chunks) */
    int64_t each;           /* numbers of theta where it has one for each column of a stream */
    gpri_real *column_dots; /* (chunks x each) */
} gpri_hop;

void gpri_hop_begin(const gpri_hop *hop);     /* out = theta S h */
void gpri_hop_step(const gpri_hop *hop);      /* out = a M in + b in - c before + theta S h; before may be out */
void gpri_hop_begin_dot(const gpri_hop *hop); /* out = S in, sum = theta out, dots = <h, in> */
void gpri_hop_step_dot(
    const gpri_hop *hop);               /* out = a M in + b in - c before, sum += theta out, dots = <S^-1 h, out> */
void gpri_hop_end(const gpri_hop *hop); /* sum = S^-1 sum */
/* Where theta has a number for each column: out = theta h, or out += theta h; column_dots = <h, out> by columns. */
void gpri_hop_mix(const gpri_hop *hop, bool fresh);
void gpri_hop_mix_dots(const gpri_hop *hop);

#endif
