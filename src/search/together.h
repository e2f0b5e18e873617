/* A study in several processes (dist/all.h). Between two calls all have the same kept runs, those of process 0, which
 * alone has the file. The pieces of work are dealt out; a process tells process 0 every run when it is finished. */
#ifndef GPRI_TOGETHER_H
#define GPRI_TOGETHER_H

#include "search/study.h"

/* All get the runs that process 0 has from place `first` on, in place of their own from there. */
gpr_status gpri_study_share(gpr_study *study, int64_t first) GPRI_MUST_CHECK;
/* That all have the same cells and kernels. */
gpr_status gpri_study_match(const gpr_study *study) GPRI_MUST_CHECK;
/* A run of another process. cell -1: it has no more. */
typedef struct gpri_told_run {
    int64_t cell;
    uint64_t seed;
} gpri_told_run;

/* Tells process 0 of a finished run; frees what the run holds. */
gpr_status gpri_study_tell(gpr_study *study, int64_t cell, gpri_kept_run *run,
                           const gpri_run_origin *origin) GPRI_MUST_CHECK;
/* In process 0: takes the next that was told, and keeps it. *found: there was one. */
gpr_status gpri_study_hear(gpr_study *study, gpri_told_run *out, bool *found) GPRI_MUST_CHECK;

#endif
