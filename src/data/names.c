#include "data/names.h"

#include <string.h>

gpr_status gpri_names_copy(gpr_ctx *ctx, gpri_names *names, const char *const *texts, int64_t count) {
    gpr_status status = GPR_OK;
    int64_t end = 0;
    *names = (gpri_names){.count = count};
    TRY(gpri_alloc(ctx, &names->start, count + 1, sizeof *names->start, "names"));
    for (int64_t i = 0; i < count; i++) {
        names->start[i] = end;
        end += (int64_t)strlen(texts[i]) + 1;
    }
    names->start[count] = end;
    TRY(gpri_alloc(ctx, &names->bytes, end, 1, "names"));
    for (int64_t i = 0; i < count; i++)
        memcpy(names->bytes + names->start[i], texts[i], (size_t)(names->start[i + 1] - names->start[i]));
done:
    if (status != GPR_OK) gpri_names_free(ctx, names);
    return status;
}

const char *gpri_name(const gpri_names *names, int64_t number) {
    return number >= 0 && number < names->count ? names->bytes + names->start[number] : NULL;
}

void gpri_names_free(gpr_ctx *ctx, gpri_names *names) {
    gpri_free(ctx, names->start);
    gpri_free(ctx, names->bytes);
    *names = (gpri_names){0};
}
