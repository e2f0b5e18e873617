/* What a comparison says: one sentence for each pair, and all numbers as JSON. */
#include <math.h>

#include "base/json.h"
#include "report/compare/compare.h"

/* ---- Sentences ------------------------------------------------------------------------------------ */

/* Two digits after the point, more for a difference that would vanish. */
static void add_number(gpri_text *out, double value, double scale) {
    gpri_text_add(out, fabs(scale) < 0.1 ? "%.2g" : "%.2f", value);
}

static void add_range(gpri_text *out, double low, double high, double scale) {
    gpri_text_add(out, " (");
    add_number(out, low, scale);
    gpri_text_add(out, " to ");
    add_number(out, high, scale);
    gpri_text_add(out, ")");
}

static const char *pairs_of(const gpr_comparison *comparison, const gpri_compared_pair *pair) {
    return comparison->results[pair->first].one_split ? "pairs of runs" : "splits";
}

/* All numbers are about the better one. */
static void say_better(gpri_text *out, const gpr_comparison *comparison, const gpri_compared_pair *pair) {
    const gpri_difference *d = &pair->difference;
    const bool first = (d->mean > 0) != comparison->metric->lower;
    const gpri_compared *winner = &comparison->results[first ? pair->first : pair->second];
    const gpri_compared *other = &comparison->results[first ? pair->second : pair->first];
    const bool up = d->mean > 0;
    gpri_text_add(out, "%s %s %s by ", winner->label, comparison->metric->better, other->label);
    add_number(out, fabs(d->mean), d->mean);
    gpri_text_add(out, "%s", comparison->metric->unit);
    add_range(out, up ? d->student.low : -d->student.high, up ? d->student.high : -d->student.low, d->mean);
    if (pair->pairs)
        gpri_text_add(out, "; it wins on %lld of %lld %s", (long long)(up ? d->wins : d->losses),
                      (long long)pair->pairs, pairs_of(comparison, pair));
}

static void say_nothing(gpri_text *out, const gpr_comparison *comparison, const gpri_compared_pair *pair) {
    const gpri_difference *d = &pair->difference;
    const char *a = comparison->results[pair->first].label, *b = comparison->results[pair->second].label;
    if (pair->pairs && d->ties == pair->pairs) {
        gpri_text_add(out, "%s and %s have the same %s on all %lld %s", a, b, comparison->metric->word,
                      (long long)pair->pairs, pairs_of(comparison, pair));
        return;
    }
    const bool corrected = d->p < GPRI_VISIBLE; /* the correction alone made it invisible */
    gpri_text_add(out, "no difference between %s and %s can be seen%s: it is ", a, b,
                  corrected ? " when all comparisons are taken together" : "");
    add_number(out, d->mean, d->student.high - d->student.low);
    gpri_text_add(out, "%s", comparison->metric->unit);
    add_range(out, d->student.low, d->student.high, d->student.high - d->student.low);
    gpri_text_add(out, ", p = %.2g%s", corrected ? pair->holm : d->p, corrected ? " (corrected)" : "");
}

gpr_status gpri_compare_sentence(const gpr_comparison *comparison, gpri_compared_pair *pair) {
    gpri_text text = {.ctx = comparison->ctx};
    if (pair->holm < GPRI_VISIBLE) say_better(&text, comparison, pair);
    else say_nothing(&text, comparison, pair);
    pair->sentence = text.bytes;
    return gpri_text_status(&text);
}

/* ---- JSON ----------------------------------------------------------------------------------------- */

static bool put(json_t *to, const char *key, json_t *value) { return json_object_set_new(to, key, value) == 0; }

static json_t *real(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *range(gpri_interval interval) { return json_pack("[o, o]", real(interval.low), real(interval.high)); }

static json_t *whole(int64_t value) { return json_integer((json_int_t)value); }

/* NULL: out of memory. */
static json_t *training_tree(const gpri_compared *training) {
    json_t *tree = json_object();
    const bool good =
        put(tree, "name", gpri_json_string(training->name)) && put(tree, "path", gpri_json_string(training->path)) &&
        put(tree, "model", gpri_json_string(training->model)) &&
        put(tree, "dataset", gpri_json_string(training->dataset)) &&
        put(tree, "fingerprint", training->fingerprint ? gpri_json_string(training->fingerprint) : json_null()) &&
        put(tree, "split", gpri_json_string(training->rule)) && put(tree, "runs", whole(training->count)) &&
        put(tree, "mean", real(training->mean.mean)) && put(tree, "sd", real(training->mean.sd)) &&
        put(tree, "ci95", real(training->mean.ci95)) && put(tree, "ci95_normal", range(training->normal)) &&
        put(tree, "ci95_bootstrap", range(training->bootstrap));
    if (good) return tree;
    json_decref(tree);
    return NULL;
}

static json_t *pair_tree(const gpr_comparison *comparison, const gpri_compared_pair *pair) {
    const gpri_difference *d = &pair->difference;
    const bool lower = comparison->metric->lower;
    json_t *tree = json_object();
    bool good = put(tree, "first", gpri_json_string(comparison->results[pair->first].name)) &&
                put(tree, "second", gpri_json_string(comparison->results[pair->second].name)) &&
                put(tree, "pairs", pair->pairs ? whole(pair->pairs) : json_null()) &&
                put(tree, "difference", real(d->mean)) && put(tree, "ci95", range(d->student)) &&
                put(tree, "ci95_bootstrap", range(d->bootstrap)) && put(tree, "p", real(d->p)) &&
                put(tree, "p_corrected", real(pair->holm)) && put(tree, "p_wilcoxon", real(d->wilcoxon)) &&
                put(tree, "visible", json_boolean(pair->holm < GPRI_VISIBLE));
    good = good && put(tree, "wins", pair->pairs ? whole(lower ? d->losses : d->wins) : json_null()) &&
           put(tree, "ties", pair->pairs ? whole(d->ties) : json_null()) &&
           put(tree, "losses", pair->pairs ? whole(lower ? d->wins : d->losses) : json_null()) &&
           put(tree, "sentence", gpri_json_string(pair->sentence));
    if (good) return tree;
    json_decref(tree);
    return NULL;
}

static json_t *tree_of(const gpr_comparison *comparison) {
    json_t *tree = json_object(), *trainings = json_array(), *pairs = json_array();
    bool good = tree && trainings && pairs;
    for (int64_t i = 0; good && i < comparison->count; i++)
        good = json_array_append_new(trainings, training_tree(&comparison->results[i])) == 0;
    for (int64_t k = 0; good && k < comparison->pair_count; k++)
        good = json_array_append_new(pairs, pair_tree(comparison, &comparison->pairs[k])) == 0;
    good = good && put(tree, "metric", json_string(comparison->metric->word)) &&
           put(tree, "paired", json_boolean(!comparison->unpaired)) &&
           put(tree, "test", json_string(comparison->unpaired ? "Welch's t-test" : "paired t-test")) &&
           put(tree, "correction", json_string("Holm"));
    good =
        good && json_object_set(tree, "trainings", trainings) == 0 && json_object_set(tree, "comparisons", pairs) == 0;
    json_decref(trainings);
    json_decref(pairs);
    if (good) return tree;
    json_decref(tree);
    return NULL;
}

gpr_status gpri_compare_json(const gpr_comparison *comparison, gpri_text *out) {
    gpr_status status = gpri_json_write(out, tree_of(comparison), JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    gpri_text_add(out, "\n");
    return status == GPR_OK ? gpri_text_status(out) : status;
}
