/* A split by time: the oldest nodes train, the newest test. */
#include <math.h>
#include <stdlib.h>

#include "data/split.h"

typedef struct dated {
    double time;
    int64_t node;
} dated;

static int by_time(const void *a, const void *b) {
    const dated *x = a, *y = b;
    if (x->time != y->time) return x->time < y->time ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* The place between two times that is nearest to `wanted`, above `low` and below `high`; high: there is none. */
static int64_t cut(const dated *nodes, int64_t low, int64_t high, int64_t wanted) {
    int64_t best = high;
    for (int64_t at = low + 1; at < high; at++)
        if (nodes[at].time != nodes[at - 1].time && (best == high || llabs(at - wanted) < llabs(best - wanted)))
            best = at;
    return best;
}

gpr_status gpri_split_by_time(gpr_ctx *ctx, gpr_split *split, const gpr_dataset *data, const gpri_split_rule *rule,
                              const char *spec, bool warn) {
    gpr_status status = GPR_OK;
    dated *nodes = NULL; /* (count) labelled, with a time */
    int64_t count = 0, labelled = 0;
    const double *time = data->own_split.time;
    if (!time)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "split '%s' is by time, and %s has no times: give `time` with the column of `nodes`", spec,
                         data->name);
    TRY(gpri_alloc(ctx, &nodes, data->graph.nodes, sizeof *nodes, "split"));
    for (int64_t i = 0; i < data->graph.nodes; i++) {
        if (!gpri_target_known(&data->target, i)) continue;
        labelled++;
        if (!isnan(time[i])) nodes[count++] = (dated){time[i], i};
    }
    qsort(nodes, (size_t)count, sizeof *nodes, by_time);
    const double train = rule->share[GPR_TRAIN], val = rule->share[GPR_VAL], test = rule->share[GPR_TEST];
    const int64_t last = cut(nodes, 0, count, count); /* the newest time begins there */
    int64_t first = count, second = count, end = count;
    if (val > 0 || test > 0) first = cut(nodes, 0, val > 0 && test > 0 ? last : count, llround(train * (double)count));
    if (test > 0) second = val > 0 ? cut(nodes, first, count, llround((train + val) * (double)count)) : first;
    if (train + val + test < 1 - 1e-9)
        end = cut(nodes, test > 0 ? second : val > 0 ? first : 0, count, llround((train + val + test) * (double)count));
    if ((val > 0 || test > 0) && (first == count || (test > 0 && second == count)))
        THROW(GPR_ERROR_ARGUMENT,
              "split '%s': the labelled nodes have too few different times in column '%s' to be divided", spec,
              data->own_split.column);
    for (int64_t k = 0; k < end; k++)
        split->part[nodes[k].node] = (uint8_t)(k < first ? GPR_TRAIN : k < second ? GPR_VAL : GPR_TEST);
    if (warn && count < labelled)
        gpri_log(ctx, GPR_LOG_WARNING, "%s: %lld labelled nodes have no time in column '%s': they are in no part",
                 data->name, (long long)(labelled - count), data->own_split.column);
done:
    gpri_free(ctx, nodes);
    return status;
}
