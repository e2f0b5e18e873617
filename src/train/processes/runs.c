/* Runs that are dealt out, after they are trained: every process gets the states of all runs, and takes over those of
 * the others as a training that goes on does. So all have the whole result, and its bits are those of one process. */
#include <stdio.h>
#include <string.h>

#include "train/processes/processes.h"

/* ---- what became of the runs ---- */

typedef struct {
    int64_t status, size; /* size 0: the run did not begin, or failed */
    char message[1024];
} ending;

/* The state of an own run. */
static gpr_status state_of(gpri_experiment *experiment, ending *out, char **bytes, int64_t run) {
    const gpri_run *now = &experiment->result->runs[run];
    const int64_t process = gpri_process_number(experiment->ctx);
    out->status = experiment->statuses[run];
    memcpy(out->message, experiment->messages[run], sizeof out->message);
    if (out->status < 0 && out->status != GPR_ERROR_NUMERIC && out->status != GPR_ERROR_STOPPED && process > 0)
        snprintf(out->message, sizeof out->message, "process %lld of %lld: %.900s", (long long)process,
                 (long long)gpri_process_count(experiment->ctx), experiment->messages[run]);
    if (experiment->statuses[run] != GPR_OK || !now->model) return GPR_OK;
    return gpri_state_bytes(experiment->ctx, bytes, &out->size, experiment->result, now, 1);
}

/* The bytes of run `run` in all processes; out: of another process's run alone. */
static gpr_status pass_around(gpri_experiment *experiment, int64_t run, gpr_state *state) {
    const gpr_ctx *ctx = experiment->ctx;
    const int64_t owner = run % gpri_process_count(ctx);
    const bool own = gpri_process_number(ctx) == owner;
    ending came = {0};
    char *bytes = NULL;
    gpr_status status = GPR_OK;
    if (own) status = state_of(experiment, &came, &bytes, run);
    TRY(gpri_all_well(ctx, status));
    gpri_all_hear(ctx, &came, sizeof came, owner);
    if (!own) {
        experiment->statuses[run] = (gpr_status)came.status;
        memcpy(experiment->messages[run], came.message, sizeof experiment->messages[run]);
        if (came.size > 0) status = gpri_alloc(experiment->ctx, &bytes, came.size, 1, "state");
    }
    TRY(gpri_all_well(ctx, status));
    if (came.size > 0) gpri_all_hear(ctx, bytes, came.size, owner);
    if (!own && came.size > 0) {
        *state = (gpr_state){.bytes = bytes, .size = (size_t)came.size, .name = "the state of another process"};
        bytes = NULL;
    }
done:
    gpri_free(experiment->ctx, bytes);
    return status;
}

/* Takes over the runs of other processes, from their states. */
static gpr_status take_over(gpri_experiment *experiment, const gpr_state *states, const int64_t *runs, int64_t count) {
    gpri_running running;
    gpr_status status = GPR_OK;
    gpri_saved_close(&experiment->saved);
    experiment->saved = (gpri_saved){.runs = NULL};
    if (count == 0) return GPR_OK;
    NEED(gpri_saved_open(experiment->ctx, &experiment->saved, states, count, experiment->params, GPRI_SAVED_CANDIDATE));
    for (int64_t i = 0; i < count; i++) {
        status = gpri_running_begin(&running, experiment, runs[i], false);
        if (status == GPR_OK) status = gpri_running_finish(&running);
        gpri_running_end(&running);
        if (status != GPR_OK) return status;
    }
    return status;
}

gpr_status gpri_processes_collect(gpri_experiment *experiment) {
    gpr_ctx *ctx = experiment->ctx;
    gpr_state *states = NULL;
    int64_t *runs = NULL, count = 0;
    gpr_status status = GPR_OK;
    if (gpri_dealt_out(ctx) != GPRI_SPREAD_RUNS) return GPR_OK;
    gpri_processes_end_notes(experiment);
    experiment->stopped = gpri_all_most(ctx, experiment->stopped) != 0;
    status = gpri_calloc(ctx, &states, experiment->runs, sizeof *states, "runs");
    if (status == GPR_OK) status = gpri_alloc(ctx, &runs, experiment->runs, sizeof *runs, "runs");
    TRY(gpri_all_well(ctx, status));
    for (int64_t run = 0; run < experiment->runs; run++) {
        TRY(pass_around(experiment, run, &states[count]));
        runs[count] = run;
        count += states[count].bytes != NULL;
    }
    TRY(gpri_all_well(ctx, take_over(experiment, states, runs, count)));
done:
    for (int64_t i = 0; states && i < count; i++) gpri_free(ctx, (void *)(uintptr_t)states[i].bytes);
    gpri_free_all(ctx, states, runs);
    return status;
}
