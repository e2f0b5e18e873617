/* Runs that are dealt out, while they are trained: process p trains the runs p, p + P, p + 2 P, ... The states that a
 * run folder keeps go to process 0 as notes, which it looks for after each of its own epochs. */
#include <string.h>
#include <time.h>

#include "train/processes/processes.h"

static bool deals_runs(const gpri_experiment *all) { return all->ctx->spread == GPRI_SPREAD_RUNS; }

int64_t gpri_processes_runs(const gpri_experiment *all) {
    if (gpri_spreads_rows(all->ctx)) return 1;
    return deals_runs(all) ? gpri_chunk_count(all->limit, all->ctx->group->size) : all->limit;
}

bool gpri_processes_own_run(const gpri_experiment *all, int64_t run) {
    const gpri_group *group = all->ctx->group;
    return !deals_runs(all) || run % group->size == group->rank;
}

/* ---- states for process 0 ---- */

typedef struct {
    int64_t run, runs, epoch, finished;
} note_head;

bool gpri_processes_posts(const gpri_experiment *all) {
    return deals_runs(all) && all->ctx->root_saves && all->ctx->group->rank > 0 && all->notes_ended == 0;
}

void gpri_processes_post(gpri_experiment *all, const gpr_save_info *info) {
    gpri_group *group = all->ctx->group;
    const note_head head = {info->run, info->runs, info->epoch, info->finished};
    char *note = NULL;
    if (gpri_alloc(all->ctx, &note, (int64_t)(sizeof head + info->size), 1, "state") != GPR_OK)
        return; /* the next one */
    memcpy(note, &head, sizeof head);
    memcpy(note + sizeof head, info->bytes, info->size);
    group->post(group, note, (int64_t)(sizeof head + info->size));
    gpri_free(all->ctx, note);
}

/* Takes the notes that are there. A note of no bytes says that its process has no more. */
static int64_t take_notes(gpri_experiment *all) {
    gpri_group *group = all->ctx->group;
    int64_t size, ended = 0;
    gpri_acquire(&all->saving);
    while (group->look(group, &size)) {
        char *note = NULL;
        note_head head;
        ended += size == 0;
        if (size == 0) continue;
        if (gpri_alloc(all->ctx, &note, size, 1, "state") != GPR_OK) { /* it must be taken away all the same */
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
        if (all->options.save(all->options.user, &info) != 0)
            gpri_log(all->ctx, GPR_LOG_WARNING, "the state of run %lld could not be saved; the training goes on: %s",
                     (long long)head.run, gpr_last_error());
        gpri_free(all->ctx, note);
    }
    gpri_release(&all->saving);
    return ended;
}

void gpri_processes_look(gpri_experiment *all) {
    if (deals_runs(all) && all->ctx->root_saves && all->ctx->group->rank == 0) all->notes_ended += take_notes(all);
}

/* All states have come before the runs are collected: a process that posts is not yet there. */
void gpri_processes_end_notes(gpri_experiment *all) {
    gpri_group *group = all->ctx->group;
    const struct timespec some = {0, 2000000};
    if (!all->ctx->root_saves) return;
    if (group->rank > 0) {
        group->post(group, NULL, 0);
        all->notes_ended = 1; /* nobody would take another one */
    }
    while (group->rank == 0 && all->notes_ended < group->size - 1) {
        all->notes_ended += take_notes(all);
        nanosleep(&some, NULL);
    }
}
