/* The model: how many edges there are between two parts, and which.
 *
 * A node at place r of its part has the weight (r + 1)^-a with a = 1 / (exponent - 1), so degrees fall as a power law
 * with that exponent. Of all edges the share `inside` lies within communities; the ends of the others are any nodes.
 * Both ends of an edge are drawn by weight, by the inverse of the distribution as a continuous one. */
#include "io/generate/powerlaw.h"

#include <math.h>

enum { EDGES = 0, COUNTS = 1 }; /* layers of the purpose */
enum { MOST_PARTS = 65536 };

static gpr_status check_options(const gpr_powerlaw_options *o) {
    if (o->nodes < 2 || o->nodes >= INT32_MAX)
        return gpri_fail(GPR_ERROR_ARGUMENT, "powerlaw: %lld nodes: there must be from 2 to %d", (long long)o->nodes,
                         INT32_MAX - 1);
    if (o->edges < 0 || (double)o->edges > 0.25 * (double)o->nodes * (double)o->nodes)
        return gpri_fail(
            GPR_ERROR_ARGUMENT,
            "powerlaw: %lld edges: there must be 0 or more, and at most a quarter of the square of the nodes",
            (long long)o->edges);
    if (o->features < 1 || o->features >= INT32_MAX)
        return gpri_fail(GPR_ERROR_ARGUMENT, "powerlaw: %lld features: there must be from 1 to %d",
                         (long long)o->features, INT32_MAX - 1);
    if (o->classes < 2 || o->classes > GPRI_MOST_CLASSES)
        return gpri_fail(GPR_ERROR_ARGUMENT, "powerlaw: %lld classes: there must be from 2 to %d",
                         (long long)o->classes, GPRI_MOST_CLASSES);
    if (o->communities < o->classes || o->communities > o->nodes)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "powerlaw: %lld communities: there must be one or more for each of the %lld classes, and at "
                         "most one for each of the %lld nodes",
                         (long long)o->communities, (long long)o->classes, (long long)o->nodes);
    if (!(o->exponent > 2 && o->exponent <= 100))
        return gpri_fail(GPR_ERROR_ARGUMENT, "powerlaw: the exponent is %g: it must be above 2, and at most 100",
                         o->exponent);
    if (!(o->inside >= 0 && o->inside <= 1))
        return gpri_fail(GPR_ERROR_ARGUMENT, "powerlaw: inside is %g: it is a share, from 0 to 1", o->inside);
    if (!(o->labelled > 0 && o->labelled <= 1))
        return gpri_fail(GPR_ERROR_ARGUMENT, "powerlaw: labelled is %g: it is a share, above 0 and at most 1",
                         o->labelled);
    if (!(o->signal >= 0 && o->signal <= 1e6))
        return gpri_fail(GPR_ERROR_ARGUMENT, "powerlaw: the signal is %g: it must be from 0 to 1e6", o->signal);
    return GPR_OK;
}

/* The first node of a community. */
static int64_t community_start(const gpr_powerlaw_options *o, int64_t community) {
    return o->nodes * community / o->communities;
}

static int64_t parts_of(int64_t nodes) { return (nodes + GPRI_POWERLAW_PART - 1) / GPRI_POWERLAW_PART; }

static gpr_status cut(gpr_ctx *ctx, gpri_powerlaw *g) {
    const gpr_powerlaw_options *o = &g->options;
    for (int64_t c = 0; c < o->communities; c++)
        g->parts += parts_of(community_start(o, c + 1) - community_start(o, c));
    if (g->parts > MOST_PARTS)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "powerlaw: %lld communities of %lld nodes: that is too many; give at most %d",
                         (long long)o->communities, (long long)o->nodes, MOST_PARTS / 2);
    NEED(gpri_alloc(ctx, &g->part, g->parts, sizeof *g->part, "parts of a graph"));
    gpri_powerlaw_part *to = g->part;
    for (int64_t c = 0; c < o->communities; c++) {
        const int64_t first = community_start(o, c), nodes = community_start(o, c + 1) - first, parts = parts_of(nodes);
        for (int64_t p = 0; p < parts; p++, to++) {
            *to = (gpri_powerlaw_part){.first = first + nodes * p / parts, .community = c};
            to->count = first + nodes * (p + 1) / parts - to->first;
            to->reach = pow((double)to->count + 1, 1 / g->power) - 1;
        }
    }
    return GPR_OK;
}

gpr_status gpri_powerlaw_new(gpr_ctx *ctx, gpri_powerlaw *out, const gpr_powerlaw_options *options) {
    const int64_t F = options->features, pairs = (F + 1) / 2;
    gpr_status status = GPR_OK;
    *out = (gpri_powerlaw){.options = *options};
    TRY(check_options(options));
    out->power = (options->exponent - 1) / (options->exponent - 2);
    if (out->power <= 8 && out->power == floor(out->power)) out->whole_power = (int64_t)out->power;
    TRY(cut(ctx, out));
    TRY(gpri_alloc(ctx, &out->mean, options->classes * 2 * pairs, sizeof *out->mean, "features of classes"));
    const gpri_random random = gpri_random_of(options->seed, GPRI_RANDOM_POWERLAW_MEAN, 0, 0);
    for (int64_t c = 0; c < options->classes; c++)
        for (int64_t j = 0; j < pairs; j++) {
            double two[2];
            gpri_normal_pair(random, (uint64_t)(c * pairs + j), &two[0], &two[1]);
            for (int64_t k = 0; k < 2 && 2 * j + k < F; k++)
                out->mean[c * F + 2 * j + k] = options->signal * two[k] / sqrt((double)F);
        }
done:
    if (status != GPR_OK) gpri_powerlaw_free(ctx, out);
    return status;
}

void gpri_powerlaw_free(gpr_ctx *ctx, gpri_powerlaw *g) {
    gpri_free_all(ctx, g->part, g->mean);
    g->part = NULL;
    g->mean = NULL;
}

/* ---- edges ---- */

static uint64_t pair_of(const gpri_powerlaw *g, int64_t low, int64_t high) {
    return (uint64_t)low * (uint64_t)g->parts + (uint64_t)high;
}

int64_t gpri_powerlaw_count(const gpri_powerlaw *g, int64_t a, int64_t b) {
    const gpri_powerlaw_part *x = &g->part[a < b ? a : b], *y = &g->part[a < b ? b : a];
    const double n = (double)g->options.nodes, E = (double)g->options.edges, times = a == b ? 1 : 2;
    double expected = (1 - g->options.inside) * E * times * ((double)x->count / n) * ((double)y->count / n);
    if (x->community == y->community) {
        const double size =
            (double)(community_start(&g->options, x->community + 1) - community_start(&g->options, x->community));
        expected += g->options.inside * E * (size / n) * times * ((double)x->count / size) * ((double)y->count / size);
    }
    const gpri_random random = gpri_random_of(g->options.seed, GPRI_RANDOM_POWERLAW_EDGES, 0, COUNTS);
    const double rest = expected - floor(expected);
    return (int64_t)floor(expected) + (gpri_uniform(random, pair_of(g, a < b ? a : b, a < b ? b : a)) < rest);
}

/* The place of a node in its part, by weight. */
static int32_t place(const gpri_powerlaw *g, const gpri_powerlaw_part *part, double u) {
    const double base = 1 + u * part->reach;
    double x = base;
    if (g->whole_power)
        for (int64_t k = 1; k < g->whole_power; k++) x *= base;
    else x = pow(base, g->power);
    const int64_t r = (int64_t)(x - 1);
    return (int32_t)(r < part->count ? r : part->count - 1);
}

void gpri_powerlaw_draw(const gpri_powerlaw *g, int64_t a, int64_t b, int64_t count, int32_t *from, int32_t *to) {
    const gpri_random random = gpri_random_of(g->options.seed, GPRI_RANDOM_POWERLAW_EDGES, 0, EDGES);
    const gpri_powerlaw_part *x = &g->part[a], *y = &g->part[b];
    const uint64_t first = pair_of(g, a < b ? a : b, a < b ? b : a) << 32;
    for (int64_t e = 0; e < count; e++) {
        const philox4x32_ctr_t block = gpri_random_block(random, first + (uint64_t)e);
        const int32_t i = place(g, x, gpri_block_uniform(block, a > b)),
                      j = place(g, y, gpri_block_uniform(block, a <= b));
        from[e] = i;
        to[e] = (int32_t)y->first + j;
        if (a != b) continue;
        from[count + e] = j;
        to[count + e] = (int32_t)x->first + i;
    }
}

/* ---- nodes ---- */

/* Of a community. */
static int32_t class_of(const gpri_powerlaw *g, int64_t community) { return (int32_t)(community % g->options.classes); }

int32_t gpri_powerlaw_label(const gpri_powerlaw *g, const gpri_powerlaw_part *part, int64_t node) {
    const gpri_random random = gpri_random_of(g->options.seed, GPRI_RANDOM_POWERLAW_LABELS, 0, 0);
    return gpri_uniform(random, (uint64_t)node) < g->options.labelled ? class_of(g, part->community) : -1;
}

void gpri_powerlaw_features(const gpri_powerlaw *g, const gpri_powerlaw_part *part, int64_t node, float *row) {
    const gpri_random random = gpri_random_of(g->options.seed, GPRI_RANDOM_POWERLAW_FEATURES, 0, 0);
    const int64_t F = g->options.features, pairs = (F + 1) / 2;
    const double *mean = g->mean + class_of(g, part->community) * F, noise = 1 / sqrt((double)F);
    for (int64_t j = 0; j < pairs; j++) {
        double two[2];
        gpri_normal_pair(random, (uint64_t)(node * pairs + j), &two[0], &two[1]);
        for (int64_t k = 0; k < 2 && 2 * j + k < F; k++) row[2 * j + k] = (float)(mean[2 * j + k] + two[k] * noise);
    }
}
