/* What simple methods reach on the splits of a result. */
#ifndef GPRI_BASELINES_H
#define GPRI_BASELINES_H

#include "statistics/statistics.h"
#include "train/result.h"

/* The mean over the runs of a measure of a baseline on the test nodes. */
gpri_mean gpri_baseline_mean(const gpr_result *result, int index, gpri_measure which);

#endif
