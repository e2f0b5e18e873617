/* Notes for process 0. */
#include "dist/notes.h"

#include <string.h>
#include <time.h>

#include "dist/group.h"

gpr_status gpri_note_post(gpr_ctx *ctx, const void *head, int64_t head_size, const void *bytes, int64_t size) {
    char *note = NULL;
    NEED(gpri_alloc(ctx, &note, head_size + size, 1, "a note for process 0"));
    memcpy(note, head, (size_t)head_size);
    memcpy(note + head_size, bytes, (size_t)size);
    ctx->job.group->post(ctx->job.group, note, head_size + size);
    gpri_free(ctx, note);
    return GPR_OK;
}

void gpri_note_post_end(gpr_ctx *ctx) { ctx->job.group->post(ctx->job.group, NULL, 0); }

gpr_status gpri_note_take(gpr_ctx *ctx, gpri_note *out) {
    gpri_group *group = ctx->job.group;
    *out = (gpri_note){0};
    if (!group || !group->look(group, &out->size)) return GPR_OK;
    out->came = true;
    out->end = out->size == 0;
    if (out->end) return GPR_OK;
    const gpr_status status = gpri_alloc(ctx, &out->bytes, out->size, 1, "a note for process 0");
    if (status == GPR_OK) group->read(group, out->bytes, out->size);
    else group->abandon(group, out->size);
    return status;
}

void gpri_note_rest(void) {
    const struct timespec some = {0, 2000000};
    nanosleep(&some, NULL);
}
