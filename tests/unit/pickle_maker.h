/* Makes pickles byte by byte, as Python 2 wrote Planetoid's, valid and broken ones. */
#ifndef TEST_PICKLE_MAKER_H
#define TEST_PICKLE_MAKER_H

#include "raw_data.h"

typedef struct pickle {
    unsigned char *bytes;
    size_t size;
} pickle;

static inline void op(pickle *p, const char *text) { put(&p->bytes, &p->size, text, strlen(text)); }

static inline void op_byte(pickle *p, int byte) { put_number(&p->bytes, &p->size, (uint32_t)byte, 1); }

static inline void op_int(pickle *p, int number) {
    op(p, "J");
    put_number(&p->bytes, &p->size, (uint32_t)number, 4);
}

static inline void op_bytes(pickle *p, const void *bytes, size_t size) {
    op(p, "T");
    put_number(&p->bytes, &p->size, (uint32_t)size, 4);
    put(&p->bytes, &p->size, bytes, size);
}

static inline void op_text(pickle *p, const char *text) { op_bytes(p, text, strlen(text)); }

static inline void op_dtype(pickle *p, const char *code, const char *order) {
    op(p, "cnumpy\ndtype\n(");
    op_text(p, code);
    op_int(p, 0);
    op_int(p, 1);
    op(p, "tR(");
    op_int(p, 3);
    op_text(p, order);
    op(p, "NNN");
    op_int(p, -1);
    op_int(p, -1);
    op_int(p, 0);
    op(p, "tb");
}

/* cols -1: one dimension. */
static inline void op_array(pickle *p, const char *code, int rows, int cols, const void *data, size_t size) {
    op(p, "cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(");
    op_int(p, 0);
    op(p, "t");
    op_text(p, "b");
    op(p, "tR(");
    op_int(p, 1);
    op(p, "(");
    op_int(p, rows);
    if (cols >= 0) op_int(p, cols);
    op(p, "t");
    op_dtype(p, code, "<");
    op_byte(p, 0x89);
    op_bytes(p, data, size);
    op(p, "tb");
}

static inline void op_csr(pickle *p, int rows, int cols, const int32_t *indptr, const int32_t *indices,
                          const float *values) {
    const int entries = indptr[rows];
    op(p, "cscipy.sparse.csr\ncsr_matrix\n)");
    op_byte(p, 0x81);
    op(p, "}(");
    op_text(p, "format");
    op_text(p, "csr");
    op_text(p, "_shape");
    op(p, "(");
    op_int(p, rows);
    op_int(p, cols);
    op(p, "t");
    op_text(p, "indptr");
    op_array(p, "i4", rows + 1, -1, indptr, (size_t)(rows + 1) * sizeof *indptr);
    op_text(p, "indices");
    op_array(p, "i4", entries, -1, indices, (size_t)entries * sizeof *indices);
    op_text(p, "data");
    op_array(p, "f4", entries, -1, values, (size_t)entries * sizeof *values);
    op(p, "ub");
}

static inline pickle pickle_begin(void) {
    pickle p = {0};
    op_byte(&p, 0x80);
    op_byte(&p, 2);
    return p;
}

/* Ends the pickle and writes it; empties it. */
static inline void pickle_write(pickle *p, const char *path) {
    op(p, ".");
    write_bytes(path, p->bytes, p->size);
    free(p->bytes);
    *p = (pickle){0};
}

#endif
