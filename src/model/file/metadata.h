/* Lists in the metadata of a model file, where every value has to be a text: JSON in a text. */
#ifndef GPRI_METADATA_H
#define GPRI_METADATA_H

#include "base/json.h"
#include "data/names.h"

/* Each gives 0, or another number if jansson failed. Lists without an entry are not written. */
int gpri_meta_set_text(json_t *object, const char *key, const char *value);
/* Any JSON; the call takes it over. NULL: jansson had no memory. */
int gpri_meta_set_json(json_t *object, gpr_ctx *ctx, const char *key, json_t *tree);
int gpri_meta_set_names(json_t *object, gpr_ctx *ctx, const char *key, const gpri_names *names);
int gpri_meta_set_reals(json_t *object, gpr_ctx *ctx, const char *key, const float *values, int64_t count);

/* Reads the lists; `count`: how many entries there must be. Without the key: GPR_OK, and nothing is read. */
gpr_status gpri_meta_names(gpr_ctx *ctx, const json_t *meta, const char *key, gpri_names *out, int64_t count,
                           const char *path) GPRI_MUST_CHECK;
gpr_status gpri_meta_reals(gpr_ctx *ctx, const json_t *meta, const char *key, float **out, int64_t count,
                           const char *path) GPRI_MUST_CHECK;

#endif
