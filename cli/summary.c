/* The summary of a training: data, split, settings, results and the filter. */
#include "summary.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "chart.h"
#include "metrics.h"
#include "names.h"
#include "terminal.h"

enum { MOST_CLASSES = 12 };

static void print_dataset(FILE *out, const gpr_dataset_info *info) {
    fputs("data      ", out);
    put_text(out, info->name && *info->name ? info->name : "unnamed");
    fprintf(out, ": %" PRId64 " nodes, %" PRId64 " edges, %" PRId64 " features, %" PRId64 " classes", info->nodes,
            info->edges, info->features, info->classes);
    if (info->node_homophily == info->node_homophily) fprintf(out, ", homophily %.3f", info->node_homophily);
    fprintf(out, "\n");
}

static int64_t part_size(const gpr_split *split, gpr_part part, int64_t classes) {
    int64_t sum = 0;
    for (int64_t c = 0; c < classes; c++) sum += gpr_split_count(split, part, c);
    return sum;
}

/* Columns per class: enough for the largest number, and for its name if the terminal is wide enough. */
static int column_width(const gpr_dataset *data, const gpr_split *split, int columns, int64_t classes, int terminal) {
    enum { LEAST = 5, MOST = 16 };
    int width = LEAST, name = 0;
    for (int64_t most = part_size(split, GPR_TEST, classes); most >= 10000; most /= 10) width++;
    for (int c = 0; c < columns && gpr_dataset_class_name(data, c); c++)
        if (name_width(gpr_dataset_class_name(data, c)) > name) name = name_width(gpr_dataset_class_name(data, c));
    if (name > MOST) name = MOST;
    const int room = columns > 0 ? (terminal - 11) / (columns + 1) - 1 : 0;
    if (name > room) name = room;
    return name > width ? name : width;
}

/* Nodes of each class in each part: one row per part, one column per class. */
static void print_split(FILE *out, const gpr_dataset *data, const gpr_split *split, const char *spec, int64_t classes,
                        int terminal, bool utf8) {
    static const struct {
        gpr_part part;
        const char *name;
    } parts[] = {{GPR_TRAIN, "train"}, {GPR_VAL, "val"}, {GPR_TEST, "test"}, {GPR_UNUSED, "unused"}};
    int columns = classes <= MOST_CLASSES ? (int)classes : 0;
    const int width = column_width(data, split, columns, classes, terminal);
    fputs("split     ", out);
    put_text(out, spec);
    fprintf(out, "\n  %-8s %*s", columns ? "class" : "", width, "all");
    for (int c = 0; c < columns; c++) {
        const char *name = gpr_dataset_class_name(data, c);
        if (!name) fprintf(out, " %*d", width, c);
        else fputc(' ', out), print_name(out, name, width, utf8);
    }
    fprintf(out, "\n");
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        int64_t size = part_size(split, parts[p].part, classes);
        if (parts[p].part == GPR_UNUSED && size == 0) continue;
        fprintf(out, "  %-8s %*" PRId64, parts[p].name, width, size);
        for (int c = 0; c < columns; c++) fprintf(out, " %*" PRId64, width, gpr_split_count(split, parts[p].part, c));
        fprintf(out, "\n");
    }
}

/* An option that is off by default, and was left so. */
static bool is_off(const char *value, const gpr_param_info *info) {
    const bool other_way = strcmp(info->name, "order") == 0 || strcmp(info->name, "batch") == 0 ||
                           strcmp(info->name, "state") == 0 || strcmp(info->name, "predictions") == 0;
    return strcmp(value, info->fallback) == 0 && (other_way || strcmp(value, "none") == 0 || strcmp(value, "no") == 0);
}

/* All options of the model but those that are off, filled into lines. split: what was used, where the option says auto.
 */
static void print_settings(FILE *out, const gpr_params *params, const char *split, int width) {
    int at = fprintf(out, "settings ");
    for (int i = 0; i < gpr_param_count(); i++) {
        gpr_param_info info = {.struct_size = sizeof info};
        if (gpr_param_describe(i, &info) != GPR_OK || !gpr_param_applies(i, gpr_params_get(params, "model"))) continue;
        const char *value = strcmp(info.name, "split") == 0 ? split : gpr_params_get(params, info.name);
        if (is_off(value, &info)) continue;
        int length = (int)strlen(info.name) + name_width(value) + 2;
        if (at + length > width) at = fprintf(out, "\n         ") - 1;
        at += fprintf(out, " %s=", info.name) + name_width(value);
        put_text(out, value);
    }
    fprintf(out, "\n");
}

static double mean(const gpr_result *result, const char *what) {
    double value;
    return gpr_result_mean(result, what, &value, NULL, NULL) == GPR_OK ? value : NAN;
}

static void print_percent(FILE *out, const char *label, double value) {
    if (value == value) fprintf(out, "  %-16s %.2f %%\n", label, value);
    else fprintf(out, "  %-16s unknown: no such nodes\n", label);
}

/* Of a model with a latent space: what it took to find it, and how large the neighbourhoods are. */
static void print_embedding(FILE *out, const gpr_result *result) {
    gpr_embedding_info found = {.struct_size = sizeof found};
    if (gpr_result_embedding(result, &found) != GPR_OK || !found.name) return;
    fprintf(out, "  %-16s %.3g s, ", "embedding", found.seconds);
    if (found.rho == found.rho) fprintf(out, "rho %.4g, ", found.rho);
    fprintf(out, "%.2f latent neighbours per node, %.2f in the graph\n", found.latent_neighbours,
            found.graph_neighbours);
}

/* What was done with the known labels after the training, and what the validation nodes say of it. */
static void print_smoothing(FILE *out, const gpr_result *result) {
    gpr_smoothing_info found = {.struct_size = sizeof found};
    if (gpr_result_smoothing(result, gpr_result_best_run(result), &found) != GPR_OK || !found.asked) return;
    fprintf(out, "  %-16s ", "smoothing");
    if (found.correct_alpha > 0) fprintf(out, "corrected (alpha %.3g)", found.correct_alpha);
    if (found.correct_alpha > 0 && found.smooth_alpha > 0) fputs(", ", out);
    if (found.smooth_alpha > 0) fprintf(out, "smoothed (alpha %.3g)", found.smooth_alpha);
    if (found.correct_alpha == 0 && found.smooth_alpha == 0) fputs("none: it does not help the validation nodes", out);
    else if (found.after == found.after)
        fprintf(out, ": validation %s %.4f, before %.4f", found.by, found.after, found.before);
    fprintf(out, "%s\n", gpr_result_runs(result) > 1 ? " (of the best run)" : "");
}

/* What the options metric, calibrate and refit came to. */
static void print_choices(FILE *out, const gpr_params *params, const gpr_result *result) {
    const char *metric = gpr_params_get(params, "metric");
    const char *which = gpr_result_runs(result) > 1 ? "best run: " : "";
    gpr_run_info best = {.struct_size = sizeof best};
    if (gpr_result_run(result, gpr_result_best_run(result), &best) != GPR_OK) return;
    if (best.val_metric == best.val_metric)
        fprintf(out, "  %-16s %.4f (%s; epoch%s chosen by it)\n", "val metric", mean(result, "val_metric"), metric,
                gpr_result_runs(result) > 1 ? "s and best run" : "");
    if (best.temperature > 0)
        fprintf(out, "  %-16s %stemperature %.3f, val log-loss %.4f before, %.4f after\n", "calibration", which,
                best.temperature, best.val_loss, best.calibrated_loss);
    else if (strcmp(gpr_params_get(params, "calibrate"), "yes") == 0)
        fprintf(out, "  %-16s none: too few validation nodes, or one class only\n", "calibration");
    if (gpr_result_refit_nodes(result) > 0)
        fprintf(out,
                "  %-16s the model is trained once more, on all %" PRId64 " labelled nodes for %" PRId64
                " epochs;\n  %-16s all figures are of the first training: no node is left to judge the model by\n",
                "refit", gpr_result_refit_nodes(result), best.best_epoch, "");
}

/* What the accuracy does not say, about the test nodes. */
static void print_measures(FILE *out, const gpr_dataset *data, const gpr_result *result, bool utf8) {
    const gpr_metrics *test = gpr_result_metrics(result, gpr_result_best_run(result), GPR_TEST);
    if (!test) return;
    fprintf(out, "  %-16s ", "test metrics");
    print_metrics_line(out, test, result, names_of_data(data), utf8);
}

static void print_results(FILE *out, const gpr_dataset *data, const gpr_params *params, const gpr_result *result,
                          bool utf8) {
    const int64_t runs = gpr_result_runs(result);
    double test = NAN, sd = NAN, ci95 = NAN;
    fprintf(out, "result\n");
    if (gpr_result_mean(result, "test_accuracy", &test, &sd, &ci95) == GPR_OK && runs > 1 && test == test)
        fprintf(out, "  %-16s %.2f %s %.2f %%  (mean and 95 %% confidence interval of %" PRId64 " runs, sd %.2f)\n",
                "test accuracy", test, utf8 ? "±" : "+/-", ci95, runs, sd);
    else print_percent(out, "test accuracy", test);
    print_measures(out, data, result, utf8);
    print_percent(out, "val accuracy", mean(result, "val_accuracy"));
    print_percent(out, "train accuracy", mean(result, "train_accuracy"));
    print_percent(out, "before training", mean(result, "initial_accuracy"));
    fprintf(out, "  %-16s %.*f of %.*f%s\n", "best epoch", runs > 1, mean(result, "best_epoch"), runs > 1,
            mean(result, "epochs"), runs > 1 ? " on average" : "");
    print_choices(out, params, result);
    fprintf(out, "  %-16s %.3g ms per epoch, %.3g s in total\n", "time", mean(result, "ms_per_epoch"),
            gpr_result_seconds(result));
    fprintf(out, "  %-16s %.1f MB\n", "peak memory", (double)gpr_peak_memory() / 1e6);
    print_embedding(out, result);
    print_smoothing(out, result);
    if (gpr_result_choice(result)) fprintf(out, "  %-16s %s\n", "chosen", gpr_result_choice(result));
}

/* A model that has the option `init` learns the filter's weights. */
static bool learns_filter(const gpr_params *params) {
    for (int i = 0; i < gpr_param_count(); i++) {
        gpr_param_info info = {.struct_size = sizeof info};
        if (gpr_param_describe(i, &info) == GPR_OK && strcmp(info.name, "init") == 0)
            return gpr_param_applies(i, gpr_params_get(params, "model"));
    }
    return false;
}

static void print_filter(FILE *out, const gpr_params *params, const gpr_result *result, int width, bool utf8) {
    gpr_run_info best = {.struct_size = sizeof best};
    if (gpr_result_run(result, gpr_result_best_run(result), &best) != GPR_OK || !best.gamma) return;
    const char *which = gpr_result_runs(result) > 1 ? " (of the best run)" : "";
    fprintf(out, "filter    %s%s\n", interpret_gamma(best.gamma, best.gamma_count),
            learns_filter(params) ? which : " (fixed by the model)");
    print_gamma_chart(out, best.gamma, NULL, best.gamma_count, width, utf8);
}

void print_summary(FILE *out, const gpr_dataset *data, const gpr_dataset_info *info, const gpr_params *params,
                   const gpr_model *model, const gpr_result *result, bool classes) {
    const int width = terminal_width(fileno(out));
    const bool utf8 = terminal_is_utf8();
    const gpr_split *split = gpr_result_split(result);
    const char *used = gpr_model_param(model, "split");
    if (!used) used = gpr_params_get(params, "split");
    if (info) {
        print_dataset(out, info);
        if (split) print_split(out, data, split, used, info->classes, width, utf8);
        print_settings(out, params, used, width);
    }
    print_results(out, data, params, result, utf8);
    if (classes && info)
        print_class_metrics(out, gpr_result_metrics(result, gpr_result_best_run(result), GPR_TEST), names_of_data(data),
                            utf8);
    print_baselines(out, result);
    if (info) print_filter(out, params, result, width, utf8);
}
