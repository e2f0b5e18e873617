/* Prints the table of a search. Figures of test nodes are shown for what was chosen, and nowhere else. */
#include "search_table.h"

#include <stdlib.h>
#include <string.h>

#include "data_flags.h"
#include "terminal.h"

enum { MOST_ROWS = 20 };

typedef struct {
    gpr_search *search;
    const char *plus_minus;
    int model_width;
    const char *metric; /* beside accuracy and loss; NULL: none */
} table;

/* "81.20 ± 0.35 %", or "81.20 %" where there is no interval, or "-" without such nodes; the widths are those of a
   column. */
static void put_mean(const table *form, double mean, double ci95, int width, int ci_width) {
    if (mean != mean) printf("%*s%*s", width, "-", ci_width > 0 ? ci_width + 5 : 0, ""); /* no nodes to measure it */
    else if (ci95 == ci95) printf("%*.2f %s %*.2f %%", width, mean, form->plus_minus, ci_width, ci95);
    else printf("%*.2f %%%*s", width, mean, ci_width > 0 ? ci_width + 3 : 0, "");
}

/* ---- what was tried ---- */

static void print_row(const table *form, int64_t index) {
    gpr_setting_info info = {.struct_size = sizeof info};
    char failed_runs[48] = "";
    if (gpr_search_setting(form->search, index, &info) != GPR_OK) return;
    if (info.failed > 0) snprintf(failed_runs, sizeof failed_runs, "  (%lld diverged)", (long long)info.failed);
    printf("  %4lld  %-*s  %5lld  ", (long long)index + 1, form->model_width, info.model, (long long)info.runs);
    if (info.val_loss == info.val_loss) {
        put_mean(form, info.val_accuracy, info.val_accuracy_ci95, 6, 5);
        printf(info.val_loss < 1000 ? "  %8.4f  " : "  %8.2g  ", info.val_loss);
        if (form->metric && info.val_metric != info.val_metric) printf("%*s  ", (int)strlen(form->metric), "-");
        else if (form->metric) printf("%*.4f  ", (int)strlen(form->metric), info.val_metric);
    } else {
        printf("%16s  %8s  ", "-", "-");
        if (form->metric) printf("%*s  ", (int)strlen(form->metric), "-");
    }
    put_text(stdout, info.text);
    printf("%s\n", failed_runs);
}

static void print_tried(const table *form, bool all) {
    const int64_t count = gpr_search_count(form->search);
    const int64_t rows = all || count <= MOST_ROWS ? count : MOST_ROWS;
    printf("  %4s  %-*s  %5s  %16s  %8s  ", "rank", form->model_width, "model", "runs", "val accuracy", "val loss");
    printf("%s%ssettings\n", form->metric ? form->metric : "", form->metric ? "  " : "");
    for (int64_t i = 0; i < rows; i++) print_row(form, i);
    if (rows < count) printf("  ... and %lld more: -v prints all\n", (long long)(count - rows));
}

/* ---- what was chosen ---- */

static void print_chosen(const table *form) {
    bool first = true, interval = false;
    for (int64_t i = 0; i < gpr_search_count(form->search); i++) {
        gpr_setting_info info = {.struct_size = sizeof info};
        if (gpr_search_setting(form->search, i, &info) != GPR_OK || !info.best) continue;
        printf("%-9s %-*s  val ", first ? "best" : "", form->model_width, info.model);
        put_mean(form, info.val_accuracy, info.val_accuracy_ci95, 0, 0);
        if (form->metric && info.val_metric == info.val_metric) printf("  %s %.4f", form->metric, info.val_metric);
        fputs("  test ", stdout);
        put_mean(form, info.test_accuracy, info.test_accuracy_ci95, 0, 0);
        fputs("  ", stdout);
        interval = interval || info.val_accuracy_ci95 == info.val_accuracy_ci95;
        put_text(stdout, info.text);
        putchar('\n');
        first = false;
    }
    fputs("          (", stdout);
    if (interval) printf("mean %s 95 %% CI over the runs; ", form->plus_minus);
    puts("test was looked at after the choice, for these only)");
}

/* ---- how to train ---- */

/* A word for a shell. */
static void put_word(const char *word) {
    const bool plain = *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                                   "-_=+:,./@%")];
    putchar(' ');
    if (!plain) putchar('\'');
    for (; *word; word++) {
        const char letter[2] = {*word, 0};
        if (*word == '\'') fputs("'\\''", stdout);
        else if ((unsigned char)*word >= 0x80) putchar(*word);
        else put_text(stdout, letter);
    }
    if (!plain) putchar('\'');
}

static void put_data(const cli_arguments *args) {
    if (args->operand_count > 0) put_word(args->operands[0]);
    cli_flag flag;
    for (int i = 0; i < args->flag_count; i++)
        for (int k = 0; data_flag(k, &flag); k++) {
            if (strcmp(flag.name, args->flags[i].name) != 0) continue;
            printf(" --%s", flag.name);
            if (args->flags[i].value) put_word(args->flags[i].value);
        }
}

/* The lines `word = value` of a preset as flags. */
static void put_flags(gpr_search *search) {
    const char *text;
    if (gpr_search_preset(search, 0, &text) != GPR_OK) return;
    char *copy = strdup(text), *rest = NULL;
    for (char *line = copy ? strtok_r(copy, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
        char *equals = strstr(line, " = ");
        if (*line == '#' || !equals) continue;
        *equals = 0;
        printf(" --%s", line);
        put_word(equals + 3);
    }
    free(copy);
}

static void print_command(const cli_arguments *args, gpr_search *search, const char *out) {
    fputs("train     gprgnn train", stdout);
    put_data(args);
    if (out) {
        char *path = malloc(strlen(out) + sizeof "/preset.conf");
        if (path) sprintf(path, "%s/preset.conf", out);
        printf(" --preset");
        put_word(path ? path : "preset.conf");
        free(path);
    } else {
        put_flags(search);
    }
    if (flag_given(args, "seed")) printf(" --seed"), put_word(flag_value(args, "seed"));
    printf(" --runs %s\n", gpr_search_param(search, 0, "runs"));
}

void print_search(const cli_arguments *args, gpr_search *search, const char *name, const char *out,
                  const cli_session *session) {
    table form = {.search = search, .plus_minus = terminal_is_utf8() ? "±" : "+-"};
    const char *metric = flag_value(args, "metric"), *goal = gpr_search_param(search, 0, "metric");
    if (goal && strcmp(goal, "loss") != 0) form.metric = goal;
    if (!metric) metric = form.metric;
    for (int64_t i = 0; i < gpr_search_count(search); i++) {
        gpr_setting_info info = {.struct_size = sizeof info};
        if (gpr_search_setting(search, i, &info) == GPR_OK && (int)strlen(info.model) > form.model_width)
            form.model_width = (int)strlen(info.model);
    }
    if (form.model_width < 5) form.model_width = 5;
    if (!session->quiet) {
        fputs("search    ", stdout);
        put_text(stdout, name && *name ? name : "unnamed");
        printf(", split ");
        put_text(stdout, gpr_search_param(search, 0, "split"));
        const long long count = gpr_search_count(search);
        printf(": %lld setting%s, chosen by %s\n", count, count == 1 ? "" : "s", metric ? metric : "val_accuracy");
        print_tried(&form, session->verbose);
    }
    print_chosen(&form);
    print_command(args, search, out);
}
