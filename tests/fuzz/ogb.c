/* OGB's four texts and the three lists of a split (members.h). */
#include "io/readers.h"
#include "io/split.h"
#include "io/text/split_lists.h"
#include "members.h"
#include "text.h"
#include "use.h"

enum { PARTS = 7 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const char *const names[PARTS] = {"num-node-list.csv", "edge.csv",  "node-feat.csv", "node-label.csv",
                                             "train.csv",         "valid.csv", "test.csv"};
    gpr_ctx *ctx = fuzz_context();
    gpr_dataset *data;
    members_write(names, PARTS, bytes, size);
    const gpr_status status = gpri_read_ogb(ctx, &data, folder, NULL);
    check_opened(status, data);
    if (data) {
        uint8_t *part = malloc((size_t)data->graph.nodes);
        if (part && gpri_split_read_folder(ctx, part, data->graph.nodes, folder) != GPR_OK && !gpr_last_error()[0])
            abort();
        free(part);
        use_dataset(ctx, data);
    }
    gpr_dataset_free(data);
    fuzz_context_free(ctx);
    return 0;
}

static const dictionary words = DICTIONARY("0,1", "0", "1", "nan", "2.5,3");
static const members_form form = {PARTS,
                                  0,
                                  {{mutate_text, &words},
                                   {mutate_text, &words},
                                   {mutate_text, &words},
                                   {mutate_text, &words},
                                   {mutate_text, &words},
                                   {mutate_text, &words},
                                   {mutate_text, &words}}};

FUZZ_MUTATOR(mutate_members, &form)
FUZZ_CROSSING(cross_members, &form)
