/* Filtered features, made panel by panel. In the file each panel is a piece of its own: it is written in one go, and
 * read in the order of the nodes. */
#include "model/filter_first/filtered.h"

#include <string.h>

#include "base/budget.h"
#include "base/clock.h"
#include "model/filter_first/predict_rows.h"
#include "model/input.h"
#include "walk/powers.h"

enum { STRIP = 4096 }; /* rows that are read from the file at a time */

/* They are read once more, and nothing else needs this memory meanwhile: a file is worth its time only if they are
   large, or large for this machine. */
bool gpri_filtered_in_file(double bytes, double allowed) {
    const double most = 256 << 20;
    return bytes > most || (allowed > 0 && bytes > allowed / 8);
}

gpr_status gpri_first_panel(int64_t *panel, const gpr_dataset *data, int64_t cols, int64_t buffers, double more) {
    const int64_t nodes = data->graph.nodes;
    const double allowed = (double)gpri_budget_of(data->memory);
    char size[GPRI_SIZE_TEXT], most[GPRI_SIZE_TEXT];
    *panel = gpri_powers_panel(nodes, cols, buffers, allowed > 0 ? allowed - more : (double)INT64_MAX);
    if (*panel > 0) return GPR_OK;
    return gpri_fail(GPR_ERROR_MEMORY,
                     "the hops of the features over %lld nodes take %s of memory or more, and may take %s; give "
                     "`memory` if the machine has more",
                     (long long)nodes, gpri_size_text(size, gpri_powers_memory(nodes, 4, buffers) + more),
                     gpri_size_text(most, allowed));
}

/* The folder of a path, for messages. */
static int folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash - path + (slash == path)) : 0;
}

static void say_need(const gpri_filtered *f, const char *scratch, double bytes, double work) {
    char size[GPRI_SIZE_TEXT], memory[GPRI_SIZE_TEXT];
    const int length = scratch ? folder_length(scratch) : 0;
    gpri_log(
        f->ctx, GPR_LOG_INFO,
        "order filter-first: the filtered features of %lld nodes take %s %s%.*s; computing them takes %s of memory "
        "beside (panels of %lld columns)",
        (long long)f->nodes, gpri_size_text(size, bytes), scratch ? "in a temporary file in " : "of memory",
        scratch && length == 0 ? 1 : length, scratch && length > 0 ? scratch : ".", gpri_size_text(memory, work),
        (long long)f->panel);
}

/* Bytes of a table of features, if there is one. */
static double size_of(const gpri_feature_matrix *table) {
    const double each = (double)sizeof(float);
    if (table->dense) return (double)table->rows * (double)table->cols * each;
    return (double)table->nnz * (each + (double)sizeof(int32_t)) + (double)table->rows * (double)sizeof(int64_t);
}

static gpr_status keep_panel(void *arg, int64_t column, int64_t width, const gpri_real *sum) {
    gpri_filtered *f = arg;
    const int64_t size = (int64_t)sizeof *sum;
    return gpri_scratch_write(&f->file, sum, f->nodes * width * size, f->nodes * column * size);
}

gpr_status gpri_filtered_new(gpr_ctx *ctx, gpri_filtered *out, const gpr_model *model, const gpr_dataset *data,
                             const char *scratch) {
    const int64_t nodes = data->graph.nodes, cols = model->features, ld = gpri_padded(cols);
    const double allowed = (double)gpri_budget_of(data->memory);
    const float *gamma = gpr_model_gamma(model, NULL);
    const double started = gpri_seconds_now();
    gpri_powers_source source = {.graph = &data->graph,
                                 .normalize = model->normalize,
                                 .scaling = &model->scaling,
                                 .hops = gpri_recipe_of(model->params, model->classes, model).hops};
    gpri_model_input input = {.features = {.rows = 0}};
    gpr_status status = GPR_OK;
    int64_t cells;
    *out = (gpri_filtered){.ctx = ctx, .nodes = nodes, .ld = ld, .file = {.fd = -1}};
    if (!gpri_mul_size(nodes, ld, &cells) || cells > INT64_MAX / (int64_t)sizeof(gpri_real))
        THROW(GPR_ERROR_MEMORY, "the filtered features of %lld nodes fit no memory and no disk", (long long)nodes);
    const double bytes = (double)cells * (double)sizeof(gpri_real);
    const bool in_file = scratch && gpri_filtered_in_file(bytes, allowed);
    const int64_t buffers = in_file ? 3 : 2;
    TRY(gpri_model_table(ctx, &input, &source.table, model, data));
    TRY(gpri_first_panel(&source.panel, data, cols, buffers, (in_file ? 0 : bytes) + size_of(&input.moved)));
    out->panel = source.panel;
    say_need(out, in_file ? scratch : NULL, bytes, gpri_powers_memory(nodes, source.panel, buffers));
    if (!in_file) {
        TRY(gpri_alloc(ctx, &out->dense, cells, sizeof *out->dense, "filtered features"));
        TRY(gpri_powers_sum(ctx, out->dense, &source, gamma));
        goto done;
    }
    TRY(gpri_scratch_open(&out->file, scratch));
    TRY(gpri_scratch_reserve(&out->file, cells * (int64_t)sizeof(gpri_real), "the filtered features"));
    TRY(gpri_powers_panels(ctx, &source, gamma, keep_panel, out));
    TRY(gpri_alloc(ctx, &out->strip, STRIP * source.panel, sizeof *out->strip, "filtered features"));
    gpri_log(ctx, GPR_LOG_INFO, "order filter-first: the hops took %.1f s", gpri_seconds_now() - started);
done:
    gpri_model_input_free(ctx, &input);
    return status;
}

/* One row of the file. */
static gpr_status read_one(const gpri_filtered *f, gpri_real *to, int64_t node) {
    for (int64_t column = 0; column < f->ld; column += f->panel) {
        const int64_t left = f->ld - column, width = left < f->panel ? left : f->panel, size = (int64_t)sizeof *to;
        NEED(gpri_scratch_read(&f->file, to + column, width * size, (f->nodes * column + node * width) * size));
    }
    return GPR_OK;
}

/* (count) rows of the file, strip by strip. */
static gpr_status read_some(const gpri_filtered *f, gpri_real *to, int64_t first, int64_t count) {
    for (int64_t at = 0; at < count; at += STRIP)
        for (int64_t column = 0; column < f->ld; column += f->panel) {
            const int64_t left = f->ld - column, width = left < f->panel ? left : f->panel, size = (int64_t)sizeof *to;
            const int64_t rows = count - at < STRIP ? count - at : STRIP;
            NEED(gpri_scratch_read(&f->file, f->strip, rows * width * size,
                                   (f->nodes * column + (first + at) * width) * size));
            for (int64_t r = 0; r < rows; r++)
                memcpy(to + (at + r) * f->ld + column, f->strip + r * width, (size_t)(width * size));
        }
    return GPR_OK;
}

gpr_status gpri_filtered_rows(gpri_filtered *f, gpri_real **rows, gpri_real *buffer, int64_t first, int64_t count,
                              const int32_t *place) {
    *rows = buffer;
    if (f->dense && !place) *rows = f->dense + first * f->ld;
    else if (!place) NEED(read_some(f, buffer, first, count));
    for (int64_t i = 0; place && i < count; i++) {
        gpri_real *to = buffer + i * f->ld;
        if (f->dense) memcpy(to, f->dense + place[first + i] * f->ld, (size_t)f->ld * sizeof *to);
        else NEED(read_one(f, to, place[first + i]));
    }
    return GPR_OK;
}

void gpri_filtered_free(gpri_filtered *f) {
    gpri_free_all(f->ctx, f->dense, f->strip);
    gpri_scratch_close(&f->file);
}
