/* Writing a .gpr file: section after section, the header last, all under a temporary name until the end. */
#include <math.h>
#include <string.h>

#include "data/describe.h"
#include "file/checksum.h"
#include "io/mapped/shards.h"

#define PIECE ((int64_t)1 << 24) /* bytes written at once */

gpr_status gpri_mapped_create(gpr_ctx *ctx, gpri_mapped_writer *writer, const char *path) {
    *writer = (gpri_mapped_writer){.ctx = ctx, .position = sizeof writer->header};
    return gpri_output_open(&writer->output, path);
}

static gpri_mapped_section *last_section(gpri_mapped_writer *writer) {
    return &writer->header.section[writer->header.sections - 1];
}

void gpri_mapped_begin(gpri_mapped_writer *writer, gpri_mapped_kind kind) {
    writer->header.sections++; /* each kind once: there are more slots than kinds */
    gpri_mapped_section *section = last_section(writer);
    strncpy(section->name, gpri_mapped_forms[kind].name, sizeof section->name - 1);
    strncpy(section->type, gpri_mapped_forms[kind].type, sizeof section->type - 1);
    section->offset = writer->position;
}

static gpr_status append_piece(gpri_mapped_writer *writer, const void *bytes, int64_t size) {
    gpri_mapped_section *section = last_section(writer);
    gpr_status status = gpri_output_write_at(&writer->output, bytes, (size_t)size, writer->position);
    section->checksum = gpri_checksum(section->checksum, bytes, size);
    section->bytes += size;
    writer->position += size;
    return status;
}

gpr_status gpri_mapped_append(gpri_mapped_writer *writer, const void *bytes, int64_t size) {
    for (int64_t done = 0; done < size; done += PIECE) {
        NEED(append_piece(writer, (const char *)bytes + done, size - done < PIECE ? size - done : PIECE));
        NEED(gpri_tick_now(&writer->tick, 0, 0));
    }
    return GPR_OK;
}

/* Zeros to the next multiple of the alignment belong to the section's checksum, not to its size. */
gpr_status gpri_mapped_end(gpri_mapped_writer *writer) {
    static const char zeros[GPRI_MAPPED_ALIGNMENT];
    gpri_mapped_section *section = last_section(writer);
    const int64_t size = section->bytes, rest = gpri_mapped_padded(size) - size;
    gpr_status status = gpri_mapped_append(writer, zeros, rest);
    section->bytes = size;
    return status;
}

gpr_status gpri_mapped_put(gpri_mapped_writer *writer, gpri_mapped_kind kind, const void *bytes, int64_t size) {
    gpri_mapped_begin(writer, kind);
    NEED(gpri_mapped_append(writer, bytes, size));
    return gpri_mapped_end(writer);
}

void gpri_mapped_reserve(gpri_mapped_writer *writer, gpri_mapped_kind kind, int64_t size) {
    gpri_mapped_begin(writer, kind);
    last_section(writer)->bytes = size;
    writer->position += gpri_mapped_padded(size);
}

gpr_status gpri_mapped_fill(gpri_mapped_writer *writer, gpri_mapped_kind kind, const void *bytes) {
    const gpri_mapped_header before = writer->header;
    const int64_t position = writer->position;
    uint32_t slot = 0;
    while (strcmp(before.section[slot].name, gpri_mapped_forms[kind].name) != 0) slot++;
    /* As if the sections after it had not been written. */
    gpri_mapped_section *section = &writer->header.section[slot];
    const int64_t size = section->bytes;
    section->bytes = 0;
    writer->header.sections = slot + 1;
    writer->position = section->offset;
    gpr_status status = gpri_mapped_append(writer, bytes, size);
    if (status == GPR_OK) status = gpri_mapped_end(writer);
    writer->header.sections = before.sections;
    writer->position = position;
    return status;
}

/* The oldest that has all of the sections: so older programs read data that they know. */
static uint32_t version_of(const gpri_mapped_header *header) {
    uint32_t version = 1;
    for (uint32_t i = 0; i < header->sections; i++)
        for (int kind = 0; kind < GPRI_MAPPED_KINDS; kind++)
            if (strcmp(header->section[i].name, gpri_mapped_forms[kind].name) == 0 &&
                gpri_mapped_forms[kind].version > version)
                version = gpri_mapped_forms[kind].version;
    return version;
}

gpr_status gpri_mapped_commit(gpri_mapped_writer *writer) {
    gpr_status status = GPR_OK;
    gpri_mapped_header *header = &writer->header;
    memcpy(header->magic, GPRI_MAPPED_MAGIC, sizeof header->magic);
    header->order = GPRI_MAPPED_ORDER;
    header->version = version_of(header);
    header->bytes = writer->position;
    header->checksum = gpri_mapped_header_checksum(header);
    TRY(gpri_output_write_at(&writer->output, header, sizeof *header, 0));
    if (writer->shards > 0)
        TRY(gpri_shards_write(writer->ctx, &writer->output, header, writer->output.path, writer->shards,
                              &writer->tick));
    else TRY(gpri_output_commit(&writer->output));
done:
    gpri_mapped_discard(writer);
    return status;
}

void gpri_mapped_discard(gpri_mapped_writer *writer) {
    if (writer->ctx) gpri_output_abandon(&writer->output);
}

/* ---- A dataset ------------------------------------------------------------------------------------ */

static gpr_status put_names(gpri_mapped_writer *writer, const gpri_names *names, gpri_mapped_kind starts,
                            gpri_mapped_kind bytes) {
    if (!names->start) return GPR_OK;
    NEED(gpri_mapped_put(writer, starts, names->start, (names->count + 1) * (int64_t)sizeof *names->start));
    return gpri_mapped_put(writer, bytes, names->bytes, names->start[names->count]);
}

static gpr_status put_features(gpri_mapped_writer *writer, const gpri_feature_matrix *matrix) {
    if (matrix->dense)
        return gpri_mapped_put(writer, GPRI_DENSE, matrix->dense,
                               matrix->rows * matrix->cols * (int64_t)sizeof *matrix->dense);
    NEED(gpri_mapped_put(writer, GPRI_FEATURE_ROWPTR, matrix->rowptr,
                         (matrix->rows + 1) * (int64_t)sizeof *matrix->rowptr));
    NEED(gpri_mapped_put(writer, GPRI_FEATURE_COLUMN, matrix->column, matrix->nnz * (int64_t)sizeof *matrix->column));
    return gpri_mapped_put(writer, GPRI_FEATURE_VALUE, matrix->value, matrix->nnz * (int64_t)sizeof *matrix->value);
}

gpr_status gpri_mapped_put_nodes(gpri_mapped_writer *writer, const gpr_dataset *data) {
    gpri_mapped_header *header = &writer->header;
    const size_t size = strlen(data->name) + 1;
    header->features = data->features.cols;
    header->feature_nnz = data->features.nnz;
    header->classes = data->target.classes;
    header->mixed_columns = data->mixed_columns;
    header->from_table = data->from_table;
    header->generated = data->generated;
    header->phi = isnan(data->phi) ? (double)NAN : data->phi; /* NaN always has the same bits */
    if (size > GPRI_MAPPED_MOST_NAME)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "cannot write %s: the dataset's name has %zu bytes: at most %d are allowed",
                         writer->output.path, size - 1, GPRI_MAPPED_MOST_NAME - 1);
    NEED(put_features(writer, &data->features));
    NEED(gpri_mapped_put(writer, GPRI_LABELS, data->target.labels,
                         data->features.rows * (int64_t)sizeof *data->target.labels));
    if (data->target.numbers)
        NEED(gpri_mapped_put(writer, GPRI_TARGETS, data->target.numbers,
                             data->features.rows * (int64_t)sizeof *data->target.numbers));
    NEED(put_names(writer, &data->target.names, GPRI_CLASS_STARTS, GPRI_CLASS_NAMES));
    NEED(put_names(writer, &data->node_ids, GPRI_NODE_STARTS, GPRI_NODE_IDS));
    NEED(put_names(writer, &data->feature_names, GPRI_FEATURE_STARTS, GPRI_FEATURE_NAMES));
    if (data->order)
        NEED(gpri_mapped_put(writer, GPRI_NODE_ORDER, data->order, data->features.rows * (int64_t)sizeof *data->order));
    return gpri_mapped_put(writer, GPRI_NAME, data->name, (int64_t)size);
}

static int64_t mutual_of(const gpri_graph *graph) { return gpri_graph_one_way(graph) > 0 ? graph->mutual : 0; }

void gpri_mapped_set_graph(gpri_mapped_writer *writer, const gpri_graph *graph) {
    gpri_mapped_header *header = &writer->header;
    header->nodes = graph->nodes;
    header->arcs = graph->arcs;
    header->self_loops = graph->self_loops;
    header->duplicates = graph->duplicates;
    header->mutual = mutual_of(graph);
    header->isolated = graph->isolated;
}

/* The arrays of one kind, of the whole graph and of its relations; no section if none has it. */
static gpr_status put_arrays(gpri_mapped_writer *writer, const gpri_graph *graph, gpri_mapped_kind kind) {
    bool begun = false;
    for (int64_t g = 0; g < gpri_graph_count(graph); g++) {
        int64_t bytes;
        const void *array = gpri_mapped_array_of(gpri_graph_at(graph, g), kind, &bytes);
        if (array && !begun) gpri_mapped_begin(writer, kind);
        begun = begun || array;
        if (array) NEED(gpri_mapped_append(writer, array, bytes));
    }
    return begun ? gpri_mapped_end(writer) : GPR_OK;
}

/* The list of a graph and its relations. */
static gpr_status put_list(gpri_mapped_writer *writer, const gpri_graph *graph) {
    if (graph->relation_count == 0) return GPR_OK;
    gpri_mapped_begin(writer, GPRI_GRAPHS);
    for (int64_t g = 0; g < gpri_graph_count(graph); g++) {
        const gpri_graph *one = gpri_graph_at(graph, g);
        gpri_mapped_graph entry = {.arcs = one->arcs,
                                   .self_loops = one->self_loops,
                                   .duplicates = one->duplicates,
                                   .isolated = one->isolated,
                                   .mutual = mutual_of(one),
                                   .arrays = (one->weight ? GPRI_HAS_WEIGHT : 0) | (one->sides ? GPRI_HAS_SIDES : 0) |
                                             (one->along ? GPRI_HAS_ALONG : 0)};
        if (g > 0) strncpy(entry.name, graph->relations[g - 1].name, sizeof entry.name - 1);
        NEED(gpri_mapped_append(writer, &entry, sizeof entry));
    }
    return gpri_mapped_end(writer);
}

static gpr_status put_graph(gpri_mapped_writer *writer, const gpri_graph *graph) {
    gpri_mapped_set_graph(writer, graph);
    for (int kind = 0; gpri_mapped_is_graphs((gpri_mapped_kind)kind); kind++)
        NEED(put_arrays(writer, graph, (gpri_mapped_kind)kind));
    return put_list(writer, graph);
}

gpr_status gpri_write_mapped_ticking(gpr_ctx *ctx, const gpr_dataset *data, const char *path, int64_t shards,
                                     gpri_tick tick) {
    gpr_status status = GPR_OK;
    gpri_mapped_writer writer = {.ctx = NULL};
    if (shards > 0 && data->graph.relation_count > 0)
        THROW(GPR_ERROR_ARGUMENT,
              "`shards` is %lld: data with several kinds of edges is not cut into shards, as the rows of a filter of "
              "several are not dealt out; leave `shards` out",
              (long long)shards);
    TRY(gpri_mapped_create(ctx, &writer, path));
    writer.tick = tick;
    writer.shards = shards;
    TRY(put_graph(&writer, &data->graph));
    TRY(gpri_mapped_put_nodes(&writer, data));
    gpri_fingerprint_halves(writer.header.fingerprint, data);
    TRY(gpri_dataset_unchanged(ctx, data, true));
    TRY(gpri_mapped_commit(&writer));
done:
    gpri_mapped_discard(&writer);
    return status;
}

gpr_status gpri_write_mapped(gpr_ctx *ctx, const gpr_dataset *data, const char *path) {
    return gpri_write_mapped_ticking(ctx, data, path, 0, (gpri_tick){NULL, NULL});
}
