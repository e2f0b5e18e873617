/* Features and labels of a graph from files of their own (members.h): arrays, archives, svmlight, tables. The first
 * byte chooses their names, by which readers are chosen, and the options. */
#include "any_file.h"
#include "members.h"
#include "use.h"

enum { FEATURES = 4, LABELS = 3, PARTS = FEATURES + LABELS };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const char *const names[PARTS + 1] = {"x.npy", "x.npz", "x.svm", "x.csv",
                                                 "y.npy", "y.csv", "y.txt", "e.csv"};
    static const char edges[] = "0 1\n1 2\n2 3\n3 0\n";
    static const char *const headers[] = {NULL, "yes", "no"}, *const columns[] = {NULL, "1", "2", "label"};
    const uint8_t choice = size ? *bytes : 0;
    const int x = choice % FEATURES, y = FEATURES + choice / 4 % LABELS;
    gpr_ctx *ctx = fuzz_context();
    gpr_dataset *data;
    member both[2];
    members_of(both, 2, bytes + !!size, size - !!size);
    folder_open(names, PARTS + 1);
    folder_write(x, both[0].bytes, both[0].size);
    folder_write(y, both[1].bytes, both[1].size);
    folder_write(PARTS, (const uint8_t *)edges, sizeof edges - 1);
    const gpr_open_options options = {.struct_size = sizeof options,
                                      .edges = links[PARTS],
                                      .features = both[0].size ? links[x] : NULL,
                                      .labels = both[1].size ? links[y] : NULL,
                                      .label = both[1].size ? columns[choice / 16 % 4] : NULL,
                                      .header = headers[choice / 64 % 3],
                                      .model_features = choice & 64 ? 5 : 0};
    const gpr_status status = gpr_dataset_open_with(ctx, &data, &options);
    check_opened(status, data);
    if (data) use_dataset(ctx, data);
    gpr_dataset_free(data);
    fuzz_context_free(ctx);
    return 0;
}

static const dictionary words = DICTIONARY("1:1", "2:0.5", "label", "id", "nan", "a", "0", "1", "2", "3");
static const members_form form = {2, 1, {{mutate_any_file, &words}, {mutate_any_file, &words}}};

FUZZ_MUTATOR(mutate_members, &form)
FUZZ_CROSSING(cross_members, &form)
