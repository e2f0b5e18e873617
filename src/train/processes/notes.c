/* Runs that are dealt out, while they are trained: process p trains the runs p, p + P, p + 2 P, ... The states that a
 * run folder keeps go to process 0 as notes, which it looks for after each of its own epochs. */
#include <string.h>
#include <time.h>

#include "train/processes/processes.h"

static bool deals_runs(const gpri_experiment *experiment) {
    return gpri_dealt_out(experiment->ctx) == GPRI_SPREAD_RUNS;
}

int64_t gpri_processes_runs(const gpri_experiment *experiment) {
    if (gpri_spreads_rows(experiment->ctx)) return 1;
    return deals_runs(experiment) ? gpri_chunk_count(experiment->limit, experiment->ctx->group->size)
                                  : experiment->limit;
}

bool gpri_processes_own_run(const gpri_experiment *experiment, int64_t run) {
    const gpri_group *group = experiment->ctx->group;
    return !deals_runs(experiment) || run % group->size == group->rank;
}

/* ---- states for process 0 ---- */

typedef struct {
    int64_t run, runs, epoch, finished;
} note_head;

bool gpri_processes_posts(const gpri_experiment *experiment) {
    return deals_runs(experiment) && experiment->ctx->group->root_saves && experiment->ctx->group->rank > 0 &&
           experiment->notes_ended == 0;
}

void gpri_processes_post(gpri_experiment *experiment, const gpr_save_info *info) {
    gpri_group *group = experiment->ctx->group;
    const note_head head = {info->run, info->runs, info->epoch, info->finished};
    char *note = NULL;
    if (gpri_alloc(experiment->ctx, &note, (int64_t)(sizeof head + info->size), 1, "state") != GPR_OK)
        return; /* the next one */
    memcpy(note, &head, sizeof head);
    memcpy(note + sizeof head, info->bytes, info->size);
    group->post(group, note, (int64_t)(sizeof head + info->size));
    gpri_free(experiment->ctx, note);
}

/* Takes the notes that are there. A note of no bytes says that its process has no more. */
static int64_t take_notes(gpri_experiment *experiment) {
    gpri_group *group = experiment->ctx->group;
    int64_t size, ended = 0;
    gpri_acquire(&experiment->saving);
    while (group->look(group, &size)) {
        char *note = NULL;
        note_head head;
        ended += size == 0;
        if (size == 0) continue;
        if (gpri_alloc(experiment->ctx, &note, size, 1, "state") != GPR_OK) { /* it must be taken away all the same */
            group->abandon(group, size);
            continue;
        }
        group->read(group, note, size);
        memcpy(&head, note, sizeof head);
        const gpr_save_info info = {.struct_size = sizeof info,
                                    .run = head.run,
                                    .runs = head.runs,
                                    .epoch = head.epoch,
                                    .finished = (int)head.finished,
                                    .bytes = note + sizeof head,
                                    .size = (size_t)size - sizeof head};
        gpri_fail(GPR_OK, "the caller's function failed");
        if (experiment->options.save(experiment->options.user, &info) != 0)
            gpri_log(experiment->ctx, GPR_LOG_WARNING,
                     "the state of run %lld could not be saved; the training goes on: %s", (long long)head.run,
                     gpr_last_error());
        gpri_free(experiment->ctx, note);
    }
    gpri_release(&experiment->saving);
    return ended;
}

void gpri_processes_look(gpri_experiment *experiment) {
    if (deals_runs(experiment) && experiment->ctx->group->root_saves && experiment->ctx->group->rank == 0)
        experiment->notes_ended += take_notes(experiment);
}

/* All states have come before the runs are collected: a process that posts is not yet there. */
void gpri_processes_end_notes(gpri_experiment *experiment) {
    gpri_group *group = experiment->ctx->group;
    const struct timespec some = {0, 2000000};
    if (!experiment->ctx->group->root_saves) return;
    if (group->rank > 0) {
        group->post(group, NULL, 0);
        experiment->notes_ended = 1; /* nobody would take another one */
    }
    while (group->rank == 0 && experiment->notes_ended < group->size - 1) {
        experiment->notes_ended += take_notes(experiment);
        nanosleep(&some, NULL);
    }
}
