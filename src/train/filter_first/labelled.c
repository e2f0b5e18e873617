/* The rows of a training with `order` filter-first: which nodes they are, and the hops of their features. */
#include "train/filter_first/labelled.h"

#include "base/budget.h"
#include "base/clock.h"
#include "data/describe.h"
#include "file/checksum.h"
#include "model/filter_first/predict_rows.h"
#include "tensor/device.h"
#include "walk/powers.h"

static bool has_file(const gpr_params *params) { return !gpri_params_is(params, GPRI_HOPS_FILE_NONE); }

gpr_status gpri_labelled_check(gpr_ctx *ctx, const gpr_params *params) {
    static const gpri_value later[] = {GPRI_LABEL_INPUT_YES, GPRI_LABEL_COUNTS_YES, GPRI_SMOOTH_YES};
    if (!gpri_model_is(params, GPRI_MODEL_BY_ROWS)) {
        const char *word = gpri_params_int(params, GPRI_PARAM_BATCH) > 0 ? "batch"
                           : has_file(params)                            ? "hops-file"
                                                                         : "";
        if (!*word || !gpri_params_applies(params, GPRI_PARAM_ORDER)) return GPR_OK;
        return gpri_fail(GPR_ERROR_ARGUMENT, "`%s` is for the order filter-first: give `order` filter-first", word);
    }
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        if (gpri_params_is(params, later[i]))
            return gpri_fail(GPR_ERROR_ARGUMENT,
                             "`%s` needs the graph in every step, and `order` filter-first does not have it any more: "
                             "leave one of them out",
                             gpri_param_word(gpri_value_param(later[i])));
    if (ctx->job.device != ctx->job.cpu)
        return gpri_fail(GPR_ERROR_ARGUMENT, "`order` filter-first is computed on the CPU: give `device` cpu");
    return GPR_OK;
}

static bool is_used(const gpr_split *const *splits, int64_t count, int64_t node) {
    for (int64_t s = 0; s < count; s++)
        if (splits[s]->part[node] != GPR_UNUSED) return true;
    return false;
}

/* The nodes, and a dataset of them. */
static gpr_status take_nodes(gpri_labelled *rows, const gpr_dataset *from, const gpr_split *const *splits,
                             int64_t count) {
    gpr_ctx *ctx = rows->ctx;
    gpr_dataset *data = &rows->data;
    int64_t used = 0;
    for (int64_t i = 0; i < from->graph.nodes; i++) used += is_used(splits, count, i);
    NEED(gpri_alloc(ctx, &rows->nodes, used, sizeof *rows->nodes, "labelled nodes"));
    for (int64_t i = 0; i < from->graph.nodes; i++)
        if (is_used(splits, count, i)) rows->nodes[rows->count++] = i;
    *data = (gpr_dataset){.ctx = ctx,
                          .name = from->name,
                          .feature_names = from->feature_names,
                          .phi = from->phi,
                          .generated = from->generated,
                          .memory = from->memory};
    data->graph.nodes = data->graph.isolated = data->features.rows = rows->count;
    data->features.cols = from->features.cols;
    NEED(gpri_calloc(ctx, &data->graph.rowptr, rows->count + 1, sizeof *data->graph.rowptr, "graph"));
    NEED(gpri_target_new(ctx, &data->target, &from->target, rows->count));
    if (from->node_weights)
        NEED(gpri_alloc(ctx, &data->node_weights, rows->count, sizeof *data->node_weights, "weights of nodes"));
    for (int64_t r = 0; r < rows->count; r++) {
        gpri_target_copy(&data->target, r, &from->target, rows->nodes[r]);
        if (from->node_weights) data->node_weights[r] = from->node_weights[rows->nodes[r]];
    }
    return GPR_OK;
}

/* Of all that the hops depend on. */
static void make_key(uint64_t key[2], const gpri_labelled *rows, const gpri_labelled_source *source, int64_t hops) {
    const uint64_t prime = 0x9e3779b97f4a7c15u;
    const gpri_scaling *scaling = source->scaling;
    uint32_t columns = 0;
    if (scaling->cols > 0) {
        columns = gpri_checksum(columns, scaling->mean, scaling->cols * (int64_t)sizeof *scaling->mean);
        columns = gpri_checksum(columns, scaling->factor, scaling->cols * (int64_t)sizeof *scaling->factor);
        const gpri_curves *curves = &scaling->curves;
        const int64_t bytes = curves->first ? curves->first[curves->cols] * (int64_t)sizeof *curves->from : 0;
        if (bytes > 0) columns = gpri_checksum(gpri_checksum(columns, curves->from, bytes), curves->to, bytes);
    }
    const uint32_t nodes = gpri_checksum(0, rows->nodes, rows->count * (int64_t)sizeof *rows->nodes);
    gpri_fingerprint_halves(key, source->data);
    key[0] = (key[0] ^ ((uint64_t)hops << 32 | nodes)) * prime;
    key[1] = (key[1] ^ ((uint64_t)columns << 32 | sizeof(gpri_real) << 1 | source->normalize)) * prime;
}

static void say_need(gpr_ctx *ctx, const gpri_labelled *rows, const gpri_powers_source *hops, double bytes,
                     const char *file) {
    char table[GPRI_SIZE_TEXT], work[GPRI_SIZE_TEXT];
    const int64_t nodes = hops->graph->nodes;
    gpri_log(ctx, GPR_LOG_INFO,
             "order filter-first: %lld of %lld nodes; the hops of their features take %s %s%s; computing them takes %s "
             "of memory beside (panels of %lld columns)",
             (long long)rows->count, (long long)nodes, gpri_size_text(table, bytes), file ? "in " : "of memory",
             file ? file : "", gpri_size_text(work, gpri_powers_memory(nodes, hops->panel, 2)), (long long)hops->panel);
}

static gpr_status keep_panel(void *arg, int64_t done) { return gpri_table_done(arg, done); }

static gpr_status make_hops(gpri_labelled *rows, const gpri_labelled_source *source) {
    gpr_ctx *ctx = rows->ctx;
    const char *file = has_file(source->params) ? gpri_params_text(source->params, GPRI_PARAM_HOPS_FILE) : NULL;
    const int64_t cols = source->table->cols, padded = gpri_padded(cols);
    gpri_powers_source hops = {.graph = &source->data->graph,
                               .table = source->table,
                               .normalize = source->normalize,
                               .scaling = source->scaling,
                               .hops = gpri_params_int(source->params, GPRI_PARAM_K)};
    gpri_features *x = &rows->features;
    uint64_t key[2];
    int64_t cells;
    *x = (gpri_features){
        .rows = rows->count, .cols = cols, .ld = (hops.hops + 1) * padded, .powers = hops.hops + 1, .borrowed = true};
    const double bytes = (double)rows->count * (double)x->ld * (double)sizeof(gpri_real);
    if (!gpri_mul_size(rows->count, x->ld, &cells) || cells > INT64_MAX / (int64_t)sizeof(gpri_real) / 2)
        return gpri_fail(GPR_ERROR_MEMORY, "the hops of the features do not fit any memory: give a smaller `K`");
    if (!file && bytes > (double)gpri_budget_of(source->data->memory)) {
        char size[GPRI_SIZE_TEXT], most[GPRI_SIZE_TEXT];
        return gpri_fail(
            GPR_ERROR_MEMORY,
            "the hops of the features of %lld nodes take %s, and may take %s of memory: give `hops-file` FILE to keep "
            "them on a disk, or a smaller `K`",
            (long long)rows->count, gpri_size_text(size, bytes),
            gpri_size_text(most, (double)gpri_budget_of(source->data->memory)));
    }
    NEED(gpri_first_panel(&hops.panel, source->data, cols, 2, file ? 0 : bytes));
    say_need(ctx, rows, &hops, bytes, file);
    if (!file) {
        x->borrowed = false;
        NEED(gpri_alloc(ctx, &x->dense, cells, sizeof *x->dense, "hops of the features"));
        NEED(gpri_powers_table(ctx, x->dense, x->ld, &hops, rows->nodes, rows->count, 0, NULL, NULL));
        return GPR_OK;
    }
    make_key(key, rows, source, hops.hops);
    const gpri_table_shape shape = {rows->count, hops.hops + 1, padded, sizeof(gpri_real)};
    NEED(gpri_table_open(ctx, &rows->table, file, key, shape, "the hops of the features"));
    x->dense = rows->table.at;
    if (rows->table.renewed)
        gpri_log(ctx, GPR_LOG_WARNING, "%s is of an earlier version, without checksums: the hops are computed again",
                 file);
    if (rows->table.done > 0)
        gpri_log(ctx, GPR_LOG_INFO, "%s has the hops of %lld of %lld columns", file,
                 (long long)(rows->table.done < cols ? rows->table.done : cols), (long long)cols);
    if (rows->table.done < padded)
        NEED(gpri_powers_table(ctx, x->dense, x->ld, &hops, rows->nodes, rows->count, rows->table.done, keep_panel,
                               &rows->table));
    return GPR_OK;
}

gpr_status gpri_labelled_new(gpr_ctx *ctx, gpri_labelled **out, const gpri_labelled_source *source,
                             const gpr_split *const *splits, int64_t count) {
    gpr_status status = GPR_OK;
    TRY(gpri_calloc(ctx, out, 1, sizeof **out, "rows"));
    (*out)->ctx = ctx;
    (*out)->table.fd = -1;
    TRY(take_nodes(*out, source->data, splits, count));
    const double started = gpri_seconds_now();
    TRY(make_hops(*out, source));
    gpri_log(ctx, GPR_LOG_INFO, "order filter-first: the hops took %.1f s", gpri_seconds_now() - started);
done:
    if (status != GPR_OK) {
        gpri_labelled_free(*out);
        *out = NULL;
    }
    return status;
}

gpr_status gpri_labelled_split(const gpri_labelled *rows, gpr_split **out, const gpr_split *split) {
    gpr_status status = GPR_OK;
    uint8_t *parts = NULL;
    TRY(gpri_alloc(rows->ctx, &parts, rows->count, sizeof *parts, "split"));
    for (int64_t r = 0; r < rows->count; r++) parts[r] = split->part[rows->nodes[r]];
    TRY(gpri_split_of_parts(rows->ctx, out, &rows->data, parts, rows->count, false));
done:
    gpri_free(rows->ctx, parts);
    return status;
}

void gpri_labelled_free(gpri_labelled *rows) {
    if (!rows) return;
    gpr_ctx *ctx = rows->ctx;
    gpri_free_all(ctx, rows->nodes, rows->data.graph.rowptr);
    gpri_target_free(ctx, &rows->data.target);
    gpri_free(ctx, rows->data.node_weights);
    if (!rows->features.borrowed) gpri_free(ctx, rows->features.dense);
    gpri_table_close(&rows->table);
    gpri_free(ctx, rows);
}
