/* Matrix Market: a square sparse matrix as the edges of a graph, plain or gzip.
 *
 *     %%MatrixMarket matrix coordinate real symmetric     pattern (no weights), real or integer; general or symmetric
 *     % comments
 *     3 3 2                                               rows, columns, entries
 *     2 1 0.5                                             row, column from 1, weight
 *     3 2 1
 *
 * An entry of a symmetric matrix is an edge in either direction, one of a general matrix goes from its row to its
 * column. */
#include <stdio.h>
#include <string.h>

#include "base/budget.h"
#include "base/text.h"
#include "io/text/graph_only.h"

#define LEAST_LINE 4 /* bytes of "1 2" and its end: what an entry of a pipe had at least */

/* The words of the first line, behind "%%MatrixMarket". */
typedef struct banner {
    char object[32], format[32], field[32], symmetry[32];
} banner;

static gpr_status read_banner(gpr_ctx *ctx, banner *out, const char *path) {
    gpr_status status = GPR_OK;
    gpri_source *in = NULL;
    gpri_lines lines;
    char line[256] = "";
    *out = (banner){0};
    TRY(gpri_source_open(ctx, &in, path, 4096));
    TRY(gpri_source_next(in, &lines));
    const char *end = lines.size > 0 ? memchr(lines.text, '\n', (size_t)lines.size) : NULL;
    if (end && end - lines.text < (int)sizeof line) memcpy(line, lines.text, (size_t)(end - lines.text));
    for (char *at = line; *at; at++)
        if (*at >= 'A' && *at <= 'Z') *at = (char)(*at + 32);
    if (sscanf(line, "%%%%matrixmarket %31s %31s %31s %31s", out->object, out->format, out->field, out->symmetry) != 4)
        THROW(GPR_ERROR_FORMAT,
              "%s:1: expected '%%%%MatrixMarket matrix coordinate', then pattern, real or integer, then general or "
              "symmetric",
              path);
done:
    gpri_source_close(in);
    return status;
}

static bool is_one_of(const char *word, const char *const *words) {
    for (; *words; words++)
        if (strcmp(word, *words) == 0) return true;
    return false;
}

static gpr_status check_banner(const banner *b, const char *path) {
    static const char *const fields[] = {"pattern", "real", "double", "integer", NULL};
    static const char *const symmetries[] = {"general", "symmetric", NULL};
    if (strcmp(b->object, "matrix") != 0 || strcmp(b->format, "coordinate") != 0)
        return gpri_fail(GPR_ERROR_FORMAT, "%s:1: '%s %s': only a sparse one, 'matrix coordinate', can be a graph",
                         path, b->object, b->format);
    if (!is_one_of(b->field, fields))
        return gpri_fail(GPR_ERROR_FORMAT, "%s:1: '%s' entries: expected pattern, real or integer", path, b->field);
    if (!is_one_of(b->symmetry, symmetries))
        return gpri_fail(GPR_ERROR_FORMAT, "%s:1: a '%s' matrix: expected general or symmetric", path, b->symmetry);
    return GPR_OK;
}

/* "3 3 2": *nodes, *entries. */
static gpr_status read_sizes(gpri_delimited *table, int64_t *nodes, int64_t *entries) {
    const gpri_field *fields;
    int64_t count, numbers[3];
    NEED(gpri_delimited_next(table, &fields, &count));
    for (int i = 0; i < 3; i++)
        if (count != 3 || !gpri_span_int(fields[i].text, fields[i].size, &numbers[i]) || numbers[i] < 0)
            return gpri_delimited_fail(table, "expected three counts: rows, columns, entries");
    if (numbers[0] != numbers[1] || numbers[0] < 1 || numbers[0] >= INT32_MAX)
        return gpri_delimited_fail(table, "%lld rows, %lld columns: a graph's matrix is square, from 1 to %d",
                                   (long long)numbers[0], (long long)numbers[1], INT32_MAX - 1);
    *nodes = numbers[0];
    *entries = numbers[2];
    return GPR_OK;
}

gpr_status gpri_read_matrix_market(gpr_ctx *ctx, gpr_dataset **out, const char *path, gpri_edge_sink *sink) {
    gpr_status status = GPR_OK;
    const gpri_delimited_options options = {.delimiter = ' ',
                                            .header = GPRI_HEADER_NO,
                                            .comments = true,
                                            .ragged = true,
                                            .piece = gpri_edge_sink_piece(sink)};
    gpri_delimited *table = NULL;
    gpri_edge_list list = {0};
    banner b;
    int64_t entries = 0;
    bool packed;
    gpri_edge_rows rows = {.target = 1, .first_id = 1, .comments = true, .sink = sink};
    *out = NULL;
    TRY(read_banner(ctx, &b, path));
    TRY(check_banner(&b, path));
    TRY(gpri_delimited_open(ctx, &table, path, &options));
    TRY(read_sizes(table, &rows.nodes, &entries));
    const int64_t bytes = gpri_source_file_size(gpri_delimited_source(table), &packed);
    TRY(gpri_budget_declared(ctx, path, "nodes", rows.nodes, GPRI_NODE_BYTES, bytes));
    rows.symmetric = strcmp(b.symmetry, "symmetric") == 0;
    rows.weight = strcmp(b.field, "pattern") == 0 ? -1 : 2;
    rows.columns = rows.weight < 0 ? 2 : 3;
    TRY(gpri_edge_rows_read(ctx, &list, table, &rows));
    if (list.count != entries)
        THROW(GPR_ERROR_FORMAT, "%s: %lld entries: its sizes announce %lld; the file is cut short or damaged", path,
              (long long)list.count, (long long)entries);
    if (bytes < 0) TRY(gpri_budget_declared(ctx, path, "nodes", rows.nodes, GPRI_NODE_BYTES, entries * LEAST_LINE));
    gpri_delimited_close(table); /* its memory is not needed for what follows */
    table = NULL;
    TRY(gpri_graph_only(ctx, out, &list, path, NULL));
done:
    gpri_delimited_close(table);
    gpri_edge_list_free(ctx, &list);
    return status;
}
