/* gpr_compare: trainings on the same splits, run by run. */
#include <string.h>

#include "base/print.h"
#include "base/struct.h"
#include "report/compare/compare.h"

enum { MOST = 100 };

/* ---- Reading and naming ----------------------------------------------------------------------------- */

static bool same_path(const char *a, const char *b) {
    size_t x = strlen(a), y = strlen(b);
    while (x > 1 && a[x - 1] == '/') x--;
    while (y > 1 && b[y - 1] == '/') y--;
    return x == y && memcmp(a, b, x) == 0;
}

static const char *model_of(const gpri_compared *training) { return training->model; }
static const char *name_of(const gpri_compared *training) { return training->name; }
static const char *path_of(const gpri_compared *training) { return training->path; }

static bool all_differ(const gpr_comparison *comparison, const char *(*word)(const gpri_compared *)) {
    for (int64_t i = 0; i < comparison->count; i++)
        for (int64_t j = 0; j < i; j++)
            if (strcmp(word(&comparison->results[i]), word(&comparison->results[j])) == 0) return false;
    return true;
}

/* Names that two have become paths; then all get the label that sentences use. */
static gpr_status name_them(gpr_comparison *comparison) {
    const char *(*word)(const gpri_compared *) = all_differ(comparison, model_of)  ? model_of
                                                 : all_differ(comparison, name_of) ? name_of
                                                                                   : path_of;
    if (!all_differ(comparison, name_of))
        for (int64_t i = 0; i < comparison->count; i++) {
            gpri_compared *training = &comparison->results[i];
            gpri_free(comparison->ctx, training->name);
            training->name = NULL;
            NEED(gpri_strdup(comparison->ctx, &training->name, training->path));
        }
    for (int64_t i = 0; i < comparison->count; i++) comparison->results[i].label = word(&comparison->results[i]);
    return GPR_OK;
}

static gpr_status summarize(gpr_ctx *ctx, gpri_compared *training) {
    gpr_status status = GPR_OK;
    double *values = NULL;
    TRY(gpri_alloc(ctx, &values, training->count, sizeof *values, "numbers of runs"));
    for (int64_t r = 0; r < training->count; r++) values[r] = training->runs[r].value;
    training->mean = gpri_mean_of(values, training->count);
    training->normal = gpri_normal_interval(&training->mean, training->count);
    TRY(gpri_bootstrap(ctx, &training->bootstrap, values, training->count));
done:
    gpri_free(ctx, values);
    return status;
}

/* ---- Which runs belong together --------------------------------------------------------------------- */

/* Fails unless equal texts in `split` mean equal splits. */
static gpr_status check_comparable(const gpri_compared *a, const gpri_compared *b) {
    if (!a->fingerprint || !b->fingerprint)
        return gpri_fail(
            GPR_ERROR_MISMATCH,
            "%s: the result does not say which data it is of, so its runs cannot be paired; train again, or "
            "give `unpaired`",
            a->fingerprint ? b->path : a->path);
    if (strcmp(a->fingerprint, b->fingerprint) != 0)
        return gpri_fail(
            GPR_ERROR_MISMATCH,
            "%s and %s are of different data, %s (fingerprint %.8s...) and %s (%.8s...): their runs have no "
            "split in common; compare trainings on the same data, or give `unpaired`",
            a->path, b->path, a->dataset, a->fingerprint, b->dataset, b->fingerprint);
    if (a->hashed && b->hashed) return GPR_OK;
    if (strcmp(a->rule, b->rule) != 0)
        return gpri_fail(GPR_ERROR_MISMATCH,
                         "%s and %s have different splits, '%s' and '%s': train both with the same `split`, or give "
                         "`unpaired`",
                         a->path, b->path, a->rule, b->rule);
    if (strcmp(a->rule, "given") == 0)
        return gpri_fail(GPR_ERROR_MISMATCH,
                         "%s and %s: their splits were given by the program that trained, and the results do not say "
                         "which; train again with this version, or give `unpaired`",
                         a->path, b->path);
    return GPR_OK;
}

/* The k-th run of a split in `a` belongs to the k-th run of the same split in `b`. first, second: (the smaller count).
   Both lists are ordered by split. */
static int64_t pair_runs(double *first, double *second, const gpri_compared *a, const gpri_compared *b) {
    int64_t count = 0;
    for (int64_t i = 0, j = 0; i < a->count && j < b->count;) {
        const int order = strcmp(a->runs[i].split, b->runs[j].split);
        if (order == 0) {
            first[count] = a->runs[i++].value;
            second[count++] = b->runs[j++].value;
        } else if (order < 0) i++;
        else j++;
    }
    return count;
}

static void seeds_of(const gpri_compared *training, uint64_t *least, uint64_t *most) {
    *least = *most = training->runs[0].seed;
    for (int64_t r = 1; r < training->count; r++) {
        if (training->runs[r].seed < *least) *least = training->runs[r].seed;
        if (training->runs[r].seed > *most) *most = training->runs[r].seed;
    }
}

/* Hashes of one training and seeds of another say nothing together: then the seeds of both are used. */
static void use_seeds(gpri_compared *training) {
    if (!training->hashed) return;
    training->hashed = false;
    for (int64_t r = 0; r < training->count; r++)
        gpri_print(training->runs[r].split, sizeof training->runs[r].split, "%020llu",
                   (unsigned long long)training->runs[r].seed);
    gpri_compared_sort(training);
}

static gpr_status compare_paired(gpr_comparison *comparison, gpri_compared_pair *pair, double *first, double *second) {
    const gpri_compared *a = &comparison->results[pair->first], *b = &comparison->results[pair->second];
    NEED(check_comparable(a, b));
    pair->pairs = pair_runs(first, second, a, b);
    if (pair->pairs < 2) {
        uint64_t from[2], to[2];
        seeds_of(a, &from[0], &to[0]);
        seeds_of(b, &from[1], &to[1]);
        return gpri_fail(
            GPR_ERROR_MISMATCH,
            "%s and %s have %s in common (seeds %llu to %llu, and %llu to %llu): train both with the same `split`, "
            "`seed` "
            "and `runs`, or give `unpaired`",
            a->path, b->path, pair->pairs ? "only one split" : "no split", (unsigned long long)from[0],
            (unsigned long long)to[0], (unsigned long long)from[1], (unsigned long long)to[1]);
    }
    if (pair->pairs < a->count || pair->pairs < b->count)
        gpri_log(comparison->ctx, GPR_LOG_WARNING,
                 "%s and %s have %lld and %lld runs, %lld of them on splits of both: only these "
                 "are compared",
                 a->path, b->path, (long long)a->count, (long long)b->count, (long long)pair->pairs);
    return gpri_difference_paired(comparison->ctx, &pair->difference, first, second, pair->pairs);
}

static gpr_status compare_pair(gpr_comparison *comparison, gpri_compared_pair *pair) {
    gpr_status status = GPR_OK;
    const gpri_compared *a = &comparison->results[pair->first], *b = &comparison->results[pair->second];
    double *first = NULL, *second = NULL;
    TRY(gpri_alloc(comparison->ctx, &first, a->count, sizeof *first, "numbers of runs"));
    TRY(gpri_alloc(comparison->ctx, &second, b->count, sizeof *second, "numbers of runs"));
    if (!comparison->unpaired) TRY(compare_paired(comparison, pair, first, second));
    else {
        for (int64_t r = 0; r < a->count; r++) first[r] = a->runs[r].value;
        for (int64_t r = 0; r < b->count; r++) second[r] = b->runs[r].value;
        TRY(gpri_difference_welch(comparison->ctx, &pair->difference, first, a->count, second, b->count));
    }
done:
    gpri_free_all(comparison->ctx, first, second);
    return status;
}

/* ---- The whole ------------------------------------------------------------------------------------ */

/* against: the index of the one that all others are compared with; -1: all pairs. */
static gpr_status compare_all(gpr_comparison *comparison, int64_t against) {
    gpr_status status = GPR_OK;
    double *p = NULL, *corrected = NULL;
    const int64_t n = comparison->count, most = n * (n - 1) / 2;
    bool hashed = true;
    for (int64_t i = 0; i < n; i++) hashed &= comparison->results[i].hashed;
    for (int64_t i = 0; i < n && !hashed; i++) use_seeds(&comparison->results[i]);
    TRY(gpri_calloc(comparison->ctx, &comparison->pairs, most, sizeof *comparison->pairs, "comparisons"));
    TRY(gpri_alloc(comparison->ctx, &p, most, sizeof *p, "p values"));
    TRY(gpri_alloc(comparison->ctx, &corrected, most, sizeof *corrected, "p values"));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = against < 0 ? i + 1 : 0; j < n; j++) {
            if (against >= 0 && (i == against || j != against)) continue;
            gpri_compared_pair *pair = &comparison->pairs[comparison->pair_count];
            pair->first = i;
            pair->second = j;
            TRY(compare_pair(comparison, pair));
            p[comparison->pair_count++] = pair->difference.p;
        }
    TRY(gpri_holm(comparison->ctx, corrected, p, comparison->pair_count));
    for (int64_t k = 0; k < comparison->pair_count; k++) {
        comparison->pairs[k].holm = corrected[k];
        TRY(gpri_compare_sentence(comparison, &comparison->pairs[k]));
    }
done:
    gpri_free_all(comparison->ctx, p, corrected);
    return status;
}

static gpr_status read_all(gpr_comparison *comparison, const char *const *paths, int64_t count, const char *against) {
    for (int64_t i = against ? -1 : 0; i < count; i++) {
        const char *path = i < 0 ? against : paths[i];
        NEED(gpri_compared_read(comparison->ctx, &comparison->results[comparison->count], path, &comparison->metric));
        NEED(summarize(comparison->ctx, &comparison->results[comparison->count++]));
    }
    for (int64_t i = 0; i < comparison->count && !comparison->unpaired; i++)
        if (comparison->results[i].one_split) {
            gpri_log(
                comparison->ctx, GPR_LOG_WARNING,
                "%s: all its runs are on one split: intervals and p say how much the seed matters, and nothing about "
                "other splits",
                comparison->results[i].path);
            break;
        }
    return name_them(comparison);
}

static gpr_status check_paths(const char *const *paths, int64_t count, const char *against, int64_t *at) {
    *at = -1;
    for (int64_t i = 0; i < count; i++) {
        if (!paths[i]) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_compare: path %lld is NULL", (long long)i);
        for (int64_t j = 0; j < i; j++)
            if (same_path(paths[i], paths[j])) return gpri_fail(GPR_ERROR_ARGUMENT, "%s is given twice", paths[i]);
        if (against && same_path(paths[i], against)) *at = i;
    }
    const int64_t total = count + (against && *at < 0);
    if (total < 2) return gpri_fail(GPR_ERROR_ARGUMENT, "there is one training: a comparison needs two or more");
    if (total > MOST) return gpri_fail(GPR_ERROR_ARGUMENT, "%lld trainings: there may be %d", (long long)total, MOST);
    return GPR_OK;
}

gpr_status gpr_compare(gpr_ctx *ctx, gpr_comparison **out, const char *const *paths, int64_t count,
                       const gpr_compare_options *options) {
    gpr_status status = GPR_OK;
    gpr_compare_options given = {.struct_size = sizeof given};
    gpr_comparison *comparison = NULL;
    int64_t at;
    if (out) *out = NULL;
    if (!ctx || !out || !paths || count < 1)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_compare: a NULL argument, or no path");
    if (options) TRY(GPRI_STRUCT_IN(&given, options, gpr_compare_options, "gpr_compare", "options"));
    TRY(check_paths(paths, count, given.against, &at));
    TRY(gpri_calloc(ctx, &comparison, 1, sizeof *comparison, "comparison"));
    comparison->ctx = ctx;
    comparison->unpaired = given.unpaired != 0;
    comparison->metric = given.metric ? gpri_run_metric_find(given.metric) : NULL;
    if (given.metric && !comparison->metric) TRY(gpri_run_metric_unknown(given.metric));
    TRY(gpri_calloc(ctx, &comparison->results, count + 1, sizeof *comparison->results, "trainings"));
    TRY(read_all(comparison, paths, count, at < 0 ? given.against : NULL));
    TRY(compare_all(comparison, !given.against ? -1 : at < 0 ? 0 : at));
    gpri_text json = {.ctx = ctx};
    status = gpri_compare_json(comparison, &json);
    comparison->json = json.bytes;
    if (status != GPR_OK) goto done;
    *out = comparison;
    comparison = NULL;
done:
    gpr_comparison_free(comparison);
    return gpri_finish(status);
}

void gpr_comparison_free(gpr_comparison *comparison) {
    if (!comparison) return;
    gpr_ctx *ctx = comparison->ctx;
    for (int64_t i = 0; i < comparison->count; i++) gpri_compared_free(ctx, &comparison->results[i]);
    for (int64_t k = 0; k < comparison->pair_count; k++) gpri_free(ctx, comparison->pairs[k].sentence);
    gpri_free_all(ctx, comparison->results, comparison->pairs, comparison->json, comparison);
}

int64_t gpr_comparison_count(const gpr_comparison *comparison) { return comparison ? comparison->count : 0; }
int64_t gpr_comparison_pairs(const gpr_comparison *comparison) { return comparison ? comparison->pair_count : 0; }
const char *gpr_comparison_metric(const gpr_comparison *comparison) {
    return comparison ? comparison->metric->word : NULL;
}
const char *gpr_comparison_json(const gpr_comparison *comparison) { return comparison ? comparison->json : NULL; }

static gpr_status check_index(int64_t index, int64_t count, const char *call) {
    if (index >= 0 && index < count) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT, "%s: index is %lld, but there are %lld", call, (long long)index,
                     (long long)count);
}

gpr_status gpr_comparison_training(const gpr_comparison *comparison, int64_t index, gpr_compared_info *out) {
    if (!comparison || !out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_comparison_training: a NULL argument");
    NEED(check_index(index, comparison->count, "gpr_comparison_training"));
    const gpri_compared *training = &comparison->results[index];
    const gpr_compared_info info = {.struct_size = sizeof info,
                                    .name = training->name,
                                    .path = training->path,
                                    .model = training->model,
                                    .dataset = training->dataset,
                                    .label = training->label,
                                    .runs = training->count,
                                    .mean = training->mean.mean,
                                    .sd = training->mean.sd,
                                    .ci95 = training->mean.ci95,
                                    .bootstrap = {training->bootstrap.low, training->bootstrap.high}};
    return gpri_finish(GPRI_STRUCT_OUT(out, gpr_compared_info, "gpr_comparison_training", &info));
}

gpr_status gpr_comparison_pair(const gpr_comparison *comparison, int64_t index, gpr_compared_pair_info *out) {
    if (!comparison || !out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_comparison_pair: a NULL argument");
    NEED(check_index(index, comparison->pair_count, "gpr_comparison_pair"));
    const gpri_compared_pair *pair = &comparison->pairs[index];
    const gpri_difference *found = &pair->difference;
    const gpr_compared_pair_info info = {.struct_size = sizeof info,
                                         .first = pair->first,
                                         .second = pair->second,
                                         .pairs = pair->pairs,
                                         .difference = found->mean,
                                         .ci95 = {found->student.low, found->student.high},
                                         .bootstrap = {found->bootstrap.low, found->bootstrap.high},
                                         .p = found->p,
                                         .p_corrected = pair->holm,
                                         .p_wilcoxon = found->wilcoxon,
                                         .wins = comparison->metric->lower ? found->losses : found->wins,
                                         .ties = found->ties,
                                         .losses = comparison->metric->lower ? found->wins : found->losses,
                                         .visible = pair->holm < GPRI_VISIBLE,
                                         .sentence = pair->sentence};
    return gpri_finish(GPRI_STRUCT_OUT(out, gpr_compared_pair_info, "gpr_comparison_pair", &info));
}
