/* Part of an inspection: the eigenvalues of the graph, and what the filter does to them. */
#include <math.h>
#include <string.h>

#include "spectral/density.h"
#include "spectral/inspection.h"

/* All eigenvalues, where that is quick; *found. */
static gpr_status find_all(gpr_inspection *out, const gpri_exact *walk, const gpri_components *components,
                           bool *found) {
    gpr_status status = GPR_OK;
    const int64_t nodes = walk->graph->nodes;
    double *values = NULL;
    *found = false;
    if (!gpri_spectrum_is_small(components)) return GPR_OK;
    TRY(gpri_alloc(walk->ctx, &values, nodes, sizeof *values, "eigenvalues"));
    TRY(gpri_spectrum_all(walk->ctx, values, walk, components, found));
    if (!*found)
        gpri_log(walk->ctx, GPR_LOG_WARNING, "LAPACK is not installed (Debian: liblapack3): the spectrum is estimated");
    if (*found && components->count < nodes) {
        out->info.second_eigenvalue = values[components->count];
        out->info.smallest_eigenvalue = values[nodes - 1];
    }
    if (*found) {
        double *kept;
        TRY(gpri_series_new(out, &kept, GPRI_SERIES_EIGENVALUES, nodes));
        memcpy(kept, values, (size_t)nodes * sizeof *values);
    }
done:
    gpri_free(walk->ctx, values);
    return status;
}

/* The outermost; not known where ARPACK is missing, or would take long. */
static gpr_status find_ends(gpr_inspection *out, const gpri_exact *walk, const gpri_components *components) {
    gpr_status status =
        gpri_spectrum_ends(walk->ctx, &out->info.second_eigenvalue, &out->info.smallest_eigenvalue, walk, components);
    if (status != GPR_ERROR_IO && status != GPR_ERROR_NUMERIC) return status;
    gpri_log(walk->ctx, status == GPR_ERROR_IO ? GPR_LOG_WARNING : GPR_LOG_INFO, "single eigenvalues are not known: %s",
             gpr_last_error());
    out->info.second_eigenvalue = out->info.smallest_eigenvalue = NAN;
    return GPR_OK;
}

/* With all eigenvalues, on those; else on the interval between the outermost, or on (-1, 1). */
static void judge(gpr_inspection *out, const gpri_components *components) {
    const gpri_curve g = {&out->filter.form.basis, out->theta, out->filter.form.hops + 1};
    const gpri_series *values = &out->series[GPRI_SERIES_EIGENVALUES];
    const gpri_series *density = &out->series[GPRI_SERIES_DENSITY];
    gpr_inspection_info *info = &out->info;
    double middle[GPRI_INSPECT_BINS], share;
    if (!out->plain) return;
    if (values->values) {
        info->judged_on = GPR_JUDGED_ON_EIGENVALUES;
        info->filter = gpri_filter_kind_of(&g, values->values + components->count, NULL,
                                           values->count - components->count, &info->damped);
        return;
    }
    const bool ends = !isnan(info->second_eigenvalue);
    info->judged_on = ends ? GPR_JUDGED_ON_RANGE : GPR_JUDGED_ON_INTERVAL;
    info->filter =
        gpri_filter_kind_between(&g, ends ? info->smallest_eigenvalue : -1, ends ? info->second_eigenvalue : 1, &share);
    for (int b = 0; b < GPRI_INSPECT_BINS; b++) middle[b] = -1 + (2 * b + 1.0) / GPRI_INSPECT_BINS;
    (void)gpri_filter_kind_of(&g, middle, density->values, GPRI_INSPECT_BINS, &info->damped);
}

gpr_status gpri_inspect_spectrum(gpr_inspection *out, const gpri_exact *walk, const gpri_components *components) {
    double *density;
    bool all;
    const gpri_series *values = &out->series[GPRI_SERIES_EIGENVALUES];
    NEED(find_all(out, walk, components, &all));
    if (!all) NEED(find_ends(out, walk, components));
    NEED(gpri_series_new(out, &density, GPRI_SERIES_DENSITY, GPRI_INSPECT_BINS));
    if (all) gpri_density_of_values(density, GPRI_INSPECT_BINS, values->values, values->count);
    else NEED(gpri_density_estimate(walk->ctx, walk->graph, density, GPRI_INSPECT_BINS));
    out->info.exact_density = all;
    judge(out, components);
    return GPR_OK;
}
