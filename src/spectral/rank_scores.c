/* The two ways to add up scores: step by step for any weights, and by pushing residuals for personalised PageRank. */
#include "spectral/rank.h"

#define LEAST_LOOSE 1e-17 /* mass at a seed without edges that counts as none */

static int64_t arcs_of(const gpri_graph *graph, int64_t node) { return graph->rowptr[node + 1] - graph->rowptr[node]; }

/* Puts a node on the list. */
static void keep(gpri_walk *walk, int64_t node) {
    walk->list[walk->count++] = (int32_t)node;
    walk->list_arcs += arcs_of(walk->graph, node);
}

/* All densities above 0 are nearly the mean. Adds sum x mean to q there. Returns the mass by which they differ from the
   mean, which no later step makes larger. */
static double add_mean(const gpri_walk *walk, double *q, const double *density, double mean, double sum) {
    double differing = 0;
    for (int64_t i = 0; i < walk->graph->nodes; i++) {
        if (!(density[i] > 0)) continue;
        q[i] += sum * mean;
        differing += fabs(density[i] - mean) * walk->degree[i];
    }
    return differing;
}

/* ---- Step by step ----------------------------------------------------------------------------------- */

typedef struct hop {
    gpri_walk *walk;
    double *q;
    double weight;    /* of this step */
    double threshold; /* densities below it are left out */
} hop;

static void add_chunk(void *arg, int64_t chunk, int slot) {
    const hop *h = arg;
    const gpri_range range = gpri_walk_nodes(h->walk, chunk);
    gpri_walk_chunk sum = GPRI_WALK_NOTHING;
    (void)slot;
    for (int64_t i = range.first; i < range.end; i++) {
        const double z = h->walk->z[i];
        h->q[i] += h->weight * z;
        gpri_walk_count(&sum, h->walk, i, z);
        if (z >= h->threshold && z > 0) sum.arcs += arcs_of(h->walk->graph, i);
    }
    h->walk->chunks[chunk] = sum;
}

/* The node stays in the walk, or its density becomes 0 and its mass is returned. */
static double keep_or_drop(gpri_walk *walk, int64_t node, double threshold) {
    const double z = walk->z[node];
    if (z > 0 && (z >= threshold || arcs_of(walk->graph, node) == 0)) {
        keep(walk, node);
        return 0;
    }
    walk->z[node] = 0;
    return z * walk->degree[node];
}

/* Adds the step to the scores and leaves small densities out, unless the walk stays dense. *all: what the nodes add up
   to. Returns the mass that was left out. */
static double settle(hop *h, gpri_walk_chunk *all) {
    gpri_walk *walk = h->walk;
    double dropped = 0;
    if (walk->dense) {
        gpri_walk_each(walk, add_chunk, h);
        *all = gpri_walk_total(walk);
        if (gpri_walk_is_wide(walk, all->arcs)) return 0;
        gpri_walk_narrow(walk);
        for (int64_t i = 0; i < walk->graph->nodes; i++) dropped += keep_or_drop(walk, i, h->threshold);
        return dropped;
    }
    const int64_t found = walk->count;
    walk->count = walk->list_arcs = 0;
    *all = GPRI_WALK_NOTHING;
    for (int64_t i = 0; i < found; i++) {
        const int32_t node = walk->list[i];
        h->q[node] += h->weight * walk->z[node];
        gpri_walk_count(all, walk, node, walk->z[node]);
        dropped += keep_or_drop(walk, node, h->threshold);
    }
    return dropped;
}

/* The densities after step k are equal, but for so little that the rest of the sum is known: adds it. Else false. */
static bool has_mixed(gpri_walk *walk, const gpri_rank_weights *weights, int64_t k, const gpri_walk_chunk *all,
                      double epsilon, double *q, double *error) {
    const double spread = weights->rest[k + 1] * (all->largest - all->smallest);
    if (!walk->dense || (spread > epsilon / 2 && spread * all->volume > GPRI_RANK_REST)) return false;
    if (!gpri_walk_closed(walk, walk->z)) return false;
    double sum = weights->rest[weights->count];
    for (int64_t j = weights->count - 1; j > k; j--) sum += weights->values[j];
    *error += weights->rest[k + 1] * add_mean(walk, q, walk->z, all->mass / all->volume, sum);
    return true;
}

void gpri_rank_hops(gpri_walk *walk, const gpri_rank_weights *weights, double epsilon, double *q, double *error,
                    int64_t *steps) {
    *error = 0;
    *steps = 0;
    for (int64_t k = 0;; k++) {
        /* half of epsilon is for densities that are left out, in equal parts for each step; half for the end of the sum
         */
        const double rest = weights->rest[k + 1];
        gpri_walk_chunk all;
        hop now = {walk, q, weights->values[k], rest > 0 ? epsilon / 2 / (double)weights->count / rest : 0};
        *error += rest * settle(&now, &all);
        const bool bound = gpri_walk_loose(walk) > 0; /* seeds without edges: mass comes back from there */
        if (!bound && has_mixed(walk, weights, k, &all, epsilon, q, error)) return;
        if (k + 1 == weights->count || (!bound && rest * all.largest <= epsilon / 2)) {
            *error += rest;
            return;
        }
        gpri_walk_step(walk);
        ++*steps;
    }
}

/* ---- Push --------------------------------------------------------------------------------------------- */

typedef struct pushing {
    gpri_walk *walk; /* z: what is being pushed */
    double *q, *residual;
    double alpha, epsilon;
} pushing;

static bool is_active(const pushing *p, int64_t node) {
    return p->residual[node] > (arcs_of(p->walk->graph, node) > 0 ? p->epsilon : LEAST_LOOSE);
}

/* All that is in the residual of the node is pushed next; alpha of it stays there as its score. */
static void take(const pushing *p, int64_t node) {
    const double density = p->residual[node];
    p->walk->z[node] = density;
    p->q[node] += p->alpha * density;
    p->residual[node] = 0;
}

static void receive_chunk(void *arg, int64_t chunk, int slot) {
    const pushing *p = arg;
    const gpri_range range = gpri_walk_nodes(p->walk, chunk);
    gpri_walk_chunk sum = GPRI_WALK_NOTHING;
    (void)slot;
    for (int64_t i = range.first; i < range.end; i++) {
        p->residual[i] += (1 - p->alpha) * p->walk->z[i];
        gpri_walk_count(&sum, p->walk, i, p->residual[i]);
        if (is_active(p, i)) sum.arcs += arcs_of(p->walk->graph, i);
    }
    p->walk->chunks[chunk] = sum;
}

static void take_chunk(void *arg, int64_t chunk, int slot) {
    const pushing *p = arg;
    const gpri_range range = gpri_walk_nodes(p->walk, chunk);
    (void)slot;
    for (int64_t i = range.first; i < range.end; i++) take(p, i);
}

/* The residuals are equal, but for so little that what they come to is known: adds it. Else false. */
static bool has_levelled(const pushing *p, const gpri_walk_chunk *all, double *error) {
    const double spread = all->largest - all->smallest;
    if (spread > p->epsilon || gpri_walk_loose(p->walk) > 0 || !gpri_walk_closed(p->walk, p->residual)) return false;
    *error = add_mean(p->walk, p->q, p->residual, all->mass / all->volume, 1);
    return true;
}

/* Lists the active nodes of all. */
static void narrow(const pushing *p) {
    gpri_walk *walk = p->walk;
    gpri_walk_narrow(walk);
    for (int64_t i = 0; i < walk->graph->nodes; i++) {
        walk->z[i] = 0;
        if (!is_active(p, i)) continue;
        take(p, i);
        keep(walk, i);
    }
}

/* After a step: what arrived goes to the residuals, and those above epsilon are taken; after a dense step all are.
   True: the rest is known. */
static bool receive(const pushing *p, double *error) {
    gpri_walk *walk = p->walk;
    if (walk->dense) {
        gpri_walk_each(walk, receive_chunk, (void *)(uintptr_t)p);
        const gpri_walk_chunk all = gpri_walk_total(walk);
        if (has_levelled(p, &all, error)) return true;
        if (gpri_walk_is_wide(walk, all.arcs)) gpri_walk_each(walk, take_chunk, (void *)(uintptr_t)p);
        else narrow(p);
        return false;
    }
    const int64_t found = walk->count;
    walk->count = walk->list_arcs = 0;
    for (int64_t i = 0; i < found; i++) {
        const int32_t node = walk->list[i];
        p->residual[node] += (1 - p->alpha) * walk->z[node];
        walk->z[node] = 0;
        if (!is_active(p, node)) continue;
        take(p, node);
        keep(walk, node);
    }
    return false;
}

/* What the residuals come to is a density from 0 to epsilon at every node. Their mean, at all nodes that were reached,
   is such a density too, and the best guess where a walk mixes: then hubs get their part. Returns the error. */
static double spread_rest(const pushing *p) {
    gpri_walk *walk = p->walk;
    gpri_walk_chunk all = GPRI_WALK_NOTHING;
    double differing = 0;
    for (int64_t i = 0; i < walk->graph->nodes; i++) {
        const bool reached = arcs_of(walk->graph, i) > 0 && (p->q[i] > 0 || p->residual[i] > 0);
        walk->z[i] = reached ? 1 : 0; /* no longer needed */
        if (reached) {
            all.mass += p->residual[i] * walk->degree[i];
            all.volume += walk->degree[i];
        }
    }
    if (!(all.mass > 0)) return 0;
    const double mean = all.mass / all.volume;
    for (int64_t i = 0; i < walk->graph->nodes; i++) {
        if (walk->z[i] == 0) continue;
        p->q[i] += mean;
        differing += fabs(p->residual[i] - mean) * walk->degree[i];
    }
    /* in whole components the mean stays where it is, and no step makes the difference larger */
    return gpri_walk_closed(walk, walk->z) ? differing : 2 * all.mass;
}

void gpri_rank_push(gpri_walk *walk, double alpha, double epsilon, double *q, double *residual, double *error,
                    int64_t *steps) {
    const pushing p = {walk, q, residual, alpha, epsilon};
    *steps = 0;
    for (int64_t i = 0; i < walk->seed_count; i++) { /* pushed once in any case */
        residual[walk->seeds[i]] = walk->z[walk->seeds[i]];
        take(&p, walk->seeds[i]);
    }
    for (; walk->count > 0 || walk->dense; ++*steps) {
        gpri_walk_step(walk);
        if (receive(&p, error)) return;
    }
    *error = spread_rest(&p);
}
