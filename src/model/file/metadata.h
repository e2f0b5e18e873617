/* The metadata of a model file, where every value has to be a text: options, and lists as JSON in a text. */
#ifndef GPRI_METADATA_H
#define GPRI_METADATA_H

#include "base/json.h"
#include "base/names.h"
#include "base/params.h"

/* Any JSON, as a text; the call takes it over. NULL: jansson had no memory. */
void gpri_put_list(gpri_object *to, gpr_ctx *ctx, const char *key, json_t *tree);
/* Lists without an entry are not written. */
void gpri_put_names(gpri_object *to, gpr_ctx *ctx, const char *key, const gpri_names *names);
void gpri_put_reals(gpri_object *to, gpr_ctx *ctx, const char *key, const float *values, int64_t count);

/* An option, unless its default is left out. */
void gpri_put_param(gpri_object *to, const gpr_params *params, gpri_param id);

/* Reads the lists; `count`: how many entries there must be. Without the key: GPR_OK, and nothing is read. */
gpr_status gpri_meta_names(gpr_ctx *ctx, const json_t *meta, const char *key, gpri_names *out, int64_t count,
                           const char *path) GPRI_MUST_CHECK;
gpr_status gpri_meta_reals(gpr_ctx *ctx, const json_t *meta, const char *key, float **out, int64_t count,
                           const char *path) GPRI_MUST_CHECK;

#endif
