/* The bytes of a stopped training (gpr_result_state, written in save_state.c), read again.
 *
 * A safetensors container. Its metadata has the format and its version, the data's fingerprint, who made the splits,
 * what was done to the features, and the options. Its arrays, with R runs, of which B began and S are not finished:
 *     runs      I64 (R x 3)  kind (gpri_run_kind), steps, best step
 *     seconds   F64 (R + 1)  of every run, and of the whole training
 *     splits    I64 (R x W)  the part of every node, two bits each, the first node lowest
 *     history   F64 (H x 6)  gpri_epoch: those of each run that began, from step 0 on, one run after the other
 *     best      F32 (B x .)  the weights of the best step, without padding
 *     numbers        (S x .) gpri_pause.numbers, in the type of gpri_real; not there if S is 0
 *     adam           (S x 7) gpri_adam; the same
 *     checksum  I64 (1)      the last 8 bytes: CRC-32 of all before them */
#ifndef GPRI_SAVED_H
#define GPRI_SAVED_H

#include "data/scaling.h"
#include "model/safetensors.h"
#include "train/result.h"
#include "train/state.h"

#define GPRI_SAVED_FORMAT "gprgnn state"
#define GPRI_SAVED_VERSION "1"
#define GPRI_SAVED_GIVEN "given"
#define GPRI_SAVED_DRAWN "drawn"

typedef enum gpri_run_kind { GPRI_RUN_WAITING, GPRI_RUN_STOPPED, GPRI_RUN_FINISHED } gpri_run_kind;

enum {
    GPRI_SAVED_CURVES = sizeof(gpri_epoch) / sizeof(double),
    GPRI_SAVED_ADAM = sizeof(gpri_adam) / sizeof(gpri_real),
    GPRI_NODES_PER_WORD = 32
};

/* The type of gpri_real. */
static inline const char *gpri_saved_real(void) { return sizeof(gpri_real) == sizeof(float) ? "F32" : "F64"; }

/* What `normalize` came to: for "auto" the data decide, by more than their fingerprint says. */
static inline const char *gpri_saved_features(bool rows, const gpri_scaling *columns) {
    return rows ? "rows sum to 1" : columns->cols > 0 ? "columns scaled" : "as they are";
}

/* Whether the option has a part in what a training comes to. */
static inline bool gpri_saved_param(const gpr_params *params, gpri_param id, bool given) {
    if (id == GPRI_PARAM_THREADS || id == GPRI_PARAM_DEVICE) return false;
    if (given && (id == GPRI_PARAM_SPLIT || id == GPRI_PARAM_RUNS)) return false;
    return gpri_params_applies(params, id);
}

typedef struct gpri_saved_run {
    gpri_run_kind kind;
    double seconds;
    gpri_restart restart; /* of a run that began */
} gpri_saved_run;

typedef struct gpri_saved {
    gpr_ctx *ctx;
    gpri_safetensors file;
    bool given;
    int64_t count, words; /* runs; numbers of a split */
    double seconds;
    const char *splits; /* (count x words) */
    gpri_saved_run *runs;
} gpri_saved;

/* bytes are borrowed and must outlive *out; params: those of the call, which must be those of the state. Errors:
   GPR_ERROR_FORMAT, GPR_ERROR_MISMATCH. Free it with gpri_saved_close, whatever happens. */
gpr_status gpri_saved_open(gpr_ctx *ctx, gpri_saved *out, const void *bytes, size_t size,
                           const gpr_params *params) GPRI_MUST_CHECK;
void gpri_saved_close(gpri_saved *saved);
/* That the data are those of the state; after this the splits may be asked for. */
gpr_status gpri_saved_match(const gpri_saved *saved, const gpr_dataset *data, const char *fingerprint) GPRI_MUST_CHECK;
/* That the features are made ready as they were. */
gpr_status gpri_saved_match_features(const gpri_saved *saved, bool rows, const gpri_scaling *columns) GPRI_MUST_CHECK;
gpr_status gpri_saved_split(const gpri_saved *saved, gpr_split **out, const gpr_dataset *data,
                            int64_t run) GPRI_MUST_CHECK;
/* Of a run that began: into a new trainer; history, steps, best step and seconds into *out. */
gpr_status gpri_saved_restore(const gpri_saved *saved, gpri_trainer *trainer, gpri_run *out) GPRI_MUST_CHECK;

#endif
