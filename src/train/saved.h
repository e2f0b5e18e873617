/* The bytes of a training that is not finished (written in save_state.c), read again: one block of bytes with all runs
 * (gpr_result_state), or one block for each run that began (gpr_train_options.save).
 *
 * A block is a safetensors container. Its metadata has the format and its version, the number R of all runs, the data's
 * fingerprint, who made the splits and a hash of all of them, a hash of the latent space and the initial filter, what
 * was done to the features, the kernels, and the options. Its arrays, with H of the R runs, of which B began and S are
 * not finished:
 *
 *  - runs: I64 (H x 4) number, ascending; kind (gpri_run_kind); steps; best step
 *  - seconds: F64 (H + 1) of every run, and of the whole training
 *  - splits: I64 (H x W) the part of every node, two bits each, the first node lowest
 *  - history: F64 (. x 7) gpri_epoch: those of each run that began, from step 0 on, one run after the other
 *  - gamma: F32 (. x K + 1) the rows of train/gamma_history.h, likewise; not there if no filter is learned
 *  - best: F32 (B x .) the weights of the best step, without padding
 *  - numbers: (S x .) gpri_pause.numbers, in the type of gpri_real; not there if S is 0
 *  - adam: (S x 7) gpri_adam; the same
 *  - stacks: U8 (1 x .) of each of the H runs the size of what follows, I64, and the bytes of its networks
 *    (train/stack.h), filled up with zeros to a multiple of 8; not there if the model is no stack
 *  - kept: U8 (1 x .) a state itself: of the best finished candidate, while a choice goes on (train/saved_choice.h)
 *  - checksum: I64 (1) the last 8 bytes: CRC-32 of all before them
 *
 * If B is 0, history, gamma and best are not there. Version 4 is that of 0.2.0: it says nothing of a choice. */
#ifndef GPRI_SAVED_H
#define GPRI_SAVED_H

#include "data/scale/scaling.h"
#include "model/file/safetensors.h"
#include "train/result.h"
#include "train/state.h"

#define GPRI_SAVED_FORMAT "gprgnn state"
#define GPRI_SAVED_VERSION "5"
#define GPRI_SAVED_OLD_VERSION "4"
#define GPRI_SAVED_MOST_RUNS 1000000 /* the bound of the option `runs` is below */
#define GPRI_SAVED_GIVEN "given"
#define GPRI_SAVED_DRAWN "drawn"

/* A run that can go on has epochs left; as a candidate, it may have had them all; or the options give it more `epochs`
   than the state's. */
typedef enum gpri_saved_as { GPRI_SAVED_RUN, GPRI_SAVED_CANDIDATE, GPRI_SAVED_LONGER } gpri_saved_as;

typedef enum gpri_run_kind { GPRI_RUN_WAITING, GPRI_RUN_STOPPED, GPRI_RUN_FINISHED } gpri_run_kind;

enum {
    GPRI_SAVED_PROGRESS = 4, /* numbers of a row of `runs` */
    GPRI_SAVED_CURVES = sizeof(gpri_epoch) / sizeof(double),
    GPRI_SAVED_ADAM = sizeof(gpri_adam) / sizeof(gpri_real),
    GPRI_NODES_PER_WORD = 32
};

/* The type of gpri_real. */
static inline const char *gpri_saved_real(void) { return sizeof(gpri_real) == sizeof(float) ? "F32" : "F64"; }

/* What `normalize` came to: for "auto" the data decide, by more than their fingerprint says. */
static inline const char *gpri_saved_features(bool rows, const gpri_scaling *columns) {
    if (columns->curves.first) return "columns scaled, skewed ones made normal";
    return rows ? "rows sum to 1" : columns->cols > 0 ? "columns scaled" : "as they are";
}

/* Whether the option has a part in what a training comes to. */
static inline bool gpri_saved_param(const gpr_params *params, gpri_param id, bool given) {
    if (gpri_param_is_way(id)) return false;
    if (given && (id == GPRI_PARAM_SPLIT || id == GPRI_PARAM_RUNS)) return false;
    return gpri_params_applies(params, id);
}

typedef struct gpri_saved_run {
    gpri_run_kind kind;
    double seconds;
    const char *split;    /* (words) NULL: no block has the run */
    gpri_restart restart; /* of a run that began */
    const char *stack;    /* (stack_size) its networks, also of one that did not; NULL: none */
    int64_t stack_size;
} gpri_saved_run;

/* Zeroed: a new training. */
typedef struct gpri_saved {
    gpr_ctx *ctx;
    gpri_safetensors *files; /* (file_count) one for each block */
    int64_t file_count;
    bool given;           /* the splits are the caller's */
    int64_t count, words; /* all runs; numbers of a split */
    double seconds;
    gpri_saved_run *runs; /* (count) */
} gpri_saved;

/* states: (count) at least one; borrowed, and must outlive *out. params: those of the call, which must be those of the
   states. Errors: GPR_ERROR_FORMAT, GPR_ERROR_MISMATCH. Free it with
   gpri_saved_close, whatever happens. */
gpr_status gpri_saved_open(gpr_ctx *ctx, gpri_saved *out, const gpr_state *states, int64_t count,
                           const gpr_params *params, gpri_saved_as as) GPRI_MUST_CHECK;
/* *text: the value of an option in a state, to be freed; NULL where it has none. */
gpr_status gpri_saved_option(gpr_ctx *ctx, char **text, const gpr_state *state, gpri_param option) GPRI_MUST_CHECK;
void gpri_saved_close(gpri_saved *saved);
/* That the data are those of the state; after this the splits may be asked for. Warns if the kernels are others. */
gpr_status gpri_saved_match(const gpri_saved *saved, const gpr_dataset *data, const char *fingerprint) GPRI_MUST_CHECK;
/* That the features are made ready as they were. */
gpr_status gpri_saved_match_features(const gpri_saved *saved, bool rows, const gpri_scaling *columns) GPRI_MUST_CHECK;
/* *out stays NULL where no block has the run. */
gpr_status gpri_saved_split(const gpri_saved *saved, gpr_split **out, const gpr_dataset *data,
                            int64_t run) GPRI_MUST_CHECK;
/* That the splits, and what the files of `embedding` and `init` say, are those of the state, by their hashes. */
gpr_status gpri_saved_match_inputs(const gpri_saved *saved, const gpr_result *result) GPRI_MUST_CHECK;
/* Of a run that began: into a new trainer; history, steps, best step and seconds into *out. */
gpr_status gpri_saved_restore(const gpri_saved *saved, gpri_trainer *trainer, gpri_run *out) GPRI_MUST_CHECK;

/* The other way: the state of some runs of a training as bytes. runs: (count) in the order of their numbers; those that
   began have model and history. Free with gpri_free. */
gpr_status gpri_state_bytes(gpr_ctx *ctx, char **bytes, int64_t *size, const gpr_result *result, const gpri_run *runs,
                            int64_t count) GPRI_MUST_CHECK;
/* Of all runs, whatever their order. */
gpr_status gpri_state_of_all(gpr_ctx *ctx, char **bytes, int64_t *size, const gpr_result *result) GPRI_MUST_CHECK;

/* The checksum and the header of a block. The bytes must outlive *out, which is to be closed in any case. */
gpr_status gpri_saved_header(gpri_safetensors *out, const gpr_state *state) GPRI_MUST_CHECK;

#endif
