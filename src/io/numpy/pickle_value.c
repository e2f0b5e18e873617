/* Arrays, CSR matrices and graphs from what a pickle holds. Its parts may be any values, also the same list many times:
 * each is checked, and no result is larger than the file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/budget.h"
#include "data/feature_matrix.h"
#include "io/numpy/pickle.h"

typedef gpri_pickle_value value;

static const value unset = {.kind = GPRI_PICKLE_UNSET};

value gpri_pickle_item(const gpri_pickle *p, const value *tuple, int index) {
    if (tuple->kind != GPRI_PICKLE_TUPLE) return unset;
    int32_t cell = p->objects[tuple->object].items.first;
    while (cell >= 0 && index-- > 0) cell = p->cells[cell].next;
    return cell >= 0 ? p->cells[cell].value : unset;
}

static int32_t count_items(const gpri_pickle *p, const value *container) {
    return p->objects[container->object].items.count;
}

static bool is_text(const gpri_pickle *p, const value *v, const char *text) {
    size_t size = strlen(text);
    if (v->kind != GPRI_PICKLE_TEXT) return false;
    const gpri_pickle_object *object = &p->objects[v->object];
    return (size_t)object->text.size == size && memcmp(p->bytes + object->text.at, text, size) == 0;
}

/* The last value that a dict has for a key; UNSET if none. */
static value look_up(const gpri_pickle *p, const value *dict, const char *key) {
    value found = unset;
    for (int32_t cell = p->objects[dict->object].items.first; cell >= 0;) {
        int32_t second = p->cells[cell].next; /* keys and values come in pairs */
        if (is_text(p, &p->cells[cell].value, key)) found = p->cells[second].value;
        cell = p->cells[second].next;
    }
    return found;
}

/* ---- Arrays --------------------------------------------------------------------------------------- */

/* Makes the header that numpy would write for it; parsing that does all checks. */
static gpr_status describe(const gpri_pickle *p, gpri_npy *npy, const value *state) {
    const value shape = gpri_pickle_item(p, state, 1), type = gpri_pickle_item(p, state, 2),
                fortran = gpri_pickle_item(p, state, 3);
    char text[160];
    if (shape.kind != GPRI_PICKLE_TUPLE || type.kind != GPRI_PICKLE_DTYPE ||
        (fortran.kind != GPRI_PICKLE_BOOL && fortran.kind != GPRI_PICKLE_INT))
        return gpri_fail(GPR_ERROR_FORMAT, "an array without shape, type or order");
    int dims = count_items(p, &shape);
    if (dims < 1 || dims > 2) return gpri_fail(GPR_ERROR_FORMAT, "an array of %d dimensions: expected 1 or 2", dims);
    const value rows = gpri_pickle_item(p, &shape, 0), cols = gpri_pickle_item(p, &shape, 1);
    if (rows.kind != GPRI_PICKLE_INT || rows.number < 0 ||
        (dims == 2 && (cols.kind != GPRI_PICKLE_INT || cols.number < 0)))
        return gpri_fail(GPR_ERROR_FORMAT, "an array whose shape is not made of whole numbers from 0 on");
    const gpri_pickle_object *object = &p->objects[type.object];
    if (!object->dtype.order || !strchr("<>|=", object->dtype.order))
        return gpri_fail(GPR_ERROR_FORMAT, "an array of unknown byte order: expected <, >, | or =");
    int used =
        snprintf(text, sizeof text, "{'descr': '%c%s', 'fortran_order': %s, 'shape': (%lld,", object->dtype.order,
                 object->dtype.code, fortran.number ? "True" : "False", (long long)rows.number);
    if (dims == 2) snprintf(text + used, sizeof text - (size_t)used, " %lld), }", (long long)cols.number);
    else snprintf(text + used, sizeof text - (size_t)used, "), }");
    return gpri_npy_parse(npy, text);
}

static gpr_status convert(const gpri_pickle *p, gpri_array *out, const value *array, gpri_number type, int dims) {
    gpr_status status = GPR_OK;
    gpri_npy npy;
    *out = (gpri_array){0};
    if (array->kind != GPRI_PICKLE_ARRAY) THROW(GPR_ERROR_FORMAT, "it is not a numpy array");
    const value state = p->objects[array->object].state, bytes = gpri_pickle_item(p, &state, 4);
    if (state.kind != GPRI_PICKLE_TUPLE) THROW(GPR_ERROR_FORMAT, "an array without contents");
    TRY(describe(p, &npy, &state));
    if (npy.dims != dims) THROW(GPR_ERROR_FORMAT, "the array has %d dimensions: expected %d", npy.dims, dims);
    if (bytes.kind != GPRI_PICKLE_TEXT) THROW(GPR_ERROR_FORMAT, "an array whose numbers are not bytes");
    const gpri_pickle_object *text = &p->objects[bytes.object];
    if (npy.count * npy.itemsize != text->text.size)
        THROW(GPR_ERROR_FORMAT, "an array announces %lld numbers of %d bytes, but has %d bytes", (long long)npy.count,
              npy.itemsize, (int)text->text.size);
    TRY(gpri_alloc(p->ctx, &out->data, npy.count, gpri_number_size(type), "array"));
    TRY(gpri_npy_convert(out->data, type, &npy, 0, npy.count, p->bytes + text->text.at));
    out->dims = npy.dims;
    out->count = npy.count;
    memcpy(out->shape, npy.shape, sizeof out->shape);
done:
    if (status != GPR_OK) {
        gpri_free(p->ctx, out->data);
        *out = (gpri_array){0};
    }
    return status;
}

gpr_status gpri_pickle_array(const gpri_pickle *pickle, gpri_array *out, gpri_number type, int dims) {
    gpr_status status = convert(pickle, out, &pickle->result, type, dims);
    return status == GPR_OK ? status : gpri_fail_prefix(status, "%s", pickle->path);
}

/* ---- CSR matrices --------------------------------------------------------------------------------- */

static gpr_status check_csr(const gpri_csr *matrix, int64_t pointers, int64_t entries, int64_t numbers) {
    const int64_t rows = matrix->rows, cols = matrix->cols, *indptr = matrix->indptr;
    if (rows < 0 || rows >= INT32_MAX || cols < 1 || cols >= INT32_MAX)
        return gpri_fail(GPR_ERROR_FORMAT, "the shape is (%lld, %lld): expected rows and columns up to %d",
                         (long long)rows, (long long)cols, INT32_MAX - 1);
    NEED(gpri_check_indptr(GPR_ERROR_FORMAT, "", indptr, true, pointers, rows, entries));
    if (numbers != entries)
        return gpri_fail(GPR_ERROR_FORMAT, "data has %lld numbers, indices %lld: they must be equal",
                         (long long)numbers, (long long)entries);
    for (int64_t k = 0; k < entries; k++) {
        if (matrix->indices[k] < 0 || matrix->indices[k] >= cols)
            return gpri_fail(GPR_ERROR_FORMAT, "indices[%lld] is %d: columns must be in [0, %lld)", (long long)k,
                             (int)matrix->indices[k], (long long)cols);
        if (!isfinite(matrix->values[k]))
            return gpri_fail(GPR_ERROR_FORMAT, "data[%lld] is %g: every feature must be a finite number", (long long)k,
                             (double)matrix->values[k]);
    }
    return GPR_OK;
}

static gpr_status csr_member(const gpri_pickle *p, gpri_array *out, const value *dict, const char *key,
                             gpri_number type) {
    const value member = look_up(p, dict, key);
    gpr_status status = convert(p, out, &member, type, 1);
    return status == GPR_OK ? status : gpri_fail_prefix(status, "%s", key);
}

gpr_status gpri_pickle_csr(const gpri_pickle *pickle, gpri_csr *out) {
    gpr_status status = GPR_OK;
    const value *result = &pickle->result;
    gpri_array indptr = {0}, indices = {0}, data = {0};
    *out = (gpri_csr){0};
    if (result->kind != GPRI_PICKLE_MATRIX) THROW(GPR_ERROR_FORMAT, "it is not a scipy CSR matrix");
    const value dict = pickle->objects[result->object].state;
    if (dict.kind != GPRI_PICKLE_DICT) THROW(GPR_ERROR_FORMAT, "a CSR matrix without contents");
    value shape = look_up(pickle, &dict, "_shape");
    if (shape.kind == GPRI_PICKLE_UNSET) shape = look_up(pickle, &dict, "shape");
    const value rows = gpri_pickle_item(pickle, &shape, 0), cols = gpri_pickle_item(pickle, &shape, 1);
    if (rows.kind != GPRI_PICKLE_INT || cols.kind != GPRI_PICKLE_INT)
        THROW(GPR_ERROR_FORMAT, "a CSR matrix without a shape of two whole numbers");
    TRY(csr_member(pickle, &indptr, &dict, "indptr", GPRI_AS_INT64));
    TRY(csr_member(pickle, &indices, &dict, "indices", GPRI_AS_INT32));
    TRY(csr_member(pickle, &data, &dict, "data", GPRI_AS_FLOAT));
    *out = (gpri_csr){rows.number, cols.number, indptr.data, indices.data, data.data};
    TRY(check_csr(out, indptr.count, indices.count, data.count));
    TRY(gpri_budget_declared(pickle->ctx, NULL, "columns", out->cols, GPRI_COLUMN_BYTES, pickle->size));
done:
    if (status != GPR_OK) {
        gpri_fail_prefix(status, "%s", pickle->path);
        gpri_free_all(pickle->ctx, indptr.data, indices.data, data.data);
        *out = (gpri_csr){0};
    }
    return status;
}

void gpri_csr_free(gpr_ctx *ctx, gpri_csr *matrix) {
    gpri_free_all(ctx, matrix->indptr, matrix->indices, matrix->values);
    *matrix = (gpri_csr){0};
}

/* ---- Graphs --------------------------------------------------------------------------------------- */

/* Counts the edges. */
static gpr_status check_graph(const gpri_pickle *p, gpri_neighbours *graph) {
    for (int32_t cell = p->objects[p->result.object].items.first; cell >= 0; graph->nodes++) {
        const value *key = &p->cells[cell].value, *list = &p->cells[p->cells[cell].next].value;
        if (key->kind != GPRI_PICKLE_INT || list->kind != GPRI_PICKLE_LIST)
            return gpri_fail(GPR_ERROR_FORMAT, "entry %lld of the graph is not a node with a list of neighbours",
                             (long long)graph->nodes);
        graph->edges += count_items(p, list);
        if (graph->edges > p->cell_count) /* otherwise a small file could ask for any amount of memory */
            return gpri_fail(GPR_ERROR_FORMAT,
                             "the same list of neighbours stands for many nodes: the file is damaged");
        cell = p->cells[p->cells[cell].next].next;
    }
    return GPR_OK;
}

gpr_status gpri_pickle_graph(const gpri_pickle *pickle, gpri_neighbours *out) {
    gpr_status status = GPR_OK;
    int64_t edge = 0;
    *out = (gpri_neighbours){0};
    if (pickle->result.kind != GPRI_PICKLE_DICT)
        THROW(GPR_ERROR_FORMAT, "it is not a graph: expected a dict of lists of neighbours");
    TRY(check_graph(pickle, out));
    TRY(gpri_alloc(pickle->ctx, &out->src, out->edges, sizeof *out->src, "graph edges"));
    TRY(gpri_alloc(pickle->ctx, &out->dst, out->edges, sizeof *out->dst, "graph edges"));
    const gpri_pickle_cell *cells = pickle->cells;
    for (int32_t cell = pickle->objects[pickle->result.object].items.first; cell >= 0;) {
        const int32_t list = cells[cell].next;
        for (int32_t k = pickle->objects[cells[list].value.object].items.first; k >= 0; k = cells[k].next, edge++) {
            if (cells[k].value.kind != GPRI_PICKLE_INT)
                THROW(GPR_ERROR_FORMAT, "node %lld has a neighbour that is not a whole number",
                      (long long)cells[cell].value.number);
            out->src[edge] = cells[cell].value.number;
            out->dst[edge] = cells[k].value.number;
        }
        cell = cells[list].next;
    }
done:
    if (status != GPR_OK) {
        gpri_neighbours_free(pickle->ctx, out);
        gpri_fail_prefix(status, "%s", pickle->path);
    }
    return status;
}

void gpri_neighbours_free(gpr_ctx *ctx, gpri_neighbours *graph) {
    gpri_free_all(ctx, graph->src, graph->dst);
    *graph = (gpri_neighbours){0};
}
