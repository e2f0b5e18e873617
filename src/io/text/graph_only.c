#include "io/text/graph_only.h"

#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "io/formats.h"

/* Enough for a header and a row. */
#define LOOKED_AT 4096

/* ---- What it is ----------------------------------------------------------------------------------- */

static bool is_whole(gpri_field field) {
    int64_t value;
    return field.size > 0 && *field.text >= '0' && *field.text <= '9' && gpri_span_int(field.text, field.size, &value);
}

/* By its header and its first row. */
static bool rows_of_edges(gpr_ctx *ctx, const char *path) {
    const gpri_delimited_options options = {.block = LOOKED_AT};
    gpri_delimited *table;
    const gpri_field *fields;
    int64_t count;
    double weight;
    bool fits = false;
    if (gpri_delimited_open(ctx, &table, path, &options) != GPR_OK) return false;
    if (gpri_delimited_header(table) && gpri_edge_list_names_ends(table)) fits = true;
    else if (gpri_delimited_next(table, &fields, &count) == GPR_OK && (count == 2 || count == 3))
        fits = is_whole(fields[0]) && is_whole(fields[1]) &&
               (count == 2 || gpri_span_real(fields[2].text, fields[2].size, &weight));
    gpri_delimited_close(table);
    return fits;
}

bool gpri_fits_edges(const char *path) {
    struct stat info;
    gpr_ctx *ctx;
    if (stat(path, &info) != 0) return false;
    if (S_ISFIFO(info.st_mode)) return true;
    if (!S_ISREG(info.st_mode)) return false;
    if (gpri_name_ends(path, ".edges") || gpri_name_ends(path, ".edgelist")) return true;
    const bool fits = gpri_ctx_open(&ctx, NULL) == GPR_OK && rows_of_edges(ctx, path);
    gpr_ctx_free(ctx);
    return fits;
}

bool gpri_fits_matrix_market(const char *path) {
    static const char banner[] = "%%MatrixMarket";
    struct stat info;
    gpr_ctx *ctx;
    gpri_source *in;
    gpri_lines lines;
    bool fits = false;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return false;
    if (gpri_ctx_open(&ctx, NULL) == GPR_OK && gpri_source_open(ctx, &in, path, LOOKED_AT) == GPR_OK) {
        fits = gpri_source_next(in, &lines) == GPR_OK && lines.size >= (int64_t)sizeof banner &&
               memcmp(lines.text, banner, sizeof banner - 1) == 0;
        gpri_source_close(in);
    }
    gpr_ctx_free(ctx);
    return fits;
}

/* ---- Reading -------------------------------------------------------------------------------------- */

/* "web" of "data/web.edges.gz". */
static gpr_status name_of(gpr_ctx *ctx, char **out, const char *path) {
    const char *slash = strrchr(path, '/');
    gpr_status status = gpri_strdup(ctx, out, slash ? slash + 1 : path);
    if (status != GPR_OK) return status;
    size_t size = strlen(*out);
    if (size > 3 && strcmp(*out + size - 3, ".gz") == 0) (*out)[size - 3] = 0;
    char *dot = strrchr(*out, '.');
    if (dot && dot > *out) *dot = 0;
    return GPR_OK;
}

gpr_status gpri_lone_graph(gpr_ctx *ctx, gpr_dataset **out, gpri_edge_list *list, const char *path) {
    gpr_status status = GPR_OK;
    char *name = NULL;
    *out = NULL;
    TRY(name_of(ctx, &name, path));
    const gpr_dataset_desc desc = {.struct_size = sizeof desc, .name = name};
    status = gpri_dataset_take(ctx, out, &desc, &list->edges, &list->names);
    if (status == GPR_ERROR_ARGUMENT) status = gpri_fail_prefix(GPR_ERROR_FORMAT, "%s", path);
done:
    gpri_edge_list_free(ctx, list);
    gpri_free(ctx, name);
    return status;
}

gpr_status gpri_read_edges(gpr_ctx *ctx, gpr_dataset **out, const char *path) {
    gpri_edge_list list;
    *out = NULL;
    gpr_status status = gpri_edge_list_read(ctx, &list, path, NULL);
    return status == GPR_OK ? gpri_lone_graph(ctx, out, &list, path) : status;
}
