/* OGB's node datasets as they are unpacked, such as ogbn_arxiv: a folder with
 *
 *     raw/num-node-list.csv.gz      the number of nodes
 *     raw/num-edge-list.csv.gz      the number of edges; may be missing
 *     raw/edge.csv.gz               two nodes per row, from 0
 *     raw/node-feat.csv.gz          numbers, one row per node; may be missing
 *     raw/node-label.csv.gz         one class per node, from 0; nan for none; may be missing
 *     mapping/labelidx2*.csv.gz     number and name of every class; may be missing
 *
 * each packed or not, none with a header (but the mapping). What lies in split/ is for io/text/split_lists.c. */
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "base/budget.h"
#include "base/text.h"
#include "file/path.h"
#include "io/feature_file.h"
#include "io/readers.h"
#include "io/text/dates.h"
#include "io/text/edge_list.h"
#include "task/target.h"

/* "folder/raw", or the folder itself where it is the raw one. */
static gpr_status raw_folder(gpri_text *out, const char *folder) {
    gpri_text_add(out, "%s/raw", folder);
    gpr_status status = gpri_text_status(out);
    if (status != GPR_OK || gpri_is_folder(out->bytes)) return status;
    gpri_text_free(out);
    gpri_text_add(out, "%s", folder);
    return gpri_text_status(out);
}

bool gpri_is_ogb(const char *path) {
    static const char *const parts[] = {"/raw/num-node-list.csv",
                                        "/raw/num-node-list.csv.gz",
                                        "/num-node-list.csv",
                                        "/num-node-list.csv.gz",
                                        "/raw/edge.csv",
                                        "/raw/edge.csv.gz",
                                        "/raw/triplet-type-list.csv.gz",
                                        NULL};
    return gpri_is_folder(path) && gpri_any_file(path, parts);
}

/* ---- Tables of whole numbers ---------------------------------------------------------------------- */

/* "3.0" is 3: programs write whole numbers like this when there are nan among them. */
static bool read_number(int64_t *out, gpri_field field, bool gaps, int64_t most) {
    double real;
    if (gaps && gpri_is_missing(field.text, field.size)) {
        *out = -1;
        return true;
    }
    if (!gpri_span_real(field.text, field.size, &real) || !(real >= 0 && real <= (double)most)) return false;
    *out = (int64_t)real;
    return (double)*out == real;
}

/* A whole number from 0 to `most` per row; -1 for nan where `gaps` allows it. */
static gpr_status read_numbers(gpr_ctx *ctx, int64_t **out, int64_t *rows, const char *path, bool gaps, int64_t most) {
    const gpri_delimited_options form = {.delimiter = ',', .header = GPRI_HEADER_NO};
    gpr_status status = GPR_OK;
    gpri_delimited *table = NULL;
    const gpri_field *fields;
    int64_t count, capacity = 0;
    *out = NULL;
    *rows = 0;
    TRY(gpri_delimited_open(ctx, &table, path, &form));
    for (;;) {
        TRY(gpri_delimited_next(table, &fields, &count));
        if (count == 0) break;
        if (count != 1)
            LEAVE(gpri_delimited_fail(table, "%lld columns: expected 1%s", (long long)count,
                                      gaps ? ", one class per node" : ""));
        TRY(gpri_grow(ctx, out, &capacity, *rows + 1, sizeof **out, "numbers"));
        if (!read_number(&(*out)[*rows], fields[0], gaps, most))
            LEAVE(gpri_delimited_fail(table, "'%.*s': expected a whole number from 0 to %lld%s", GPRI_FIELD(fields[0]),
                                      (long long)most, gaps ? ", or nan" : ""));
        ++*rows;
    }
done:
    gpri_delimited_close(table);
    if (status != GPR_OK) {
        gpri_free(ctx, *out);
        *out = NULL;
    }
    return status;
}

/* The only number of a file. */
static gpr_status read_count(gpr_ctx *ctx, int64_t *out, const char *path, int64_t most) {
    gpr_status status = GPR_OK;
    int64_t *numbers = NULL, rows;
    TRY(read_numbers(ctx, &numbers, &rows, path, false, most));
    if (rows != 1) THROW(GPR_ERROR_FORMAT, "%s: %lld graphs: expected a dataset of one graph", path, (long long)rows);
    *out = numbers[0];
done:
    gpri_free(ctx, numbers);
    return status;
}

static gpr_status read_node_count(gpr_ctx *ctx, int64_t *nodes, const char *raw, gpri_text *path) {
    gpri_text_free(path);
    gpri_text_add(path, "%s/triplet-type-list.csv.gz", raw);
    NEED(gpri_text_status(path));
    if (gpri_is_file(path->bytes))
        return gpri_fail(GPR_ERROR_FORMAT,
                         "%s: a graph with nodes and edges of several kinds: expected one kind of each", raw);
    NEED(gpri_find_csv(path, raw, "num-node-list"));
    NEED(read_count(ctx, nodes, path->bytes, INT32_MAX - 1));
    if (*nodes == 0) return gpri_fail(GPR_ERROR_FORMAT, "%s: 0 nodes: expected one or more", path->bytes);
    return GPR_OK;
}

/* The rows of the file of edges are as many as the dataset says, if it does. */
static gpr_status check_edge_count(gpr_ctx *ctx, const char *raw, const char *edges_path, int64_t found) {
    gpr_status status = GPR_OK;
    gpri_text path = {.ctx = ctx};
    int64_t announced = found;
    TRY(gpri_look_for_csv(&path, raw, "num-edge-list"));
    if (path.bytes) TRY(read_count(ctx, &announced, path.bytes, (int64_t)1 << 53));
    if (announced != found)
        THROW(GPR_ERROR_MISMATCH, "%s: %lld edges, but %s says %lld: one of the files is cut short or of other data",
              edges_path, (long long)found, path.bytes, (long long)announced);
done:
    gpri_text_free(&path);
    return status;
}

/* Bytes of a file; 0 where there is none. */
static int64_t bytes_of(const char *path) {
    struct stat info;
    return path && stat(path, &info) == 0 ? (int64_t)info.st_size : 0;
}

/* ---- Labels --------------------------------------------------------------------------------------- */

/* The names that a table of number and name gives to the classes 0, 1, ...; none if it does not fit. */
static gpr_status read_class_names(gpr_ctx *ctx, gpri_names *out, const char *path, int64_t classes) {
    gpr_status status = GPR_OK;
    const gpri_delimited_options form = {.delimiter = ',', .header = GPRI_HEADER_YES};
    gpri_delimited *table = NULL;
    gpri_ids names = {.ctx = ctx};
    const gpri_field *fields;
    int64_t count, number, place;
    TRY(gpri_delimited_open(ctx, &table, path, &form));
    for (;;) {
        TRY(gpri_delimited_next(table, &fields, &count));
        if (count != 2 || gpri_ids_count(&names) == classes) break;
        if (!gpri_span_int(fields[0].text, fields[0].size, &number) || number != gpri_ids_count(&names)) break;
        TRY(gpri_ids_add(&names, &place, fields[1].text, fields[1].size));
        if (place != number) break; /* a name that appears twice */
    }
    if (gpri_ids_count(&names) == classes) gpri_ids_take_names(&names, out);
    else gpri_log(ctx, GPR_LOG_INFO, "%s: no names for the %lld classes: skipped", path, (long long)classes);
done:
    gpri_ids_free(&names);
    gpri_delimited_close(table);
    if (status != GPR_ERROR_FORMAT) return status;
    status = gpri_source_check(ctx, path); /* names are not essential, but damage is said */
    if (status != GPR_OK) return status;
    gpri_log(ctx, GPR_LOG_INFO, "%s: skipped", gpr_last_error());
    return GPR_OK;
}

static gpr_status find_class_names(gpr_ctx *ctx, gpri_names *out, const char *folder, int64_t classes) {
    gpr_status status = GPR_OK;
    gpri_text path = {.ctx = ctx};
    gpri_text_add(&path, "%s/mapping", folder);
    TRY(gpri_text_status(&path));
    DIR *dir = opendir(path.bytes);
    if (!dir) goto done;
    for (struct dirent *entry; (entry = readdir(dir));)
        if (strncmp(entry->d_name, "labelidx2", 9) == 0 && strstr(entry->d_name, ".csv")) {
            gpri_text_add(&path, "/%s", entry->d_name);
            break;
        }
    closedir(dir);
    TRY(gpri_text_status(&path));
    if (gpri_is_file(path.bytes)) TRY(read_class_names(ctx, out, path.bytes, classes));
done:
    gpri_text_free(&path);
    return status;
}

static gpr_status read_labels(gpr_ctx *ctx, gpri_target *out, const char *folder, const char *path, int64_t nodes) {
    gpr_status status = GPR_OK;
    int64_t *numbers = NULL, rows;
    TRY(read_numbers(ctx, &numbers, &rows, path, true, INT32_MAX - 1));
    if (rows != nodes)
        THROW(GPR_ERROR_MISMATCH, "%s: %lld labels, but the graph has %lld nodes: expected one per node", path,
              (long long)rows, (long long)nodes);
    TRY(gpri_alloc(ctx, &out->labels, rows, sizeof *out->labels, "labels"));
    for (int64_t i = 0; i < rows; i++) {
        out->labels[i] = (int32_t)numbers[i];
        if (numbers[i] >= out->classes) out->classes = numbers[i] + 1;
    }
    TRY(find_class_names(ctx, &out->names, folder, out->classes));
done:
    gpri_free(ctx, numbers);
    return status;
}

/* ---- The dataset ---------------------------------------------------------------------------------- */

/* The last part of the path; of ".../arxiv/raw" the one before. */
static gpr_status name_of(gpr_ctx *ctx, char **out, const char *folder) {
    gpr_status status = GPR_OK;
    gpri_text parent = {.ctx = ctx};
    size_t size = strlen(folder);
    while (size > 1 && folder[size - 1] == '/') size--;
    TRY(gpri_path_name(ctx, out, folder));
    if (strcmp(*out, "raw") == 0 && size > 4) {
        gpri_text_add(&parent, "%.*s", (int)(size - 4), folder);
        TRY(gpri_text_status(&parent));
        gpri_free(ctx, *out);
        TRY(gpri_path_name(ctx, out, parent.bytes));
    }
    if (!**out || strcmp(*out, ".") == 0) {
        gpri_free(ctx, *out);
        TRY(gpri_strdup(ctx, out, "ogb"));
    }
done:
    gpri_text_free(&parent);
    return status;
}

/* others: bytes of the other files. Where none has one row for each node, the number of nodes could be anything. */
static gpr_status read_graph(gpr_ctx *ctx, gpr_dataset **out, const char *raw, const char *name, int64_t nodes,
                             int64_t others, gpri_text *path, gpri_edge_sink *sink) {
    gpr_status status = GPR_OK;
    const gpri_edge_options form = {
        .nodes = nodes, .sink = sink, .table = {.delimiter = ',', .header = GPRI_HEADER_NO}};
    const gpr_dataset_desc desc = {.struct_size = sizeof desc, .name = name};
    gpri_edge_list list = {0};
    TRY(gpri_find_csv(path, raw, "edge"));
    TRY(gpri_budget_declared(ctx, raw, "nodes", nodes, GPRI_NODE_BYTES, others + bytes_of(path->bytes)));
    TRY(gpri_edge_list_read(ctx, &list, path->bytes, &form));
    TRY(check_edge_count(ctx, raw, path->bytes, list.count));
    TRY(gpri_dataset_take(ctx, out, &desc, &list.edges, NULL));
done:
    gpri_edge_list_free(ctx, &list);
    return status;
}

gpr_status gpri_read_ogb(gpr_ctx *ctx, gpr_dataset **out, const char *folder, gpri_edge_sink *sink) {
    gpr_status status = GPR_OK;
    gpri_text raw = {.ctx = ctx}, path = {.ctx = ctx}, features_path = {.ctx = ctx}, labels_path = {.ctx = ctx};
    gpri_raw_features features = {0};
    gpri_target classes = {0};
    gpr_dataset *data = NULL;
    int64_t nodes = 0;
    char *name = NULL;
    *out = NULL;
    TRY(name_of(ctx, &name, folder));
    TRY(raw_folder(&raw, folder));
    TRY(read_node_count(ctx, &nodes, raw.bytes, &path));
    TRY(gpri_look_for_csv(&features_path, raw.bytes, "node-feat"));
    TRY(gpri_look_for_csv(&labels_path, raw.bytes, "node-label"));
    if (labels_path.bytes) TRY(read_labels(ctx, &classes, folder, labels_path.bytes, nodes));
    if (features_path.bytes) TRY(gpri_read_number_table(ctx, &features, features_path.bytes, GPRI_HEADER_NO));
    if (features_path.bytes && features.rows != nodes)
        THROW(GPR_ERROR_MISMATCH, "%s: %lld rows of features, but the graph has %lld nodes: expected one per node",
              features_path.bytes, (long long)features.rows, (long long)nodes);
    TRY(read_graph(ctx, &data, raw.bytes, name, nodes, bytes_of(features_path.bytes) + bytes_of(labels_path.bytes),
                   &path, sink));
    if (features_path.bytes) TRY(gpri_dataset_set_features(data, &features, features_path.bytes));
    if (labels_path.bytes) TRY(gpri_dataset_set_labels(data, &classes, labels_path.bytes));
    *out = data;
    data = NULL;
done:
    gpri_raw_features_free(ctx, &features);
    gpri_target_free(ctx, &classes);
    gpr_dataset_free(data);
    gpri_free(ctx, name);
    gpri_text_free(&raw);
    gpri_text_free(&path);
    gpri_text_free(&features_path);
    gpri_text_free(&labels_path);
    return status;
}
