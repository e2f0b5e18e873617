/* The parts of a matrix of the graph: diagonal matrices of the degrees, as steps need them: rounded, in the device's
 * memory, and of the halo's nodes too, whose rows other processes have. */
#include "walk/operator.h"

#include "base/memory.h"

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
    status = gpri_all_well(walker->ctx, status);
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

gpr_status gpri_operator_plain(gpri_operator *out, gpri_walker *walker, bool loops) {
    const gpri_scale which = loops ? GPRI_SCALE_LOOPED : GPRI_SCALE_OPEN;
    *out = (gpri_operator){.forward = walker->view, .backward = walker->view, .loop = loops};
    NEED(gpri_walker_scale(walker, &out->left, which));
    out->right = out->left;
    return gpri_walker_squared_scale(walker, &out->both, which);
}

/* The numbers of (left) and of both, as gpri_real in the device's memory: a product of rounded numbers, as the walker's
   own squares are. */
static gpr_status put_scales(gpri_operator *out, gpri_walker *walker, const gpri_graph *forward,
                             const gpri_graph *backward, gpri_scale which) {
    const int64_t nodes = forward->nodes, bytes = nodes * (int64_t)sizeof(gpri_real);
    const gpri_graph *const of[2] = {forward, backward};
    double *exact = NULL;
    gpri_real *rounded = NULL, *side[3] = {0};
    gpr_status status = GPR_OK;
    TRY(gpri_alloc(walker->ctx, &exact, nodes, sizeof *exact, "degrees"));
    TRY(gpri_alloc(walker->ctx, &rounded, 2 * nodes, sizeof *rounded, "degrees"));
    for (int i = 0; i < 3; i++) TRY(gpri_held_alloc(&walker->held, &side[i], nodes, sizeof *rounded, false, "degrees"));
    for (int i = 0; i < 2; i++) {
        gpri_graph_scale(of[i], which, exact);
        for (int64_t node = 0; node < nodes; node++) rounded[i * nodes + node] = (gpri_real)exact[node];
        walker->device->put(walker->device, side[i], rounded + i * nodes, bytes);
    }
    for (int64_t node = 0; node < nodes; node++) rounded[node] *= rounded[nodes + node];
    walker->device->put(walker->device, side[2], rounded, bytes);
    out->left = side[0];
    out->right = side[1];
    out->both = side[2];
done:
    gpri_free_all(walker->ctx, exact, rounded);
    return status;
}

gpr_status gpri_operator_of(gpri_operator *out, gpri_walker *walker, const gpri_graph *graph, bool loops) {
    *out = (gpri_operator){.loop = loops};
    NEED(gpri_held_share_graph(&walker->held, &out->forward, graph));
    out->backward = out->forward;
    return put_scales(out, walker, graph, graph, loops ? GPRI_SCALE_LOOPED : GPRI_SCALE_OPEN);
}

gpr_status gpri_operator_directed(gpri_operator *out, gpri_walker *walker, const gpri_graph *forward,
                                  const gpri_graph *backward) {
    *out = (gpri_operator){.loop = 0};
    NEED(gpri_held_share_graph(&walker->held, &out->forward, forward));
    NEED(gpri_held_share_graph(&walker->held, &out->backward, backward));
    return put_scales(out, walker, forward, backward, GPRI_SCALE_OPEN);
}

static gpri_adjacency matrix_of(const gpri_operator *s, bool back) {
    return (gpri_adjacency){.graph = back ? &s->backward : &s->forward, .factor = 1, .loop = s->loop};
}

gpri_step gpri_operator_step(const gpri_operator *s, bool back, bool last) {
    const gpri_real *left = back ? s->right : s->left, *right = back ? s->left : s->right;
    gpri_step step = {.m = matrix_of(s, back), .a = 1, .scale = last ? NULL : right};
    step.m.left = last ? left : s->both;
    return step;
}

gpri_step gpri_operator_whole_step(const gpri_operator *s, bool back) {
    gpri_step step = {.m = matrix_of(s, back), .a = 1};
    step.m.left = back ? s->right : s->left;
    step.m.right = back ? s->left : s->right;
    return step;
}
