/* Diagonal matrices of the degrees, as steps need them: rounded, in the device's memory, and of the halo's nodes too,
 * whose rows other processes have. */
#include "walk/walker.h"

/* The host's; free it in any case. */
static gpr_status round_scale(const gpri_walker *walker, gpri_real **out, gpri_scale which, bool squared) {
    const int64_t nodes = walker->near->nodes;
    gpri_halo *halo = walker->share ? walker->share->halo : NULL;
    double *exact = NULL;
    gpr_status status = GPR_OK;
    TRY(gpri_alloc(walker->ctx, &exact, nodes, sizeof *exact, "degrees"));
    TRY(gpri_alloc(walker->ctx, out, nodes, sizeof **out, "degrees"));
    gpri_graph_scale(walker->near, which, exact);
    for (int64_t i = 0; i < nodes; i++) {
        (*out)[i] = (gpri_real)exact[i];
        if (squared) (*out)[i] *= (*out)[i];
    }
    if (halo) TRY(gpri_halo_reserve(halo, 1));
done:
    gpri_free(walker->ctx, exact);
    if (!halo) return status;
    status = gpri_group_all_well(halo->group, status);
    if (status == GPR_OK) gpri_halo_fetch(halo, gpri_packed(*out, nodes, 1));
    return status;
}

static gpr_status make_scale(gpri_walker *walker, const gpri_real **out, gpri_scale which, bool squared) {
    gpri_real **kept = &walker->scales[squared][which], *rounded = NULL;
    const int64_t nodes = walker->near->nodes;
    gpr_status status = GPR_OK;
    if (*kept) goto done;
    TRY(round_scale(walker, &rounded, which, squared));
    TRY(gpri_held_alloc(&walker->held, kept, nodes, sizeof **kept, false, "degrees"));
    walker->device->put(walker->device, *kept, rounded, nodes * (int64_t)sizeof *rounded);
done:
    gpri_free(walker->ctx, rounded);
    *out = *kept;
    return status;
}

gpr_status gpri_walker_scale(gpri_walker *walker, const gpri_real **out, gpri_scale which) {
    return make_scale(walker, out, which, false);
}

gpr_status gpri_walker_squared_scale(gpri_walker *walker, const gpri_real **out, gpri_scale which) {
    return make_scale(walker, out, which, true);
}
