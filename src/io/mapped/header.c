/* The header of a .gpr file: what it may say, and where it says that the arrays of a dataset lie. Nothing in the file
 * is trusted before this check. */
#include <math.h>
#include <string.h>

#include "file/checksum.h"
#include "io/mapped/mapped.h"

const gpri_mapped_form gpri_mapped_forms[GPRI_MAPPED_KINDS] = {
    [GPRI_ROWPTR] = {"graph.rowptr", "int64", 8, 1},
    [GPRI_COLUMN] = {"graph.column", "int32", 4, 1},
    [GPRI_WEIGHT] = {"graph.weight", "float32", 4, 1},
    [GPRI_EDGE_SIDES] = {"graph.sides", "bytes", 1, 2},
    [GPRI_EDGE_ALONG] = {"graph.along", "float32", 4, 2},
    [GPRI_GRAPHS] = {"graph.list", "bytes", 1, 2},
    [GPRI_DENSE] = {"feature.dense", "float32", 4, 1},
    [GPRI_FEATURE_ROWPTR] = {"feature.rowptr", "int64", 8, 1},
    [GPRI_FEATURE_COLUMN] = {"feature.column", "int32", 4, 1},
    [GPRI_FEATURE_VALUE] = {"feature.value", "float32", 4, 1},
    [GPRI_LABELS] = {"labels", "int32", 4, 1},
    [GPRI_TARGETS] = {"targets", "float32", 4, 3},
    [GPRI_CLASS_STARTS] = {"class.starts", "int64", 8, 1},
    [GPRI_CLASS_NAMES] = {"class.names", "bytes", 1, 1},
    [GPRI_NODE_STARTS] = {"node.starts", "int64", 8, 1},
    [GPRI_NODE_IDS] = {"node.ids", "bytes", 1, 1},
    [GPRI_FEATURE_STARTS] = {"feature.starts", "int64", 8, 1},
    [GPRI_FEATURE_NAMES] = {"feature.names", "bytes", 1, 1},
    [GPRI_NODE_ORDER] = {"node.order", "int32", 4, 1},
    [GPRI_NAME] = {"name", "bytes", 1, 1},
};

uint32_t gpri_mapped_header_checksum(const gpri_mapped_header *header) {
    gpri_mapped_header copy = *header;
    copy.checksum = 0;
    return gpri_checksum(0, &copy, sizeof copy);
}

/* Checks that it is such a file, of a known version, and whole. */
static gpr_status check_identity(const gpri_mapped_header *header, int64_t file_size) {
    if (memcmp(header->magic, GPRI_MAPPED_MAGIC, sizeof header->magic) != 0)
        return gpri_fail(GPR_ERROR_FORMAT, "not a .gpr file: it does not begin like one");
    if (header->order != GPRI_MAPPED_ORDER)
        return gpri_fail(GPR_ERROR_FORMAT,
                         "byte order mark %08x: expected %08x; the file comes from a machine of another byte order, or "
                         "is damaged: convert it to .npz there, and that file to .gpr here",
                         header->order, GPRI_MAPPED_ORDER);
    if (header->version < 1 || header->version > GPRI_MAPPED_VERSION)
        return gpri_fail(GPR_ERROR_FORMAT, "version %u of the format: this program reads versions 1 to %u%s",
                         header->version, GPRI_MAPPED_VERSION,
                         header->version > GPRI_MAPPED_VERSION ? "; a newer gprgnn wrote it, and can read it" : "");
    const uint32_t checksum = gpri_mapped_header_checksum(header);
    if (header->checksum != checksum)
        return gpri_fail(GPR_ERROR_FORMAT,
                         "the header is damaged: its checksum is %08x, it says %08x; convert the data again", checksum,
                         header->checksum);
    if (header->bytes != file_size)
        return gpri_fail(GPR_ERROR_FORMAT,
                         "the file has %lld bytes, its header says %lld: it was cut, or something was added",
                         (long long)file_size, (long long)header->bytes);
    return GPR_OK;
}

static gpr_status check_count(const char *what, int64_t count, int64_t least, int64_t most) {
    if (count >= least && count <= most) return GPR_OK;
    return gpri_fail(GPR_ERROR_FORMAT, "the header says %lld %s: there must be from %lld to %lld", (long long)count,
                     what, (long long)least, (long long)most);
}

/* Of the whole graph, or of a relation. */
static gpr_status check_graph(const gpri_mapped_graph *graph, int64_t nodes) {
    NEED(check_count("arcs", graph->arcs, 0, INT64_MAX));
    if (graph->arcs % 2 != 0)
        return gpri_fail(GPR_ERROR_FORMAT, "the header says %lld arcs: their number must be even, each edge has two",
                         (long long)graph->arcs);
    NEED(check_count("self loops", graph->self_loops, 0, INT64_MAX));
    NEED(check_count("duplicates", graph->duplicates, 0, INT64_MAX));
    NEED(check_count("isolated nodes", graph->isolated, 0, nodes));
    return check_count("edges in both directions", graph->mutual, 0, graph->arcs / 2);
}

/* What the header says of the whole graph. */
static gpri_mapped_graph whole_of(const gpri_mapped_header *header) {
    return (gpri_mapped_graph){.arcs = header->arcs,
                               .self_loops = header->self_loops,
                               .duplicates = header->duplicates,
                               .isolated = header->isolated,
                               .mutual = header->mutual};
}

static gpr_status check_counts(const gpri_mapped_header *header) {
    const gpri_mapped_graph whole = whole_of(header);
    NEED(check_count("sections", header->sections, 0, GPRI_MAPPED_SLOTS));
    NEED(check_count("nodes", header->nodes, 1, INT32_MAX - 1));
    NEED(check_count("features", header->features, 0, INT32_MAX - 1));
    NEED(check_count("features that are not 0", header->feature_nnz, 0, header->nodes * header->features));
    NEED(check_count("classes", header->classes, 0, GPRI_MOST_CLASSES));
    NEED(check_graph(&whole, header->nodes));
    NEED(check_count("marks of mixed columns", header->mixed_columns, 0, 1));
    NEED(check_count("marks of tables", header->from_table, 0, 1));
    NEED(check_count("marks of generated graphs", header->generated, 0, 1));
    if (!isnan(header->phi) && !(header->phi >= -1 && header->phi <= 1))
        return gpri_fail(GPR_ERROR_FORMAT, "the header says phi %g: it must be in [-1, 1], or NaN for none",
                         header->phi);
    return GPR_OK;
}

/* Text in a field of fixed size: ended by a NUL within it. */
static bool is_text(const char *field, size_t size) { return memchr(field, 0, size) != NULL; }

/* They follow each other without a gap, from the header to the end of the file. */
static gpr_status check_table(const gpri_mapped_header *header) {
    int64_t end = sizeof *header;
    for (uint32_t i = 0; i < header->sections; i++) {
        const gpri_mapped_section *section = &header->section[i];
        if (!is_text(section->name, sizeof section->name) || !is_text(section->type, sizeof section->type))
            return gpri_fail(GPR_ERROR_FORMAT, "section %u: its name or type has no end", i);
        if (section->offset != end)
            return gpri_fail(GPR_ERROR_FORMAT,
                             "section %s begins at byte %lld: expected %lld, where the part before it ends",
                             section->name, (long long)section->offset, (long long)end);
        if (section->bytes < 0 || section->bytes > header->bytes - end ||
            gpri_mapped_padded(section->bytes) > header->bytes - end)
            return gpri_fail(GPR_ERROR_FORMAT, "section %s has %lld bytes: %lld are left of the file", section->name,
                             (long long)section->bytes, (long long)(header->bytes - end));
        end += gpri_mapped_padded(section->bytes);
    }
    if (end != header->bytes)
        return gpri_fail(GPR_ERROR_FORMAT, "the sections end at byte %lld, the file at %lld", (long long)end,
                         (long long)header->bytes);
    return GPR_OK;
}

/* Elements that a section must have; -1: any number. */
static int64_t expected_count(gpri_mapped_kind kind, const gpri_mapped_header *header) {
    switch (kind) {
    case GPRI_COLUMN:
    case GPRI_WEIGHT:
    case GPRI_EDGE_SIDES:
    case GPRI_EDGE_ALONG: return header->arcs;
    case GPRI_DENSE: return header->nodes * header->features; /* both below 2^31 */
    case GPRI_FEATURE_COLUMN:
    case GPRI_FEATURE_VALUE: return header->feature_nnz;
    case GPRI_LABELS:
    case GPRI_TARGETS:
    case GPRI_NODE_ORDER: return header->nodes;
    case GPRI_CLASS_STARTS: return header->classes + 1;
    case GPRI_FEATURE_STARTS: return header->features + 1;
    case GPRI_ROWPTR:
    case GPRI_FEATURE_ROWPTR:
    case GPRI_NODE_STARTS: return header->nodes + 1;
    default: return -1;
    }
}

/* several: the arrays of several graphs, whose counts are known later. */
static gpr_status find_section(int *slot, const gpri_mapped_header *header, gpri_mapped_kind kind, bool several) {
    const gpri_mapped_form *form = &gpri_mapped_forms[kind];
    *slot = -1;
    if (header->version < form->version) return GPR_OK; /* then it was nobody's name */
    for (uint32_t i = 0; i < header->sections; i++) {
        const gpri_mapped_section *section = &header->section[i];
        if (strcmp(section->name, form->name) != 0) continue;
        if (*slot >= 0) return gpri_fail(GPR_ERROR_FORMAT, "there are two sections %s", form->name);
        if (strcmp(section->type, form->type) != 0)
            return gpri_fail(GPR_ERROR_FORMAT, "section %s is of type %s: expected %s", form->name, section->type,
                             form->type);
        const int64_t count = several && gpri_mapped_is_graphs(kind) ? -1 : expected_count(kind, header);
        int64_t bytes;
        if (count >= 0 && (!gpri_mul_size(count, form->size, &bytes) || bytes != section->bytes))
            return gpri_fail(GPR_ERROR_FORMAT, "section %s has %lld bytes: expected %lld numbers of %d", form->name,
                             (long long)section->bytes, (long long)count, form->size);
        *slot = (int)i;
    }
    return GPR_OK;
}

/* Sections that go together: all of them, or none. */
static gpr_status check_together(const int *slots, gpri_mapped_kind first, gpri_mapped_kind last) {
    for (int kind = (int)first; kind < (int)last; kind++)
        if ((slots[kind] < 0) != (slots[kind + 1] < 0))
            return gpri_fail(GPR_ERROR_FORMAT, "one of the sections %s and %s is missing", gpri_mapped_forms[kind].name,
                             gpri_mapped_forms[kind + 1].name);
    return GPR_OK;
}

gpr_status gpri_mapped_check_header(int *slots, const gpri_mapped_header *header, int64_t file_size) {
    static const gpri_mapped_kind always[] = {GPRI_ROWPTR, GPRI_COLUMN, GPRI_LABELS, GPRI_NAME};
    NEED(check_identity(header, file_size));
    NEED(check_counts(header));
    NEED(check_table(header));
    NEED(find_section(&slots[GPRI_GRAPHS], header, GPRI_GRAPHS, false));
    for (int kind = 0; kind < GPRI_MAPPED_KINDS; kind++)
        NEED(find_section(&slots[kind], header, (gpri_mapped_kind)kind, slots[GPRI_GRAPHS] >= 0));
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (slots[always[i]] < 0)
            return gpri_fail(GPR_ERROR_FORMAT, "the section %s is missing", gpri_mapped_forms[always[i]].name);
    if (slots[GPRI_EDGE_ALONG] >= 0 && slots[GPRI_EDGE_SIDES] < 0)
        return gpri_fail(GPR_ERROR_FORMAT, "there is a section graph.along, but no graph.sides");
    NEED(check_together(slots, GPRI_FEATURE_ROWPTR, GPRI_FEATURE_VALUE));
    NEED(check_together(slots, GPRI_CLASS_STARTS, GPRI_CLASS_NAMES));
    if (slots[GPRI_TARGETS] >= 0 && (header->classes != 1 || slots[GPRI_CLASS_STARTS] >= 0))
        return gpri_fail(GPR_ERROR_FORMAT, "there is a section targets, of numbers, and there are classes");
    NEED(check_together(slots, GPRI_NODE_STARTS, GPRI_NODE_IDS));
    NEED(check_together(slots, GPRI_FEATURE_STARTS, GPRI_FEATURE_NAMES));
    if ((slots[GPRI_DENSE] < 0) == (slots[GPRI_FEATURE_ROWPTR] < 0))
        return gpri_fail(GPR_ERROR_FORMAT,
                         "%s: expected the section feature.dense, or feature.rowptr with its two others",
                         slots[GPRI_DENSE] < 0 ? "no table of features" : "two tables of features");
    if (slots[GPRI_DENSE] >= 0 && header->features == 0)
        return gpri_fail(GPR_ERROR_FORMAT,
                         "there is a section feature.dense, but no features: expected feature.rowptr, all 0");
    const int64_t size = header->section[slots[GPRI_NAME]].bytes;
    if (size < 1 || size > GPRI_MAPPED_MOST_NAME)
        return gpri_fail(GPR_ERROR_FORMAT, "section name has %lld bytes: expected from 1 to %d", (long long)size,
                         GPRI_MAPPED_MOST_NAME);
    return GPR_OK;
}

/* ---- The arrays: nothing is copied ---- */

/* The arrays of a dataset are never written to. */
void *gpri_mapped_section_of(const gpri_mapped *file, gpri_mapped_kind kind) {
    const int slot = file->slots[kind];
    return slot < 0 ? NULL : (void *)(uintptr_t)(file->bytes + file->header.section[slot].offset);
}

static gpri_names names_of(const gpri_mapped *file, gpri_mapped_kind starts, gpri_mapped_kind bytes, int64_t count) {
    if (file->slots[starts] < 0) return (gpri_names){.count = 0};
    return (gpri_names){
        .count = count, .start = gpri_mapped_section_of(file, starts), .bytes = gpri_mapped_section_of(file, bytes)};
}

const void *gpri_mapped_array_of(const gpri_graph *graph, gpri_mapped_kind kind, int64_t *bytes) {
    const void *const arrays[] = {[GPRI_ROWPTR] = graph->rowptr,
                                  [GPRI_COLUMN] = graph->column,
                                  [GPRI_WEIGHT] = graph->weight,
                                  [GPRI_EDGE_SIDES] = graph->sides,
                                  [GPRI_EDGE_ALONG] = graph->along};
    const int64_t count = kind == GPRI_ROWPTR ? graph->nodes + 1 : graph->arcs;
    *bytes = arrays[kind] ? count * gpri_mapped_forms[kind].size : 0;
    return arrays[kind];
}

/* The graph whose arrays begin at these bytes of the sections, which move on. */
static gpri_graph graph_at(int64_t at[GPRI_GRAPH_ARRAYS], const gpri_mapped *file, const gpri_mapped_graph *from) {
    static const int64_t flags[] = {
        [GPRI_WEIGHT] = GPRI_HAS_WEIGHT, [GPRI_EDGE_SIDES] = GPRI_HAS_SIDES, [GPRI_EDGE_ALONG] = GPRI_HAS_ALONG};
    unsigned char *arrays[GPRI_GRAPH_ARRAYS];
    for (int kind = 0; kind < GPRI_GRAPH_ARRAYS; kind++) {
        const bool has = !flags[kind] || (from->arrays & flags[kind]);
        unsigned char *section = gpri_mapped_section_of(file, (gpri_mapped_kind)kind);
        arrays[kind] = has && section ? section + at[kind] : NULL;
        if (has) at[kind] += (kind == GPRI_ROWPTR ? file->header.nodes + 1 : from->arcs) * gpri_mapped_forms[kind].size;
    }
    return (gpri_graph){.nodes = file->header.nodes,
                        .arcs = from->arcs,
                        .rowptr = (void *)arrays[GPRI_ROWPTR],
                        .column = (void *)arrays[GPRI_COLUMN],
                        .weight = (void *)arrays[GPRI_WEIGHT],
                        .self_loops = from->self_loops,
                        .duplicates = from->duplicates,
                        .isolated = from->isolated,
                        .mutual = from->mutual,
                        .moved = file->slots[GPRI_NODE_ORDER] >= 0,
                        .sides = arrays[GPRI_EDGE_SIDES],
                        .along = (void *)arrays[GPRI_EDGE_ALONG]};
}

/* One entry of the list of graphs. before: the name of the one before it. */
static gpr_status check_entry(const gpri_mapped_graph *entry, int64_t place, const char *before,
                              const gpri_mapped_header *header) {
    const int64_t all = GPRI_HAS_WEIGHT | GPRI_HAS_SIDES | GPRI_HAS_ALONG, arrays = entry->arrays;
    gpr_status status = GPR_OK;
    if (!is_text(entry->name, sizeof entry->name))
        return gpri_fail(GPR_ERROR_FORMAT, "section graph.list, entry %lld: its name has no end", (long long)place);
    if (place > 0 && (!gpri_is_relation_name(entry->name, (int64_t)strlen(entry->name)) ||
                      (place > 1 && strcmp(before, entry->name) >= 0)))
        status = gpri_fail(GPR_ERROR_FORMAT, "its name must have letters, digits, '_', '-' and '.', and names must "
                                             "ascend");
    else if (arrays < 0 || arrays > all || ((arrays & GPRI_HAS_ALONG) && !(arrays & GPRI_HAS_SIDES)))
        status = gpri_fail(GPR_ERROR_FORMAT, "its arrays are %lld: a sum of 1, 2, and with 2 also 4 is expected",
                           (long long)arrays);
    else if (entry->arcs > header->bytes)
        status = gpri_fail(GPR_ERROR_FORMAT, "%lld arcs do not fit into the file", (long long)entry->arcs);
    else status = check_graph(entry, header->nodes);
    if (status != GPR_OK)
        gpri_fail_prefix(status, "section graph.list, entry %lld, '%s'", (long long)place, entry->name);
    return status;
}

/* The sections of the graph have all arrays that the list says, and nothing else. */
static gpr_status check_sizes(const gpri_mapped *file, const int64_t at[GPRI_GRAPH_ARRAYS]) {
    for (int kind = 0; kind < GPRI_GRAPH_ARRAYS; kind++) {
        const int slot = file->slots[kind];
        const int64_t bytes = slot < 0 ? 0 : file->header.section[slot].bytes;
        if (bytes != at[kind])
            return gpri_fail(GPR_ERROR_FORMAT, "section %s has %lld bytes: the graphs of graph.list have %lld",
                             gpri_mapped_forms[kind].name, (long long)bytes, (long long)at[kind]);
    }
    return GPR_OK;
}

gpr_status gpri_mapped_find_relations(gpr_ctx *ctx, gpri_mapped *file) {
    const gpri_mapped_header *header = &file->header;
    const gpri_mapped_graph whole = whole_of(header);
    gpri_mapped_graph list[1 + GPRI_MOST_RELATIONS];
    int64_t at[GPRI_GRAPH_ARRAYS] = {0};
    const int slot = file->slots[GPRI_GRAPHS];
    if (slot < 0) return GPR_OK;
    const int64_t bytes = header->section[slot].bytes, size = (int64_t)sizeof *list, count = bytes / size;
    if (bytes % size != 0 || count < 3 || count > 1 + GPRI_MOST_RELATIONS)
        return gpri_fail(GPR_ERROR_FORMAT, "section graph.list has %lld bytes: expected from 3 to %d entries of %lld",
                         (long long)bytes, 1 + GPRI_MOST_RELATIONS, (long long)size);
    const void *in_file = gpri_mapped_section_of(file, GPRI_GRAPHS);
    if (gpri_checksum(0, in_file, gpri_mapped_padded(bytes)) != header->section[slot].checksum)
        return gpri_fail(GPR_ERROR_FORMAT,
                         "section graph.list is damaged: its checksum is wrong; convert the data again");
    memcpy(list, in_file, (size_t)bytes);
    for (int64_t g = 0; g < count; g++) NEED(check_entry(&list[g], g, g > 0 ? list[g - 1].name : "", header));
    if (list[0].name[0] || list[0].arcs != whole.arcs || list[0].self_loops != whole.self_loops ||
        list[0].duplicates != whole.duplicates || list[0].isolated != whole.isolated ||
        list[0].mutual != whole.mutual || (list[0].arrays & GPRI_HAS_SIDES))
        return gpri_fail(GPR_ERROR_FORMAT,
                         "section graph.list, entry 0: expected the graph of the header, without name and directions");
    NEED(gpri_calloc(ctx, &file->relations, count - 1, sizeof *file->relations, "relations"));
    file->relation_count = count - 1;
    graph_at(at, file, &list[0]);
    for (int64_t g = 1; g < count; g++) {
        file->relations[g - 1].graph = graph_at(at, file, &list[g]);
        NEED(gpri_strdup(ctx, &file->relations[g - 1].name, list[g].name));
    }
    file->whole_arrays = list[0].arrays;
    return check_sizes(file, at);
}

void gpri_mapped_arrays(gpr_dataset *data, const gpri_mapped *file) {
    const gpri_mapped_header *header = &file->header;
    gpri_mapped_graph whole = whole_of(header);
    int64_t at[GPRI_GRAPH_ARRAYS] = {0};
    whole.arrays = file->relations ? file->whole_arrays : GPRI_HAS_WEIGHT | GPRI_HAS_SIDES | GPRI_HAS_ALONG;
    data->graph = graph_at(at, file, &whole);
    data->graph.relation_count = file->relation_count;
    data->graph.relations = file->relations;
    data->features = (gpri_feature_matrix){.rows = header->nodes,
                                           .cols = header->features,
                                           .nnz = header->feature_nnz,
                                           .dense = gpri_mapped_section_of(file, GPRI_DENSE),
                                           .rowptr = gpri_mapped_section_of(file, GPRI_FEATURE_ROWPTR),
                                           .column = gpri_mapped_section_of(file, GPRI_FEATURE_COLUMN),
                                           .value = gpri_mapped_section_of(file, GPRI_FEATURE_VALUE)};
    data->target.labels = gpri_mapped_section_of(file, GPRI_LABELS);
    data->target.numbers = gpri_mapped_section_of(file, GPRI_TARGETS);
    data->target.classes = header->classes;
    data->target.names = names_of(file, GPRI_CLASS_STARTS, GPRI_CLASS_NAMES, header->classes);
    data->node_ids = names_of(file, GPRI_NODE_STARTS, GPRI_NODE_IDS, header->nodes);
    data->feature_names = names_of(file, GPRI_FEATURE_STARTS, GPRI_FEATURE_NAMES, header->features);
    data->order = gpri_mapped_section_of(file, GPRI_NODE_ORDER);
    data->mixed_columns = header->mixed_columns != 0;
    data->from_table = header->from_table != 0;
    data->generated = header->generated != 0;
    data->phi = header->phi;
}
