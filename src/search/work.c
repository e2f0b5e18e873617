/* gpr_study_run: trains what the kept runs lack. A job has a context of its own, with its share of the threads; it
 * takes the next piece of work, some runs of one cell, and every run is kept when it is finished. Of several processes
 * each has some of the pieces (search/together.h). */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/print.h"
#include "base/thread.h"
#include "dist/notes.h"
#include "search/pieces.h"
#include "search/together.h"
#include "tensor/open/open_context.h"
#include "train/candidates/choose.h"
#include "train/gamma_history.h"

static const double report_every = 0.1;  /* seconds between two reports of a job */
static const double listen_every = 0.02; /* seconds until process 0 looks again for runs of the others */

struct job;

typedef struct {
    gpr_study *study;
    gpri_pieces pieces; /* of this process */
    struct job *jobs;   /* (job_count) */
    int job_count;
    gpri_lock lock; /* of all below, of study->kept, and of the group */
    gpr_study_progress_fn progress;
    void *user;
    int64_t runs, done; /* of all processes */
    bool stop, stopped; /* by an error; by the caller */
    gpr_status status;  /* the first error */
    char message[1024];
    int64_t ended; /* processes that have told all their runs */
    double listened;
} work;

typedef struct job {
    work *state;
    gpr_ctx *ctx;
    const gpri_cell *cell; /* that it works on */
    int64_t cell_index;
    uint64_t seed;   /* of the first run of its piece */
    double reported; /* the time */
} job;

/* ---- one piece ---- */

/* Under the lock. */
static void fail(work *state, gpr_status status) {
    if (state->status == GPR_OK) {
        state->status = status;
        strncpy(state->message, gpr_last_error(), sizeof state->message - 1);
    }
    state->stop = true;
}

static int report(work *state, int64_t index, uint64_t seed, int64_t epoch, bool finished) {
    const gpri_cell *cell = &state->study->cells[index];
    const gpr_study_progress progress = {.struct_size = sizeof progress,
                                         .runs = state->runs,
                                         .done = state->done,
                                         .dataset = cell->dataset,
                                         .model = gpri_params_text(cell->params, GPRI_PARAM_MODEL),
                                         .cell = index,
                                         .seed = seed,
                                         .epoch = epoch,
                                         .epochs = gpri_params_int(cell->params, GPRI_PARAM_EPOCHS),
                                         .finished = finished};
    if (!state->stop && state->progress && state->progress(state->user, &progress)) state->stop = state->stopped = true;
    return state->stop;
}

/* Process 0 keeps the runs of the others that have come. */
static void listen(work *state) {
    const gpr_ctx *ctx = state->study->ctx;
    gpri_told_run told;
    bool more = gpri_process_count(ctx) > 1 && gpri_is_first_process(ctx);
    if (!more || gpri_seconds_now() - state->listened < listen_every) return;
    while (more) {
        gpr_status status = gpri_study_hear(state->study, &told, &more);
        if (status != GPR_OK) {
            fail(state, status);
            break;
        }
        if (!more) break;
        state->ended += told.cell < 0;
        state->done += told.cell >= 0;
        if (told.cell >= 0) (void)report(state, told.cell, told.seed, 0, true);
    }
    state->listened = gpri_seconds_now();
}

static int after_epoch(void *user, const gpr_progress *progress) {
    job *self = user;
    work *state = self->state;
    gpri_acquire(&state->lock);
    listen(state);
    int stop = state->stop;
    if (gpri_seconds_now() - self->reported >= report_every) {
        self->reported = gpri_seconds_now();
        stop = report(state, self->cell_index, self->seed + (uint64_t)progress->run, progress->epoch, false);
    }
    gpri_release(&state->lock);
    return stop;
}

static gpri_run_origin origin_of(const job *self) {
    return (gpri_run_origin){.dataset = self->cell->dataset,
                             .fingerprint = self->cell->fingerprint,
                             .device = self->ctx->job.device->name,
                             .kernels = self->ctx->job.device->ops->name,
                             .params = self->cell->params,
                             .threads = self->ctx->threads};
}

static void keep(job *self, gpri_kept_run *run, const gpri_run_origin *origin) {
    work *state = self->state;
    const uint64_t seed = run->seed;
    memcpy(run->key, self->cell->key, sizeof run->key);
    gpri_acquire(&state->lock);
    gpr_status status = gpri_is_first_process(state->study->ctx)
                            ? gpri_kept_file_add(&state->study->kept, run, origin)
                            : gpri_study_tell(state->study, self->cell_index, run, origin);
    if (status == GPR_OK) {
        state->done++;
        self->reported = gpri_seconds_now();
        (void)report(state, self->cell_index, seed, 0, true);
    } else {
        fail(state, status);
    }
    gpri_release(&state->lock);
}

/* Percent of the nodes that get the most frequent class. */
static gpr_status measure_top_share(job *self, double *out, const gpr_model *model, const gpri_outcome *outcome) {
    const gpr_dataset *data = self->cell->data;
    const int64_t nodes = data->graph.nodes;
    gpr_status status = GPR_OK;
    const int32_t *classes = outcome->classes;
    gpri_outcome made = {0};
    int64_t *counts = NULL, most = 0;
    TRY(gpri_calloc(self->ctx, &counts, data->target.classes, sizeof *counts, "classes"));
    if (!classes) {
        TRY(gpri_outcome_new(self->ctx, &made, nodes, gpri_target_scores(&data->target), false));
        TRY(gpr_predict(self->ctx, model, data, made.classes, NULL));
        classes = made.classes;
    }
    for (int64_t i = 0; i < nodes; i++)
        if (++counts[classes[i]] > most) most = counts[classes[i]];
    *out = 100.0 * (double)most / (double)nodes;
done:
    gpri_outcome_free(self->ctx, &made);
    gpri_free(self->ctx, counts);
    return status;
}

/* To five digits: enough for a figure, and half the size of a line. */
static float rounded(float value) {
    char text[32];
    double read = (double)value;
    gpri_print(text, sizeof text, "%.5g", (double)value);
    (void)gpri_parse_real(text, &read);
    return (float)read;
}

/* Some rows of the history, evenly spaced from the first on: a line of a file need not have a thousand. */
static gpr_status copy_history(gpr_ctx *ctx, gpri_kept_run *out, const gpri_run *run, const gpr_params *params) {
    enum { MOST_ROWS = 33 };
    const gpri_gamma_plan plan = gpri_gamma_plan_of(params);
    const int64_t count = run->info.gamma_count;
    if (plan.count == 0 || !run->gamma_rows) return GPR_OK;
    const int64_t rows = gpri_gamma_rows(plan, run->info.epochs);
    int64_t step = 1;
    while (gpri_chunk_count(rows, step) > MOST_ROWS) step *= 2;
    out->stride = step * plan.stride;
    out->rows = gpri_chunk_count(rows, step);
    gpr_status status = gpri_alloc(ctx, &out->history, out->rows * count, sizeof *out->history, "gamma");
    for (int64_t i = 0; status == GPR_OK && i < out->rows; i++)
        for (int64_t k = 0; k < count; k++)
            out->history[i * count + k] = rounded(run->gamma_rows[i * step * count + k]);
    return status;
}

static void finished(void *arg, const gpr_result *result, const gpri_run *run, const gpri_outcome *outcome) {
    job *self = arg;
    gpr_ctx *owner = self->state->study->ctx;
    gpr_status status = GPR_OK;
    gpri_run_origin origin = origin_of(self);
    gpri_kept_run kept = {.seed = run->info.seed, .gamma_count = run->info.gamma_count};
    (void)result;
    for (int i = 0; i < GPRI_KEPT_NUMBERS; i++) kept.numbers[i] = NAN;
    for (int i = 0; i < GPRI_FIELDS; i++) kept.numbers[i] = gpri_run_number(&run->info, (gpri_run_field)i);
    origin.split_hash = gpri_split_hash(run->split);
    if (run->gamma) TRY(gpri_copy(owner, &kept.gamma, run->gamma, kept.gamma_count, sizeof *kept.gamma, "gamma"));
    if (self->cell->measures & GPR_MEASURE_GAMMA_HISTORY) TRY(copy_history(owner, &kept, run, self->cell->params));
    if (self->cell->measures & GPR_MEASURE_TOP_SHARE)
        TRY(measure_top_share(self, &kept.numbers[GPRI_KEPT_TOP_SHARE], run->model, outcome));
    keep(self, &kept, &origin);
done:
    if (status == GPR_OK) return;
    gpri_kept_run_free(owner, &kept);
    gpri_acquire(&self->state->lock);
    fail(self->state, status);
    gpri_release(&self->state->lock);
}

static void keep_failure(job *self, uint64_t seed, const char *message) {
    gpri_run_origin origin = origin_of(self);
    gpri_kept_run kept = {.seed = seed, .failed = true};
    for (int i = 0; i < GPRI_KEPT_NUMBERS; i++) kept.numbers[i] = NAN;
    origin.failure = message;
    keep(self, &kept, &origin);
}

/* The options of the runs [first, end) of a cell. */
static gpr_status options_of(job *self, gpr_params **out, const gpri_piece *part) {
    char text[32];
    gpr_status status = gpri_params_copy(self->ctx, out, self->cell->params);
    if (status != GPR_OK) return status;
    snprintf(text, sizeof text, "%llu", (unsigned long long)(self->cell->seed + (uint64_t)part->first));
    NEED(gpri_params_set_from(*out, GPRI_FROM_FLAG, "seed", text));
    snprintf(text, sizeof text, "%lld", (long long)(part->end - part->first));
    NEED(gpri_params_set_from(*out, GPRI_FROM_FLAG, "runs", text));
    return status;
}

static gpr_status train_piece(job *self, const gpri_piece *part) {
    gpr_status status = GPR_OK;
    gpr_params *params = NULL;
    gpr_model *model = NULL;
    gpr_result *result = NULL;
    const gpri_run_hook hook = {finished, self};
    TRY(options_of(self, &params, part));
    status = gpri_train_watched(self->ctx, &model, &result, self->cell->data, params, part->first, &hook);
    if (status == GPR_ERROR_NUMERIC) { /* all runs diverged */
        char message[1024];
        strncpy(message, gpr_last_error(), sizeof message - 1);
        message[sizeof message - 1] = 0;
        for (int64_t run = part->first; run < part->end; run++)
            keep_failure(self, self->cell->seed + (uint64_t)run, message);
        status = GPR_OK;
    }
    for (int64_t i = 0; result && i < result->failed; i++)
        keep_failure(self, result->failures[i].seed, result->failures[i].message);
done:
    gpr_result_free(result);
    gpr_model_free(model);
    gpr_params_free(params);
    return status;
}

static void work_on(void *arg, int64_t index, int slot) {
    work *state = arg;
    job *self = &state->jobs[slot];
    const gpri_piece *part = &state->pieces.at[index];
    gpri_acquire(&state->lock);
    const bool stop = state->stop;
    gpri_release(&state->lock);
    if (stop) return;
    self->cell_index = part->cell;
    self->cell = &state->study->cells[part->cell];
    self->seed = self->cell->seed + (uint64_t)part->first;
    gpr_status status = train_piece(self, part);
    if (status >= 0 || status == GPR_ERROR_STOPPED) return;
    gpri_fail_prefix(status, "%s on %s", gpri_params_text(self->cell->params, GPRI_PARAM_MODEL), self->cell->dataset);
    gpri_acquire(&state->lock);
    fail(state, status);
    gpri_release(&state->lock);
}

/* ---- all of it ---- */

static gpr_status open_jobs(work *state) {
    gpr_ctx *ctx = state->study->ctx;
    gpr_status status = gpri_calloc(ctx, &state->jobs, state->job_count, sizeof *state->jobs, "jobs");
    for (int i = 0; status == GPR_OK && i < state->job_count; i++) {
        state->jobs[i].state = state;
        status = gpri_ctx_for_job(&state->jobs[i].ctx, ctx, state->job_count, after_epoch, &state->jobs[i]);
    }
    return status;
}

/* After the own pieces: process 0 waits for the runs of the others, and all get what it has from place `first` on. One
   that fails does not come here: it leaves, which ends the others. */
static gpr_status come_together(work *state, int64_t first) {
    gpr_ctx *ctx = state->study->ctx;
    if (!gpri_is_first_process(ctx)) gpri_note_post_end(ctx);
    while (gpri_is_first_process(ctx) && state->ended < gpri_process_count(ctx) - 1 && state->status == GPR_OK) {
        listen(state);
        gpri_note_rest();
    }
    if (state->status != GPR_OK) return gpri_fail(state->status, "%s", state->message);
    state->stopped = gpri_all_most(ctx, state->stopped) != 0;
    return gpri_study_share(state->study, first);
}

gpr_status gpr_study_run(gpr_study *study, int jobs, gpr_study_progress_fn progress, void *user) {
    gpr_status status = GPR_OK;
    if (!study) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_study_run: study is NULL");
    if (jobs < 0 || jobs > GPRI_MAX_THREADS)
        return gpri_fail(GPR_ERROR_ARGUMENT, "jobs is %d: it must be in [0, %d]", jobs, GPRI_MAX_THREADS);
    work state = {.study = study,
                  .job_count = jobs ? jobs : study->ctx->threads,
                  .lock = GPRI_LOCK_READY,
                  .progress = progress,
                  .user = user};
    const int64_t first = study->kept.count;
    TRY(gpri_study_match(study));
    TRY(gpri_pieces_cut(study, &state.pieces,
                        gpri_all_most(study->ctx, state.job_count) * gpri_process_count(study->ctx)));
    state.runs = state.pieces.runs;
    state.done = state.pieces.done;
    if (state.pieces.count == 0) goto done;
    TRY(open_jobs(&state));
    gpri_pieces_deal(&state.pieces, study->ctx);
    gpri_parallel(study->ctx, state.job_count, state.pieces.count, work_on, &state);
    if (state.status != GPR_OK) status = gpri_fail(state.status, "%s", state.message);
    else status = come_together(&state, first);
    gpri_kept_file_sort(&study->kept);
    if (status != GPR_OK) goto done;
    if (state.stopped) status = gpri_fail(GPR_ERROR_STOPPED, "stopped by the caller");
    for (int64_t c = 0; status == GPR_OK && c < study->count; c++)
        study->cells[c].data = NULL; /* it may be freed now */
done:
    for (int i = 0; state.jobs && i < state.job_count; i++) gpr_ctx_free(state.jobs[i].ctx);
    gpri_free_all(study->ctx, state.jobs, state.pieces.at);
    return gpri_finish(status);
}
