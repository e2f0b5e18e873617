/* Geom-GCN's two texts (members.h). */
#include "io/readers.h"
#include "members.h"
#include "text.h"
#include "use.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const char *const names[] = {"out1_node_feature_label.txt", "out1_graph_edges.txt"};
    gpr_ctx *ctx = fuzz_context();
    gpr_dataset *data;
    members_write(names, 2, bytes, size);
    const gpr_status status = gpri_read_geomgcn(ctx, &data, folder);
    check_opened(status, data);
    if (data) use_dataset(ctx, data);
    gpr_dataset_free(data);
    fuzz_context_free(ctx);
    return 0;
}

static const dictionary words =
    DICTIONARY("node_id\tfeature\tlabel", "node_id1\tnode_id2", "0,1,0", "1", "\t", "931,0");
static const members_form form = {2, 0, {{mutate_text, &words}, {mutate_text, &words}}};

FUZZ_MUTATOR(mutate_members, &form)
FUZZ_CROSSING(cross_members, &form)
