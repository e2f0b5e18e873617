/* Tables of text: the same rows whatever the size of the pieces, which the first byte gives. */
#include <string.h>

#include "context.h"
#include "input.h"
#include "io/text/delimited.h"
#include "text.h"

/* FNV-1a of all fields, with what is between them. */
static uint64_t hash(uint64_t h, const char *text, int64_t size) {
    for (int64_t i = 0; i < size; i++) h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
    return (h ^ 0x1ff) * 0x100000001b3u;
}

static gpr_status read_table(gpr_ctx *ctx, const char *path, int64_t piece, uint64_t *sum) {
    gpr_status status = GPR_OK;
    gpri_delimited *table;
    const gpri_field *fields;
    int64_t count, line = 0;
    const gpri_delimited_options options = {.ragged = true, .piece = piece};
    *sum = 0;
    TRY(gpri_delimited_open(ctx, &table, path, &options));
    for (;;) {
        TRY(gpri_delimited_next(table, &fields, &count));
        if (count == 0) break;
        if (gpri_delimited_line(table) <= line) abort();
        line = gpri_delimited_line(table);
        for (int64_t i = 0; i < count; i++) *sum = hash(*sum, fields[i].text, fields[i].size);
        *sum = hash(*sum, (const char *)&line, sizeof line);
    }
done:
    gpri_delimited_close(table);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size < 1) return 0;
    gpr_ctx *ctx = fuzz_context();
    uint64_t first, second;
    const char *path = input_path(bytes + 1, size - 1);
    const gpr_status status = read_table(ctx, path, 0, &first);
    const gpr_status again = read_table(ctx, path, bytes[0] + 1, &second);
    if (again != status && again != GPR_ERROR_MEMORY && status != GPR_ERROR_MEMORY) abort();
    if (status == GPR_OK && again == GPR_OK && first != second) abort();
    fuzz_context_free(ctx);
    return 0;
}

static const dictionary words =
    DICTIONARY("src", "dst", "source", "target", "from", "to", "weight", "w", "id", "label", "a", "\"b\"", "#", "%");

FUZZ_MUTATOR(mutate_skipping_one, &words)
