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

static json_t *range(gpri_interval interval) {
    return gpri_append(gpri_append(json_array(), gpri_json_real(interval.low)), gpri_json_real(interval.high));
}

static json_t *training_tree(const gpri_compared *training) {
    gpri_object tree = gpri_object_new();
    gpri_put_text(&tree, "name", training->name);
    gpri_put_text(&tree, "path", training->path);
    gpri_put_text(&tree, "model", training->model);
    gpri_put_text(&tree, "dataset", training->dataset);
    gpri_put_text(&tree, "fingerprint", training->fingerprint);
    gpri_put_text(&tree, "split", training->rule);
    gpri_put_whole(&tree, "runs", training->count);
    gpri_put_real(&tree, "mean", training->mean.mean);
    gpri_put_real(&tree, "sd", training->mean.sd);
    gpri_put_real(&tree, "ci95", training->mean.ci95);
    gpri_put(&tree, "ci95_normal", range(training->normal));
    gpri_put(&tree, "ci95_bootstrap", range(training->bootstrap));
    return gpri_object_done(&tree);
}

/* null: the runs were not paired. */
static void put_count(gpri_object *to, const char *key, const gpri_compared_pair *pair, int64_t count) {
    gpri_put(to, key, pair->pairs ? json_integer((json_int_t)count) : json_null());
}

static json_t *pair_tree(const gpr_comparison *comparison, const gpri_compared_pair *pair) {
    const gpri_difference *d = &pair->difference;
    const bool lower = comparison->metric->lower;
    gpri_object tree = gpri_object_new();
    gpri_put_text(&tree, "first", comparison->results[pair->first].name);
    gpri_put_text(&tree, "second", comparison->results[pair->second].name);
    put_count(&tree, "pairs", pair, pair->pairs);
    gpri_put_real(&tree, "difference", d->mean);
    gpri_put(&tree, "ci95", range(d->student));
    gpri_put(&tree, "ci95_bootstrap", range(d->bootstrap));
    gpri_put_real(&tree, "p", d->p);
    gpri_put_real(&tree, "p_corrected", pair->holm);
    gpri_put_real(&tree, "p_wilcoxon", d->wilcoxon);
    gpri_put(&tree, "visible", json_boolean(pair->holm < GPRI_VISIBLE));
    put_count(&tree, "wins", pair, lower ? d->losses : d->wins);
    put_count(&tree, "ties", pair, d->ties);
    put_count(&tree, "losses", pair, lower ? d->wins : d->losses);
    gpri_put_text(&tree, "sentence", pair->sentence);
    return gpri_object_done(&tree);
}

gpr_status gpri_compare_json(const gpr_comparison *comparison, gpri_text *out) {
    gpri_object tree = gpri_object_new();
    json_t *trainings = json_array(), *pairs = json_array();
    for (int64_t i = 0; trainings && i < comparison->count; i++)
        trainings = gpri_append(trainings, training_tree(&comparison->results[i]));
    for (int64_t k = 0; pairs && k < comparison->pair_count; k++)
        pairs = gpri_append(pairs, pair_tree(comparison, &comparison->pairs[k]));
    gpri_put_text(&tree, "metric", comparison->metric->word);
    gpri_put(&tree, "paired", json_boolean(!comparison->unpaired));
    gpri_put_text(&tree, "test", comparison->unpaired ? "Welch's t-test" : "paired t-test");
    gpri_put_text(&tree, "correction", "Holm");
    gpri_put(&tree, "trainings", trainings);
    gpri_put(&tree, "comparisons", pairs);
    return gpri_json_page(out, gpri_object_done(&tree));
}
