/* gprgnn compare: which training is better, and can chance explain it? */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common.h"
#include "terminal.h"

static const cli_flag flags[] = {
    {"metric", 0, "NAME",
     "the number to compare: test_accuracy, val_accuracy, val_loss, seconds, ...; default: what fits the "
     "data of the first training (docs/metrics.md)"},
    {"against", 0, "RUN", "compare each one with this one; default: all pairs"},
    {"unpaired", 0, NULL, "runs have no partners: data and splits may differ (Welch's t-test)"},
    {"csv", 'o', "FILE", "write the comparisons as CSV; - is standard output, instead of the tables"},
    {"json", 0, "FILE", "write all numbers as JSON; - is standard output, instead of the tables"},
    {"quiet", 'q', NULL, "print the sentences only"},
    {"verbose", 'v', NULL, "print more messages on standard error"},
    {0},
};

enum { NAME_WIDTH = 28 };

/* The width of a column of names: that of the widest, within limits. */
static int column(int width, const char *name) {
    const int wide = name_width(name);
    if (wide > width) width = wide;
    return width < NAME_WIDTH ? width : NAME_WIDTH;
}

static bool is_percent(const char *metric) { return strstr(metric, "accuracy") != NULL; }

/* Two digits for percent, else four that count. */
static const char *number(char text[32], double value, bool percent, bool sign) {
    snprintf(text, 32, percent ? (sign ? "%+.2f" : "%.2f") : (sign ? "%+.4g" : "%.4g"), value);
    return text;
}

static void put_range(FILE *out, const double range[2], bool percent, int width) {
    char low[32], high[32], both[80];
    snprintf(both, sizeof both, "%s to %s", number(low, range[0], percent, false),
             number(high, range[1], percent, false));
    fprintf(out, "%-*s", width, both);
}

static void put_p(FILE *out, double p) {
    if (p < 0.0001) fprintf(out, "%-10s", "<0.0001");
    else fprintf(out, "%-10.4f", p);
}

static gpr_compared_info training(const gpr_comparison *comparison, int64_t index) {
    gpr_compared_info info = {.struct_size = sizeof info};
    if (gpr_comparison_training(comparison, index, &info) < 0) info.name = info.model = info.dataset = info.label = "";
    return info;
}

static gpr_compared_pair_info pair_at(const gpr_comparison *comparison, int64_t index) {
    gpr_compared_pair_info info = {.struct_size = sizeof info};
    if (gpr_comparison_pair(comparison, index, &info) < 0) info.sentence = "";
    return info;
}

static void print_trainings(FILE *out, const gpr_comparison *comparison, const char *metric, bool utf8) {
    int names = 4, models = 5, data = 7;
    const bool percent = is_percent(metric);
    for (int64_t i = 0; i < gpr_comparison_count(comparison); i++) {
        const gpr_compared_info info = training(comparison, i);
        names = column(names, info.name);
        models = column(models, info.model);
        data = column(data, info.dataset);
    }
    fprintf(out, "%-*s  %-*s  %-*s  %6s  %-18s %s\n", names, "name", models, "model", data, "dataset", "runs", metric,
            "95 % by bootstrap");
    for (int64_t i = 0; i < gpr_comparison_count(comparison); i++) {
        const gpr_compared_info info = training(comparison, i);
        char mean[32], half[32];
        print_name(out, info.name, -names, utf8);
        fputs("  ", out);
        print_name(out, info.model, -models, utf8);
        fputs("  ", out);
        print_name(out, info.dataset, -data, utf8);
        number(mean, info.mean, percent, false);
        number(half, info.ci95, percent, false);
        const int written = fprintf(out, "  %6" PRId64 "  %s %s %s", info.runs, mean, utf8 ? "±" : "+/-", half);
        fprintf(out, "%*s", written - utf8 < 29 ? 29 - (written - utf8) : 1, "");
        put_range(out, info.bootstrap, percent, 0);
        fputc('\n', out);
    }
}

static void print_pairs(FILE *out, const gpr_comparison *comparison, const char *metric, bool utf8) {
    const bool percent = is_percent(metric);
    int first = 5, second = 6;
    for (int64_t k = 0; k < gpr_comparison_pairs(comparison); k++) {
        const gpr_compared_pair_info pair = pair_at(comparison, k);
        first = column(first, training(comparison, pair.first).label);
        second = column(second, training(comparison, pair.second).label);
    }
    fprintf(out, "\n%-*s  %-*s  %-10s  %-20s  %-10s%-10s%s\n", first, "first", second, "second", "difference", "95 %",
            "p", "corrected", "wins/ties/losses");
    for (int64_t k = 0; k < gpr_comparison_pairs(comparison); k++) {
        const gpr_compared_pair_info pair = pair_at(comparison, k);
        char difference[32];
        print_name(out, training(comparison, pair.first).label, -first, utf8);
        fputs("  ", out);
        print_name(out, training(comparison, pair.second).label, -second, utf8);
        fprintf(out, "  %-10s  ", number(difference, pair.difference, percent, true));
        put_range(out, pair.ci95, percent, 20);
        fputs("  ", out);
        put_p(out, pair.p);
        put_p(out, pair.p_corrected);
        if (pair.pairs) fprintf(out, "%" PRId64 "/%" PRId64 "/%" PRId64 "\n", pair.wins, pair.ties, pair.losses);
        else fputs("not paired\n", out);
    }
    fputc('\n', out);
}

static void print_sentences(FILE *out, const gpr_comparison *comparison) {
    for (int64_t k = 0; k < gpr_comparison_pairs(comparison); k++) {
        put_text(out, pair_at(comparison, k).sentence);
        fputs(".\n", out);
    }
}

static void put_csv_real(FILE *out, double value) {
    if (isfinite(value)) fprintf(out, ",%.9g", value);
    else fputc(',', out);
}

static void print_csv(FILE *out, const gpr_comparison *comparison, const char *metric) {
    fputs("metric,first,second,first_mean,second_mean,pairs,difference,low,high,bootstrap_low,bootstrap_high,p,"
          "p_corrected,p_wilcoxon,wins,ties,losses\n",
          out);
    for (int64_t k = 0; k < gpr_comparison_pairs(comparison); k++) {
        const gpr_compared_pair_info pair = pair_at(comparison, k);
        const gpr_compared_info first = training(comparison, pair.first), second = training(comparison, pair.second);
        fprintf(out, "%s,", metric);
        put_csv_name(out, first.name);
        fputc(',', out);
        put_csv_name(out, second.name);
        put_csv_real(out, first.mean);
        put_csv_real(out, second.mean);
        fprintf(out, ",%" PRId64, pair.pairs);
        const double numbers[] = {pair.difference,   pair.ci95[0], pair.ci95[1],     pair.bootstrap[0],
                                  pair.bootstrap[1], pair.p,       pair.p_corrected, pair.p_wilcoxon};
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) put_csv_real(out, numbers[i]);
        if (pair.pairs) fprintf(out, ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n", pair.wins, pair.ties, pair.losses);
        else fputs(",,,\n", out);
    }
}

static int deliver(const cli_arguments *args, const cli_session *session, const gpr_comparison *comparison) {
    const char *metric = gpr_comparison_metric(comparison);
    const char *json = flag_value(args, "json"), *csv = flag_value(args, "csv");
    cli_target target;
    int code = EXIT_OK;
    if (!(json && is_stdout(json)) && !(csv && is_stdout(csv))) {
        const bool utf8 = terminal_is_utf8();
        if (!session->quiet) {
            print_trainings(stdout, comparison, metric, utf8);
            print_pairs(stdout, comparison, metric, utf8);
        }
        print_sentences(stdout, comparison);
    }
    if (csv && (code = open_target(&target, csv)) == EXIT_OK) {
        print_csv(target.stream, comparison, metric);
        code = close_target(&target);
    }
    if (json && code == EXIT_OK) code = write_target(json, gpr_comparison_json(comparison));
    return code;
}

static int run(const cli_arguments *args) {
    const char *json = flag_value(args, "json"), *csv = flag_value(args, "csv");
    const gpr_compare_options options = {.struct_size = sizeof options,
                                         .metric = flag_value(args, "metric"),
                                         .against = flag_value(args, "against"),
                                         .unpaired = flag_given(args, "unpaired")};
    gpr_comparison *comparison = NULL;
    cli_session session;
    if (json && csv && is_stdout(json) && is_stdout(csv))
        return wrong_call("compare", "--json and --csv cannot both be standard output");
    int code = json ? check_target(json) : EXIT_OK;
    if (code == EXIT_OK && csv) code = check_target(csv);
    if (code == EXIT_OK) code = open_session(&session, args, NULL);
    if (code != EXIT_OK) return code;
    gpr_status status = gpr_compare(session.ctx, &comparison, args->operands, args->operand_count, &options);
    code = status < 0 ? failed_with(args, status) : deliver(args, &session, comparison);
    gpr_comparison_free(comparison);
    close_session(&session);
    return code;
}

const cli_command compare_command = {
    .name = "compare",
    .operands = "RUN...",
    .operand_count = 1,
    .more_operands = true,
    .about = "compare trainings on the same splits: differences, intervals, p",
    .details = "Compares trainings of several runs each: run folders (of 'gprgnn train --out DIR'), or files of\n"
               "'gprgnn train --json FILE'. Runs on the same split are pairs. Prints the mean of each training\n"
               "with its 95 % confidence interval, then for each two of them the difference, its interval, p of\n"
               "the paired t-test, p corrected for the number of comparisons (Holm), on how many splits which one\n"
               "is better, and the same as a sentence. Trainings on other data or splits are refused, unless with\n"
               "--unpaired. docs/statistics.md says what the numbers mean.\n"
               "For example:\n"
               "    gprgnn train cora --model gprgnn --runs 10 --out runs/gprgnn\n"
               "    gprgnn train cora --model gcn --runs 10 --out runs/gcn\n"
               "    gprgnn compare runs/gprgnn runs/gcn\n"
               "    gprgnn compare runs/* --against runs/gprgnn --csv differences.csv",
    .flags = flags,
    .run = run,
};
