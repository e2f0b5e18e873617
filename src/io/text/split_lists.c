/* Splits as files of ids: a table with the columns id and part, or a folder with one list of ids per part; and OGB's
 * folders of train.csv.gz, valid.csv.gz and test.csv.gz (packed or not), one node per line. */
#include <string.h>

#include "base/text.h"
#include "file/path.h"
#include "io/text/delimited.h"
#include "io/text/ids.h"
#include "io/text/split_lists.h"

bool gpri_part_of_word(const char *text, int64_t size, gpr_part *out) {
    static const struct {
        const char *word;
        gpr_part part;
    } words[] = {{"train", GPR_TRAIN}, {"training", GPR_TRAIN}, {"val", GPR_VAL},    {"valid", GPR_VAL},
                 {"dev", GPR_VAL},     {"validation", GPR_VAL}, {"test", GPR_TEST},  {"testing", GPR_TEST},
                 {"", GPR_UNUSED},     {"unused", GPR_UNUSED},  {"none", GPR_UNUSED}};
    const gpri_field field = {text, size};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!gpri_field_is_word(field, words[i].word)) continue;
        *out = words[i].part;
        return true;
    }
    return false;
}

/* ---- Nodes by their ids --------------------------------------------------------------------------- */

typedef struct reader {
    gpr_ctx *ctx;
    const gpr_dataset *data;
    gpri_ids ids;     /* empty where nodes are numbers */
    int32_t *node_of; /* (ids) the first node with that id */
    int64_t *line;    /* (nodes) where a node was named; 0: nowhere yet */
    uint8_t *part;    /* (nodes) */
    bool lists;       /* several files are read, one per part */
} reader;

static gpr_status reader_init(reader *in, gpr_ctx *ctx, uint8_t *part, const gpr_dataset *data) {
    const gpri_names *names = &data->node_ids;
    *in = (reader){.ctx = ctx, .data = data, .ids = {.ctx = ctx}, .part = part};
    for (int64_t i = 0; i < data->graph.nodes; i++) part[i] = GPR_UNUSED;
    NEED(gpri_calloc(ctx, &in->line, data->graph.nodes, sizeof *in->line, "split"));
    NEED(gpri_alloc(ctx, &in->node_of, names->count, sizeof *in->node_of, "split"));
    for (int64_t i = 0; i < names->count; i++) {
        const char *id = gpri_name(names, i);
        const int64_t before = gpri_ids_count(&in->ids);
        int64_t number;
        NEED(gpri_ids_add(&in->ids, &number, id, (int64_t)strlen(id)));
        if (number == before) in->node_of[number] = (int32_t)i;
    }
    return GPR_OK;
}

static void reader_free(reader *in) {
    gpri_ids_free(&in->ids);
    gpri_free_all(in->ctx, in->node_of, in->line);
}

/* -1: there is none. */
static int64_t find_node(const reader *in, gpri_field id) {
    int64_t node;
    if (in->data->node_ids.count > 0) {
        const int64_t number = gpri_ids_find(&in->ids, id.text, id.size);
        return number < 0 ? -1 : in->node_of[number];
    }
    return gpri_span_int(id.text, id.size, &node) && node >= 0 && node < in->data->graph.nodes ? node : -1;
}

static gpr_status put(reader *in, const gpri_delimited *table, gpri_field id, gpr_part part) {
    const int64_t node = find_node(in, id);
    if (node < 0) {
        char last[24];
        if (in->data->node_ids.count > 0)
            return gpri_delimited_fail(table, "no node of %s has the id '%.*s': its first is '%s'", in->data->name,
                                       GPRI_FIELD(id), gpri_name_or_number(&in->data->node_ids, 0, last));
        return gpri_delimited_fail(table, "'%.*s' is no node of %s: its nodes are the numbers 0 to %lld",
                                   GPRI_FIELD(id), in->data->name, (long long)in->data->graph.nodes - 1);
    }
    if (in->line[node]) {
        if (in->part[node] == part)
            return gpri_delimited_fail(table, "the id '%.*s' appears twice in %s: line %lld has it too", GPRI_FIELD(id),
                                       gpri_part_word(part), (long long)in->line[node]);
        return gpri_delimited_fail(table, "the id '%.*s' is %s here, and %s by line %lld%s: a node has one part",
                                   GPRI_FIELD(id), gpri_part_word(part), gpri_part_word(in->part[node]),
                                   (long long)in->line[node], in->lists ? " of that list" : "");
    }
    in->line[node] = gpri_delimited_line(table);
    in->part[node] = (uint8_t)part;
    return GPR_OK;
}

/* ---- A table -------------------------------------------------------------------------------------- */

/* The columns of id and part: by the header's words, else the first and the second. */
static gpr_status find_columns(const gpri_delimited *table, int64_t *id, int64_t *part) {
    static const char *const id_words[] = {"id", "node", "node_id"}, *const part_words[] = {"part", "split", "set"};
    const int64_t columns = gpri_delimited_columns(table);
    *id = *part = -1;
    for (int i = 0; i < 3 && *id < 0; i++) *id = gpri_delimited_column(table, id_words[i]);
    for (int i = 0; i < 3 && *part < 0; i++) *part = gpri_delimited_column(table, part_words[i]);
    if (*id < 0) *id = *part == 0 ? 1 : 0;
    if (*part < 0) *part = *id == 0 ? 1 : 0;
    if (columns < 2 || *id >= columns)
        return gpri_fail(
            GPR_ERROR_FORMAT,
            "%s: expected two columns, id and part (train, val, test); for one list of ids per part give a "
            "folder with train.txt, val.txt and test.txt",
            gpri_delimited_path(table));
    return GPR_OK;
}

gpr_status gpri_split_read_ids(gpr_ctx *ctx, uint8_t *part, const gpr_dataset *data, const char *path) {
    gpr_status status = GPR_OK;
    gpri_delimited *table = NULL;
    const gpri_field *fields;
    reader in = {.ctx = ctx, .ids = {.ctx = ctx}};
    int64_t count, id, column, rows = 0;
    gpr_part which;
    TRY(gpri_delimited_open(ctx, &table, path, NULL));
    TRY(find_columns(table, &id, &column));
    TRY(reader_init(&in, ctx, part, data));
    for (;; rows++) {
        TRY(gpri_delimited_next(table, &fields, &count));
        if (count == 0) break;
        if (!gpri_part_of_word(fields[column].text, fields[column].size, &which)) {
            if (rows == 0 && !gpri_delimited_header(table) && find_node(&in, fields[id]) < 0) continue; /* a header */
            LEAVE(gpri_delimited_fail(table, "the part of '%.*s' is '%.*s': expected train, val, test or nothing",
                                      GPRI_FIELD(fields[id]), GPRI_FIELD(fields[column])));
        }
        TRY(put(&in, table, fields[id], which));
    }
    if (!memchr(part, GPR_TRAIN, (size_t)data->graph.nodes))
        THROW(GPR_ERROR_FORMAT, "%s: no node is in train: there is nothing to train on", path);
done:
    gpri_delimited_close(table);
    reader_free(&in);
    return status;
}

/* ---- A folder of lists ---------------------------------------------------------------------------- */

gpr_status gpri_split_part_file(gpri_text *path, const char *folder, gpr_part part, bool *listed) {
    static const char *const words[][4] = {
        {NULL}, {"train", NULL}, {"valid", "val", "validation", NULL}, {"test", NULL}};
    static const char *const ends[] = {".csv.gz", ".csv", ".txt.gz", ".txt"};
    for (int w = 0; words[part][w]; w++) {
        for (int e = 0; e < 4; e++) {
            gpri_text_free(path);
            gpri_text_add(path, "%s/%s%s", folder, words[part][w], ends[e]);
            if (gpri_text_status(path) != GPR_OK) return gpri_text_status(path);
            if (listed) *listed = e >= 2;
            if (gpri_is_file(path->bytes)) return GPR_OK;
        }
    }
    gpri_text_free(path);
    const char *name = words[part][0];
    return gpri_fail(GPR_ERROR_NOT_FOUND, "%s: neither %s.csv.gz nor %s.csv nor %s.txt is there", folder, name, name,
                     part == GPR_VAL ? "val" : name);
}

static gpr_status read_list(reader *in, const char *path, gpr_part part) {
    const gpri_delimited_options form = {.delimiter = ',', .header = GPRI_HEADER_NO};
    gpr_status status = GPR_OK;
    gpri_delimited *table = NULL;
    const gpri_field *fields;
    int64_t count, rows = 0;
    TRY(gpri_delimited_open(in->ctx, &table, path, &form));
    for (;; rows++) {
        TRY(gpri_delimited_next(table, &fields, &count));
        if (count == 0) break;
        if (count > 1) LEAVE(gpri_delimited_fail(table, "%lld columns: expected one id per line", (long long)count));
        if (rows == 0 && gpri_field_is_word(fields[0], "id") && find_node(in, fields[0]) < 0) continue; /* a header */
        TRY(put(in, table, fields[0], part));
    }
done:
    gpri_delimited_close(table);
    return status;
}

gpr_status gpri_split_read_id_lists(gpr_ctx *ctx, uint8_t *part, const gpr_dataset *data, const char *folder) {
    gpr_status status = GPR_OK;
    gpri_text path = {.ctx = ctx};
    reader in = {.ctx = ctx, .ids = {.ctx = ctx}};
    TRY(reader_init(&in, ctx, part, data));
    in.lists = true;
    for (int p = GPR_TRAIN; p <= GPR_TEST; p++) {
        TRY(gpri_split_part_file(&path, folder, (gpr_part)p, NULL));
        TRY(read_list(&in, path.bytes, (gpr_part)p));
        if (p == GPR_TRAIN && !memchr(part, GPR_TRAIN, (size_t)data->graph.nodes))
            THROW(GPR_ERROR_FORMAT, "%s: no id: there is nothing to train on", path.bytes);
    }
done:
    gpri_text_free(&path);
    reader_free(&in);
    return status;
}

/* ---- OGB ------------------------------------------------------------------------------------------ */

/* Gives the nodes of a file to a part. */
static gpr_status read_part(gpr_ctx *ctx, uint8_t *part, int64_t nodes, const char *path, gpr_part which,
                            int64_t *taken) {
    static const char *const names[] = {"", "train", "valid", "test"};
    const gpri_delimited_options form = {.delimiter = ',', .header = GPRI_HEADER_NO};
    gpr_status status = GPR_OK;
    gpri_delimited *table = NULL;
    const gpri_field *fields;
    int64_t count, node;
    *taken = 0;
    TRY(gpri_delimited_open(ctx, &table, path, &form));
    for (;;) {
        TRY(gpri_delimited_next(table, &fields, &count));
        if (count == 0) break;
        if (count != 1 || !gpri_span_int(fields[0].text, fields[0].size, &node) || node < 0 || node >= nodes)
            LEAVE(gpri_delimited_fail(table, "'%.*s': expected one node, a whole number from 0 to %lld",
                                      GPRI_FIELD(fields[0]), (long long)nodes - 1));
        if (part[node] != GPR_UNUSED)
            LEAVE(gpri_delimited_fail(table, "node %lld is in %s too: the parts must not overlap", (long long)node,
                                      names[part[node]]));
        part[node] = (uint8_t)which;
        ++*taken;
    }
done:
    gpri_delimited_close(table);
    return status;
}

gpr_status gpri_split_read_folder(gpr_ctx *ctx, uint8_t *part, int64_t nodes, const char *folder) {
    static const char *const names[] = {"train", "valid", "test"};
    gpr_status status = GPR_OK;
    gpri_text path = {.ctx = ctx};
    int64_t taken;
    for (int64_t i = 0; i < nodes; i++) part[i] = GPR_UNUSED;
    for (int p = 0; p < 3; p++) {
        TRY(gpri_find_csv(&path, folder, names[p]));
        TRY(read_part(ctx, part, nodes, path.bytes, (gpr_part)(GPR_TRAIN + p), &taken));
        if (p == 0 && taken == 0) THROW(GPR_ERROR_FORMAT, "%s: no node: there is nothing to train on", path.bytes);
    }
done:
    gpri_text_free(&path);
    return status;
}
