/* gpr_convert: data of any kind as one file. A text of edges goes to a .gpr file in bounded memory; everything else is
 * read and written. */
#include <sys/stat.h>

#include "base/budget.h"
#include "base/struct.h"
#include "data/describe.h"
#include "data/order/reorder.h"
#include "io/formats.h"
#include "io/mapped/shards.h"
#include "io/open.h"

#define USUAL_MEMORY ((int64_t)1 << 30)

typedef struct conversion {
    gpr_ctx *ctx;
    gpr_open_options in;
    const char *path;
    gpr_convert_options options;
    const gpri_writer *writer;
    gpri_order_wish wish;
    gpri_edge_sink sink; /* where a text of edges goes if the file is written in pieces */
    const char *stage;   /* for the progress callback */
    gpr_convert_result result;
} conversion;

static gpr_status report(void *user, double done, double total) {
    conversion *c = user;
    const double share = total > 0 ? done / total : -1;
    const gpr_convert_progress progress = {.struct_size = sizeof progress, .stage = c->stage, .share = share};
    if (!c->options.progress || c->options.progress(c->options.user, &progress) == 0) return GPR_OK;
    return gpri_fail(GPR_ERROR_STOPPED, "stopped by the caller");
}

static gpr_status begin_stage(conversion *c, const char *stage) {
    c->stage = stage;
    return report(c, 0, 0);
}

static gpr_status take_call(conversion *c, const gpr_open_options *in, const gpr_convert_result *result,
                            const gpr_convert_options *options) {
    NEED(GPRI_STRUCT_IN(&c->in, in, gpr_open_options, "gpr_convert", "in"));
    if (options) NEED(GPRI_STRUCT_IN(&c->options, options, gpr_convert_options, "gpr_convert", "options"));
    if (result) NEED(GPRI_STRUCT_CHECK(result, gpr_convert_result, "gpr_convert", "result"));
    c->in.struct_size = sizeof c->in;
    NEED(gpri_budget_check(c->options.memory));
    return gpri_budget_check(c->in.memory);
}

static bool to_gpr(const conversion *c) { return c->writer->write == gpri_write_mapped; }

/* The budget of reading is in->memory. Without it, options->memory can only raise it: that is for the edges, and the
   rest comes on top. */
static gpr_status open_data(conversion *c, gpr_dataset **data) {
    const int64_t given = c->in.memory ? c->in.memory : c->options.memory, usual = gpri_budget_of(c->in.memory);
    int64_t edges = c->options.memory ? c->options.memory : USUAL_MEMORY;
    if (c->in.memory && !c->options.memory && edges > c->in.memory / 2) edges = c->in.memory / 2;
    c->sink.options = (gpri_spill_options){.path = c->path, .memory = edges, .tick = {report, c}};
    const gpri_budget before = gpri_budget_begin(c->ctx, usual > given ? usual : given, given > 0);
    gpr_status status =
        gpri_dataset_open_with(c->ctx, data, &c->in, to_gpr(c) && c->wish.method == GPRI_ORDER_NONE ? &c->sink : NULL);
    gpri_budget_end(c->ctx, before);
    return status;
}

static gpr_status write_whole(conversion *c, const gpr_dataset *data) {
    NEED(gpri_dataset_ready(c->ctx, data));
    NEED(begin_stage(c, "writing"));
    if (to_gpr(c)) NEED(gpri_write_mapped_ticking(c->ctx, data, c->path, c->options.shards, (gpri_tick){report, c}));
    else NEED(c->writer->write(c->ctx, data, c->path));
    gpri_fingerprint(c->result.fingerprint, data);
    return GPR_OK;
}

static gpr_status write_pieces(conversion *c, gpr_dataset *data) {
    const int64_t nodes = data->graph.nodes;
    gpri_mapped_header header;
    gpri_graph_free(c->ctx, &data->graph); /* it has no edge: they are in the spill */
    NEED(begin_stage(c, "sorting"));
    NEED(gpri_write_spilled(c->ctx, &header, data, c->sink.spill, nodes, c->path, c->options.shards,
                            (gpri_tick){report, c}));
    c->result.streamed = 1;
    gpri_fingerprint_text(c->result.fingerprint, header.fingerprint);
    return GPR_OK;
}

/* *data: in the order that is asked for. */
static gpr_status reorder(conversion *c, gpr_dataset **data) {
    gpr_status status = GPR_OK;
    int32_t *order = NULL; /* (nodes) */
    gpr_dataset *moved = NULL;
    const bool back = (*data)->order && (!to_gpr(c) || (c->options.reorder && c->wish.method == GPRI_ORDER_NONE));
    if (!back && c->wish.method == GPRI_ORDER_NONE) return GPR_OK;
    TRY(begin_stage(c, "ordering"));
    TRY(gpri_dataset_ready(c->ctx, *data));
    if (!back) TRY(gpri_order_find(c->ctx, &order, &(*data)->graph, c->wish));
    TRY(report(c, 0, 0));
    if (back) TRY(gpri_dataset_restore(c->ctx, &moved, *data));
    else if (order) TRY(gpri_dataset_reorder(c->ctx, &moved, *data, order));
    if (!moved) goto done;
    TRY(gpri_dataset_unchanged(c->ctx, *data, true));
    gpr_dataset_free(*data);
    *data = moved;
    moved = NULL;
done:
    gpri_free(c->ctx, order);
    gpr_dataset_free(moved);
    return status;
}

static gpr_status convert(conversion *c) {
    gpr_status status = GPR_OK;
    gpr_dataset *data = NULL;
    TRY(begin_stage(c, "reading"));
    TRY(open_data(c, &data));
    TRY(report(c, 1, 1)); /* whatever the format: a caller may stop here */
    if (!c->sink.spill) TRY(reorder(c, &data));
    TRY(c->sink.spill ? write_pieces(c, data) : write_whole(c, data));
    gpri_warn_of_lost_split(c->ctx, data, c->path);
    c->result.nodes = data->graph.nodes;
    c->result.edges = data->graph.arcs / 2;
    c->result.features = data->features.cols;
    c->result.classes = gpri_target_classes(&data->target);
done:
    gpri_spill_free(c->sink.spill);
    gpr_dataset_free(data);
    return status;
}

gpr_status gpr_convert(gpr_ctx *ctx, gpr_convert_result *result, const gpr_open_options *in, const char *path,
                       const gpr_convert_options *options) {
    struct stat info;
    if (!ctx || !in || !path) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_convert: a NULL argument");
    conversion c = {.ctx = ctx, .path = path};
    NEED(take_call(&c, in, result, options));
    NEED(gpri_writer_of(&c.writer, path, c.options.to)); /* before long work */
    if (c.options.shards < 0 || c.options.shards > GPRI_MOST_SHARDS)
        return gpri_fail(GPR_ERROR_ARGUMENT, "`shards` is %lld: there may be from 1 to %d", (long long)c.options.shards,
                         GPRI_MOST_SHARDS);
    if (c.options.shards > 0 && !to_gpr(&c))
        return gpri_fail(GPR_ERROR_ARGUMENT, "`shards` is %lld: only a .gpr file is cut into shards",
                         (long long)c.options.shards);
    NEED(gpri_order_parse(&c.wish, c.options.reorder));
    if (c.wish.method != GPRI_ORDER_NONE && !to_gpr(&c))
        return gpri_fail(GPR_ERROR_ARGUMENT, "`reorder` is '%s': only a .gpr file keeps another order of the nodes",
                         c.options.reorder);
    NEED(convert(&c));
    if (stat(path, &info) == 0) c.result.bytes = (int64_t)info.st_size;
    if (result) gpri_struct_out(result, &c.result, sizeof c.result);
    return gpri_finish(GPR_OK);
}
