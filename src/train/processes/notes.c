/* Runs that are dealt out, while they are trained: process p trains the runs p, p + P, p + 2 P, ... The states that a
 * run folder keeps go to process 0 as notes, which it looks for after each of its own epochs. */
#include <string.h>

#include "dist/notes.h"
#include "train/processes/processes.h"

static bool deals_runs(const gpri_experiment *experiment) {
    return gpri_dealt_out(experiment->ctx) == GPRI_SPREAD_RUNS;
}

int64_t gpri_processes_runs(const gpri_experiment *experiment) {
    if (gpri_spreads_rows(experiment->ctx)) return 1;
    return deals_runs(experiment) ? gpri_chunk_count(experiment->limit, gpri_process_count(experiment->ctx))
                                  : experiment->limit;
}

bool gpri_processes_own_run(const gpri_experiment *experiment, int64_t run) {
    return !deals_runs(experiment) || run % gpri_process_count(experiment->ctx) == gpri_process_number(experiment->ctx);
}

/* ---- states for process 0 ---- */

typedef struct {
    int64_t run, runs, epoch, finished;
} note_head;

bool gpri_processes_posts(const gpri_experiment *experiment) {
    return deals_runs(experiment) && gpri_first_saves(experiment->ctx) && !gpri_is_first_process(experiment->ctx) &&
           experiment->notes_ended == 0;
}

void gpri_processes_post(gpri_experiment *experiment, const gpr_save_info *info) {
    const note_head head = {info->run, info->runs, info->epoch, info->finished};
    if (gpri_note_post(experiment->ctx, &head, sizeof head, info->bytes, (int64_t)info->size) != GPR_OK)
        return; /* without memory: the next one */
}

/* Takes the notes that are there. Returns how many processes have no more. */
static int64_t take_notes(gpri_experiment *experiment) {
    gpri_note note;
    int64_t ended = 0;
    gpri_acquire(&experiment->saving);
    do {
        note_head head;
        const gpr_status status = gpri_note_take(experiment->ctx, &note);
        ended += note.end;
        if (status != GPR_OK || note.size == 0) continue;
        memcpy(&head, note.bytes, sizeof head);
        const gpr_save_info info = {.struct_size = sizeof info,
                                    .run = head.run,
                                    .runs = head.runs,
                                    .epoch = head.epoch,
                                    .finished = (int)head.finished,
                                    .bytes = note.bytes + sizeof head,
                                    .size = (size_t)note.size - sizeof head};
        gpri_fail(GPR_OK, "the caller's function failed");
        if (experiment->options.save(experiment->options.user, &info) != 0)
            gpri_log(experiment->ctx, GPR_LOG_WARNING,
                     "the state of run %lld could not be saved; the training goes on: %s", (long long)head.run,
                     gpr_last_error());
        gpri_free(experiment->ctx, note.bytes);
    } while (note.came);
    gpri_release(&experiment->saving);
    return ended;
}

void gpri_processes_look(gpri_experiment *experiment) {
    if (deals_runs(experiment) && gpri_first_saves(experiment->ctx) && gpri_is_first_process(experiment->ctx))
        experiment->notes_ended += take_notes(experiment);
}

/* All states have come before the runs are collected: a process that posts is not yet there. */
void gpri_processes_end_notes(gpri_experiment *experiment) {
    const gpr_ctx *ctx = experiment->ctx;
    if (!gpri_first_saves(ctx)) return;
    if (!gpri_is_first_process(ctx)) {
        gpri_note_post_end(experiment->ctx);
        experiment->notes_ended = 1; /* nobody would take another one */
    }
    while (gpri_is_first_process(ctx) && experiment->notes_ended < gpri_process_count(ctx) - 1) {
        experiment->notes_ended += take_notes(experiment);
        gpri_note_rest();
    }
}
