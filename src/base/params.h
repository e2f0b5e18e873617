/* The table of options (params.def) and a set of values. */
#ifndef GPRI_PARAMS_H
#define GPRI_PARAMS_H

#include "base/context.h"

typedef enum gpri_param {
#define PARAM(ID, word, type, fallback, range, models, group, help) GPRI_PARAM_##ID,
#define MODEL_DEFAULT(ID, model, fallback)
#include "base/params.def"
#undef MODEL_DEFAULT
#undef PARAM
    GPRI_PARAM_COUNT
} gpri_param;

/* Who set a value; a higher one is not overwritten by a lower one. */
typedef enum gpri_set_by { GPRI_FROM_DEFAULT, GPRI_FROM_PRESET, GPRI_FROM_FILE, GPRI_FROM_FLAG } gpri_set_by;

/* What a config.json says of the data; gpr_params_data gives it. Copies of the options do not have it. */
gpr_status gpri_params_set_data(gpr_params *params, const char *word, const char *value) GPRI_MUST_CHECK;

/* Says how to compute, not what: models, states and studies do not know the option. */
static inline bool gpri_param_is_way(gpri_param id) {
    return id == GPRI_PARAM_THREADS || id == GPRI_PARAM_DEVICE || id == GPRI_PARAM_HOPS_FILE ||
           id == GPRI_PARAM_PREDICTIONS;
}
/* Whether files leave the option out: it is younger than they are, and has its default. */
bool gpri_params_left_out(const gpr_params *params, gpri_param id);

const char *gpri_param_word(gpri_param id);
/* By its word, "weight-decay" or "weight_decay"; false: there is none. */
bool gpri_param_find(const char *name, gpri_param *id);
gpr_ctx *gpri_params_ctx(const gpr_params *params); /* that they were made with: for the log */
/* Whether the option means anything to the model that these options choose. */
bool gpri_params_applies(const gpr_params *params, gpri_param id);
/* Fails if an option was set that the model does not have. */
gpr_status gpri_params_check_model(const gpr_params *params) GPRI_MUST_CHECK;
gpr_status gpri_params_set_from(gpr_params *params, gpri_set_by source, const char *name,
                                const char *value) GPRI_MUST_CHECK;
/* Puts the value that a word such as "auto" stands for in its place; nobody has asked for that value. */
gpr_status gpri_params_settle(gpr_params *params, gpri_param id, const char *value) GPRI_MUST_CHECK;
/* Whether a flag, the API or a file names the value; else it is the default or that of a preset. */
bool gpri_params_asked(const gpr_params *params, gpri_param id);
int64_t gpri_params_int(const gpr_params *params, gpri_param id);
double gpri_params_real(const gpr_params *params, gpri_param id);
/* Of any type; a CHOICE is asked for by its word. */
const char *gpri_params_text(const gpr_params *params, gpri_param id);
gpr_status gpri_params_copy(gpr_ctx *ctx, gpr_params **out, const gpr_params *params) GPRI_MUST_CHECK;

#endif
