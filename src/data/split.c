/* Which nodes train, validate and test.
 *
 * Every random rule is one shuffle of the labelled nodes, then a walk along it: a class, or the whole, takes its share
 * in the order of the walk. Nodes without a label are GPR_UNUSED. */
#include "data/split.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"
#include "io/split_file.h"

typedef enum rule_kind { PER_CLASS, FRACTIONS, PLANETOID, MASKS, FOLDER } rule_kind;

typedef struct split_rule {
    rule_kind kind;
    double share[4];  /* FRACTIONS, PER_CLASS: by gpr_part; share[GPR_UNUSED] is what the others leave */
    int64_t count[4]; /* PLANETOID: training nodes per class, validation and test nodes in all */
} split_rule;

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

static gpr_status parse_fractions(split_rule *rule, const char *spec) {
    double share[3];
    if (!three_numbers(spec, share))
        return gpri_fail(GPR_ERROR_ARGUMENT, "split '%s' is not three numbers: write TRAIN/VAL/TEST, such as 60/20/20",
                         spec);
    double sum = share[0] + share[1] + share[2];
    if (!(share[0] >= 0 && share[1] >= 0 && share[2] >= 0 && sum <= 100 * (1 + 1e-9)))
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "split '%s' adds up to %g: the shares must be 0 or more and at most 100 (or 1) in all", spec,
                         sum);
    if (share[0] <= 0)
        return gpri_fail(GPR_ERROR_ARGUMENT, "split '%s' leaves no node for training: TRAIN must be above 0", spec);
    double whole = sum <= 1 + 1e-9 ? 1 : 100;
    rule->kind = FRACTIONS;
    for (int p = 0; p < 3; p++) rule->share[GPR_TRAIN + p] = share[p] / whole;
    rule->share[GPR_UNUSED] = 1 - sum / whole > 1e-9 ? 1 - sum / whole : 0;
    return GPR_OK;
}

/* counts: what follows "planetoid", empty or ":20/500/1000". */
static gpr_status parse_planetoid(split_rule *rule, const char *counts) {
    double numbers[3] = {20, 500, 1000};
    bool good = !*counts || (*counts == ':' && three_numbers(counts + 1, numbers));
    rule->kind = PLANETOID;
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

static gpr_status parse_spec(split_rule *rule, const char *spec) {
    static const char *const words[] = {"sparse", "dense", "planetoid"};
    *rule = (split_rule){.kind = PER_CLASS};
    size_t size = spec ? strlen(spec) : 0;
    if (size == 0)
        return gpri_fail(GPR_ERROR_ARGUMENT, "the split is empty: give sparse, dense, TRAIN/VAL/TEST or an .npz file");
    if (strcmp(spec, "sparse") == 0 || strcmp(spec, "dense") == 0) {
        bool sparse = *spec == 's';
        rule->share[GPR_TRAIN] = sparse ? 0.025 : 0.6;
        rule->share[GPR_VAL] = sparse ? 0.025 : 0.2;
        return GPR_OK;
    }
    if (size > 4 && strcmp(spec + size - 4, ".npz") == 0) {
        rule->kind = MASKS;
        return GPR_OK;
    }
    if (strncmp(spec, "planetoid", 9) == 0 && (!spec[9] || spec[9] == ':')) return parse_planetoid(rule, spec + 9);
    if (strspn(spec, "0123456789.+-eE/%") == size) return parse_fractions(rule, spec);
    if (strchr(spec, '/') && !isdigit((unsigned char)*spec)) { /* a path; looked up when it is read */
        rule->kind = FOLDER;
        return GPR_OK;
    }
    const char *near = gpr_nearest_word(spec, words, 3);
    return gpri_fail(GPR_ERROR_ARGUMENT,
                     "split '%s' is not known: %s%s%sgive sparse, dense, TRAIN/VAL/TEST such as 60/20/20, "
                     "planetoid:20/500/1000, a file that ends in .npz, or a folder as DIR/split",
                     spec, near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
}

gpr_status gpri_split_check(const char *spec) {
    split_rule rule;
    return parse_spec(&rule, spec);
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
    const gpri_stream stream = gpri_stream_of(seed, GPRI_RANDOM_SPLIT, 0, turn);
    for (int64_t k = count - 1; k > 0; k--) {
        int64_t other = (int64_t)gpri_uniform_below(stream, (uint64_t)k, (uint64_t)k + 1);
        int32_t moved = order[k];
        order[k] = order[other];
        order[other] = moved;
    }
}

static gpr_status draw_init(gpr_ctx *ctx, draw *d, const gpr_dataset *data, uint64_t seed) {
    gpr_status status = GPR_OK;
    d->data = data;
    d->seed = seed;
    TRY(gpri_alloc(ctx, &d->order, data->graph.nodes, sizeof *d->order, "split"));
    TRY(gpri_calloc(ctx, &d->members, data->classes, sizeof *d->members, "split"));
    TRY(gpri_calloc(ctx, &d->quota, 4 * data->classes, sizeof *d->quota, "split"));
    for (int64_t i = 0; i < data->graph.nodes; i++) {
        if (data->labels[i] < 0) continue;
        d->order[d->labelled++] = (int32_t)i;
        d->members[data->labels[i]]++;
    }
    if (d->labelled == 0) THROW(GPR_ERROR_MISMATCH, "%s has no labelled node: there is nothing to split", data->name);
    shuffle(d->order, d->labelled, seed, 0);
done:
    return status;
}

static void draw_free(gpr_ctx *ctx, draw *d) {
    gpri_free(ctx, d->order);
    gpri_free(ctx, d->members);
    gpri_free(ctx, d->quota);
}

/* The first `per_class` of every class train; of the rest `val` validate, `test` test. The rest is shuffled anew: in
   the order of the first walk it begins with the classes that were full first, the largest. */
static void deal(gpr_split *split, const draw *d, int64_t per_class, int64_t val, int64_t test) {
    int64_t rest = 0;
    for (int64_t c = 0; c < split->classes; c++) d->quota[4 * c + GPR_TRAIN] = per_class;
    for (int64_t k = 0; k < d->labelled; k++) {
        int32_t node = d->order[k];
        int64_t *training = &d->quota[4 * (int64_t)d->data->labels[node] + GPR_TRAIN];
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
static gpr_status split_per_class(gpr_split *split, const draw *d, const split_rule *rule, const char *spec) {
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

static gpr_status split_planetoid(gpr_split *split, const draw *d, const split_rule *rule) {
    int64_t per_class = rule->count[GPR_TRAIN], others = rule->count[GPR_VAL] + rule->count[GPR_TEST],
            rest = d->labelled;
    char number[24];
    for (int64_t c = 0; c < split->classes; c++) {
        if (d->members[c] == 0) continue;
        if (d->members[c] < per_class)
            return gpri_fail(GPR_ERROR_MISMATCH,
                             "class %s has %lld labelled nodes: the planetoid split needs %lld of each class "
                             "for training",
                             gpri_name_or_number(&d->data->class_names, c, number), (long long)d->members[c],
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

/* Each class is cut by the shares. What rounding takes from a part in one class it gets back in the next ones, so that
   the totals come out right too. */
static void split_fractions(gpr_split *split, const draw *d, const split_rule *rule) {
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
        int64_t *quota = d->quota + 4 * (int64_t)d->data->labels[node];
        int part = GPR_TRAIN;
        while (part <= GPR_TEST && quota[part] == 0) part++;
        if (part > GPR_TEST) continue; /* unused */
        quota[part]--;
        split->part[node] = (uint8_t)part;
    }
}

static gpr_status split_at_random(gpr_ctx *ctx, gpr_split *split, const gpr_dataset *data, const split_rule *rule,
                                  const char *spec, uint64_t seed) {
    gpr_status status = GPR_OK;
    draw d = {0};
    TRY(draw_init(ctx, &d, data, seed));
    switch (rule->kind) {
    case PER_CLASS: TRY(split_per_class(split, &d, rule, spec)); break;
    case PLANETOID: TRY(split_planetoid(split, &d, rule)); break;
    default: split_fractions(split, &d, rule);
    }
done:
    draw_free(ctx, &d);
    return status;
}

/* ---- The split ------------------------------------------------------------------------------------ */

/* "class 1 has no node in validation, test; ..." in one line, for classes that have nodes elsewhere. */
static gpr_status warn_of_gaps(gpr_ctx *ctx, const gpr_split *split, const gpri_names *class_names) {
    enum { SHOWN = 12 };
    static const char *const names[] = {"", "training", "validation", "test"};
    gpri_text text = {.ctx = ctx};
    char number[24];
    int64_t total[4] = {0}, shown = 0, gaps = 0;
    if (!ctx->log) return GPR_OK;
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
        gpri_log(ctx, GPR_LOG_WARNING, "split: %s: accuracy there does not cover them", text.bytes);
    gpri_text_free(&text);
    return status;
}

/* Takes nodes without a label out of the parts, and counts the others. */
static void count_parts(gpr_split *split, const gpr_dataset *data) {
    int64_t dropped = 0;
    for (int64_t i = 0; i < split->nodes; i++) {
        if (data->labels[i] < 0) {
            dropped += split->part[i] != GPR_UNUSED;
            split->part[i] = GPR_UNUSED;
            continue;
        }
        split->counts[split->part[i] * split->classes + data->labels[i]]++;
    }
    if (dropped > 0)
        gpri_log(split->ctx, GPR_LOG_WARNING, "split: %lld nodes of the masks have no label and are left out",
                 (long long)dropped);
}

/* All nodes GPR_UNUSED. */
static gpr_status empty_split(gpr_ctx *ctx, gpr_split **out, const gpr_dataset *data) {
    gpr_status status = GPR_OK;
    TRY(gpri_calloc(ctx, out, 1, sizeof **out, "split"));
    gpr_split *split = *out;
    split->ctx = ctx;
    split->nodes = data->graph.nodes;
    split->classes = data->classes;
    TRY(gpri_calloc(ctx, &split->part, split->nodes, sizeof *split->part, "split"));
    TRY(gpri_calloc(ctx, &split->counts, 4 * split->classes, sizeof *split->counts, "split"));
done:
    return status;
}

/* Counts the parts, and says what is missing in them. spec: its words; NULL: the caller's own parts. */
static gpr_status finish_split(gpr_ctx *ctx, gpr_split *split, const gpr_dataset *data, const char *spec) {
    int64_t training = 0;
    count_parts(split, data);
    for (int64_t c = 0; c < split->classes; c++) training += split->counts[GPR_TRAIN * split->classes + c];
    if (training > 0) return warn_of_gaps(ctx, split, &data->class_names);
    if (spec)
        return gpri_fail(GPR_ERROR_MISMATCH,
                         "split '%s' leaves no labelled node of %s for training: give a larger share", spec,
                         data->name);
    return gpri_fail(GPR_ERROR_MISMATCH, "the given split has no labelled node of %s for training", data->name);
}

gpr_status gpr_split_from_parts(gpr_ctx *ctx, gpr_split **out, const gpr_dataset *data, const uint8_t *parts,
                                int64_t count) {
    gpr_status status = GPR_OK;
    gpr_split *split = NULL;
    if (!out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_split_from_parts: out is NULL");
    *out = NULL;
    if (!ctx || !data || !parts) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_split_from_parts: a NULL argument");
    if (count != data->graph.nodes)
        return gpri_fail(GPR_ERROR_MISMATCH, "the given split has %lld nodes, and %s has %lld", (long long)count,
                         data->name, (long long)data->graph.nodes);
    TRY(gpri_dataset_ready(ctx, data));
    TRY(empty_split(ctx, &split, data));
    for (int64_t i = 0; i < count; i++) {
        if (parts[i] > GPR_TEST)
            THROW(GPR_ERROR_ARGUMENT, "the part of node %lld is %d: it must be a gpr_part, from 0 to 3", (long long)i,
                  parts[i]);
        split->part[i] = parts[i];
    }
    TRY(finish_split(ctx, split, data, NULL));
    *out = split;
    split = NULL;
done:
    gpr_split_free(split);
    return gpri_finish(status);
}

gpr_status gpr_split_new(gpr_ctx *ctx, gpr_split **out, const gpr_dataset *data, const char *spec, uint64_t seed,
                         int64_t run) {
    gpr_status status = GPR_OK;
    gpr_split *split = NULL;
    split_rule rule;
    if (!out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_split_new: out is NULL");
    *out = NULL;
    if (!ctx || !data || !spec) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_split_new: a NULL argument");
    if (run < 0)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_split_new: run is %lld: it must be 0 or more", (long long)run);
    TRY(parse_spec(&rule, spec));
    TRY(gpri_dataset_ready(ctx, data));
    TRY(empty_split(ctx, &split, data));
    if (rule.kind == MASKS) {
        TRY(gpri_split_read(ctx, split->part, split->nodes, spec, run));
    } else if (rule.kind == FOLDER) {
        TRY(gpri_split_read_folder(ctx, split->part, split->nodes, spec));
    } else {
        TRY(split_at_random(ctx, split, data, &rule, spec, seed + (uint64_t)run));
    }
    TRY(finish_split(ctx, split, data, spec));
    *out = split;
    split = NULL;
done:
    gpr_split_free(split);
    return gpri_finish(status);
}

void gpr_split_free(gpr_split *split) {
    if (!split) return;
    gpri_free(split->ctx, split->part);
    gpri_free(split->ctx, split->counts);
    gpri_free(split->ctx, split);
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
