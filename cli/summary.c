/* The summary of a training: data, split, settings, results and the filter. */
#include "summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "filters.h"
#include "metrics.h"
#include "names.h"
#include "terminal.h"

enum { MOST_CLASSES = 12 };

static void print_dataset(FILE *out, const gpr_dataset_info *info) {
    fputs("data      ", out);
    put_text(out, info->name && *info->name ? info->name : "unnamed");
    fprintf(out, ": %" PRId64 " nodes, %" PRId64 " edges, %" PRId64 " features, ", info->nodes, info->edges,
            info->features);
    if (info->target_sd == info->target_sd)
        fprintf(out, "a number to tell: mean %.4g, standard deviation %.4g", info->target_mean, info->target_sd);
    else fprintf(out, "%" PRId64 " classes", info->classes);
    if (info->target_assortativity == info->target_assortativity)
        fprintf(out, ", neighbours' correlation %.3f", info->target_assortativity);
    if (info->node_homophily == info->node_homophily) fprintf(out, ", homophily %.3f", info->node_homophily);
    fprintf(out, "\n");
}

/* Where edges are of several kinds: how many there are of each, and whether neighbours are alike. */
static void print_relations(FILE *out, gpr_ctx *ctx, const gpr_dataset *data) {
    enum { SHOWN = 8 };
    gpr_relation_measures found = {.struct_size = sizeof found};
    if (gpr_dataset_describe_relation(ctx, data, 1, &found) < 0 || !found.name) return;
    for (int64_t r = 0; gpr_dataset_describe_relation(ctx, data, r, &found) >= 0 && found.name; r++) {
        fputs(r == 0 ? "relations" : "         ", out);
        if (r == SHOWN) {
            fputs(" and more: gprgnn info lists all\n", out);
            break;
        }
        fprintf(out, " %s: %" PRId64 " edges", found.name, found.edges);
        if (found.node_homophily == found.node_homophily) fprintf(out, ", homophily %.3f", found.node_homophily);
        fputc('\n', out);
    }
}

static int64_t part_size(const gpr_split *split, gpr_part part, int64_t classes) {
    int64_t sum = 0;
    for (int64_t c = 0; c < classes; c++) sum += gpr_split_count(split, part, c);
    return sum;
}

static const struct {
    gpr_part part;
    const char *name;
} parts[] = {{GPR_TRAIN, "train"}, {GPR_VAL, "val"}, {GPR_TEST, "test"}, {GPR_UNUSED, "unused"}};
enum { PARTS = sizeof parts / sizeof *parts };

/* Of the names of classes, from 5 to `most` columns. */
static int widest_name(const gpr_dataset *data, int classes, int most) {
    int name = 5;
    for (int c = 0; c < classes && gpr_dataset_class_name(data, c); c++)
        if (name_width(gpr_dataset_class_name(data, c)) > name) name = name_width(gpr_dataset_class_name(data, c));
    return name < most ? name : most;
}

static void print_class(FILE *out, const gpr_dataset *data, int c, int width, bool utf8) {
    const char *name = gpr_dataset_class_name(data, c);
    if (!name) fprintf(out, "%*d", width, c);
    else print_name(out, name, width, utf8);
}

/* One row per part, one column per class. */
static void print_parts(FILE *out, const gpr_dataset *data, const gpr_split *split, int64_t classes, int columns,
                        int width, bool utf8) {
    fprintf(out, "\n  %-8s %*s", columns ? "class" : "", width, "all");
    for (int c = 0; c < columns; c++) fputc(' ', out), print_class(out, data, c, width, utf8);
    fprintf(out, "\n");
    for (size_t p = 0; p < PARTS; p++) {
        int64_t size = part_size(split, parts[p].part, classes);
        if (parts[p].part == GPR_UNUSED && size == 0) continue;
        fprintf(out, "  %-8s %*" PRId64, parts[p].name, width, size);
        for (int c = 0; c < columns; c++) fprintf(out, " %*" PRId64, width, gpr_split_count(split, parts[p].part, c));
        fprintf(out, "\n");
    }
}

/* One row per class, where the names of the classes are too long for columns. */
static void print_classes(FILE *out, const gpr_dataset *data, const gpr_split *split, int classes, bool utf8) {
    const int name = widest_name(data, classes, 32);
    const int shown = part_size(split, GPR_UNUSED, classes) > 0 ? PARTS : PARTS - 1;
    fprintf(out, "\n  %-*s", name, "class");
    for (int p = 0; p < shown; p++) fprintf(out, " %10s", parts[p].name);
    for (int c = 0; c <= classes; c++) {
        fputs("\n  ", out);
        if (c < classes) print_class(out, data, c, -name, utf8);
        else fprintf(out, "%-*s", name, "all");
        for (int p = 0; p < shown; p++)
            fprintf(out, " %10" PRId64,
                    c < classes ? gpr_split_count(split, parts[p].part, c) : part_size(split, parts[p].part, classes));
    }
    fprintf(out, "\n");
}

/* Nodes of each class in each part. */
static void print_split(FILE *out, const gpr_dataset *data, const gpr_split *split, const char *spec, int64_t classes,
                        int terminal, bool utf8) {
    const int columns = classes <= MOST_CLASSES ? (int)classes : 0;
    if (classes == 0) classes = 1; /* a number: nodes are counted together */
    int width = widest_name(data, columns, 16), digits = 1;
    for (int64_t most = part_size(split, GPR_TRAIN, classes) + part_size(split, GPR_TEST, classes); most > 9;
         most /= 10)
        digits++;
    if (digits > width) width = digits;
    fputs("split     ", out);
    put_text(out, spec);
    if (10 + (columns + 1) * (width + 1) <= terminal) print_parts(out, data, split, classes, columns, width, utf8);
    else print_classes(out, data, split, columns, utf8);
}

/* An option that is off by default, and was left so. */
static bool is_off(const char *value, const gpr_param_info *info) {
    const bool off = info->left_out || strcmp(value, "none") == 0 || strcmp(value, "no") == 0;
    return off && strcmp(value, info->fallback) == 0;
}

/* Of an option that says how a model learns: where the model was chosen, that of the one that was kept. */
static const char *setting_of(const gpr_params *params, const gpr_model *model, const gpr_param_info *info) {
    const bool learns = strcmp(info->group, "model") == 0 || strcmp(info->group, "training") == 0;
    const bool chosen = strcmp(gpr_params_get(params, "model"), "auto") == 0;
    const char *kept = learns && chosen ? gpr_model_param(model, info->name) : NULL;
    return kept ? kept : gpr_params_get(params, info->name);
}

/* All options of the model but those that are off, filled into lines. split: what was used, where the option says auto.
 */
static void print_settings(FILE *out, const gpr_params *params, const gpr_model *model, const char *split, int width) {
    int at = fprintf(out, "settings ");
    for (int i = 0; i < gpr_param_count(); i++) {
        gpr_param_info info = {.struct_size = sizeof info};
        if (gpr_param_describe(i, &info) != GPR_OK || !gpr_param_applies(i, gpr_model_name(model))) continue;
        const char *value = strcmp(info.name, "split") == 0 ? split : setting_of(params, model, &info);
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

/* Lines of the results: a label, and from this column on what it is. */
enum { TEXT_AT = 19 };

static void print_label(FILE *out, const char *label) { fprintf(out, "  %-16s ", label); }

/* A mean over the runs, in percent. */
static void print_percent(FILE *out, const gpr_result *result, const char *label, const char *what, const char *note) {
    const double value = mean(result, what);
    print_label(out, label);
    if (value != value) fputs("-  (there are no such nodes)\n", out);
    else fprintf(out, "%.2f %%%s\n", value, note);
}

/* A mean over the runs of a measure. */
static void print_number(FILE *out, const gpr_result *result, const char *label, const char *what) {
    const double value = mean(result, what);
    print_label(out, label);
    if (value != value) fputs("-  (there are no such nodes)\n", out);
    else fprintf(out, "%.3f\n", value);
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

/* Prints the output of a function as a paragraph. */
typedef struct {
    FILE *stream;
    char *text;
    size_t size;
} paragraph;

static bool begin_paragraph(paragraph *block) {
    *block = (paragraph){.text = NULL};
    block->stream = open_memstream(&block->text, &block->size);
    return block->stream != NULL;
}

static void end_paragraph(paragraph *block, FILE *out, int width) {
    if (fclose(block->stream) == 0 && block->text) {
        block->text[strcspn(block->text, "\n")] = 0;
        put_paragraph(out, block->text, TEXT_AT, width);
    }
    free(block->text);
}

/* In the unit of the target, and lower is better. */
static bool is_error(const char *metric) { return strcmp(metric, "rmse") == 0 || strcmp(metric, "mae") == 0; }

static const struct {
    const char *word, *label, *name;
    bool percent;
} headlines[] = {{"balanced_accuracy", "test bal. acc.", "balanced accuracy: mean over the classes", true},
                 {"macro_f1", "test macro F1", "mean over the classes", false},
                 {"roc_auc", "test ROC-AUC", "0.500 by chance", false},
                 {"average_precision", "test avg. prec.", "average precision", false},
                 {"r2", "test R2", "1 is perfect; telling the mean gives 0", false},
                 {"rmse", "test RMSE", "root of the mean squared error, in the unit of the target", false},
                 {"mae", "test MAE", "mean absolute error, in the unit of the target", false}};

/* How rare the rarer one of two classes is among the test nodes: the average precision of guessing. */
static void explain_precision(FILE *out, const gpr_metrics *test, class_names names, bool utf8) {
    gpr_metrics_info info = {.struct_size = sizeof info};
    gpr_class_metrics class_metrics = {.struct_size = sizeof class_metrics};
    if (gpr_metrics_describe(test, &info) != GPR_OK || info.positive < 0 || info.nodes == 0) return;
    if (gpr_metrics_class(test, info.positive, &class_metrics) != GPR_OK) return;
    fputs(" of class ", out);
    put_class_name(out, names, info.positive, utf8);
    fprintf(out, "; by chance %.3f", (double)class_metrics.nodes / (double)info.nodes);
}

/* The metric that fits the data, where it is not the accuracy. */
static void print_headline(FILE *out, const gpr_result *result, const gpr_metrics *test, class_names names, int width,
                           bool utf8) {
    const char *word = gpr_result_headline(result);
    const int64_t runs = gpr_result_runs(result);
    for (size_t i = 0; i < sizeof headlines / sizeof *headlines; i++) {
        char what[64];
        double value, ci95;
        paragraph text;
        if (strcmp(headlines[i].word, word) != 0) continue;
        snprintf(what, sizeof what, "test_%s", word);
        if (gpr_result_mean(result, what, &value, NULL, &ci95) != GPR_OK || !begin_paragraph(&text)) return;
        const double scale = headlines[i].percent ? 100 : 1;
        const int digits = headlines[i].percent ? 2 : 3;
        print_label(out, headlines[i].label);
        if (is_error(word)) fprintf(text.stream, "%.4g", value);
        else fprintf(text.stream, "%.*f", digits, scale * value);
        if (runs > 1 && is_error(word)) fprintf(text.stream, " %s %.3g", utf8 ? "±" : "+/-", ci95);
        else if (runs > 1) fprintf(text.stream, " %s %.*f", utf8 ? "±" : "+/-", digits, scale * ci95);
        fprintf(text.stream, "%s  (%s", headlines[i].percent ? " %" : "", headlines[i].name);
        if (strcmp(word, "average_precision") == 0) explain_precision(text.stream, test, names, utf8);
        if (runs > 1) fprintf(text.stream, "; mean and 95 %% CI of %" PRId64 " runs", runs);
        fputc(')', text.stream);
        end_paragraph(&text, out, width);
    }
}

/* The share of the test nodes that are of their largest class, in percent: an accuracy is worth what it has beyond. */
static double largest_class(const gpr_metrics *test) {
    gpr_metrics_info info = {.struct_size = sizeof info};
    int64_t most = 0;
    if (!test || gpr_metrics_describe(test, &info) != GPR_OK || info.nodes == 0) return NAN;
    for (int64_t c = 0; c < info.classes; c++) {
        gpr_class_metrics class_metrics = {.struct_size = sizeof class_metrics};
        if (gpr_metrics_class(test, c, &class_metrics) == GPR_OK && class_metrics.nodes > most)
            most = class_metrics.nodes;
    }
    return 100 * (double)most / (double)info.nodes;
}

static void print_accuracy(FILE *out, const gpr_result *result, const gpr_metrics *test, int width, bool utf8) {
    const int64_t runs = gpr_result_runs(result);
    const double largest = largest_class(test);
    double value = NAN, sd = NAN, ci95 = NAN;
    paragraph text;
    if (gpr_result_mean(result, "test_accuracy", &value, &sd, &ci95) != GPR_OK || value != value) {
        print_percent(out, result, "test accuracy", "test_accuracy", "");
        return;
    }
    if (!begin_paragraph(&text)) return;
    print_label(out, "test accuracy");
    if (runs > 1)
        fprintf(text.stream, "%.2f %s %.2f %%  (mean and 95 %% CI of %" PRId64 " runs, sd %.2f", value,
                utf8 ? "±" : "+/-", ci95, runs, sd);
    else fprintf(text.stream, "%.2f %%", value);
    if (largest == largest)
        fprintf(text.stream, "%slargest class: %.2f %% of the test nodes)", runs > 1 ? "; " : "  (", largest);
    else if (runs > 1) fputc(')', text.stream);
    end_paragraph(&text, out, width);
}

/* What headline and accuracy do not say, about the test nodes. */
static void print_measures(FILE *out, const gpr_result *result, const gpr_metrics *test, class_names names, int width,
                           bool utf8) {
    paragraph text;
    if (!test || !begin_paragraph(&text)) return;
    print_label(out, "test metrics");
    print_metrics_line(text.stream, test, result, gpr_result_headline(result), names, utf8);
    end_paragraph(&text, out, width);
}

/* By what the epoch was chosen. */
static void print_best_epoch(FILE *out, const gpr_params *params, const gpr_result *result) {
    const char *metric = gpr_params_get(params, "metric");
    const int several = gpr_result_runs(result) > 1;
    const double value = mean(result, "val_metric"), loss = mean(result, "val_loss");
    print_label(out, "best epoch");
    fprintf(out, "%.*f of %.*f%s", several, mean(result, "best_epoch"), several, mean(result, "epochs"),
            several ? " on average" : "");
    if (value == value && is_error(metric)) fprintf(out, "  (validation %s %.4g, the lowest)\n", metric, value);
    else if (value == value) fprintf(out, "  (validation %s %.3f, the highest)\n", metric, value);
    else fputs(loss == loss ? "  (lowest validation loss)\n" : "  (there are no validation nodes)\n", out);
}

static void print_notes(FILE *out, const gpr_result *result, int width) {
    char text[600];
    const char *about;
    for (int64_t i = 0; (about = gpr_result_note(result, i, text, sizeof text)); i++) {
        print_label(out, about);
        put_paragraph(out, text, TEXT_AT, width);
    }
}

/* The network's own, where smoothing has changed what it says of other nodes. */
static const char *train_note(const gpr_result *result) {
    gpr_smoothing_info found = {.struct_size = sizeof found};
    if (gpr_result_smoothing(result, gpr_result_best_run(result), &found) != GPR_OK) return "";
    return found.correct_alpha > 0 || found.smooth_alpha > 0 ? "  (before smoothing)" : "";
}

static void print_results(FILE *out, const gpr_dataset *data, const gpr_params *params, const gpr_result *result,
                          int width, bool utf8, double seconds) {
    const gpr_metrics *test = gpr_result_metrics(result, gpr_result_best_run(result), GPR_TEST);
    const class_names names = names_of_data(data);
    const gpr_model *model = gpr_result_model(result, gpr_result_best_run(result));
    const bool number = model && strcmp(gpr_model_task(model), "number") == 0;
    fprintf(out, "result\n");
    print_headline(out, result, test, names, width, utf8);
    if (!number) print_accuracy(out, result, test, width, utf8);
    print_measures(out, result, test, names, width, utf8);
    if (number) {
        print_number(out, result, "val R2", "val_r2");
        print_number(out, result, "train R2", "train_r2");
    } else {
        print_percent(out, result, "val accuracy", "val_accuracy", "");
        print_percent(out, result, "train accuracy", "train_accuracy", train_note(result));
        print_percent(out, result, "before training", "initial_accuracy", "  (test accuracy of the initial weights)");
    }
    print_best_epoch(out, params, result);
    print_notes(out, result, width);
    print_label(out, "time");
    fprintf(out, "%.3g s in total, %.3g ms per epoch\n", gpr_result_seconds(result) + seconds,
            mean(result, "ms_per_epoch"));
    print_label(out, "peak memory");
    fprintf(out, "%.1f MB\n", (double)gpr_peak_memory() / 1e6);
    print_embedding(out, result);
}

/* A model that has the option `init` learns the filter's weights. */
static bool learns_filter(const gpr_model *model) {
    for (int i = 0; i < gpr_param_count(); i++) {
        gpr_param_info info = {.struct_size = sizeof info};
        if (gpr_param_describe(i, &info) == GPR_OK && strcmp(info.name, "init") == 0)
            return gpr_param_applies(i, gpr_model_name(model));
    }
    return false;
}

static void print_filter(FILE *out, gpr_ctx *ctx, const gpr_result *result, int width, bool utf8) {
    gpr_run_info best = {.struct_size = sizeof best};
    const gpr_model *model = gpr_result_model(result, gpr_result_best_run(result));
    const char *basis = model ? gpr_model_param(model, "basis") : NULL;
    if (gpr_result_run(result, gpr_result_best_run(result), &best) != GPR_OK) return;
    if (!best.gamma || (basis && strcmp(basis, "monomial") != 0)) { /* signs tell something of powers alone */
        gpr_filter_info part = {.struct_size = sizeof part};
        gpr_inspection *found = NULL;
        if (gpr_model_filter_count(model) == 0 || gpr_model_filter(model, 0, &part) != GPR_OK) return;
        if (part.block > 0 && gpr_inspection_new(ctx, &found, model, NULL, NULL) != GPR_OK) return;
        if (found) print_blocks(out, found, width, utf8);
        else print_filters(out, model, NULL, width, utf8);
        gpr_inspection_free(found);
        return;
    }
    const char *which = gpr_result_runs(result) > 1 ? " (of the best run)" : "";
    fprintf(out, "filter    %s%s\n", interpret_gamma(best.gamma, best.gamma_count),
            learns_filter(model) ? which : " (fixed by the model)");
    print_gamma_chart(out, best.gamma, NULL, best.gamma_count, width, utf8);
}

void print_summary(FILE *out, gpr_ctx *ctx, const gpr_dataset *data, const gpr_dataset_info *info,
                   const gpr_params *params, const gpr_model *model, const gpr_result *result, bool classes,
                   double seconds) {
    const int width = terminal_width(fileno(out));
    const bool utf8 = terminal_is_utf8();
    const gpr_split *split = gpr_result_split(result);
    const char *used = gpr_model_param(model, "split");
    if (!used) used = gpr_params_get(params, "split");
    if (info) {
        print_dataset(out, info);
        print_relations(out, ctx, data);
        if (split) print_split(out, data, split, used, info->classes, width, utf8);
        print_settings(out, params, model, used, width);
    }
    print_results(out, data, params, result, width, utf8, seconds);
    if (classes && info)
        print_class_metrics(out, gpr_result_metrics(result, gpr_result_best_run(result), GPR_TEST), names_of_data(data),
                            utf8);
    print_baselines(out, result);
    if (info) print_filter(out, ctx, result, width, utf8);
}
