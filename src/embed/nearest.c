/* The tree is the order of the points. The first point of a range [from, to) is its vantage point; then comes the
 * nearer half of the others, then the farther half. reach[from] is the distance that separates the two halves. */
#include "embed/nearest.h"

#include <float.h>
#include <math.h>

#include "base/thread.h"

enum {
    LEAF = 8,     /* points of a range without halves */
    NODES = 256,  /* searched from in a chunk */
    ENOUGH = 4,   /* times the wanted number of pairs: so many distances are listed at most */
    STEPS = 4000, /* halvings of an interval of doubles: it is empty earlier */
};

struct gpri_nearest {
    gpr_ctx *ctx;
    const gpri_embedding *embedding;
    int32_t *order; /* (nodes) */
    double *reach;  /* (nodes) */
};

static double distance(const gpri_nearest *tree, int64_t a, int64_t b) {
    const gpri_embedding *e = tree->embedding;
    return gpri_distance(e->metric, e->points[a], e->points[b]);
}

/* ---- Building ------------------------------------------------------------------------------------- */

/* A point as seen from the vantage point. */
typedef struct view {
    double distance;
    int32_t node;
} view;

static bool before(view a, view b) { return a.distance != b.distance ? a.distance < b.distance : a.node < b.node; }

static void swap(view *a, view *b) {
    view other = *a;
    *a = *b;
    *b = other;
}

/* Sorts views in part: the k-th is in its place, no farther one is before it, no nearer one after it. */
static void select_view(view *views, int64_t count, int64_t k) {
    int64_t low = 0, high = count - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2, i = low, j = high;
        if (before(views[middle], views[low])) swap(&views[middle], &views[low]);
        if (before(views[high], views[low])) swap(&views[high], &views[low]);
        if (before(views[high], views[middle])) swap(&views[high], &views[middle]);
        view pivot = views[middle];
        while (i <= j) {
            while (before(views[i], pivot)) i++;
            while (before(pivot, views[j])) j--;
            if (i <= j) swap(&views[i++], &views[j--]);
        }
        if (k <= j) high = j;
        else if (k >= i) low = i;
        else return;
    }
}

static int64_t half_of(int64_t from, int64_t to) { return from + 1 + (to - from - 1) / 2; }

/* views: (to - from) scratch. The vantage point is the one farthest from some other point: it lies at the rim, where
   rings around it separate the others best. */
static void build(gpri_nearest *tree, int64_t from, int64_t to, view *views) {
    if (to - from <= LEAF) return;
    int32_t *order = tree->order;
    int64_t rim = from, half = half_of(from, to);
    double farthest = -1;
    for (int64_t i = from + 1; i < to; i++) {
        double d = distance(tree, order[from], order[i]);
        if (d > farthest) farthest = d, rim = i;
    }
    int32_t vantage = order[rim];
    order[rim] = order[from];
    order[from] = vantage;
    for (int64_t i = from + 1; i < to; i++) views[i - from - 1] = (view){distance(tree, vantage, order[i]), order[i]};
    select_view(views, to - from - 1, half - from - 1);
    for (int64_t i = from + 1; i < to; i++) order[i] = views[i - from - 1].node;
    tree->reach[from] = views[half - from - 1].distance;
    build(tree, from + 1, half, views);
    build(tree, half, to, views);
}

gpr_status gpri_nearest_new(gpr_ctx *ctx, gpri_nearest **out, const gpri_embedding *embedding) {
    gpr_status status = GPR_OK;
    gpri_nearest *tree = NULL;
    view *views = NULL;
    *out = NULL;
    TRY(gpri_calloc(ctx, &tree, 1, sizeof *tree, "nearby nodes"));
    tree->ctx = ctx;
    tree->embedding = embedding;
    TRY(gpri_alloc(ctx, &tree->order, embedding->nodes, sizeof *tree->order, "nearby nodes"));
    TRY(gpri_calloc(ctx, &tree->reach, embedding->nodes, sizeof *tree->reach, "nearby nodes"));
    TRY(gpri_alloc(ctx, &views, embedding->nodes, sizeof *views, "nearby nodes"));
    for (int64_t i = 0; i < embedding->nodes; i++) tree->order[i] = (int32_t)i;
    build(tree, 0, embedding->nodes, views);
    *out = tree;
    tree = NULL;
done:
    gpri_free(ctx, views);
    gpri_nearest_free(tree);
    return status;
}

void gpri_nearest_free(gpri_nearest *tree) {
    if (!tree) return;
    gpri_free_all(tree->ctx, tree->order, tree->reach, tree);
}

/* ---- Finding -------------------------------------------------------------------------------------- */

typedef struct search {
    const gpri_nearest *tree;
    int64_t node, count, most;
    double radius;
    int32_t *found;
    double *distances;
} search;

/* Returns the distance. */
static double look_at(search *s, int32_t other) {
    double d = distance(s->tree, s->node, other);
    if (!(d < s->radius) || other == s->node) return d;
    if (s->count < s->most) {
        if (s->found) s->found[s->count] = other;
        if (s->distances) s->distances[s->count] = d;
    }
    s->count++;
    return d;
}

static void find(search *s, int64_t from, int64_t to) {
    const int32_t *order = s->tree->order;
    if (to - from <= LEAF) {
        for (int64_t i = from; i < to && s->count <= s->most; i++) look_at(s, order[i]);
        return;
    }
    double d = look_at(s, order[from]), reach = s->tree->reach[from];
    double slack = 1e-9 * (d + reach); /* for the rounding of the distances */
    int64_t half = half_of(from, to);
    if (s->count <= s->most && d - reach <= s->radius + slack) find(s, from + 1, half);
    if (s->count <= s->most && reach - d <= s->radius + slack) find(s, half, to);
}

int64_t gpri_nearest_find(const gpri_nearest *tree, int64_t node, double radius, int64_t most, int32_t *found,
                          double *distances) {
    search s = {tree, node, 0, most, radius, found, distances};
    find(&s, 0, tree->embedding->nodes);
    return s.count;
}

/* ---- The radius ----------------------------------------------------------------------------------- */

/* One query for all points. */
typedef struct survey {
    const gpri_nearest *tree;
    double radius;
    int64_t most;    /* of a chunk */
    int64_t *counts; /* (chunks) ordered pairs */
} survey;

static void survey_chunk(void *arg, int64_t chunk, GPRI_UNUSED int slot) {
    const survey *s = arg;
    const gpri_range range = gpri_chunk_of(chunk, NODES, s->tree->embedding->nodes);
    s->counts[chunk] = 0;
    for (int64_t i = range.first; i < range.end && s->counts[chunk] <= s->most; i++)
        s->counts[chunk] += gpri_nearest_find(s->tree, i, s->radius, s->most, NULL, NULL);
}

/* The number of pairs nearer than the radius; counting stops above `most`. */
static int64_t count_pairs(survey *s, double radius, int64_t most) {
    int64_t chunks = gpri_chunk_count(s->tree->embedding->nodes, NODES), sum = 0;
    s->radius = radius;
    s->most = 2 * most;
    gpri_parallel(s->tree->ctx, s->tree->ctx->threads, chunks, survey_chunk, s);
    for (int64_t c = 0; c < chunks; c++) sum += s->counts[c];
    return (sum + 1) / 2; /* even, unless counting stopped early */
}

/* The distance of the pair number `rank` (from 0) of the `count` pairs that are nearer than the radius. */
static gpr_status ranked_distance(const gpri_nearest *tree, double *out, double radius, int64_t count, int64_t rank) {
    gpr_status status = GPR_OK;
    gpr_ctx *ctx = tree->ctx;
    int64_t nodes = tree->embedding->nodes, size = 0;
    int32_t *found = NULL;
    double *distances = NULL;
    view *views = NULL; /* (count) */
    TRY(gpri_alloc(ctx, &found, nodes, sizeof *found, "nearby nodes"));
    TRY(gpri_alloc(ctx, &distances, nodes, sizeof *distances, "nearby nodes"));
    TRY(gpri_alloc(ctx, &views, count, sizeof *views, "nearby nodes"));
    for (int64_t i = 0; i < nodes; i++) {
        int64_t here = gpri_nearest_find(tree, i, radius, nodes, found, distances);
        for (int64_t k = 0; k < here; k++)
            if (found[k] > i && size < count) views[size++] = (view){distances[k], found[k]};
    }
    select_view(views, size, rank);
    *out = views[rank].distance;
done:
    gpri_free_all(ctx, found, distances, views);
    return status;
}

/* First finds a radius with a few times as many pairs as wanted: a small one is quadrupled, then the interval is
   halved. The right radius is then one of the distances of these pairs. If many pairs are equally far apart, there may
   be no such radius: the interval shrinks to nothing, and its lower end is the answer. */
gpr_status gpri_nearest_radius(gpri_nearest *tree, double *radius, int64_t pairs) {
    gpr_status status = GPR_OK;
    int64_t nodes = tree->embedding->nodes, enough = ENOUGH * pairs + 16;
    double low = DBL_MIN, high = INFINITY, try = nodes > 1 ? distance(tree, tree->order[0], tree->order[nodes - 1]) : 0;
    survey s = {.tree = tree};
    *radius = INFINITY;
    if (pairs >= nodes * (nodes - 1) / 2) return GPR_OK;
    TRY(gpri_alloc(tree->ctx, &s.counts, gpri_chunk_count(nodes, NODES), sizeof *s.counts, "nearby nodes"));
    *radius = 0;
    if (count_pairs(&s, DBL_MIN, pairs) > pairs) goto done; /* too many nodes lie at the same place */
    try = try > 0 ? try / (double)nodes : 1;
    for (int step = 0; step < STEPS; step++) {
        int64_t count = count_pairs(&s, try, enough);
        if (count > pairs && count <= enough) LEAVE(ranked_distance(tree, radius, try, count, pairs));
        if (count > pairs) high = try;
        else low = try;
        try = isinf(high) ? 4 * low : low + (high - low) / 2;
        if (try == low || try == high || isinf(try)) break;
    }
    *radius = low;
done:
    gpri_free(tree->ctx, s.counts);
    return status;
}
