/* What the processes of a study tell each other: kept runs as they lie in memory, and finished ones as the line of the
 * file, which process 0 writes. */
#include "search/together.h"

#include <stdio.h>
#include <string.h>

#include "dist/all.h"
#include "dist/notes.h"
#include "tensor/device.h"

/* ---- the same runs in all ---- */

/* A run as it travels; then its numbers of gamma and of the history. */
typedef struct {
    gpri_kept_run run; /* its pointers mean nothing */
    int64_t gamma, history;
} parcel;

static parcel parcel_of(const gpri_kept_run *run) {
    parcel out;
    memset(&out, 0, sizeof out);
    out.run = *run;
    out.run.gamma = out.run.history = NULL;
    out.gamma = run->gamma ? run->gamma_count : 0;
    out.history = run->history ? run->rows * run->gamma_count : 0;
    return out;
}

static int64_t size_of(const parcel *head) {
    return (int64_t)sizeof *head + (head->gamma + head->history) * (int64_t)sizeof(float);
}

/* The bytes of all runs from place `first` on; to NULL: only counts them. */
static int64_t pack(const gpri_kept_file *file, int64_t first, char *to) {
    int64_t size = 0;
    for (int64_t i = 0; i < file->count; i++) {
        const gpri_kept_run *run = &file->runs[i];
        const parcel head = parcel_of(run);
        if (run->place < first) continue;
        if (to) {
            char *at = to + size;
            memcpy(at, &head, sizeof head);
            at += sizeof head;
            if (head.gamma > 0) memcpy(at, run->gamma, (size_t)head.gamma * sizeof(float));
            at += head.gamma * (int64_t)sizeof(float);
            if (head.history > 0) memcpy(at, run->history, (size_t)head.history * sizeof(float));
        }
        size += size_of(&head);
    }
    return size;
}

static gpr_status copy(gpr_ctx *ctx, float **out, const char *from, int64_t count) {
    if (count == 0) return GPR_OK;
    return gpri_copy(ctx, out, from, count, sizeof **out, "gamma");
}

static gpr_status unpack(gpri_kept_file *file, const char *from, int64_t size) {
    gpr_status status = GPR_OK;
    for (int64_t at = 0; at < size;) {
        parcel head;
        memcpy(&head, from + at, sizeof head);
        gpri_kept_run run = head.run;
        status = copy(file->ctx, &run.gamma, from + at + sizeof head, head.gamma);
        if (status == GPR_OK)
            status = copy(file->ctx, &run.history, from + at + sizeof head + head.gamma * (int64_t)sizeof(float),
                          head.history);
        if (status == GPR_OK) status = gpri_kept_file_take(file, &run);
        else gpri_kept_run_free(file->ctx, &run);
        if (status != GPR_OK) break;
        at += size_of(&head);
    }
    return status;
}

gpr_status gpri_study_share(gpr_study *study, int64_t first) {
    gpr_ctx *ctx = study->ctx;
    const bool is_first = gpri_is_first_process(ctx);
    gpri_kept_file *file = &study->kept;
    gpr_status status = GPR_OK;
    char *bytes = NULL;
    int64_t size = 0;
    if (gpri_process_count(ctx) == 1) return GPR_OK;
    if (is_first) size = pack(file, first, NULL);
    else gpri_kept_file_forget(file, first);
    gpri_all_hear(ctx, &size, sizeof size, 0);
    if (size == 0) return GPR_OK;
    TRY(gpri_all_well(ctx, gpri_alloc(ctx, &bytes, size, 1, "kept runs")));
    if (is_first) pack(file, first, bytes);
    gpri_all_hear(ctx, bytes, size, 0);
    if (!is_first) status = unpack(file, bytes, size);
    TRY(gpri_all_well(ctx, status));
done:
    gpri_free(ctx, bytes);
    return status;
}

gpr_status gpri_study_match(const gpr_study *study) {
    uint64_t hash = 0;
    char text[64];
    for (int64_t c = 0; c < study->count; c++) {
        const gpri_cell *cell = &study->cells[c];
        for (const char *at = cell->key; *at; at++) hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
        hash = (hash ^ cell->seed) * 0x100000001b3u;
        hash = (hash ^ (uint64_t)cell->runs) * 0x100000001b3u;
        hash = (hash ^ (uint64_t)cell->measures) * 0x100000001b3u;
    }
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    NEED(gpri_all_same(study->ctx, text, "other data or options", "give the same files and options to all"));
    return gpri_all_same(study->ctx, study->ctx->job.device->ops->name, "other kernels",
                         "its CPU is of another kind: give all the same `cpu`");
}

/* ---- finished runs ---- */

gpr_status gpri_study_tell(gpr_study *study, int64_t cell, gpri_kept_run *run, const gpri_run_origin *origin) {
    const gpri_told_run head = {cell, run->seed};
    gpri_text line = {.ctx = study->ctx};
    gpr_status status = gpri_kept_run_write(&line, run, origin);
    if (status == GPR_OK) status = gpri_note_post(study->ctx, &head, sizeof head, line.bytes, line.size);
    gpri_text_free(&line);
    gpri_kept_run_free(study->ctx, run);
    return status;
}

gpr_status gpri_study_hear(gpr_study *study, gpri_told_run *out, bool *found) {
    gpri_note note;
    gpr_status status = gpri_note_take(study->ctx, &note);
    *out = (gpri_told_run){-1, 0};
    *found = note.came;
    if (status != GPR_OK || note.size == 0) return status;
    memcpy(out, note.bytes, sizeof *out);
    status = gpri_kept_file_add_line(&study->kept, note.bytes + sizeof *out, note.size - (int64_t)sizeof *out);
    gpri_free(study->ctx, note.bytes);
    return status;
}
