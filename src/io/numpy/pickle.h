/* Python pickles of protocols 0 to 2, as far as published graph files need them.
 *
 * A pickle is a program for a small stack machine that may call any function of Python. This reader has no functions to
 * call: it knows the few names that numpy arrays, scipy CSR matrices and graphs as dicts of lists are made with, keeps
 * what they are made of as data, and refuses every other name and instruction.
 *
 * Nothing is nested in memory and no function is recursive, so deep nesting costs nothing. Every instruction makes at
 * most one value, and sizes are checked against the file before memory is allocated: memory and time are proportional
 * to the file. */
#ifndef GPRI_PICKLE_H
#define GPRI_PICKLE_H

#include "io/numpy/npz.h"

/* ---- What was read, as data ---- */

typedef enum gpri_pickle_kind {
    GPRI_PICKLE_UNSET, /* of the memo: no such entry */
    GPRI_PICKLE_MARK,  /* of the stack */
    GPRI_PICKLE_NONE,
    GPRI_PICKLE_BOOL,
    GPRI_PICKLE_INT,
    GPRI_PICKLE_TEXT,
    GPRI_PICKLE_TUPLE,
    GPRI_PICKLE_LIST,
    GPRI_PICKLE_DICT,
    GPRI_PICKLE_NAME, /* of a function or class that is known */
    GPRI_PICKLE_DTYPE,
    GPRI_PICKLE_ARRAY,
    GPRI_PICKLE_MATRIX
} gpri_pickle_kind;

typedef struct gpri_pickle_value {
    gpri_pickle_kind kind;
    int32_t object; /* its place in `objects`; NAME: which one */
    int64_t number; /* INT, BOOL */
} gpri_pickle_value;

/* Value `value` of a container; the following one is in cell `next`, -1 for none. */
typedef struct gpri_pickle_cell {
    gpri_pickle_value value;
    int32_t next;
} gpri_pickle_cell;

typedef union gpri_pickle_object {
    struct {
        int32_t first, last, count; /* cells; a DICT has a key and its value in turn */
    } items;                        /* TUPLE, LIST, DICT */
    struct {
        int32_t at, size;
    } text; /* TEXT: in the file's bytes */
    struct {
        char code[8], order; /* "i4"; '<', '>', '|', '=' */
    } dtype;                 /* DTYPE */
    gpri_pickle_value state; /* ARRAY, MATRIX: what it was built from, or UNSET */
} gpri_pickle_object;

typedef struct gpri_pickle {
    gpr_ctx *ctx;
    char *path;
    unsigned char *bytes; /* (size + 1) the file */
    int64_t size;
    gpri_pickle_object *objects;
    gpri_pickle_cell *cells;
    int64_t object_count, object_capacity, cell_count, cell_capacity;
    gpri_pickle_value result;
} gpri_pickle;

/* ---- Reading ---- */

/* Messages name the file and the byte. */
gpr_status gpri_pickle_open(gpr_ctx *ctx, gpri_pickle **out, const char *path) GPRI_MUST_CHECK;
void gpri_pickle_close(gpri_pickle *pickle); /* NULL is fine */
/* Item `index` of a tuple; UNSET if there is none, or it is no tuple. */
gpri_pickle_value gpri_pickle_item(const gpri_pickle *pickle, const gpri_pickle_value *tuple, int index);

/* ---- The whole file as one thing. Messages name the file; on failure *out is zeroed ---- */

/* A numpy array with `dims` dimensions. */
gpr_status gpri_pickle_array(const gpri_pickle *pickle, gpri_array *out, gpri_number type, int dims) GPRI_MUST_CHECK;

typedef struct gpri_csr {
    int64_t rows, cols;
    int64_t *indptr;  /* (rows + 1) from 0, never decreasing */
    int32_t *indices; /* (indptr[rows]) each in [0, cols) */
    float *values;    /* (indptr[rows]) */
} gpri_csr;

/* A scipy.sparse.csr_matrix, its structure checked. */
gpr_status gpri_pickle_csr(const gpri_pickle *pickle, gpri_csr *out) GPRI_MUST_CHECK;
void gpri_csr_free(gpr_ctx *ctx, gpri_csr *matrix);

typedef struct gpri_neighbours {
    int64_t nodes; /* that have a list; ids may be anything */
    int64_t edges;
    int64_t *src, *dst; /* (edges) */
} gpri_neighbours;

/* A dict, or collections.defaultdict, from a node's id to the list of its neighbours' ids. */
gpr_status gpri_pickle_graph(const gpri_pickle *pickle, gpri_neighbours *out) GPRI_MUST_CHECK;
void gpri_neighbours_free(gpr_ctx *ctx, gpri_neighbours *graph);

#endif
