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

/* sealed: the fingerprint is corrected too, if all else is valid. */
static inline void try_mapped(const uint8_t *bytes, size_t size, bool sealed) {
    gpr_ctx *ctx = fuzz_context();
    gpr_dataset *data;
    gpr_status status = gpri_read_mapped(ctx, &data, input_path(bytes, size));
    check_opened(status, data);
    if (data) {
        status = gpri_mapped_check(ctx, 1, data->backing.file);
        if (status != GPR_OK && sealed && strstr(gpr_last_error(), "fingerprint")) {
            gpri_fingerprint_arrays(((gpri_mapped *)data->backing.file)->header.fingerprint, data);
            status = gpri_mapped_check(ctx, 1, data->backing.file);
            if (status != GPR_OK) abort();
        }
        if ((gpri_dataset_ready(ctx, data) == GPR_OK) != (status == GPR_OK)) abort();
        if (status == GPR_OK) use_dataset(ctx, data);
        else if (status != GPR_ERROR_FORMAT) abort();
    }
    gpr_dataset_free(data);
    fuzz_context_free(ctx);
}

#endif
