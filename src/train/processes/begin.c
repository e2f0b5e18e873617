/* What a training in several processes deals out, and that all have the same to begin with. */
#include <stdio.h>
#include <string.h>

#include "base/thread.h"
#include "model/model.h"
#include "tensor/device.h"
#include "train/processes/processes.h"
#include "walk/way.h"

/* ---- before anything waits for others: that all were asked for the same ---- */

/* Of the call itself. */
static gpr_status match_call(const gpr_ctx *ctx, const gpr_dataset *data, const gpr_train_options *options) {
    char text[160];
    uint64_t hash = 0;
    for (int64_t i = 0; options->splits && i < options->split_count; i++)
        hash = hash * 0x100000001b3u ^ (options->splits[i] ? gpri_split_hash(options->splits[i]) : 0);
    snprintf(text, sizeof text, "%lld, hash %016llx", (long long)(options->splits ? options->split_count : 0),
             (unsigned long long)hash);
    NEED(gpri_all_same(ctx, text, "other splits", "give the same splits to all"));
    snprintf(text, sizeof text, "%lld nodes, %lld features, %lld classes, %s", (long long)data->graph.nodes,
             (long long)data->features.cols, (long long)data->target.classes,
             data->from_table ? "tables" : "no tables");
    return gpri_all_same(ctx, text, "other data", "give the same files to all");
}

gpr_status gpri_processes_same(gpr_ctx *ctx, const gpr_dataset *data, const gpr_params *params,
                               const gpr_train_options *options) {
    char what[64];
    if (gpri_process_count(ctx) == 1) return GPR_OK;
    for (int i = 0; i < GPRI_PARAM_COUNT; i++) {
        if (i == GPRI_PARAM_THREADS) continue;
        snprintf(what, sizeof what, "another `%s`", gpri_param_word((gpri_param)i));
        NEED(gpri_all_same(ctx, gpri_params_text(params, (gpri_param)i), what, "give the same options to all"));
    }
    return match_call(ctx, data, options);
}

/* ---- the options of process 0 ---- */

typedef struct {
    int64_t states, bytes, saves;
    double save_every;
} option_head;

static gpr_status make_room(gpr_ctx *ctx, gpri_given *out, const option_head *head) {
    gpr_status status = gpri_calloc(ctx, &out->states, head->states, sizeof *out->states, "states");
    return status == GPR_OK ? gpri_alloc(ctx, &out->bytes, head->bytes, 1, "states") : status;
}

gpr_status gpri_processes_options(gpr_ctx *ctx, gpri_given *out, const gpr_train_options *options) {
    const bool first = gpri_is_first_process(ctx);
    option_head head = {
        .states = options->state_count, .saves = options->save != NULL, .save_every = options->save_every};
    int64_t at = 0;
    *out = (gpri_given){.options = *options};
    if (gpri_process_count(ctx) == 1) return GPR_OK;
    for (int64_t i = 0; i < head.states; i++) head.bytes += (int64_t)options->states[i].size;
    gpri_all_hear(ctx, &head, sizeof head, 0);
    out->options.save_every = head.save_every;
    if (!first) out->options.save = NULL, out->options.save_due = NULL;
    gpri_let_first_save(ctx, head.saves != 0);
    if (head.states == 0) {
        out->options.state_count = 0;
        return GPR_OK;
    }
    NEED(gpri_all_well(ctx, make_room(ctx, out, &head)));
    for (int64_t i = 0; first && i < head.states; i++) {
        memcpy(out->bytes + at, options->states[i].bytes, options->states[i].size);
        at += (int64_t)options->states[i].size;
        out->states[i] = options->states[i];
        out->states[i].name = NULL;
    }
    gpri_all_hear(ctx, out->states, head.states * (int64_t)sizeof *out->states, 0);
    gpri_all_hear(ctx, out->bytes, head.bytes, 0);
    at = 0;
    for (int64_t i = 0; i < head.states; i++) {
        out->states[i].bytes = out->bytes + at;
        out->states[i].name = first ? options->states[i].name : "a state of process 0";
        at += (int64_t)out->states[i].size;
    }
    out->options.states = out->states;
    out->options.state_count = head.states;
    return GPR_OK;
}

void gpri_processes_free(gpr_ctx *ctx, gpri_given *given) {
    gpri_free_all(ctx, given->states, given->bytes);
    *given = (gpri_given){.states = NULL};
}

/* ---- what is dealt out ---- */

/* Bytes that a process sends in an epoch. */
typedef struct {
    double rows, columns;
} volumes;

/* By columns: both streams of H and Z, and dZ, H and dH, of the rows of a process that others have the columns of. By
   rows: in every hop both streams, and dZ, of the halo; the largest of all processes. */
static gpr_status measure(gpri_experiment *experiment, volumes *out, const gpri_partition *rows) {
    const gpr_ctx *ctx = experiment->ctx;
    const int64_t process = gpri_process_number(ctx), count = gpri_process_count(ctx);
    const double width = (double)gpri_padded(gpri_target_scores(&experiment->data->target)) * sizeof(gpri_real),
                 size = (double)count;
    const int64_t first = gpri_process_node(rows, process, count), end = gpri_process_node(rows, process + 1, count);
    int64_t halo = 0;
    NEED(gpri_all_well(ctx, gpri_halo_count(experiment->ctx, &halo, &experiment->data->graph, first, end)));
    halo = gpri_all_most(ctx, halo);
    const double hops = (double)gpri_params_int(experiment->params, GPRI_PARAM_K);
    out->rows = 3 * width * hops * (double)halo;
    out->columns = 7 * width * (double)rows->nodes / size * (size - 1) / size;
    return GPR_OK;
}

/* Runs need the fewest messages. One run is dealt out by rows; by the columns of its filter where every process gets
   some and less is sent. */
static gpr_status choose(gpri_experiment *experiment, gpri_spread *out) {
    const gpr_ctx *ctx = experiment->ctx;
    const int64_t processes = gpri_process_count(ctx), scores = gpri_target_scores(&experiment->data->target);
    const gpri_walker walker = gpri_walker_of(experiment->ctx, ctx->job.device, &experiment->data->graph, ctx->threads);
    const gpri_way way = gpri_way_of(&walker, scores, gpri_padded(scores), 2, true, true);
    const int64_t panels = way.panels.each ? way.panels.each : 1;
    char by_rows[GPRI_SIZE_TEXT], by_columns[GPRI_SIZE_TEXT];
    volumes sent = {0};
    *out = GPRI_SPREAD_RUNS;
    if (experiment->limit > 1 || !gpri_model_shares(experiment->params) || walker.rows.blocks < processes ||
        !ctx->job.device->ops->features_add)
        return GPR_OK;
    *out = GPRI_SPREAD_ROWS;
    if (!gpri_model_filter(experiment->params) || panels < processes) return GPR_OK;
    if (experiment->data->backing.file && experiment->data->backing.rows)
        return GPR_OK; /* by columns all shards would be opened */
    NEED(measure(experiment, &sent, &walker.rows));
    gpri_log(experiment->ctx, GPR_LOG_INFO, "a process would send, in an epoch, %s by rows and %s by columns",
             gpri_size_text(by_rows, sent.rows), gpri_size_text(by_columns, sent.columns));
    if (sent.columns < sent.rows) *out = GPRI_SPREAD_COLUMNS;
    return GPR_OK;
}

gpr_status gpri_processes_begin(gpri_experiment *experiment) {
    static const char *const dealt[] = {"nothing", "nothing", "runs", "rows, and in the filter columns,", "rows"};
    gpr_ctx *ctx = experiment->ctx;
    char models[GPRI_MODEL_WORDS];
    gpri_spread spread = gpri_spread_wanted(ctx);
    if (spread == GPRI_SPREAD_NONE) return GPR_OK;
    if (spread == GPRI_SPREAD_AUTO) {
        gpr_status status = choose(experiment, &spread);
        if (status != GPR_OK) return status;
    } else if (spread != GPRI_SPREAD_RUNS && !gpri_model_is(experiment->params, GPRI_MODEL_SHARED)) {
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "`distribute`: the rows of the model %s%s cannot be distributed to processes (those of %s "
                         "can): distribute its runs, with `distribute` runs",
                         gpri_params_text(experiment->params, GPRI_PARAM_MODEL),
                         gpri_model_is(experiment->params, GPRI_MODEL_BY_ROWS) ? " with `order` filter-first" : "",
                         gpri_models_with(models, GPRI_MODEL_SHARED));
    } else if (spread != GPRI_SPREAD_RUNS && !gpri_filter_is_whole(experiment->params)) {
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "`distribute`: the rows of a filter with `relations`, a `direction` or `gamma` "
                         "columns cannot be distributed to processes: distribute its runs, with `distribute` runs");
    }
    gpri_deal_out(ctx, spread);
    gpri_log(ctx, GPR_LOG_INFO, "%lld processes: %s are distributed", (long long)gpri_process_count(ctx),
             dealt[spread]);
    return GPR_OK;
}

int64_t gpri_processes_cut(const gpri_experiment *experiment, int64_t process) {
    const gpri_partition rows = gpri_partition_of(experiment->data->graph.nodes, experiment->ctx->job.device->tile);
    return gpri_process_node(&rows, process, gpri_process_count(experiment->ctx));
}

static bool has_part(const gpri_experiment *experiment) {
    return gpri_dealt_out(experiment->ctx) == GPRI_SPREAD_ROWS ||
           (gpri_dealt_out(experiment->ctx) == GPRI_SPREAD_COLUMNS && !gpri_model_steps_first(experiment->params));
}

gpri_range gpri_processes_rows(const gpri_experiment *experiment) {
    if (!has_part(experiment)) return (gpri_range){0, experiment->data->graph.nodes};
    const int64_t process = gpri_process_number(experiment->ctx);
    return (gpri_range){gpri_processes_cut(experiment, process), gpri_processes_cut(experiment, process + 1)};
}

gpri_dealt gpri_processes_dealt(const gpri_experiment *experiment) {
    return (gpri_dealt){gpri_dealt_out(experiment->ctx), gpri_processes_rows(experiment), has_part(experiment)};
}

void gpri_processes_end(gpri_experiment *experiment) { gpri_deal_out(experiment->ctx, GPRI_SPREAD_NONE); }

/* ---- that all have the same ---- */

gpr_status gpri_processes_match_input(gpri_experiment *experiment) {
    NEED(gpri_all_well(experiment->ctx, GPR_OK)); /* a process that has failed is there */
    return gpri_all_same(experiment->ctx, experiment->result->fingerprint, "other data", "give the same files to all");
}

gpr_status gpri_processes_match(gpri_experiment *experiment) {
    const gpr_result *result = experiment->result;
    char text[512];
    snprintf(text, sizeof text, "%016llx %016llx", (unsigned long long)result->splits_hash,
             (unsigned long long)result->inputs_hash);
    NEED(gpri_all_same(experiment->ctx, text, "other splits or other files of options", "give the same files to all"));
    return gpri_all_same(experiment->ctx, result->kernels, "other kernels",
                         "its CPU is of another kind: give all the same `cpu`");
}
