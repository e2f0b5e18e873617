/* The arrays of a dataset that lie in a .gpr file: nothing is copied. */
#include "io/mapped/mapped.h"

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

void gpri_mapped_arrays(gpr_dataset *data, const gpri_mapped *file) {
    const gpri_mapped_header *header = &file->header;
    data->graph = (gpri_graph){.nodes = header->nodes,
                               .arcs = header->arcs,
                               .rowptr = gpri_mapped_section_of(file, GPRI_ROWPTR),
                               .column = gpri_mapped_section_of(file, GPRI_COLUMN),
                               .weight = gpri_mapped_section_of(file, GPRI_WEIGHT),
                               .self_loops = header->self_loops,
                               .duplicates = header->duplicates,
                               .isolated = header->isolated,
                               .mutual = header->mutual,
                               .moved = file->slots[GPRI_NODE_ORDER] >= 0};
    data->features = (gpri_feature_matrix){.rows = header->nodes,
                                           .cols = header->features,
                                           .nnz = header->feature_nnz,
                                           .dense = gpri_mapped_section_of(file, GPRI_DENSE),
                                           .rowptr = gpri_mapped_section_of(file, GPRI_FEATURE_ROWPTR),
                                           .column = gpri_mapped_section_of(file, GPRI_FEATURE_COLUMN),
                                           .value = gpri_mapped_section_of(file, GPRI_FEATURE_VALUE)};
    data->labels = gpri_mapped_section_of(file, GPRI_LABELS);
    data->classes = header->classes;
    data->class_names = names_of(file, GPRI_CLASS_STARTS, GPRI_CLASS_NAMES, header->classes);
    data->node_ids = names_of(file, GPRI_NODE_STARTS, GPRI_NODE_IDS, header->nodes);
    data->feature_names = names_of(file, GPRI_FEATURE_STARTS, GPRI_FEATURE_NAMES, header->features);
    data->order = gpri_mapped_section_of(file, GPRI_NODE_ORDER);
    data->mixed_columns = header->mixed_columns != 0;
    data->from_table = header->from_table != 0;
    data->generated = header->generated != 0;
    data->phi = header->phi;
}
