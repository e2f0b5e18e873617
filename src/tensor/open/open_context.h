/* Contexts with their devices. */
#ifndef GPRI_OPEN_CONTEXT_H
#define GPRI_OPEN_CONTEXT_H

#include "base/context.h"

/* For one of several jobs at the same time: the device of ctx, and its share of the threads. It has a log of its own,
   which nobody hears: that of ctx is not for many threads, and would say the same of every job. */
gpr_status gpri_ctx_for_job(gpr_ctx **out, const gpr_ctx *ctx, int jobs, gpr_progress_fn progress,
                            void *user) GPRI_MUST_CHECK;

#endif
