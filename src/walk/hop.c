/* The rows of a hop, dealt out. */
#include "walk/hop.h"

#include "base/memory.h"

static gpri_matrix chunk_of(gpri_matrix x, gpri_chunk rows) {
    return x.at ? gpri_rows_of(x, rows.first, rows.count) : x;
}

/* In the numbers of the process. */
static gpri_chunk place_of(const gpri_hop *p, gpri_chunk rows) {
    if (!p->all_nodes) rows.first = gpri_walker_place(p->walker, rows.first);
    return rows;
}

/* Rows of a step that reads no other rows. */
static void deal(const gpri_hop *hop, int64_t work, gpri_chunk_rows_fn fn) {
    gpri_hop p = *hop;
    if (p.all_nodes) gpri_walker_all_rows(p.walker, work, fn, &p);
    else gpri_walker_rows(p.walker, work, fn, &p);
}

/* Rows of a step that does. */
static void deal_step(const gpri_hop *hop, gpri_chunk_rows_fn fn) {
    const gpri_graph *graph = hop->walker->graph;
    const int64_t work = (1 + graph->arcs / (graph->nodes ? graph->nodes : 1)) * (hop->in.width / 4 + 1);
    gpri_hop p = *hop;
    if (p.all_nodes) deal(hop, work, fn);
    else gpri_walker_step(p.walker, p.in, work, fn, &p);
}

static void begin_rows(void *arg, gpri_chunk rows) {
    const gpri_hop *p = arg;
    rows = place_of(p, rows);
    p->walker->device->ops->filter_begin(chunk_of(p->out, rows), chunk_of(p->h, rows), p->step->scale, p->theta,
                                         rows.first);
}

/* The arcs of the rows that come after this chunk, where it is the first of some: so a disk and the threads work at the
   same time. */
static void read_ahead(const gpri_hop *p, int64_t chunk) {
    const gpri_graph *graph = p->walker->near;
    const gpri_range rows = gpri_walker_ahead(p->walker, chunk);
    if (rows.first >= rows.end) return;
    const int64_t at = graph->rowptr[rows.first], arcs = graph->rowptr[rows.end] - at;
    gpri_pages_ahead(graph->column + at, arcs * (int64_t)sizeof *graph->column);
    if (graph->weight) gpri_pages_ahead(graph->weight + at, arcs * (int64_t)sizeof *graph->weight);
}

static void step_rows(void *arg, gpri_chunk rows) {
    const gpri_hop *p = arg;
    if (p->from_file) read_ahead(p, rows.chunk);
    rows = place_of(p, rows);
    p->walker->device->ops->propagate(chunk_of(p->out, rows), p->in, chunk_of(p->before, rows), chunk_of(p->h, rows),
                                      p->step, p->theta, rows.first);
}

static void begin_dot_rows(void *arg, gpri_chunk rows) {
    const gpri_hop *p = arg;
    rows = place_of(p, rows);
    p->walker->device->ops->filter_begin_dot(chunk_of(p->out, rows), chunk_of(p->sum, rows), &p->dots[rows.chunk],
                                             chunk_of(p->in, rows), chunk_of(p->h, rows), p->step->scale, p->theta,
                                             rows.first);
}

static void step_dot_rows(void *arg, gpri_chunk rows) {
    const gpri_hop *p = arg;
    rows = place_of(p, rows);
    p->walker->device->ops->propagate_dot(chunk_of(p->out, rows), chunk_of(p->sum, rows), &p->dots[rows.chunk], p->in,
                                          chunk_of(p->before, rows), chunk_of(p->h, rows), p->step, p->theta,
                                          rows.first);
}

static void end_rows(void *arg, gpri_chunk rows) {
    const gpri_hop *p = arg;
    rows = place_of(p, rows);
    p->walker->device->ops->filter_end(chunk_of(p->sum, rows), p->step->scale, rows.first);
}

/* A head for every column: one number of theta, the same in every row, times one of h. */
static void mix_rows(void *arg, gpri_chunk rows) {
    const gpri_hop *p = arg;
    const gpri_matrix theta = {(gpri_real *)p->theta, rows.count, p->each, p->each, 0};
    rows = place_of(p, rows);
    const gpri_matrix to = chunk_of(p->out, rows), from = chunk_of(p->h, rows);
    for (int64_t c = 0; c < to.width; c += p->each)
        p->walker->device->ops->head_add(gpri_columns_of(to, c, p->each), theta, gpri_columns_of(from, c, p->each),
                                         p->each, 1);
}

static void mix_fresh_rows(void *arg, gpri_chunk rows) {
    const gpri_hop *p = arg;
    p->walker->device->ops->zero(chunk_of(p->out, place_of(p, rows)));
    mix_rows(arg, rows);
}

static void mix_dot_rows(void *arg, gpri_chunk rows) {
    const gpri_hop *p = arg;
    const gpri_ops *ops = p->walker->device->ops;
    gpri_real *dots = p->column_dots + rows.chunk * p->each;
    rows = place_of(p, rows);
    ops->zero(gpri_packed(dots, 1, p->each));
    ops->head_add((gpri_matrix){dots, rows.count, p->each, p->each, 0}, chunk_of(p->h, rows), chunk_of(p->out, rows),
                  p->each, 1);
}

void gpri_hop_mix(const gpri_hop *hop, bool fresh) { deal(hop, 4, fresh ? mix_fresh_rows : mix_rows); }
void gpri_hop_mix_dots(const gpri_hop *hop) { deal(hop, 4, mix_dot_rows); }
void gpri_hop_begin(const gpri_hop *hop) { deal(hop, 4, begin_rows); }
void gpri_hop_step(const gpri_hop *hop) { deal_step(hop, step_rows); }
void gpri_hop_begin_dot(const gpri_hop *hop) { deal(hop, 8, begin_dot_rows); }
void gpri_hop_step_dot(const gpri_hop *hop) { deal_step(hop, step_dot_rows); }
void gpri_hop_end(const gpri_hop *hop) { deal(hop, 4, end_rows); }
