/* Splits by a rule or from files: masks in an .npz file, or a folder of lists of nodes. */
#ifndef GPRI_IO_SPLIT_H
#define GPRI_IO_SPLIT_H

#include "base/params.h"
#include "data/split.h"

/* What gpr_split_new does. care: GPRI_SPLIT_WARN and the like. */
gpr_status gpri_split_make(gpr_ctx *ctx, gpr_split **out, const gpr_dataset *data, const char *spec, uint64_t seed,
                           int64_t run, unsigned care) GPRI_MUST_CHECK;
/* What "auto" stands for with this data takes its place in the option `split`: so the model and the reports say what
   was used. */
gpr_status gpri_split_settle(gpr_params *params, const gpr_dataset *data) GPRI_MUST_CHECK;
/* How careful a training with these (settled) options must be: data gets a split that covers every class, unless one
   is asked for by name, or by the preset for published data (gpri_defaults_look was called). */
unsigned gpri_split_care(const gpr_params *params, const gpr_dataset *data);
/* Whether all runs have the same split, and differ in seeds only. */
bool gpri_split_is_fixed(const char *spec);
/* Is the text a right one, and is the file or folder there that it names? For an early error: the data is not needed.
 */
gpr_status gpri_split_check(const char *spec) GPRI_MUST_CHECK;

#endif
