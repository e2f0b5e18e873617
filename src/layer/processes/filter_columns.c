/* The graph filter where its columns are dealt out to processes. Each process has some rows of H. The columns are cut
 * into panels, as one process cuts a large state (layer/panels.h; a small one is one panel), and each process has some
 * panels. So the rows are turned: every process gets the columns of its panels, of all nodes; does all hops on them,
 * for which it needs nothing of others; and gives every process its rows of the result. The panels, the chunks and the
 * order of all sums are those of one process. */
#include <string.h>

#include "layer/gpr_layer.h"

/* ---- panels ---- */

static int64_t first_panel(const gpri_turned *turned, const gpri_group *group, int64_t process) {
    return process * turned->panels / group->size;
}

static gpri_matrix panel_of(const gpri_turned *turned, gpri_matrix x, int64_t panel) {
    return turned->cut->each ? gpri_panel(turned->cut, x, panel) : x;
}

/* The panel that a process works on in a round; -1: it has none left. */
static int64_t panel_in(const gpri_turned *turned, const gpri_group *group, int64_t process, int64_t round) {
    const int64_t panel = first_panel(turned, group, process) + round;
    return panel < first_panel(turned, group, process + 1) ? panel : -1;
}

static int64_t rounds_of(const gpri_turned *turned, const gpri_group *group) {
    return (turned->panels + group->size - 1) / group->size;
}

/* ---- turning ---- */

static void copy_rows(gpri_real *to, int64_t to_ld, const gpri_real *from, int64_t from_ld, int64_t rows,
                      int64_t width) {
    for (int64_t i = 0; i < rows; i++) memcpy(to + i * to_ld, from + i * from_ld, (size_t)width * sizeof *to);
}

/* Where the rows of this process for the panel of another lie while they are under way. */
static gpri_real *parcel_of(const gpri_turned *turned, const gpri_net *net, int64_t process) {
    return (gpri_real *)turned->parcel + process * net->rows.count * turned->width;
}

/* Rows of x become the columns of this round's panels: `to` (nodes x its width) in each process that has one. */
static void turn(const gpri_turned *turned, gpri_net *net, gpri_matrix x, gpri_real *to, int64_t round) {
    gpri_group *group = net->share->group;
    const int64_t *cuts = net->share->cuts, own = panel_in(turned, group, group->rank, round);
    gpri_parcel *out = turned->parcels, *in = out + group->size;
    int64_t outs = 0, ins = 0;
    for (int64_t p = 0; p < group->size; p++) {
        const int64_t panel = panel_in(turned, group, p, round);
        if (panel >= 0) {
            const gpri_matrix part = panel_of(turned, x, panel);
            gpri_real *at = p == group->rank ? to + cuts[p] * part.width : parcel_of(turned, net, p);
            copy_rows(at, part.width, part.at, part.ld, net->rows.count, part.width);
            if (p != group->rank)
                out[outs++] = (gpri_parcel){p, at, net->rows.count * part.width * (int64_t)sizeof *at};
        }
        if (own >= 0 && p != group->rank) {
            const int64_t width = panel_of(turned, x, own).width;
            in[ins++] = (gpri_parcel){p, to + cuts[p] * width, (cuts[p + 1] - cuts[p]) * width * (int64_t)sizeof *to};
        }
    }
    group->exchange_begin(group, out, outs, in, ins);
    group->exchange_end(group);
}

/* And back: from: (nodes x its width) the own panel; x gets the columns of all panels of the round. */
static void turn_back(const gpri_turned *turned, gpri_net *net, gpri_matrix x, gpri_real *from, int64_t round) {
    gpri_group *group = net->share->group;
    const int64_t *cuts = net->share->cuts, own = panel_in(turned, group, group->rank, round);
    gpri_parcel *out = turned->parcels, *in = out + group->size;
    int64_t outs = 0, ins = 0;
    for (int64_t p = 0; p < group->size; p++) {
        const int64_t panel = panel_in(turned, group, p, round);
        if (p == group->rank) continue;
        if (panel >= 0)
            in[ins++] = (gpri_parcel){p, parcel_of(turned, net, p),
                                      net->rows.count * panel_of(turned, x, panel).width * (int64_t)sizeof *from};
        if (own >= 0) {
            const int64_t width = panel_of(turned, x, own).width;
            out[outs++] =
                (gpri_parcel){p, from + cuts[p] * width, (cuts[p + 1] - cuts[p]) * width * (int64_t)sizeof *from};
        }
    }
    group->exchange_begin(group, out, outs, in, ins);
    group->exchange_end(group);
    for (int64_t p = 0; p < group->size; p++) {
        const int64_t panel = panel_in(turned, group, p, round);
        if (panel < 0) continue;
        const gpri_matrix part = panel_of(turned, x, panel);
        const gpri_real *at = p == group->rank ? from + cuts[p] * part.width : parcel_of(turned, net, p);
        copy_rows(part.at, part.ld, at, part.width, net->rows.count, part.width);
    }
}

/* ---- the filter ---- */

gpr_status gpri_gpr_turn_plan(gpri_gpr_layer *layer, gpri_net *net) {
    const gpri_act *z = layer->base.out;
    const bool learns = net->trains && !layer->gamma->fixed;
    const int64_t nodes = net->rows.nodes, size = net->share->group->size;
    gpri_turned *turned = &layer->turning;
    gpr_status status = GPR_OK;
    layer->turned = turned; /* what it points to is the host's: rows are dealt out on the CPU only */
    turned->cut = &layer->panels;
    turned->width = layer->panels.each ? GPRI_PANEL : z->ld;
    const int64_t numbers = nodes * turned->width;
    TRY(gpri_net_alloc(net, &turned->x, numbers, sizeof(gpri_real), false, "graph filter"));
    TRY(gpri_net_alloc(net, &turned->z, numbers, sizeof(gpri_real), false, "graph filter"));
    TRY(gpri_net_alloc(net, &turned->back, numbers, sizeof(gpri_real), false, "graph filter"));
    if (learns) TRY(gpri_net_alloc(net, &turned->h, numbers, sizeof(gpri_real), false, "graph filter"));
    TRY(gpri_net_alloc(net, &turned->parcel, size * net->rows.count * turned->width, sizeof(gpri_real), false,
                       "graph filter"));
    TRY(gpri_net_alloc(net, &turned->parcels, 2 * size, sizeof *turned->parcels, false, "graph filter"));
    if (!learns) goto done;
    const int64_t dots =
        (layer->all + 1) * (layer->panels.each ? layer->panels.each : 1) * net->rows.blocks * net->rows.pieces;
    TRY(gpri_net_alloc(net, &layer->dots, dots, sizeof *layer->dots, false, "graph filter"));
    TRY(gpri_net_alloc(net, &layer->all_dots, dots, sizeof *layer->all_dots, false, "graph filter"));
done:
    return status;
}

/* The number of panels of a matrix. */
static gpri_turned *begin(const gpri_gpr_layer *layer, gpri_matrix x) {
    layer->turned->panels = layer->panels.each ? gpri_panel_count(&layer->panels, x) : 1;
    return layer->turned;
}

void gpri_gpr_turned_apply(const gpri_gpr_layer *layer, gpri_net *net, gpri_matrix z, gpri_matrix h) {
    gpri_group *group = net->share->group;
    const gpri_turned *turned = begin(layer, z);
    for (int64_t round = 0; round < rounds_of(turned, group); round++) {
        const int64_t own = panel_in(turned, group, group->rank, round);
        turn(turned, net, h, turned->x, round);
        if (own >= 0) {
            const int64_t nodes = net->rows.nodes, width = panel_of(turned, z, own).width;
            const gpri_matrix out = gpri_packed(turned->z, nodes, width);
            const gpri_matrix buffers[2] = {out, gpri_packed(turned->back, nodes, width)};
            gpri_gpr_horner(layer, net, out, gpri_packed(turned->x, nodes, width), buffers);
        }
        turn_back(turned, net, z, turned->z, round);
    }
    if (layer->panels.each) gpri_panels_pad(&layer->panels, net, z);
}

/* dgamma_k: the dots of all panels are gathered, and put in the order in which one process adds them. */
static void add_dots(const gpri_gpr_layer *layer, gpri_net *net, int64_t chunks) {
    gpri_share *share = net->share;
    const gpri_turned *turned = layer->turned;
    const int64_t hops = layer->hops + 1, panels = turned->panels, each = hops * chunks;
    for (int64_t p = 0; p <= share->group->size; p++)
        share->begin[p] = first_panel(turned, share->group, p) * each * (int64_t)sizeof *layer->dots;
    share->group->gather(share->group, layer->dots, share->begin);
    for (int64_t k = 0; k < hops; k++) {
        for (int64_t i = 0; i < panels; i++)
            memcpy(layer->all_dots + (k * panels + i) * chunks, layer->dots + (i * hops + k) * chunks,
                   (size_t)chunks * sizeof *layer->dots);
        net->ops->sum_dots(&layer->gamma->gradient[k], layer->all_dots + k * panels * chunks, panels * chunks);
    }
}

void gpri_gpr_turned_learn(const gpri_gpr_layer *layer, gpri_net *net, gpri_matrix dh, gpri_matrix dz, gpri_matrix h) {
    gpri_group *group = net->share->group;
    const gpri_turned *turned = begin(layer, dz);
    const int64_t nodes = net->rows.nodes, chunks = net->rows.blocks * net->rows.pieces;
    if (h.width > dz.width) h.cols = h.width = dz.width; /* the training stream */
    for (int64_t round = 0; round < rounds_of(turned, group); round++) {
        const int64_t own = panel_in(turned, group, group->rank, round);
        turn(turned, net, dz, turned->x, round);
        turn(turned, net, h, turned->h, round);
        if (own >= 0) {
            const int64_t width = panel_of(turned, dz, own).width;
            const gpri_matrix from = gpri_packed(turned->x, nodes, width);
            const gpri_matrix buffers[2] = {gpri_packed(turned->back, nodes, width), from};
            gpri_gpr_learned_hops(layer, net, gpri_packed(turned->z, nodes, width), from,
                                  gpri_packed(turned->h, nodes, width), buffers,
                                  layer->dots + own * (layer->hops + 1) * chunks, chunks);
        }
        turn_back(turned, net, dh, turned->z, round);
    }
    add_dots(layer, net, chunks);
    if (layer->panels.each) gpri_panels_pad(&layer->panels, net, dh);
}
