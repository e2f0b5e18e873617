/* One file as users give it: the format is seen from its name and bytes, or said. The first byte chooses both. What was
 * read is written as .npz and as .gpr, and read again: it has the same fingerprint. */
#include "any_file.h"
#include "folder.h"
#include "use.h"

enum { NAMES = 6, FORMATS = 5 };

/* The written file goes where no other process looks. */
static void check_written(gpr_ctx *ctx, const gpr_dataset *data, const char *format) {
    char path[128];
    gpr_dataset *again;
    gpr_dataset_info one = {.struct_size = sizeof one}, other = {.struct_size = sizeof other};
    snprintf(path, sizeof path, "%s/written.%s", folder, format);
    gpr_status status = gpr_dataset_save(ctx, data, path);
    if (status == GPR_ERROR_MEMORY) return;
    if (status != GPR_OK) abort();
    status = gpr_dataset_open(ctx, &again, path, NULL);
    if (status == GPR_OK) {
        status = gpr_dataset_describe(ctx, again, &other);
        if (status == GPR_OK) status = gpr_dataset_describe(ctx, data, &one);
        if (status == GPR_OK && strcmp(one.fingerprint, other.fingerprint) != 0) abort();
    }
    if (status != GPR_OK && status != GPR_ERROR_MEMORY) abort();
    gpr_dataset_free(again);
    unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const char *const names[NAMES] = {"d.npz", "d.gpr", "d.csv", "d.mtx", "d.txt.gz", "d"};
    static const char *const formats[FORMATS] = {NULL, "npz", "gpr", "edges", "mtx"};
    const uint8_t choice = size ? *bytes : 0;
    gpr_ctx *ctx = fuzz_context();
    gpr_dataset *data;
    folder_open(names, NAMES);
    folder_write(choice % NAMES, bytes + !!size, size - !!size);
    const gpr_status status =
        gpr_dataset_open_as(ctx, &data, links[choice % NAMES], NULL, formats[choice / 8 % FORMATS]);
    check_opened(status, data);
    if (data && gpri_dataset_ready(ctx, data) == GPR_OK && use_dataset(ctx, data) == GPR_OK) {
        check_written(ctx, data, "npz");
        check_written(ctx, data, "gpr");
    }
    gpr_dataset_free(data);
    fuzz_context_free(ctx);
    return 0;
}

static const dictionary words =
    DICTIONARY("src", "dst", "weight", "0", "1", "2", "a", "%%MatrixMarket matrix coordinate real general");

static void mutate_open(blob *b, chance *c, const void *how) {
    const uint8_t first = b->size > 0 && !one_in(c, 12) ? b->bytes[0] : (uint8_t)below(c, 64);
    if (b->size > 0) blob_replace(b, 0, 1, NULL, 0);
    mutate_any_file(b, c, how);
    blob_replace(b, 0, 0, &first, 1);
}

FUZZ_MUTATOR(mutate_open, &words)
