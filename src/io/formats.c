/* How each format is recognised, and its reader; and the formats that are written. */
#include "io/formats.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "data/order/reorder.h"
#include "file/foreign.h"
#include "file/path.h"
#include "file/source.h"
#include "io/mapped/shards.h"
#include "io/numpy/npz_dataset.h"
#include "io/readers.h"
#include "io/text/graph_only.h"

/* ---- Planetoid: what the names of several files have in common ---- */

static const char *const planetoid_members[] = {".allx", ".graph", ".test.index", ".ally", ".tx",
                                                ".ty",   ".x",     ".y",          NULL};

/* The length of the common beginning if `path` names one of the files, "ind.cora.graph"; else 0. */
static size_t planetoid_prefix(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (int i = 0; planetoid_members[i] && strncmp(name, "ind.", 4) == 0; i++)
        if (gpri_ends_with(name, planetoid_members[i])) return strlen(path) - strlen(planetoid_members[i]);
    return 0;
}

static bool fits_planetoid(gpri_head *head) {
    if (head->kind == GPRI_HEAD_NOTHING) return gpri_any_file(head->path, planetoid_members);
    return head->kind != GPRI_HEAD_FOLDER && planetoid_prefix(head->path) > 0;
}

static gpr_status read_planetoid(gpr_ctx *ctx, gpr_dataset **out, const char *path) {
    char *prefix;
    NEED(gpri_strdup(ctx, &prefix, path));
    const size_t size = planetoid_prefix(path);
    if (size > 0) prefix[size] = 0;
    gpr_status status = gpri_read_planetoid(ctx, out, prefix);
    gpri_free(ctx, prefix);
    return status;
}

/* ---- The others ---- */

static bool fits_geom_gcn(gpri_head *head) {
    static const char *const parts[] = {"/out1_graph_edges.txt", "/out1_node_feature_label.txt", NULL};
    return head->kind == GPRI_HEAD_FOLDER && gpri_any_file(head->path, parts);
}

static bool fits_ogb(gpri_head *head) { return gpri_is_ogb(head->path); }

/* A damaged file is still recognised by its name. */
static bool is_called(const gpri_head *head, const char *ending) {
    return gpri_ends_with(head->path, ending) && head->kind != GPRI_HEAD_NOTHING && head->kind != GPRI_HEAD_FOLDER;
}

static bool fits_npz(gpri_head *head) {
    return is_called(head, ".npz") || (gpri_head_begins(head, "PK", 2) && !gpri_is_office(head->bytes, head->size));
}

static bool fits_mapped(gpri_head *head) {
    return is_called(head, ".gpr") || gpri_head_begins(head, GPRI_MAPPED_MAGIC, sizeof GPRI_MAPPED_MAGIC - 1) ||
           gpri_head_begins(head, GPRI_SHARD_MAGIC, sizeof GPRI_SHARD_MAGIC - 1);
}

/* ---- The table: looked through from the top ---- */

static const gpri_format formats[] = {
    {GPRI_FORMAT_GPR, "a .gpr file", fits_mapped, .read = gpri_read_mapped, .read_copy = gpri_read_mapped_copy},
    {GPRI_FORMAT_NPZ, "an .npz file", fits_npz, .read = gpri_read_npz},
    {GPRI_FORMAT_PLANETOID, "what Planetoid's files have in common, such as raw/ind.cora", fits_planetoid,
     .read = read_planetoid},
    {GPRI_FORMAT_GEOM_GCN, "a folder with out1_graph_edges.txt (Geom-GCN)", fits_geom_gcn, .read = gpri_read_geomgcn},
    {GPRI_FORMAT_OGB, "a folder with raw/edge.csv.gz (OGB)", fits_ogb, .read_edges = gpri_read_ogb},
    {GPRI_FORMAT_MTX, "a Matrix Market file", NULL, gpri_fits_matrix_market, .read_edges = gpri_read_matrix_market},
    {GPRI_FORMAT_EDGES, "a text with an edge in every line", NULL, gpri_fits_edges, .read_edges = gpri_read_edges},
};
enum { FORMATS = sizeof formats / sizeof *formats };

const gpri_format *gpri_format_at(gpri_data_value id) {
    for (int i = 0; i < FORMATS; i++)
        if (formats[i].id == id) return &formats[i];
    return NULL;
}

gpr_status gpri_format_named(const gpri_format **out, const char *word) {
    const char *words[GPRI_MOST_WORDS];
    const gpri_data_value id = gpri_data_value_of(GPRI_OPEN_FORMAT, word);
    *out = gpri_format_at(id);
    if (id != GPRI_NO_WORD) return GPR_OK;
    char list[256];
    const int count = gpri_data_words(words, GPRI_OPEN_FORMAT);
    int size = snprintf(list, sizeof list, "%s", words[0]);
    for (int i = 1; i < count && size < (int)sizeof list; i++)
        size += snprintf(list + size, sizeof list - (size_t)size, "%s%s", i + 1 < count ? ", " : " and ", words[i]);
    const char *near = gpr_nearest_word(word, words, count);
    return gpri_fail(GPR_ERROR_ARGUMENT, "unknown format '%s': %s%s%sthe formats are %s", word,
                     near ? "did you mean '" : "", near ? near : "", near ? "'? " : "", list);
}

gpr_status gpri_format_of(gpr_ctx *ctx, const gpri_format **out, const char *path) {
    gpri_head head;
    bool fits = false;
    *out = NULL;
    gpri_head_init(&head, path);
    for (int i = 0; i < FORMATS && !fits; i++) {
        if (formats[i].fits) fits = formats[i].fits(&head);
        else NEED(formats[i].reads_like(ctx, &fits, &head));
        if (fits) *out = &formats[i];
    }
    return GPR_OK;
}

/* GPR_OK unless the file is packed with gzip and cannot be unpacked: then no format can be recognised. */
static gpr_status check_packed(gpr_ctx *ctx, const char *path) {
    gpri_head head;
    gpri_source *in;
    gpri_lines lines;
    gpri_head_init(&head, path);
    if (!gpri_head_begins(&head, "\x1f\x8b", 2)) return GPR_OK;
    gpr_status status = gpri_source_open(ctx, &in, path, 0);
    if (status == GPR_OK) status = gpri_source_next(in, &lines);
    gpri_source_close(in);
    return status;
}

/* Nothing fits: what is there, and what could have been. */
static gpr_status refuse(gpr_ctx *ctx, const char *path) {
    gpri_text text = {.ctx = ctx};
    NEED(check_packed(ctx, path));
    gpri_head head;
    gpri_head_init(&head, path);
    gpri_head_read(&head);
    NEED(gpri_refuse_foreign(path, head.bytes, head.size, true));
    struct stat info;
    const bool there = stat(path, &info) == 0 || (errno != ENOENT && errno != ENOTDIR);
    if (!there) gpri_text_add(&text, "no file %s: expected csbm, a dataset's name, or the path of ", path);
    else
        gpri_text_add(&text, "%s is %s of no known format: expected ", path,
                      gpri_is_folder(path) ? "a folder" : "a file");
    for (int i = 0; i < FORMATS; i++)
        gpri_text_add(&text, "%s%s", i == 0 ? "" : i + 1 < FORMATS ? ", " : ", or ", formats[i].what);
    return gpri_text_fail(there ? GPR_ERROR_FORMAT : GPR_ERROR_NOT_FOUND, &text);
}

gpr_status gpri_read_path(gpr_ctx *ctx, gpr_dataset **out, const char *path, const gpri_format *format, bool no_map,
                          gpri_edge_sink *sink) {
    *out = NULL;
    NEED(gpri_may_look(path));
    if (!format) NEED(gpri_format_of(ctx, &format, path));
    if (!format) return refuse(ctx, path);
    if (no_map && format->read_copy) return format->read_copy(ctx, out, path);
    return format->read ? format->read(ctx, out, path) : format->read_edges(ctx, out, path, sink);
}

/* ---- Writing ---- */

static const gpri_writer writers[] = {
    {"npz", ".npz", gpri_write_npz},
    {"gpr", ".gpr", gpri_write_mapped},
};
enum { WRITERS = sizeof writers / sizeof *writers };

gpr_status gpri_writer_of(const gpri_writer **out, const char *path, const char *word) {
    const char *words[WRITERS];
    char list[64] = "";
    const bool by_word = word && strcmp(word, "auto") != 0;
    *out = NULL;
    for (int i = 0; i < WRITERS; i++) {
        if (by_word ? strcmp(word, writers[i].word) == 0 : gpri_ends_with(path, writers[i].ending)) {
            *out = &writers[i];
            return GPR_OK;
        }
        words[i] = writers[i].word;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? " or " : "",
                 by_word ? writers[i].word : writers[i].ending);
    }
    if (!by_word)
        return gpri_fail(GPR_ERROR_ARGUMENT, "cannot write a dataset to '%s': its name must end in %s", path, list);
    const char *near = gpr_nearest_word(word, words, WRITERS);
    return gpri_fail(GPR_ERROR_ARGUMENT, "unknown format '%s' to write: %s%s%sexpected %s", word,
                     near ? "did you mean '" : "", near ? near : "", near ? "'? " : "", list);
}

void gpri_warn_of_lost_split(gpr_ctx *ctx, const gpr_dataset *data, const char *path) {
    if (data->own_split.column)
        gpri_log(ctx, GPR_LOG_WARNING,
                 "%s: the split by column '%s' is not kept: only trainings on the tables themselves have it", path,
                 data->own_split.column);
}

gpr_status gpr_dataset_save_as(gpr_ctx *ctx, const gpr_dataset *data, const char *path, const char *format) {
    gpr_status status = GPR_OK;
    gpr_dataset *restored = NULL;
    const gpr_dataset *given = data;
    const gpri_writer *writer;
    if (!ctx || !data || !path) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_save: a NULL argument");
    TRY(gpri_writer_of(&writer, path, format));
    TRY(gpri_dataset_ready(ctx, data));
    if (data->order && writer->write != gpri_write_mapped) { /* no other format keeps another order */
        TRY(gpri_dataset_restore(ctx, &restored, data));
        TRY(gpri_dataset_unchanged(ctx, data, true));
        data = restored;
    }
    TRY(writer->write(ctx, data, path));
    gpri_warn_of_lost_split(ctx, given, path);
done:
    gpr_dataset_free(restored);
    return gpri_finish(status);
}

gpr_status gpr_dataset_save(gpr_ctx *ctx, const gpr_dataset *data, const char *path) {
    return gpr_dataset_save_as(ctx, data, path, NULL);
}
