/* A polynomial where columns are dealt out to processes. Each process has some rows of H. The columns are cut into
 * panels, as one process cuts a large state (walk/way.h; a small one is one panel), and each process has some panels.
 * So the rows are turned: every process gets the columns of its panels, of all nodes; does all hops on them, for which
 * it needs nothing of others; and gives every process its rows of the result. The panels, the chunks and the order of
 * all sums are those of one process. */
#include <string.h>

#include "walk/polynomial.h"

/* ---- panels: a process has some of `panels`, and works on one in a round ---- */

static int64_t first_panel(const gpri_group *group, int64_t panels, int64_t process) {
    return process * panels / group->size;
}

/* -1: it has none left. */
static int64_t panel_in(const gpri_group *group, int64_t panels, int64_t process, int64_t round) {
    const int64_t panel = first_panel(group, panels, process) + round;
    return panel < first_panel(group, panels, process + 1) ? panel : -1;
}

static int64_t rounds_of(const gpri_group *group, int64_t panels) { return (panels + group->size - 1) / group->size; }

/* ---- turning: rows of x become the columns of a round's panels, or these become rows of x ---- */

typedef struct {
    const gpri_polynomial *polynomial;
    gpri_matrix x;    /* the rows of this process */
    gpri_real *panel; /* (nodes x its width) the own one */
    int64_t panels, round;
} turning;

/* The columns of x that process q has in this round; absent if it has none. */
static gpri_matrix part_of(const turning *t, int64_t q) {
    const int64_t panel = panel_in(t->polynomial->walker->share->group, t->panels, q, t->round);
    return panel < 0 ? gpri_no_matrix : gpri_panel(&t->polynomial->way.panels, t->x, panel);
}

/* Where they are on their way: in the own panel, or in a parcel. */
static gpri_matrix on_the_way(const turning *t, int64_t q) {
    const gpri_share *share = t->polynomial->walker->share;
    const int64_t rows = t->polynomial->walker->rows.count, width = part_of(t, q).width;
    if (q == share->group->rank) return gpri_packed(t->panel + share->cuts[q] * width, rows, width);
    return gpri_packed((gpri_real *)t->polynomial->turned.parcel + q * rows * t->polynomial->turned.width, rows, width);
}

static void copy_rows(gpri_matrix to, gpri_matrix from) {
    for (int64_t i = 0; i < to.rows; i++)
        memcpy(to.at + i * to.ld, from.at + i * from.ld, (size_t)to.width * sizeof *to.at);
}

static gpri_parcel parcel_of(int64_t process, gpri_matrix x) {
    return (gpri_parcel){process, x.at, x.rows * x.width * (int64_t)sizeof *x.at};
}

static void exchange(const turning *t, bool back) {
    const gpri_share *share = t->polynomial->walker->share;
    gpri_group *group = share->group;
    const int64_t width = part_of(t, group->rank).width; /* 0: this process has no panel left */
    gpri_parcel *of_rows = t->polynomial->turned.parcels, *of_panel = of_rows + group->size;
    int64_t rows = 0, panel = 0;
    for (int64_t q = 0; q < group->size; q++) {
        if (q == group->rank) continue;
        if (part_of(t, q).at) of_rows[rows++] = parcel_of(q, on_the_way(t, q));
        const gpri_matrix theirs =
            gpri_packed(t->panel + share->cuts[q] * width, share->cuts[q + 1] - share->cuts[q], width);
        if (width > 0) of_panel[panel++] = parcel_of(q, theirs);
    }
    if (back) group->exchange_begin(group, of_panel, panel, of_rows, rows);
    else group->exchange_begin(group, of_rows, rows, of_panel, panel);
    group->exchange_end(group);
}

static void turn(const gpri_polynomial *p, gpri_matrix x, gpri_real *panel, int64_t round) {
    const turning t = {p, x, panel, gpri_panel_count(&p->way.panels, x), round};
    for (int64_t q = 0; q < p->walker->share->group->size; q++)
        if (part_of(&t, q).at) copy_rows(on_the_way(&t, q), part_of(&t, q));
    exchange(&t, false);
}

static void turn_back(const gpri_polynomial *p, gpri_matrix x, gpri_real *panel, int64_t round) {
    const turning t = {p, x, panel, gpri_panel_count(&p->way.panels, x), round};
    exchange(&t, true);
    for (int64_t q = 0; q < p->walker->share->group->size; q++)
        if (part_of(&t, q).at) copy_rows(part_of(&t, q), on_the_way(&t, q));
}

/* ---- the polynomial ---- */

static gpr_status take(gpri_polynomial *p, void *out, int64_t count, size_t size) {
    return gpri_held_alloc(&p->walker->held, out, count, size, false, "graph filter");
}

gpr_status gpri_columns_plan(gpri_polynomial *p) {
    const gpri_partition *rows = &p->walker->rows;
    const int64_t size = p->walker->share->group->size, each = p->way.panels.each;
    gpri_turned *turned = &p->turned;
    /* all of this is the host's: rows are dealt out on the CPU only */
    turned->width = each ? GPRI_PANEL : p->streams * p->width;
    const int64_t numbers = rows->nodes * turned->width;
    NEED(take(p, &turned->x, numbers, sizeof *turned->x));
    NEED(take(p, &turned->z, numbers, sizeof *turned->z));
    NEED(take(p, &turned->back, numbers, sizeof *turned->back));
    NEED(take(p, &turned->parcel, size * rows->count * turned->width, sizeof(gpri_real)));
    NEED(take(p, &turned->parcels, 2 * size, sizeof *turned->parcels));
    if (!p->trains || !p->dtheta) return GPR_OK;
    NEED(take(p, &turned->h, numbers, sizeof *turned->h));
    const int64_t dots = (p->degree + 1) * (each ? each : 1) * rows->blocks * rows->pieces;
    NEED(take(p, &p->dots, dots, sizeof *p->dots));
    NEED(take(p, &p->all_dots, dots, sizeof *p->all_dots));
    return GPR_OK;
}

void gpri_columns_apply(const gpri_polynomial *p, gpri_matrix z, gpri_matrix h) {
    gpri_group *group = p->walker->share->group;
    const gpri_turned *turned = &p->turned;
    const int64_t panels = gpri_panel_count(&p->way.panels, z), nodes = p->walker->rows.nodes;
    for (int64_t round = 0; round < rounds_of(group, panels); round++) {
        const int64_t own = panel_in(group, panels, group->rank, round);
        turn(p, h, turned->x, round);
        if (own >= 0) {
            const int64_t width = gpri_panel(&p->way.panels, z, own).width;
            const gpri_matrix out = gpri_packed(turned->z, nodes, width);
            const gpri_strip part = {
                .polynomial = p, .all_nodes = true, .buffers = {out, gpri_packed(turned->back, nodes, width)}};
            gpri_strip_apply(&part, out, gpri_packed(turned->x, nodes, width));
        }
        turn_back(p, z, turned->z, round);
    }
    gpri_panels_pad(&p->way.panels, p->walker, z);
}

/* dtheta_k: the dots of all panels are gathered, and put in the order in which one process adds them. */
static void add_dots(const gpri_polynomial *p, int64_t panels, int64_t chunks) {
    gpri_share *share = p->walker->share;
    const int64_t hops = p->degree + 1, each = hops * chunks;
    for (int64_t q = 0; q <= share->group->size; q++)
        share->begin[q] = first_panel(share->group, panels, q) * each * (int64_t)sizeof *p->dots;
    share->group->gather(share->group, p->dots, share->begin);
    for (int64_t k = 0; k < hops; k++) {
        for (int64_t i = 0; i < panels; i++)
            memcpy(p->all_dots + (k * panels + i) * chunks, p->dots + (i * hops + k) * chunks,
                   (size_t)chunks * sizeof *p->dots);
        p->walker->device->ops->sum_dots(&p->dtheta[k], p->all_dots + k * panels * chunks, panels * chunks);
    }
}

void gpri_columns_learn(const gpri_polynomial *p, gpri_matrix dh, gpri_matrix dz, gpri_matrix h) {
    gpri_group *group = p->walker->share->group;
    const gpri_turned *turned = &p->turned;
    const gpri_partition *rows = &p->walker->rows;
    const int64_t panels = gpri_panel_count(&p->way.panels, dz), nodes = rows->nodes,
                  chunks = rows->blocks * rows->pieces;
    if (h.width > dz.width) h.cols = h.width = dz.width; /* the training stream */
    for (int64_t round = 0; round < rounds_of(group, panels); round++) {
        const int64_t own = panel_in(group, panels, group->rank, round);
        turn(p, dz, turned->x, round);
        turn(p, h, turned->h, round);
        if (own >= 0) {
            const int64_t width = gpri_panel(&p->way.panels, dz, own).width;
            const gpri_matrix from = gpri_packed(turned->x, nodes, width);
            const gpri_strip part = {.polynomial = p,
                                     .all_nodes = true,
                                     .buffers = {gpri_packed(turned->back, nodes, width), from},
                                     .dots = p->dots + own * (p->degree + 1) * chunks,
                                     .apart = chunks};
            gpri_strip_learn(&part, gpri_packed(turned->z, nodes, width), from, gpri_packed(turned->h, nodes, width));
        }
        turn_back(p, dh, turned->z, round);
    }
    add_dots(p, panels, chunks);
    gpri_panels_pad(&p->way.panels, p->walker, dh);
}
