/* A split as OGB has it: a folder with train.csv.gz, valid.csv.gz and test.csv.gz (packed or not), one node per line.
 */
#include "base/text.h"
#include "file/path.h"
#include "io/text/delimited.h"
#include "io/text/split_lists.h"

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
