/* A text of edges as a dataset without features and labels. */
#include "io/text/graph_only.h"

#include <string.h>

#include "base/text.h"
#include "file/path.h"

/* Enough for a header and a row. */
#define LOOKED_AT 4096

/* ---- What it is ----------------------------------------------------------------------------------- */

static bool is_whole(gpri_field field) {
    int64_t value;
    return field.size > 0 && *field.text >= '0' && *field.text <= '9' && gpri_span_int(field.text, field.size, &value);
}

/* A lack of memory is an error. Any other failure says that the file is of another format. */
static gpr_status no_memory(gpr_status status) { return status == GPR_ERROR_MEMORY ? status : GPR_OK; }

/* By its header and its first row. */
static gpr_status look_for_edges(gpr_ctx *ctx, bool *fits, gpri_head *head) {
    const gpri_delimited_options options = {.piece = LOOKED_AT, .head = head};
    gpri_delimited *table;
    const gpri_field *fields;
    int64_t count;
    double weight;
    gpr_status status = gpri_delimited_open(ctx, &table, head->path, &options);
    if (status != GPR_OK) return no_memory(status);
    if (gpri_delimited_header(table) && gpri_edge_list_names_ends(table)) {
        *fits = true;
    } else {
        status = gpri_delimited_next(table, &fields, &count);
        if (status == GPR_OK && (count == 2 || count == 3))
            *fits = is_whole(fields[0]) && is_whole(fields[1]) &&
                    (count == 2 || gpri_span_real(fields[2].text, fields[2].size, &weight));
    }
    gpri_delimited_close(table);
    return no_memory(status);
}

gpr_status gpri_fits_edges(gpr_ctx *ctx, bool *fits, gpri_head *head) {
    *fits = head->kind == GPRI_HEAD_PIPE;
    if (head->kind != GPRI_HEAD_FILE) return GPR_OK;
    *fits = gpri_name_ends(head->path, ".edges") || gpri_name_ends(head->path, ".edgelist");
    return *fits ? GPR_OK : look_for_edges(ctx, fits, head);
}

gpr_status gpri_fits_matrix_market(gpr_ctx *ctx, bool *fits, gpri_head *head) {
    static const char banner[] = "%%MatrixMarket";
    gpri_source *in;
    gpri_lines lines;
    *fits = false;
    if (head->kind != GPRI_HEAD_FILE) return GPR_OK;
    gpr_status status = gpri_source_open_head(ctx, &in, head, LOOKED_AT);
    if (status == GPR_OK) status = gpri_source_next(in, &lines);
    if (status == GPR_OK)
        *fits = lines.size >= (int64_t)sizeof banner && memcmp(lines.text, banner, sizeof banner - 1) == 0;
    gpri_source_close(in);
    return no_memory(status);
}

/* ---- Reading -------------------------------------------------------------------------------------- */

gpr_status gpri_graph_only(gpr_ctx *ctx, gpr_dataset **out, gpri_edge_list *list, const char *path, const char *nodes) {
    gpr_status status = GPR_OK;
    char *name = NULL;
    *out = NULL;
    TRY(gpri_path_data_name(ctx, &name, gpri_is_stdin(path) ? NULL : path, nodes && gpri_is_stdin(nodes) ? NULL : nodes,
                            false));
    const gpr_dataset_desc desc = {.struct_size = sizeof desc, .name = name};
    status = gpri_dataset_take(ctx, out, &desc, &list->edges, &list->names);
    if (status == GPR_ERROR_ARGUMENT) status = gpri_fail_prefix(GPR_ERROR_FORMAT, "%s", path);
done:
    gpri_edge_list_free(ctx, list);
    gpri_free(ctx, name);
    return status;
}

gpr_status gpri_read_edges(gpr_ctx *ctx, gpr_dataset **out, const char *path, gpri_edge_sink *sink) {
    const gpri_edge_options options = {.sink = sink};
    gpri_edge_list list;
    *out = NULL;
    NEED(gpri_edge_list_read(ctx, &list, path, &options));
    return gpri_graph_only(ctx, out, &list, path, NULL);
}
