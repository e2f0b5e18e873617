/* Where the numbers of a polynomial lie while its hops are done.
 *
 * Panels: only a panel of B_k or U is stored, twice; one of the two where nothing of value is at that time. In a
 * training of two streams Z of the evaluation is written over its H, and dH over dZ. What lies idle: Z of the training,
 * until the evaluation is done; then the scores of the evaluation, which are judged before the backward pass. */
#include "walk/polynomial.h"

static gpr_status plan_dots(gpri_polynomial *p) {
    gpri_walker *walker = p->walker;
    const gpri_panels *panels = &p->way.panels;
    const bool later = panels->each || walker->share; /* all dtheta_k are added up at the end */
    const int64_t parts = later ? (panels->each ? panels->each : 1) * (p->degree + 1) : 1;
    const int64_t chunks = walker->rows.blocks * walker->rows.pieces;
    NEED(gpri_held_alloc(&walker->held, &p->dots, parts * gpri_own_chunks(&walker->rows), sizeof *p->dots, false,
                         "graph filter"));
    if (!walker->share) return GPR_OK;
    NEED(gpri_held_alloc(&walker->held, &p->all_dots, parts * chunks, sizeof *p->dots, false, "graph filter"));
    NEED(gpri_share_reserve_chunks(walker->share, parts, sizeof *p->dots));
    return GPR_OK;
}

/* Buffers that a training takes from what lies idle are not planned. */
static int64_t own_buffers(const gpri_polynomial *p) {
    if (p->apart || !gpri_basis_is_monomial(p->basis)) return 2;
    return p->trains && p->dtheta && !p->idle ? 2 : 1;
}

gpr_status gpri_polynomial_plan(gpri_polynomial *p) {
    gpri_walker *walker = p->walker;
    if (p->basis->table && p->degree > p->basis->hops)
        return gpri_fail(GPR_ERROR_ARGUMENT, "the basis `%s` is known to degree %lld, and the filter has %lld",
                         p->basis->name, (long long)p->basis->hops, (long long)p->degree);
    NEED(gpri_recurrence_plan(p));
    p->buffers = own_buffers(p);
    int64_t columns = (p->apart ? 2 : 1) * p->streams * p->width;
    switch (p->way.kind) {
    case GPRI_WAY_COLUMNS: return gpri_columns_plan(p);
    case GPRI_WAY_PAIRS: columns = gpri_pairs_columns(p); break;
    case GPRI_WAY_PANELS: columns = p->buffers * GPRI_PANEL; break;
    case GPRI_WAY_CALL:
    case GPRI_WAY_WHOLE: break;
    }
    if (!p->scratch)
        NEED(gpri_held_alloc(&walker->held, &p->scratch, walker->local * columns, sizeof *p->scratch, false,
                             "graph filter"));
    if (!p->trains) return GPR_OK;
    if (!p->each) NEED(plan_dots(p));
    else
        NEED(gpri_held_alloc(&walker->held, &p->column_dots, gpri_own_chunks(&walker->rows) * p->width,
                             sizeof *p->column_dots, false, "graph filter"));
    return GPR_OK;
}

/* One of the buffers of a panel of so many columns. */
static gpri_matrix own_buffer(const gpri_polynomial *p, int64_t i, int64_t rows, int64_t width) {
    return gpri_packed(p->scratch + i * rows * GPRI_PANEL, rows, width);
}

/* The second one for panel i, in a matrix whose numbers nobody needs: of all its panels (free), or of panel i and those
   after it. Rows without gaps are a quarter faster: the first panel has room for them, and a narrow one has it in the
   first buffer. */
static gpri_matrix idle_buffer(const gpri_polynomial *p, gpri_matrix idle, int64_t i, bool free) {
    const gpri_matrix part = gpri_panel(&p->way.panels, idle, i);
    if (free || i == 0) return gpri_packed(idle.at, idle.rows, part.width);
    if (2 * part.width > GPRI_PANEL) return part;
    return gpri_packed(p->scratch + idle.rows * (GPRI_PANEL / 2), idle.rows, part.width);
}

/* The first buffer of a panel of Z may lie in Z, but where its last step reads what is two steps back, or Z. */
static gpri_matrix first_buffer(const gpri_polynomial *p, gpri_matrix z, gpri_matrix idle, int64_t i) {
    if (p->apart || !gpri_basis_is_monomial(p->basis))
        return own_buffer(p, 1, z.rows, gpri_panel(&p->way.panels, z, i).width);
    return idle_buffer(p, idle, i, idle.at != z.at);
}

static void apply_panels(const gpri_polynomial *p, gpri_matrix z, gpri_matrix h, gpri_matrix idle) {
    const gpri_panels *panels = &p->way.panels;
    for (int64_t i = 0; i < gpri_panel_count(panels, z); i++) {
        const gpri_matrix to = gpri_panel(panels, z, i);
        const gpri_strip part = {.polynomial = p,
                                 .column = i % panels->each * GPRI_PANEL,
                                 .buffers = {first_buffer(p, z, idle, i), own_buffer(p, 0, z.rows, to.width)}};
        gpri_strip_apply(&part, to, gpri_panel(panels, h, i));
    }
    gpri_panels_pad(panels, p->walker, z);
}

/* Buffer i of those of all columns; number 1 may be the memory of a matrix that is written last, or not needed. */
static gpri_matrix whole_buffer(const gpri_polynomial *p, int64_t i, gpri_matrix last) {
    if (i == 1 && !p->apart) return last;
    return gpri_packed(p->scratch + i * last.rows * last.width, last.rows, last.width);
}

void gpri_polynomial_apply(const gpri_polynomial *p, gpri_matrix z, gpri_matrix h, gpri_matrix idle) {
    gpri_matrix back = z;
    back.at = p->scratch;
    const gpri_strip whole = {.polynomial = p,
                              .buffers = {whole_buffer(p, 1, z), p->apart ? whole_buffer(p, 0, z) : back}};
    switch (p->way.kind) {
    case GPRI_WAY_CALL: p->walker->device->ops->filter_forward(z, h, back, &p->steps); break;
    case GPRI_WAY_WHOLE: gpri_strip_apply(&whole, z, h); break;
    case GPRI_WAY_PANELS: apply_panels(p, z, h, idle); break;
    case GPRI_WAY_PAIRS: gpri_pairs_apply(p, z, h); break;
    case GPRI_WAY_COLUMNS: gpri_columns_apply(p, z, h); break;
    }
}

/* dtheta_k, from the dots of all chunks and panels. */
static void add_dots(const gpri_polynomial *p, int64_t panels) {
    const gpri_walker *walker = p->walker;
    int64_t count = panels * gpri_own_chunks(&walker->rows);
    const double *dots = p->dots;
    if (walker->share) {
        gpri_share_chunks(walker->share, p->all_dots, p->dots, panels * (p->degree + 1), sizeof *dots);
        count = panels * walker->rows.blocks * walker->rows.pieces;
        dots = p->all_dots;
    }
    for (int64_t k = p->adds; k <= p->degree; k++)
        walker->device->ops->sum_dots(&p->dtheta[k], dots + k * count, count);
}

/* The B_k go back and forth between `back` and Z's own memory. */
static void learn_whole(const gpri_polynomial *p, gpri_matrix dh, gpri_matrix dz, gpri_matrix h, gpri_matrix z) {
    const gpri_strip part = {
        .polynomial = p,
        .buffers = {gpri_packed(p->scratch, z.rows, dz.width), whole_buffer(p, 1, gpri_packed(z.at, z.rows, dz.width))},
        .dots = p->dots,
        .apart = p->walker->share ? gpri_own_chunks(&p->walker->rows) : 0};
    if (p->way.kind == GPRI_WAY_CALL) {
        p->walker->device->ops->filter_backward(dh, p->dtheta, dz, h, part.buffers[0], part.buffers[1], &p->steps);
        return;
    }
    gpri_strip_learn(&part, dh, dz, h);
    if (part.apart) add_dots(p, 1);
}

static void learn_panels(const gpri_polynomial *p, gpri_matrix dh, gpri_matrix dz, gpri_matrix h, gpri_matrix idle) {
    const gpri_panels *panels = &p->way.panels;
    const int64_t count = gpri_panel_count(panels, dz), chunks = gpri_own_chunks(&p->walker->rows);
    for (int64_t i = 0; i < count; i++) {
        const gpri_matrix from = gpri_panel(panels, dz, i);
        const gpri_strip part = {
            .polynomial = p,
            .column = i % panels->each * GPRI_PANEL,
            .buffers = {own_buffer(p, 0, dz.rows, from.width),
                        p->buffers == 2 ? own_buffer(p, 1, dz.rows, from.width) : idle_buffer(p, idle, i, true)},
            .dots = p->each ? NULL : p->dots + i * chunks,
            .apart = count * chunks};
        gpri_strip_learn(&part, gpri_panel(panels, dh, i), from, gpri_panel(panels, h, i));
    }
    if (!p->each) add_dots(p, count);
    gpri_panels_pad(panels, p->walker, dh);
}

void gpri_polynomial_learn(const gpri_polynomial *p, gpri_matrix dh, gpri_matrix dz, gpri_matrix h, gpri_matrix z,
                           gpri_matrix idle) {
    if (!p->dtheta) {
        gpri_polynomial_apply(p, dh, dz, idle);
        return;
    }
    switch (p->way.kind) {
    case GPRI_WAY_CALL:
    case GPRI_WAY_WHOLE: learn_whole(p, dh, dz, h, z); break;
    case GPRI_WAY_PANELS: learn_panels(p, dh, dz, h, idle); break;
    case GPRI_WAY_PAIRS: gpri_pairs_learn(p, dh, dz, h); break;
    case GPRI_WAY_COLUMNS: gpri_columns_learn(p, dh, dz, h); break;
    }
}
