/* Planetoid's files (members.h): one list of nodes, five pickles. */
#define FUZZ_BOUNDED
#include "io/readers.h"
#include "members.h"
#include "opcodes.h"
#include "use.h"

enum { PARTS = 6 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const char *const names[PARTS] = {"ind.f.test.index", "ind.f.graph", "ind.f.ally",
                                             "ind.f.ty",         "ind.f.allx",  "ind.f.tx"};
    char prefix[80];
    gpr_ctx *ctx = fuzz_context();
    gpr_dataset *data;
    members_write(names, PARTS, bytes, size);
    snprintf(prefix, sizeof prefix, "%s/ind.f", folder);
    const gpr_status status = gpri_read_planetoid(ctx, &data, prefix);
    check_opened(status, data);
    if (data) use_dataset(ctx, data);
    gpr_dataset_free(data);
    fuzz_context_free(ctx);
    return 0;
}

static const members_form form = {PARTS,
                                  0,
                                  {{mutate_text, NULL},
                                   {mutate_pickle, NULL},
                                   {mutate_pickle, NULL},
                                   {mutate_pickle, NULL},
                                   {mutate_pickle, NULL},
                                   {mutate_pickle, NULL}}};

FUZZ_MUTATOR(mutate_members, &form)
FUZZ_CROSSING(cross_members, &form)
