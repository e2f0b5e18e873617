/* Which nodes train, validate and test: the rules that draw them at random, and what a split is.
 *
 * Every random rule is one shuffle of the labelled nodes, then a walk along it: a class, or the whole, takes its share
 * in the order of the walk. Nodes without a label are GPR_UNUSED. */
#include "data/split.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"

/* ---- The form of a spec --------------------------------------------------------------------------- */

/* a/b/c with c at the end of text; false if it is not three numbers. */
static bool three_numbers(const char *text, double out[3]) {
    char copy[128], *at = copy;
    if (strlen(text) >= sizeof copy) return false;
    strcpy(copy, text);
    for (int i = 0; i < 3; i++) {
        char *slash = strchr(at, '/');
        if ((slash == NULL) != (i == 2)) return false;
        if (slash) *slash = 0;
        if (!gpri_parse_real(at, &out[i])) return false;
        if (slash) at = slash + 1;
    }
    return true;
}

static gpr_status parse_shares(gpri_split_rule *rule, const char *spec) {
    double share[3];
    if (!three_numbers(spec, share))
        return gpri_fail(GPR_ERROR_ARGUMENT, "split '%s' is not three numbers: write TRAIN/VAL/TEST, such as 60/20/20",
                         spec);
    for (int p = 0; p < 3; p++)
        if (!(share[p] >= 0))
            return gpri_fail(GPR_ERROR_ARGUMENT, "split '%s' has the share %g: a share must be 0 or more", spec,
                             share[p]);
    double sum = share[0] + share[1] + share[2];
    if (!(sum <= 100 * (1 + 1e-9)))
        return gpri_fail(GPR_ERROR_ARGUMENT, "split '%s' adds up to %g: the sum must be at most 100 (or 1)", spec, sum);
    if (share[0] <= 0)
        return gpri_fail(GPR_ERROR_ARGUMENT, "split '%s' leaves no node for training: TRAIN must be above 0", spec);
    double whole = sum <= 1 + 1e-9 ? 1 : 100;
    rule->kind = GPRI_SPLIT_SHARES;
    for (int p = 0; p < 3; p++) rule->share[GPR_TRAIN + p] = share[p] / whole;
    rule->share[GPR_UNUSED] = 1 - sum / whole > 1e-9 ? 1 - sum / whole : 0;
    return GPR_OK;
}

/* counts: what follows "planetoid", empty or ":20/500/1000". */
static gpr_status parse_planetoid(gpri_split_rule *rule, const char *counts) {
    double numbers[3] = {20, 500, 1000};
    bool good = !*counts || (*counts == ':' && three_numbers(counts + 1, numbers));
    rule->kind = GPRI_SPLIT_COUNTS;
    for (int p = 0; good && p < 3; p++) {
        good = numbers[p] >= (p == 0) && numbers[p] < INT32_MAX && numbers[p] == floor(numbers[p]);
        if (good) rule->count[GPR_TRAIN + p] = (int64_t)numbers[p];
    }
    if (good) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT,
                     "split 'planetoid%s' is not as planetoid:20/500/1000: training nodes per class (1 or more), "
                     "validation nodes, test nodes",
                     counts);
}

/* The rule that is named "word" or "word:...". */
static bool is_planetoid(const char *spec) {
    return strncmp(spec, "planetoid", 9) == 0 && (!spec[9] || spec[9] == ':');
}

static bool is_per_class(const char *spec) { return strcmp(spec, "sparse") == 0 || strcmp(spec, "dense") == 0; }

bool gpri_split_names_rule(const char *spec) {
    if (strcmp(spec, "auto") == 0 || strcmp(spec, "column") == 0 || gpri_split_is_by_time(spec)) return true;
    return is_per_class(spec) || is_planetoid(spec) || strspn(spec, "0123456789.+-eE/%") == strlen(spec);
}

gpr_status gpri_split_parse(gpri_split_rule *rule, const char *spec) {
    *rule = (gpri_split_rule){.kind = GPRI_SPLIT_PER_CLASS};
    if (is_planetoid(spec)) return parse_planetoid(rule, spec + 9);
    if (!is_per_class(spec)) return parse_shares(rule, spec);
    const bool sparse = *spec == 's';
    rule->share[GPR_TRAIN] = sparse ? 0.025 : 0.6;
    rule->share[GPR_VAL] = sparse ? 0.025 : 0.2;
    return GPR_OK;
}

/* ---- Random rules --------------------------------------------------------------------------------- */

/* What a random rule works on. */
typedef struct draw {
    const gpr_dataset *data;
    uint64_t seed;
    int64_t labelled;
    int32_t *order;   /* (labelled) the labelled nodes, shuffled */
    int64_t *members; /* (classes) labelled nodes of each class */
    int64_t *quota;   /* (classes x 4) nodes still to be given to each part, by gpr_part */
} draw;

/* Fisher-Yates; `turn` numbers the shuffles of one split. */
static void shuffle(int32_t *order, int64_t count, uint64_t seed, uint32_t turn) {
    const gpri_random random = gpri_random_of(seed, GPRI_RANDOM_SPLIT, 0, turn);
    for (int64_t k = count - 1; k > 0; k--) {
        int64_t other = (int64_t)gpri_uniform_below(random, (uint64_t)k, (uint64_t)k + 1);
        int32_t moved = order[k];
        order[k] = order[other];
        order[other] = moved;
    }
}

/* The labelled nodes in the user's order: so a split has the same nodes in whatever order the data keeps them. */
static gpr_status list_labelled(gpr_ctx *ctx, draw *d, const gpr_dataset *data) {
    int32_t *place = NULL; /* (nodes) */
    const int64_t nodes = data->graph.nodes;
    if (data->order) {
        gpr_status status = gpri_alloc(ctx, &place, nodes, sizeof *place, "split");
        if (status != GPR_OK) return status;
        for (int64_t i = 0; i < nodes; i++) place[data->order[i]] = (int32_t)i;
    }
    for (int64_t i = 0; i < nodes; i++) {
        const int32_t node = place ? place[i] : (int32_t)i;
        if (!gpri_target_known(&data->target, node)) continue;
        d->order[d->labelled++] = node;
        d->members[data->target.labels[node]]++;
    }
    gpri_free(ctx, place);
    return GPR_OK;
}

static gpr_status draw_init(gpr_ctx *ctx, draw *d, const gpr_dataset *data, uint64_t seed) {
    d->data = data;
    d->seed = seed;
    NEED(gpri_alloc(ctx, &d->order, data->graph.nodes, sizeof *d->order, "split"));
    NEED(gpri_calloc(ctx, &d->members, data->target.classes, sizeof *d->members, "split"));
    NEED(gpri_calloc(ctx, &d->quota, 4 * data->target.classes, sizeof *d->quota, "split"));
    NEED(list_labelled(ctx, d, data));
    if (d->labelled == 0)
        return gpri_fail(GPR_ERROR_MISMATCH, "%s has no labelled node: there is nothing to split", data->name);
    shuffle(d->order, d->labelled, seed, 0);
    return GPR_OK;
}

static void draw_free(gpr_ctx *ctx, draw *d) { gpri_free_all(ctx, d->order, d->members, d->quota); }

/* The first `per_class` nodes of every class train; of the rest, `val` validate and `test` test. The rest is shuffled
   again: in the first order it begins with the classes that were full first, which are the largest. */
static void deal(gpr_split *split, const draw *d, int64_t per_class, int64_t val, int64_t test) {
    int64_t rest = 0;
    for (int64_t c = 0; c < split->classes; c++) d->quota[4 * c + GPR_TRAIN] = per_class;
    for (int64_t k = 0; k < d->labelled; k++) {
        int32_t node = d->order[k];
        int64_t *training = &d->quota[4 * (int64_t)d->data->target.labels[node] + GPR_TRAIN];
        if (*training > 0) {
            --*training;
            split->part[node] = GPR_TRAIN;
        } else {
            d->order[rest++] = node;
        }
    }
    shuffle(d->order, rest, d->seed, 1);
    for (int64_t k = 0; k < rest && k < val + test; k++) split->part[d->order[k]] = k < val ? GPR_VAL : GPR_TEST;
}

/* The authors' rule: round(train n / C) of every class, round(val n) of the rest, all others. rint rounds halves to
   even, as Python's round. */
static gpr_status split_per_class(gpr_split *split, const draw *d, const gpri_split_rule *rule, const char *spec) {
    double n = (double)d->labelled;
    int64_t per_class = (int64_t)rint(rule->share[GPR_TRAIN] * n / (double)split->classes);
    int64_t val = (int64_t)rint(rule->share[GPR_VAL] * n);
    if (per_class == 0)
        return gpri_fail(GPR_ERROR_MISMATCH,
                         "the %s split trains on %g %% of the nodes, the same number of each class: of %lld "
                         "labelled nodes in %lld classes that is none; give shares such as 60/20/20",
                         spec, 100 * rule->share[GPR_TRAIN], (long long)d->labelled, (long long)split->classes);
    deal(split, d, per_class, val, d->labelled);
    return GPR_OK;
}

static gpr_status split_planetoid(gpr_split *split, const draw *d, const gpri_split_rule *rule) {
    int64_t per_class = rule->count[GPR_TRAIN], others = rule->count[GPR_VAL] + rule->count[GPR_TEST],
            rest = d->labelled;
    char number[24];
    for (int64_t c = 0; c < split->classes; c++) {
        if (d->members[c] == 0) continue;
        if (d->members[c] < per_class)
            return gpri_fail(GPR_ERROR_MISMATCH,
                             "class %s has %lld labelled nodes: the planetoid split needs %lld of each class "
                             "for training",
                             gpri_name_or_number(&d->data->target.names, c, number), (long long)d->members[c],
                             (long long)per_class);
        rest -= per_class;
    }
    if (rest < others)
        return gpri_fail(GPR_ERROR_MISMATCH,
                         "%lld labelled nodes are left after %lld of each class train: the planetoid split needs "
                         "%lld for validation and %lld for testing",
                         (long long)rest, (long long)per_class, (long long)rule->count[GPR_VAL],
                         (long long)rule->count[GPR_TEST]);
    deal(split, d, per_class, rule->count[GPR_VAL], rule->count[GPR_TEST]);
    return GPR_OK;
}

/* Whole numbers near to `wanted` (by part) that add up to `members`. */
static void round_shares(int64_t quota[4], const double wanted[4], const double share[4], int64_t members) {
    int64_t sum = 0;
    for (int p = 0; p < 4; p++) {
        quota[p] = wanted[p] > 0 ? (int64_t)wanted[p] : 0;
        sum += quota[p];
    }
    while (sum != members) { /* by the largest remainder; a few steps at most */
        int step = sum < members ? 1 : -1, best = -1;
        for (int p = 0; p < 4; p++) {
            if (step > 0 ? share[p] <= 0 : quota[p] == 0) continue;
            if (best < 0 || step * (wanted[p] - (double)quota[p]) > step * (wanted[best] - (double)quota[best]))
                best = p;
        }
        quota[best] += step;
        sum += step;
    }
}

/* Every class trains, and one of three or more has a node in every part that has a share: the largest part gives one.
 */
static void fill_empty_parts(int64_t quota[4], const double share[4], int64_t members) {
    for (int p = GPR_TRAIN; p <= GPR_TEST; p++) {
        if (share[p] <= 0 || quota[p] > 0 || members < (p == GPR_TRAIN ? 1 : 3)) continue;
        int giver = GPR_UNUSED;
        for (int other = GPR_TRAIN; other <= GPR_TEST; other++)
            if (quota[other] > quota[giver]) giver = other;
        quota[giver]--;
        quota[p]++;
    }
}

/* Each class is divided by the shares. What rounding takes from a part in one class, the part gets back in the next
   classes, so that the totals are right too. */
static void split_shares(gpr_split *split, const draw *d, const gpri_split_rule *rule) {
    double owed[4] = {0};
    for (int64_t c = 0; c < split->classes; c++) {
        int64_t *quota = d->quota + 4 * c;
        double wanted[4];
        for (int p = 0; p < 4; p++) {
            double exact = rule->share[p] * (double)d->members[c];
            wanted[p] = exact + fmax(-1, fmin(1, owed[p])); /* a class gives or takes one node, not all at once */
            owed[p] += exact;
        }
        round_shares(quota, wanted, rule->share, d->members[c]);
        fill_empty_parts(quota, rule->share, d->members[c]);
        for (int p = 0; p < 4; p++) owed[p] -= (double)quota[p];
    }
    for (int64_t k = 0; k < d->labelled; k++) {
        int32_t node = d->order[k];
        int64_t *quota = d->quota + 4 * (int64_t)d->data->target.labels[node];
        int part = GPR_TRAIN;
        while (part <= GPR_TEST && quota[part] == 0) part++;
        if (part > GPR_TEST) continue; /* unused */
        quota[part]--;
        split->part[node] = (uint8_t)part;
    }
}

gpr_status gpri_split_draw(gpr_ctx *ctx, gpr_split *split, const gpr_dataset *data, const gpri_split_rule *rule,
                           const char *spec, uint64_t seed) {
    gpr_status status = GPR_OK;
    draw d = {0};
    TRY(draw_init(ctx, &d, data, seed));
    switch (rule->kind) {
    case GPRI_SPLIT_PER_CLASS: TRY(split_per_class(split, &d, rule, spec)); break;
    case GPRI_SPLIT_COUNTS: TRY(split_planetoid(split, &d, rule)); break;
    case GPRI_SPLIT_SHARES: split_shares(split, &d, rule); break;
    }
done:
    draw_free(ctx, &d);
    return status;
}

/* ---- The split ------------------------------------------------------------------------------------ */

/* "class 1 has no node in validation, test; ..." in one line, for classes that have nodes elsewhere. */
static gpr_status warn_of_gaps(gpr_ctx *ctx, const gpr_split *split, const gpri_names *class_names, bool asked) {
    enum { SHOWN = 12 };
    static const char *const names[] = {"", "training", "validation", "test"};
    gpri_text text = {.ctx = ctx};
    char number[24];
    int64_t total[4] = {0}, shown = 0, gaps = 0;
    if (!ctx->job.log) return GPR_OK;
    for (int p = GPR_TRAIN; p <= GPR_TEST; p++) {
        for (int64_t c = 0; c < split->classes; c++) total[p] += split->counts[p * split->classes + c];
        if (total[p] == 0) gpri_text_add(&text, "%s%s is empty", text.size ? "; " : "", names[p]);
    }
    for (int64_t c = 0; c < split->classes; c++) {
        int64_t members = 0, missing = 0;
        for (int p = GPR_UNUSED; p <= GPR_TEST; p++) members += split->counts[p * split->classes + c];
        for (int p = GPR_TRAIN; p <= GPR_TEST; p++)
            missing += total[p] > 0 && split->counts[p * split->classes + c] == 0;
        if (members == 0 || missing == 0) continue;
        gaps++;
        if (shown == SHOWN) continue;
        shown++;
        gpri_text_add(&text, "%sclass %s has no node in", text.size ? "; " : "",
                      gpri_name_or_number(class_names, c, number));
        const char *comma = "";
        for (int p = GPR_TRAIN; p <= GPR_TEST; p++) {
            if (total[p] == 0 || split->counts[p * split->classes + c] > 0) continue;
            gpri_text_add(&text, "%s %s", comma, names[p]);
            comma = ",";
        }
    }
    if (gaps > shown) gpri_text_add(&text, "; and so for %lld more classes", (long long)(gaps - shown));
    gpr_status status = gpri_text_status(&text);
    if (status == GPR_OK && text.size)
        gpri_log(ctx, asked ? GPRI_LOG_ASKED : GPR_LOG_WARNING, "split: %s: accuracy there does not cover them",
                 text.bytes);
    gpri_text_free(&text);
    return status;
}

/* Of data whose split nobody chose: an accuracy that does not cover a class is not worth much. A class of one or two
   nodes cannot be in every part. */
static gpr_status check_cover(const gpr_split *split, const gpr_dataset *data, const char *spec) {
    char number[24];
    for (int64_t c = 0; c < split->classes; c++) {
        const int64_t train = gpr_split_count(split, GPR_TRAIN, c), val = gpr_split_count(split, GPR_VAL, c),
                      test = gpr_split_count(split, GPR_TEST, c),
                      all = train + val + test + gpr_split_count(split, GPR_UNUSED, c);
        if (all < 3 || (val > 0 && test > 0)) continue;
        return gpri_fail(
            GPR_ERROR_MISMATCH,
            "split '%s' leaves no node of class %s for %s: of its %lld nodes %lld train, %lld validate and "
            "%lld test; leave out `split`, which divides each class 60/20/20, or give `split` %s to take it "
            "as it is",
            spec, gpri_name_or_number(&data->target.names, c, number),
            val > 0    ? "the test"
            : test > 0 ? "validation"
                       : "validation and test",
            (long long)all, (long long)train, (long long)val, (long long)test, spec);
    }
    return GPR_OK;
}

/* Takes nodes without a label out of the parts, and counts the others. Returns how many it took out. */
static int64_t count_parts(gpr_split *split, const gpr_dataset *data) {
    int64_t dropped = 0;
    for (int64_t i = 0; i < split->nodes; i++) {
        if (!gpri_target_known(&data->target, i)) {
            dropped += split->part[i] != GPR_UNUSED;
            split->part[i] = GPR_UNUSED;
            continue;
        }
        split->counts[split->part[i] * split->classes + data->target.labels[i]]++;
    }
    return dropped;
}

gpr_status gpri_split_begin(gpr_ctx *ctx, gpr_split **out, const gpr_dataset *data) {
    gpr_status status = GPR_OK;
    gpr_split *split = NULL;
    *out = NULL;
    TRY(gpri_calloc(ctx, &split, 1, sizeof *split, "split"));
    split->ctx = ctx;
    split->nodes = data->graph.nodes;
    split->classes = data->target.classes;
    TRY(gpri_calloc(ctx, &split->part, split->nodes, sizeof *split->part, "split"));
    TRY(gpri_calloc(ctx, &split->counts, 4 * split->classes, sizeof *split->counts, "split"));
    if (data->order) {
        TRY(gpri_copy(ctx, &split->order, data->order, split->nodes, sizeof *split->order, "split"));
    }
    *out = split;
    split = NULL;
done:
    gpr_split_free(split);
    return status;
}

gpr_status gpri_split_finish(gpr_split *split, const gpr_dataset *data, const char *spec, unsigned care) {
    const int64_t dropped = count_parts(split, data);
    const bool warn = care & GPRI_SPLIT_WARN;
    gpr_status status = GPR_OK;
    int64_t training = 0;
    if (dropped > 0 && warn)
        gpri_log(split->ctx, GPR_LOG_WARNING, "split: %lld nodes of the masks have no label and are left out",
                 (long long)dropped);
    for (int64_t c = 0; c < split->classes; c++) training += split->counts[GPR_TRAIN * split->classes + c];
    if (training == 0)
        return gpri_fail(GPR_ERROR_MISMATCH,
                         "split '%s' leaves no labelled node of %s for training: at least one is needed", spec,
                         data->name);
    if (care & GPRI_SPLIT_COVER) status = check_cover(split, data, spec);
    return status == GPR_OK && warn ? warn_of_gaps(split->ctx, split, &data->target.names, care & GPRI_SPLIT_ASKED)
                                    : status;
}

gpr_split *gpri_split_share(gpr_split *split) {
    split->others++;
    return split;
}

void gpr_split_free(gpr_split *split) {
    if (!split || split->others-- > 0) return;
    gpri_free_all(split->ctx, split->part, split->counts, split->order, split);
}

const char *gpri_part_word(int part) {
    static const char *const words[] = {
        [GPR_UNUSED] = "unused", [GPR_TRAIN] = "train", [GPR_VAL] = "val", [GPR_TEST] = "test"};
    return words[part];
}

const uint8_t *gpr_split_parts(const gpr_split *split, int64_t *count) {
    if (count) *count = split ? split->nodes : 0;
    return split ? split->part : NULL;
}

int64_t gpr_split_count(const gpr_split *split, gpr_part part, int64_t class_id) {
    if (!split || (int)part < GPR_UNUSED || (int)part > GPR_TEST || class_id < 0 || class_id >= split->classes)
        return -1;
    return split->counts[(int64_t)part * split->classes + class_id];
}
