/* Cuts the work of a study into pieces, and deals them out to processes. */
#include "search/pieces.h"

#include <string.h>

#include "dist/all.h"
#include "tensor/device.h"

/* Neighbours in a latent space take longer to find than a run takes. */
static bool is_costly_to_prepare(const gpri_cell *cell) {
    return gpri_params_applies(cell->params, GPRI_PARAM_EMBEDDING);
}

/* An earlier cell is of the same runs, and will train this one. */
static bool is_asked_before(const gpr_study *study, int64_t index, int64_t run) {
    const gpri_cell *cell = &study->cells[index];
    const uint64_t seed = cell->seed + (uint64_t)run;
    for (int64_t c = 0; c < index; c++) {
        const gpri_cell *other = &study->cells[c];
        if (strcmp(other->key, cell->key) == 0 && seed - other->seed < (uint64_t)other->runs &&
            (cell->measures & ~other->measures) == 0)
            return true;
    }
    return false;
}

/* Runs of a piece, at most. A device that trains several side by side gets as many as leave work for all jobs. */
static int64_t piece_size(const gpr_study *study, const gpri_cell *cell, int64_t jobs) {
    const int64_t lanes = study->ctx->job.device->lanes;
    int64_t runs = 0;
    if (is_costly_to_prepare(cell)) return gpri_chunk_count(cell->runs, jobs);
    if (lanes <= 1) return 1;
    for (int64_t c = 0; c < study->count; c++) runs += study->cells[c].runs;
    const int64_t each = gpri_chunk_count(runs, 2 * jobs);
    return each < 1 ? 1 : each < lanes ? each : lanes;
}

static gpr_status add(const gpr_study *study, gpri_pieces *out, gpri_piece piece) {
    gpr_status status = gpri_grow(study->ctx, &out->at, &out->capacity, out->count + 1, sizeof *out->at, "work");
    if (status == GPR_OK) out->at[out->count++] = piece;
    return status;
}

gpr_status gpri_pieces_cut(const gpr_study *study, gpri_pieces *out, int64_t jobs) {
    for (int64_t c = 0; c < study->count; c++) {
        const gpri_cell *cell = &study->cells[c];
        const int64_t most = piece_size(study, cell, jobs);
        for (int64_t run = 0, first = 0; run <= cell->runs; run++) {
            const bool lacks = run < cell->runs && !gpri_study_find(study, cell, run);
            const bool missing = lacks && cell->data && !is_asked_before(study, c, run);
            if (run > first && (!missing || run - first == most)) {
                NEED(add(study, out, (gpri_piece){c, first, run}));
                first = run;
            }
            if (!missing) first = run + 1;
            out->done += run < cell->runs && !lacks;
            out->runs += run < cell->runs && (missing || !lacks);
        }
    }
    return GPR_OK;
}

void gpri_pieces_deal(gpri_pieces *pieces, const gpr_ctx *ctx) {
    const int64_t processes = gpri_process_count(ctx);
    int64_t own = 0;
    for (int64_t i = 0; i < pieces->count; i++)
        if ((i + i / processes) % processes == gpri_process_number(ctx)) pieces->at[own++] = pieces->at[i];
    pieces->count = own;
}
