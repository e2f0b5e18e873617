/* A polynomial on two columns of a large graph. Rows are padded to four numbers, so half of what a hop would fetch is
 * zeros. Here the hops go over copies without padding: [train 0, train 1, eval 0, eval 1] for each node. Sums have the
 * same numbers in the same order, and so the same bits. The copies are made on the CPU, whose memory is the host's. */
#include "walk/polynomial.h"

enum { PAIR = 2 }; /* columns of a stream */

int64_t gpri_pairs_columns(const gpri_polynomial *p) {
    const int64_t forward = 2 * PAIR * p->streams, learned = 4 * PAIR;
    return p->trains && p->dtheta && forward < learned ? learned : forward;
}

typedef struct {
    gpri_matrix padded, pairs;
    int64_t streams, width; /* of padded */
    bool back;
} copying;

static void copy_rows(void *arg, gpri_chunk rows) {
    const copying *w = arg;
    for (int64_t i = rows.first; i < rows.first + rows.count; i++) {
        gpri_real *wide = w->padded.at + i * w->padded.ld, *pair = w->pairs.at + i * w->pairs.ld;
        for (int64_t s = 0; s < w->streams; s++, wide += w->width, pair += PAIR) {
            if (!w->back) pair[0] = wide[0], pair[1] = wide[1];
            else wide[0] = pair[0], wide[1] = pair[1];
            for (int64_t c = PAIR; w->back && c < w->width; c++) wide[c] = 0;
        }
    }
}

static void copy(const gpri_polynomial *p, gpri_matrix padded, gpri_matrix pairs, bool back) {
    copying work = {padded, pairs, padded.width / p->width, p->width, back};
    gpri_walker_rows(p->walker, 4, copy_rows, &work);
}

/* Copy number i, of so many columns. */
static gpri_matrix pairs_of(const gpri_polynomial *p, int64_t i, int64_t rows, int64_t columns) {
    return gpri_packed(p->scratch + i * rows * columns, rows, columns);
}

void gpri_pairs_apply(const gpri_polynomial *p, gpri_matrix z, gpri_matrix h) {
    const int64_t columns = PAIR * (z.width / p->width);
    const gpri_matrix from = pairs_of(p, 0, z.rows, columns), to = pairs_of(p, 1, z.rows, columns);
    const gpri_strip part = {.polynomial = p,
                             .buffers = {to, gpri_packed(z.at, z.rows, columns)}}; /* Z is written last */
    copy(p, h, from, false);
    gpri_strip_apply(&part, to, from);
    copy(p, z, to, true);
}

void gpri_pairs_learn(const gpri_polynomial *p, gpri_matrix dh, gpri_matrix dz, gpri_matrix h) {
    const gpri_matrix from = pairs_of(p, 0, dz.rows, PAIR), sum = pairs_of(p, 1, dz.rows, PAIR);
    const gpri_strip part = {
        .polynomial = p, .buffers = {pairs_of(p, 2, dz.rows, PAIR), pairs_of(p, 3, dz.rows, PAIR)}, .dots = p->dots};
    copy(p, h, from, false);
    gpri_strip_learn(&part, sum, gpri_columns_of(dz, 0, PAIR), from);
    copy(p, dh, sum, true);
}
