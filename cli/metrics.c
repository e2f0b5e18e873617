/* Metrics of predictions in the terminal and as JSON. */
#include "metrics.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common.h"
#include "heatmap.h"
#include "names.h"
#include "terminal.h"

enum { MOST_CLASSES = 12, MOST_NAME = 18 }; /* with it, the table of classes has 80 columns */

static const char *data_name(const void *owner, int64_t class_id) { return gpr_dataset_class_name(owner, class_id); }
static const char *model_name(const void *owner, int64_t class_id) { return gpr_model_class_name(owner, class_id); }
class_names names_of_data(const gpr_dataset *data) { return (class_names){data_name, data}; }
class_names names_of_model(const gpr_model *model) { return (class_names){model_name, model}; }

void put_class_name(FILE *out, class_names names, int64_t class_id, bool utf8) {
    const char *name = names.name(names.owner, class_id);
    const int width = name ? name_width(name) : 0;
    if (name) print_name(out, name, width < MOST_NAME ? width : MOST_NAME, utf8);
    else fprintf(out, "%" PRId64, class_id);
}

/* Its value, and for several runs half the width of the interval of its mean. */
static double value_of(const gpr_metrics *metrics, const gpr_result *result, const char *word, double *ci95) {
    char what[64];
    double value = NAN;
    *ci95 = 0;
    snprintf(what, sizeof what, "test_%s", word);
    const gpr_status status =
        result ? gpr_result_mean(result, what, &value, NULL, ci95) : gpr_metrics_value(metrics, word, &value);
    if (status != GPR_OK) return NAN;
    return result && strcmp(word, "accuracy") == 0 ? value / 100 : value; /* a result has it in percent */
}

void print_metrics_line(FILE *out, const gpr_metrics *metrics, const gpr_result *result, const char *but,
                        class_names names, bool utf8) {
    static const struct {
        const char *word, *label;
    } few[] = {{"macro_f1", "macro F1"},
               {"roc_auc", "ROC-AUC"},
               {"average_precision", "average precision"},
               {"calibration_error", "calibration error"},
               {"r2", "R2"},
               {"rmse", "RMSE"},
               {"mae", "MAE"},
               {"median_error", "median error"}};
    gpr_metrics_info info = {.struct_size = sizeof info};
    const bool several = result && gpr_result_runs(result) > 1;
    bool any = false;
    if (!metrics || gpr_metrics_describe(metrics, &info) != GPR_OK) return;
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
        double ci95;
        const double value = value_of(metrics, result, few[i].word, &ci95);
        if (isnan(value) || (but && strcmp(few[i].word, but) == 0)) continue;
        if (several && strcmp(few[i].word, "calibration_error") == 0) continue; /* one line */
        const bool error = info.classes == 0 && strcmp(few[i].word, "r2") != 0; /* in the unit of the target */
        fprintf(out, error ? "%s%s %.4g" : "%s%s %.3f", any ? ", " : "", few[i].label, value);
        if (several) fprintf(out, error ? " %s %.3g" : " %s %.3f", utf8 ? "±" : "+/-", ci95);
        if (info.positive >= 0 && strcmp(few[i].word, "average_precision") == 0) {
            fputs(" (class ", out);
            put_class_name(out, names, info.positive, utf8);
            fputc(')', out);
        }
        any = true;
    }
    fputs(any ? "\n" : "no labelled nodes\n", out);
}

/* ---- classes ---- */

static void put_share(FILE *out, int width, double value) {
    if (isnan(value)) fprintf(out, "%*s", width, "-");
    else fprintf(out, "%*.3f", width, value);
}

/* A share in percent where it is an accuracy. */
static void put_measure(FILE *out, int width, const char *word, double value) {
    if (strcmp(word, "accuracy") == 0 && !isnan(value)) fprintf(out, "%*.2f %%", width - 2, 100 * value);
    else put_share(out, width, value);
}

static int widest_name(class_names names, int64_t classes) {
    int widest = 5;
    for (int64_t c = 0; c < classes; c++) {
        const char *name = names.name(names.owner, c);
        const int width = name ? name_width(name) : 0;
        if (width > widest) widest = width;
    }
    return widest < MOST_NAME ? widest : MOST_NAME;
}

/* The name, padded on the right. */
static void put_name(FILE *out, class_names names, int64_t class_id, int width, bool utf8) {
    const char *name = names.name(names.owner, class_id);
    if (name) print_name(out, name, -width, utf8);
    else fprintf(out, "%-*" PRId64, width, class_id);
}

static int digits(int64_t value) {
    int count = 1;
    for (; value >= 10; value /= 10) count++;
    return count;
}

static void print_confusion(FILE *out, const int64_t *matrix, int64_t classes, class_names names, int widest,
                            bool utf8) {
    int64_t most = 0;
    for (int64_t i = 0; i < classes * classes; i++)
        if (matrix[i] > most) most = matrix[i];
    const int width = digits(most) > 3 ? digits(most) : 3;
    /* a cell has a blank, two columns of shade and its number; many classes leave no room for the shade */
    const bool shades = 6 + widest + (int)classes * (3 + width) <= terminal_width(fileno(out));
    fprintf(out, "  confusion: one row per true class, one column per predicted class\n");
    fprintf(out, "  %*s", widest + 4, "");
    for (int64_t c = 0; c < classes; c++) fprintf(out, " %s%*" PRId64, shades ? "  " : "", width, c);
    fputc('\n', out);
    for (int64_t i = 0; i < classes; i++) {
        int64_t sum = 0;
        for (int64_t j = 0; j < classes; j++) sum += matrix[i * classes + j];
        fprintf(out, "  %2" PRId64 "  ", i);
        if (names.name(names.owner, i)) put_name(out, names, i, widest, utf8);
        else fprintf(out, "%*s", widest, "");
        for (int64_t j = 0; j < classes; j++) {
            const int64_t count = matrix[i * classes + j];
            const char *shade = share_shade(sum ? (double)count / (double)sum : 0, utf8);
            fprintf(out, " %s%*" PRId64, shades ? shade : "", width, count);
        }
        fputc('\n', out);
    }
}

void print_class_metrics(FILE *out, const gpr_metrics *metrics, class_names names, bool utf8) {
    gpr_metrics_info info = {.struct_size = sizeof info};
    if (!metrics || gpr_metrics_describe(metrics, &info) != GPR_OK || info.nodes == 0 || info.classes == 0) return;
    if (info.classes > MOST_CLASSES) {
        fprintf(out, "classes   %" PRId64 ": each is in class_metrics.csv of --out, and in --json\n", info.classes);
        return;
    }
    const int widest = widest_name(names, info.classes);
    fprintf(out, "%-*s   nodes predicted precision recall    F1 ROC-AUC avg. prec.\n", widest + 2, "classes");
    for (int64_t c = 0; c < info.classes; c++) {
        gpr_class_metrics class_metrics = {.struct_size = sizeof class_metrics};
        if (gpr_metrics_class(metrics, c, &class_metrics) != GPR_OK) return;
        fputs("  ", out);
        put_name(out, names, c, widest, utf8);
        fprintf(out, "%8" PRId64 "%10" PRId64, class_metrics.nodes, class_metrics.predicted);
        put_share(out, 10, class_metrics.precision);
        put_share(out, 7, class_metrics.recall);
        put_share(out, 6, class_metrics.f1);
        put_share(out, 8, class_metrics.roc_auc);
        put_share(out, 11, class_metrics.average_precision);
        fputc('\n', out);
    }
    const int64_t *confusion = gpr_metrics_confusion(metrics, NULL);
    if (confusion) print_confusion(out, confusion, info.classes, names, widest, utf8);
}

/* ---- baselines ---- */

typedef struct {
    const char *word, *label;
    int width;
} compared_column;
enum { COMPARED = 4 };
static const compared_column of_classes[COMPARED] = {{"accuracy", "accuracy", 10},
                                                     {"macro_f1", "macro F1", 10},
                                                     {"roc_auc", "ROC-AUC", 9},
                                                     {"average_precision", "avg. precision", 16}},
                             of_numbers[COMPARED] = {{"r2", "R2", 10},
                                                     {"rmse", "RMSE", 12},
                                                     {"mae", "MAE", 12},
                                                     {"median_error", "median error", 14}};

static void put_compared(FILE *out, const compared_column *column, double value) {
    if (column >= of_numbers + 1 && column < of_numbers + COMPARED && !isnan(value))
        fprintf(out, "%*.4g", column->width, value);
    else put_measure(out, column->width, column->word, value);
}

void print_baselines(FILE *out, const gpr_result *result) {
    static const char *const names[2][3] = {{"majority class", "features alone", "neighbours' vote"},
                                            {"the mean", "features alone", "neighbours' mean"}};
    gpr_metrics_info info = {.struct_size = sizeof info};
    double value, ci95;
    if (!gpr_result_baseline(result, 0, 0)) return;
    const bool number = gpr_metrics_describe(gpr_result_baseline(result, 0, 0), &info) == GPR_OK && info.classes == 0;
    const compared_column *columns = number ? of_numbers : of_classes;
    fprintf(out, "compared  %-10s", "");
    for (int i = 0; i < COMPARED; i++) fprintf(out, "%*s", columns[i].width, columns[i].label);
    fputc('\n', out);
    for (int b = 0; gpr_baseline_word(b); b++) {
        if (!gpr_result_baseline(result, 0, b)) continue; /* no features */
        fprintf(out, "  %-18s", names[number][b]);
        for (int i = 0; i < COMPARED; i++) {
            if (gpr_result_baseline_mean(result, b, columns[i].word, &value, NULL) != GPR_OK) value = NAN;
            put_compared(out, &columns[i], value);
        }
        fputc('\n', out);
    }
    fprintf(out, "  %-18s", "this model");
    for (int i = 0; i < COMPARED; i++) put_compared(out, &columns[i], value_of(NULL, result, columns[i].word, &ci95));
    fputc('\n', out);
}

/* ---- JSON ---- */

void put_json_metrics(FILE *out, const gpr_metrics *metrics) {
    gpr_metrics_info info = {.struct_size = sizeof info};
    const char *word;
    double value;
    if (!metrics || gpr_metrics_describe(metrics, &info) != GPR_OK) {
        fputs("null", out);
        return;
    }
    fprintf(out, "{\n    \"nodes\": %" PRId64, info.nodes);
    if (info.classes > 0 && info.positive < 0) fputs(",\n    \"positive_class\": null", out);
    else if (info.classes > 0) fprintf(out, ",\n    \"positive_class\": %" PRId64, info.positive);
    for (int i = 0; (word = gpr_metrics_word(metrics, i)); i++) {
        fprintf(out, ",\n    \"%s\": ", word);
        put_json_real(out, gpr_metrics_value(metrics, word, &value) == GPR_OK ? value : NAN);
    }
    if (info.classes == 0) {
        fputs("\n  }", out);
        return;
    }
    fprintf(out, ",\n    \"per_class\": [");
    for (int64_t c = 0; c < info.classes; c++) {
        gpr_class_metrics class_metrics = {.struct_size = sizeof class_metrics};
        (void)gpr_metrics_class(metrics, c, &class_metrics);
        fprintf(out, "%s\n      {\"nodes\": %" PRId64 ", \"predicted\": %" PRId64 ", \"precision\": ", c ? "," : "",
                class_metrics.nodes, class_metrics.predicted);
        put_json_real(out, class_metrics.precision);
        fputs(", \"recall\": ", out), put_json_real(out, class_metrics.recall);
        fputs(", \"f1\": ", out), put_json_real(out, class_metrics.f1);
        fputs(", \"roc_auc\": ", out), put_json_real(out, class_metrics.roc_auc);
        fputs(", \"average_precision\": ", out), put_json_real(out, class_metrics.average_precision);
        fputc('}', out);
    }
    const int64_t *confusion = gpr_metrics_confusion(metrics, NULL);
    fprintf(out, "\n    ],\n    \"confusion\": %s", confusion ? "[" : "null");
    for (int64_t i = 0; confusion && i < info.classes; i++) {
        fprintf(out, "%s[", i ? ", " : "");
        for (int64_t j = 0; j < info.classes; j++)
            fprintf(out, "%s%" PRId64, j ? ", " : "", confusion[i * info.classes + j]);
        fputc(']', out);
    }
    fprintf(out, "%s\n  }", confusion ? "]" : "");
}
