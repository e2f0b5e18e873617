/* Which runs are trained when. A team is what one thread trains at a time: one run on a CPU, several side by side on a
 * device that can (its lanes). A run that ends makes place for the next one. */
#include <stdio.h>

#include "train/experiment.h"
#include "train/processes/processes.h"

typedef struct {
    gpri_running runs[GPRI_MOST_LANES];
    gpri_running *order[GPRI_MOST_LANES]; /* those that run, then the free ones */
    int64_t count, lanes;
} team;

/* Takes the next run; false: there is none. After a stop only those are taken that began in an earlier training: they
   keep their place in the result. */
static bool next_run(gpri_experiment *all, int64_t *run, bool *go_on) {
    bool found = false;
    gpri_acquire(&all->lock);
    while (!found && (all->backs > 0 || all->next < all->limit)) {
        *run = all->backs > 0 ? all->back[--all->backs] : all->next++;
        *go_on = !all->stop;
        if (!gpri_processes_own_run(all, *run)) continue;
        found = *go_on || (all->stopped && gpri_experiment_began(all, *run));
    }
    all->active += found;
    gpri_release(&all->lock);
    return found;
}

/* Whether a run that found no memory may wait for others to end: then it goes back. */
static bool give_back(gpri_experiment *all, int64_t run) {
    gpri_acquire(&all->lock);
    const bool waits = all->active > 1;
    if (waits) {
        all->back[all->backs++] = run;
        all->active--;
    }
    gpri_release(&all->lock);
    return waits;
}

/* Ends a run: notes what became of it. A run that diverged leaves the others alone; after another error all stop. */
static void close_run(gpri_running *one, gpr_status status) {
    gpri_experiment *all = one->all;
    all->statuses[one->run] = status;
    if (status != GPR_OK) snprintf(all->messages[one->run], sizeof all->messages[one->run], "%s", gpr_last_error());
    gpri_running_end(one);
    gpri_acquire(&all->lock);
    all->active--;
    if (status != GPR_OK && status != GPR_ERROR_NUMERIC) all->stop = true;
    gpri_release(&all->lock);
}

/* Begins runs until all lanes have one or none is left. */
static void fill(team *t, gpri_experiment *all) {
    int64_t run;
    bool go_on;
    while (t->count < t->lanes && next_run(all, &run, &go_on)) {
        gpri_running *one = t->order[t->count];
        gpr_status status = gpri_running_begin(one, all, run, go_on);
        if (status == GPR_ERROR_MEMORY && all->lanes > 1) { /* perhaps others take too much of it */
            gpri_running_end(one);
            if (give_back(all, run)) {
                t->lanes = t->count;
                return;
            }
            status = gpri_running_begin(one, all, run, go_on); /* the last of them may just have ended */
        }
        if (status == GPR_OK) t->count++;
        else close_run(one, status);
    }
}

/* Ends the run at place i; the last one takes its place. */
static void leave(team *t, int64_t i) {
    gpri_running *one = t->order[i];
    gpr_status status = one->epochs.failed;
    if (status != GPR_OK) gpri_fail(status, "%s", one->epochs.why);
    else status = gpri_running_finish(one);
    close_run(one, status);
    t->order[i] = t->order[--t->count];
    t->order[t->count] = one;
}

void gpri_experiment_team(gpri_experiment *all, int64_t lanes) {
    team t = {.lanes = lanes};
    for (int64_t i = 0; i < lanes; i++) t.order[i] = &t.runs[i];
    for (;;) {
        gpri_epochs *epochs[GPRI_MOST_LANES];
        fill(&t, all);
        if (t.count == 0) return;
        for (int64_t i = t.count; i-- > 0;)
            if (t.order[i]->epochs.over || t.order[i]->epochs.failed != GPR_OK) leave(&t, i);
        for (int64_t i = 0; i < t.count; i++) epochs[i] = &t.order[i]->epochs;
        if (t.count > 0) gpri_epochs_go_on(epochs, t.count);
    }
}
