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
static bool next_run(gpri_experiment *experiment, int64_t *run, bool *go_on) {
    bool found = false;
    gpri_acquire(&experiment->lock);
    while (!found && (experiment->backs > 0 || experiment->next < experiment->limit)) {
        *run = experiment->backs > 0 ? experiment->back[--experiment->backs] : experiment->next++;
        *go_on = !experiment->stop;
        if (!gpri_processes_own_run(experiment, *run)) continue;
        found = *go_on || (experiment->stopped && gpri_experiment_began(experiment, *run));
    }
    experiment->active += found;
    gpri_release(&experiment->lock);
    return found;
}

/* Whether a run that found no memory may wait for others to end: then it goes back. */
static bool give_back(gpri_experiment *experiment, int64_t run) {
    gpri_acquire(&experiment->lock);
    const bool waits = experiment->active > 1;
    if (waits) {
        experiment->back[experiment->backs++] = run;
        experiment->active--;
    }
    gpri_release(&experiment->lock);
    return waits;
}

/* Ends a run: notes what became of it. A run that diverged leaves the others alone; after another error all stop. */
static void close_run(gpri_running *running, gpr_status status) {
    gpri_experiment *experiment = running->experiment;
    experiment->statuses[running->run] = status;
    if (status != GPR_OK)
        snprintf(experiment->messages[running->run], sizeof experiment->messages[running->run], "%s", gpr_last_error());
    gpri_running_end(running);
    gpri_acquire(&experiment->lock);
    experiment->active--;
    if (status != GPR_OK && status != GPR_ERROR_NUMERIC) experiment->stop = true;
    gpri_release(&experiment->lock);
}

/* Begins runs until all lanes have one or none is left. */
static void fill(team *t, gpri_experiment *experiment) {
    int64_t run;
    bool go_on;
    while (t->count < t->lanes && next_run(experiment, &run, &go_on)) {
        gpri_running *running = t->order[t->count];
        gpr_status status = gpri_running_begin(running, experiment, run, go_on);
        if (status == GPR_ERROR_MEMORY && experiment->lanes > 1) { /* perhaps others take too much of it */
            gpri_running_end(running);
            if (give_back(experiment, run)) {
                t->lanes = t->count;
                return;
            }
            status = gpri_running_begin(running, experiment, run, go_on); /* the last of them may just have ended */
        }
        if (status == GPR_OK) t->count++;
        else close_run(running, status);
    }
}

/* Ends the run at place i; the last one takes its place. */
static void leave(team *t, int64_t i) {
    gpri_running *running = t->order[i];
    gpr_status status = running->epochs.failed;
    if (status != GPR_OK) gpri_fail(status, "%s", running->epochs.why);
    else status = gpri_running_finish(running);
    close_run(running, status);
    t->order[i] = t->order[--t->count];
    t->order[t->count] = running;
}

void gpri_experiment_team(gpri_experiment *experiment, int64_t lanes) {
    team t = {.lanes = lanes};
    for (int64_t i = 0; i < lanes; i++) t.order[i] = &t.runs[i];
    for (;;) {
        gpri_epochs *epochs[GPRI_MOST_LANES];
        fill(&t, experiment);
        if (t.count == 0) return;
        for (int64_t i = t.count; i-- > 0;)
            if (t.order[i]->epochs.over || t.order[i]->epochs.failed != GPR_OK) leave(&t, i);
        for (int64_t i = 0; i < t.count; i++) epochs[i] = &t.order[i]->epochs;
        if (t.count > 0) gpri_epochs_go_on(epochs, t.count);
    }
}
