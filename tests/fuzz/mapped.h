/* A .gpr file of any bytes: a status, never a fault; accepted data can be described and split. */
#ifndef FUZZ_MAPPED_H
#define FUZZ_MAPPED_H

#define FUZZ_BOUNDED
#include "data/describe.h"
#include "input.h"
#include "io/mapped/mapped.h"
#include "io/readers.h"
#include "sections.h"
#include "use.h"

/* If all but the fingerprint is valid, it becomes right. */
static inline void correct_fingerprint(uint8_t *bytes, size_t size) {
    gpr_ctx *ctx = fuzz_context();
    gpr_dataset *data;
    gpri_mapped_header header;
    if (gpri_read_mapped(ctx, &data, input_path(bytes, size)) == GPR_OK &&
        gpri_mapped_check(ctx, 1, NULL, data->backing.file) != GPR_OK && strstr(gpr_last_error(), "fingerprint")) {
        memcpy(&header, bytes, sizeof header);
        gpri_fingerprint_arrays(header.fingerprint, data);
        memcpy(bytes, &header, sizeof header);
        mapped_correct(bytes, size);
    }
    gpr_dataset_free(data);
    fuzz_context_free(ctx);
}

/* sealed: its fingerprint is right, unless something else is wrong. */
static inline void try_mapped(const uint8_t *bytes, size_t size, bool sealed) {
    gpr_ctx *ctx = fuzz_context();
    gpr_dataset *data;
    gpr_status status = gpri_read_mapped(ctx, &data, input_path(bytes, size));
    check_opened(status, data);
    if (data) {
        status = gpri_mapped_check(ctx, 1, NULL, data->backing.file);
        if (status != GPR_OK && sealed && strstr(gpr_last_error(), "fingerprint")) abort();
        if ((gpri_dataset_ready(ctx, data) == GPR_OK) != (status == GPR_OK)) abort();
        if (status == GPR_OK) use_dataset(ctx, data);
        else if (status != GPR_ERROR_FORMAT) abort();
    }
    gpr_dataset_free(data);
    fuzz_context_free(ctx);
}

#endif
