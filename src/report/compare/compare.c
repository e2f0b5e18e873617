/* gpr_compare: trainings on the same splits, run by run. */
#include <math.h>
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

static const char *model_of(const gpri_compared *of) { return of->model; }
static const char *name_of(const gpri_compared *of) { return of->name; }
static const char *path_of(const gpri_compared *of) { return of->path; }

static bool all_differ(const gpr_comparison *all, const char *(*word)(const gpri_compared *)) {
    for (int64_t i = 0; i < all->count; i++)
        for (int64_t j = 0; j < i; j++)
            if (strcmp(word(&all->results[i]), word(&all->results[j])) == 0) return false;
    return true;
}

/* Names that two have become paths; then all get the label that sentences use. */
static gpr_status name_them(gpr_comparison *all) {
    gpr_status status = GPR_OK;
    const char *(*word)(const gpri_compared *) = all_differ(all, model_of)  ? model_of
                                                 : all_differ(all, name_of) ? name_of
                                                                            : path_of;
    if (!all_differ(all, name_of))
        for (int64_t i = 0; i < all->count; i++) {
            gpri_compared *of = &all->results[i];
            gpri_free(all->ctx, of->name);
            of->name = NULL;
            TRY(gpri_strdup(all->ctx, &of->name, of->path));
        }
    for (int64_t i = 0; i < all->count; i++) all->results[i].label = word(&all->results[i]);
done:
    return status;
}

static gpr_status summarize(gpr_ctx *ctx, gpri_compared *of) {
    gpr_status status = GPR_OK;
    double *values = NULL;
    TRY(gpri_alloc(ctx, &values, of->count, sizeof *values, "numbers of runs"));
    for (int64_t r = 0; r < of->count; r++) values[r] = of->runs[r].value;
    of->mean = gpri_mean_of(values, of->count);
    of->normal = gpri_normal_interval(&of->mean, of->count);
    TRY(gpri_bootstrap(ctx, &of->bootstrap, values, of->count));
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

static void seeds_of(const gpri_compared *of, uint64_t *least, uint64_t *most) {
    *least = *most = of->runs[0].seed;
    for (int64_t r = 1; r < of->count; r++) {
        if (of->runs[r].seed < *least) *least = of->runs[r].seed;
        if (of->runs[r].seed > *most) *most = of->runs[r].seed;
    }
}

/* Hashes of one training and seeds of another say nothing together: then the seeds of both are used. */
static void use_seeds(gpri_compared *of) {
    if (!of->hashed) return;
    of->hashed = false;
    for (int64_t r = 0; r < of->count; r++)
        gpri_print(of->runs[r].split, sizeof of->runs[r].split, "%020llu", (unsigned long long)of->runs[r].seed);
    gpri_compared_sort(of);
}

static gpr_status compare_paired(gpr_comparison *all, gpri_compared_pair *pair, double *first, double *second) {
    gpr_status status = GPR_OK;
    const gpri_compared *a = &all->results[pair->first], *b = &all->results[pair->second];
    TRY(check_comparable(a, b));
    pair->pairs = pair_runs(first, second, a, b);
    if (pair->pairs < 2) {
        uint64_t from[2], to[2];
        seeds_of(a, &from[0], &to[0]);
        seeds_of(b, &from[1], &to[1]);
        THROW(GPR_ERROR_MISMATCH,
              "%s and %s have %s in common (seeds %llu to %llu, and %llu to %llu): train both with the same `split`, "
              "`seed` "
              "and `runs`, or give `unpaired`",
              a->path, b->path, pair->pairs ? "only one split" : "no split", (unsigned long long)from[0],
              (unsigned long long)to[0], (unsigned long long)from[1], (unsigned long long)to[1]);
    }
    if (pair->pairs < a->count || pair->pairs < b->count)
        gpri_log(all->ctx, GPR_LOG_WARNING,
                 "%s and %s have %lld and %lld runs, %lld of them on splits of both: only these "
                 "are compared",
                 a->path, b->path, (long long)a->count, (long long)b->count, (long long)pair->pairs);
    TRY(gpri_difference_paired(all->ctx, &pair->difference, first, second, pair->pairs));
done:
    return status;
}

static gpr_status compare_pair(gpr_comparison *all, gpri_compared_pair *pair) {
    gpr_status status = GPR_OK;
    const gpri_compared *a = &all->results[pair->first], *b = &all->results[pair->second];
    double *first = NULL, *second = NULL;
    TRY(gpri_alloc(all->ctx, &first, a->count, sizeof *first, "numbers of runs"));
    TRY(gpri_alloc(all->ctx, &second, b->count, sizeof *second, "numbers of runs"));
    if (!all->unpaired) TRY(compare_paired(all, pair, first, second));
    else {
        for (int64_t r = 0; r < a->count; r++) first[r] = a->runs[r].value;
        for (int64_t r = 0; r < b->count; r++) second[r] = b->runs[r].value;
        TRY(gpri_difference_welch(all->ctx, &pair->difference, first, a->count, second, b->count));
    }
done:
    gpri_free(all->ctx, first);
    gpri_free(all->ctx, second);
    return status;
}

/* ---- The whole ------------------------------------------------------------------------------------ */

/* against: the index of the one that all others are compared with; -1: all pairs. */
static gpr_status compare_all(gpr_comparison *all, int64_t against) {
    gpr_status status = GPR_OK;
    double *p = NULL, *corrected = NULL;
    const int64_t n = all->count, most = n * (n - 1) / 2;
    bool hashed = true;
    for (int64_t i = 0; i < n; i++) hashed &= all->results[i].hashed;
    for (int64_t i = 0; i < n && !hashed; i++) use_seeds(&all->results[i]);
    TRY(gpri_calloc(all->ctx, &all->pairs, most, sizeof *all->pairs, "comparisons"));
    TRY(gpri_alloc(all->ctx, &p, most, sizeof *p, "p values"));
    TRY(gpri_alloc(all->ctx, &corrected, most, sizeof *corrected, "p values"));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = against < 0 ? i + 1 : 0; j < n; j++) {
            if (against >= 0 && (i == against || j != against)) continue;
            gpri_compared_pair *pair = &all->pairs[all->pair_count];
            pair->first = i;
            pair->second = j;
            TRY(compare_pair(all, pair));
            p[all->pair_count++] = pair->difference.p;
        }
    TRY(gpri_holm(all->ctx, corrected, p, all->pair_count));
    for (int64_t k = 0; k < all->pair_count; k++) {
        all->pairs[k].holm = corrected[k];
        TRY(gpri_compare_sentence(all, &all->pairs[k]));
    }
done:
    gpri_free(all->ctx, p);
    gpri_free(all->ctx, corrected);
    return status;
}

static gpr_status read_all(gpr_comparison *all, const char *const *paths, int64_t count, const char *against) {
    gpr_status status = GPR_OK;
    for (int64_t i = against ? -1 : 0; i < count; i++) {
        const char *path = i < 0 ? against : paths[i];
        TRY(gpri_compared_read(all->ctx, &all->results[all->count], path, all->metric));
        TRY(summarize(all->ctx, &all->results[all->count++]));
    }
    for (int64_t i = 0; i < all->count && !all->unpaired; i++)
        if (all->results[i].one_split) {
            gpri_log(
                all->ctx, GPR_LOG_WARNING,
                "%s: all its runs are on one split: intervals and p say how much the seed matters, and nothing about "
                "other splits",
                all->results[i].path);
            break;
        }
    TRY(name_them(all));
done:
    return status;
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
    gpr_comparison *all = NULL;
    int64_t at;
    if (out) *out = NULL;
    if (!ctx || !out || !paths || count < 1)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_compare: a NULL argument, or no path");
    if (options) TRY(GPRI_STRUCT_IN(&given, options, gpr_compare_options, "gpr_compare", "options"));
    TRY(check_paths(paths, count, given.against, &at));
    TRY(gpri_calloc(ctx, &all, 1, sizeof *all, "comparison"));
    all->ctx = ctx;
    all->unpaired = given.unpaired != 0;
    all->metric = gpri_run_metric_find(given.metric ? given.metric : "test_accuracy");
    if (!all->metric) TRY(gpri_run_metric_unknown(given.metric));
    TRY(gpri_calloc(ctx, &all->results, count + 1, sizeof *all->results, "trainings"));
    TRY(read_all(all, paths, count, at < 0 ? given.against : NULL));
    TRY(compare_all(all, !given.against ? -1 : at < 0 ? 0 : at));
    gpri_text json = {.ctx = ctx};
    status = gpri_compare_json(all, &json);
    all->json = json.bytes;
    if (status != GPR_OK) goto done;
    *out = all;
    all = NULL;
done:
    gpr_comparison_free(all);
    return gpri_finish(status);
}

void gpr_comparison_free(gpr_comparison *all) {
    if (!all) return;
    gpr_ctx *ctx = all->ctx;
    for (int64_t i = 0; i < all->count; i++) gpri_compared_free(ctx, &all->results[i]);
    for (int64_t k = 0; k < all->pair_count; k++) gpri_free(ctx, all->pairs[k].sentence);
    gpri_free(ctx, all->results);
    gpri_free(ctx, all->pairs);
    gpri_free(ctx, all->json);
    gpri_free(ctx, all);
}

int64_t gpr_comparison_count(const gpr_comparison *all) { return all ? all->count : 0; }
int64_t gpr_comparison_pairs(const gpr_comparison *all) { return all ? all->pair_count : 0; }
const char *gpr_comparison_json(const gpr_comparison *all) { return all ? all->json : NULL; }

static gpr_status check_index(int64_t index, int64_t count, const char *call) {
    if (index >= 0 && index < count) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT, "%s: index is %lld, but there are %lld", call, (long long)index,
                     (long long)count);
}

gpr_status gpr_comparison_training(const gpr_comparison *all, int64_t index, gpr_compared_info *out) {
    gpr_status status = GPR_OK;
    if (!all || !out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_comparison_training: a NULL argument");
    TRY(GPRI_STRUCT_CHECK(out, gpr_compared_info, "gpr_comparison_training", "out"));
    TRY(check_index(index, all->count, "gpr_comparison_training"));
    const gpri_compared *of = &all->results[index];
    const gpr_compared_info info = {.struct_size = sizeof info,
                                    .name = of->name,
                                    .path = of->path,
                                    .model = of->model,
                                    .dataset = of->dataset,
                                    .label = of->label,
                                    .runs = of->count,
                                    .mean = of->mean.mean,
                                    .sd = of->mean.sd,
                                    .ci95 = of->mean.ci95,
                                    .bootstrap = {of->bootstrap.low, of->bootstrap.high}};
    gpri_struct_out(out, &info, sizeof info);
done:
    return gpri_finish(status);
}

gpr_status gpr_comparison_pair(const gpr_comparison *all, int64_t index, gpr_compared_pair_info *out) {
    gpr_status status = GPR_OK;
    if (!all || !out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_comparison_pair: a NULL argument");
    TRY(GPRI_STRUCT_CHECK(out, gpr_compared_pair_info, "gpr_comparison_pair", "out"));
    TRY(check_index(index, all->pair_count, "gpr_comparison_pair"));
    const gpri_compared_pair *pair = &all->pairs[index];
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
                                         .wins = all->metric->lower ? found->losses : found->wins,
                                         .ties = found->ties,
                                         .losses = all->metric->lower ? found->wins : found->losses,
                                         .visible = pair->holm < GPRI_VISIBLE,
                                         .sentence = pair->sentence};
    gpri_struct_out(out, &info, sizeof info);
done:
    return gpri_finish(status);
}
