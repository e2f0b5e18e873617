/* gprgnn paper: what its tables consist of, and the values that the paper published. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "paper/program/paper.h"

static const char *const names[PARTS][2] = {
    [PART_REAL] = {"table-real", "accuracy on real graphs, in percent"},
    [PART_CSBM_SPARSE] = {"table-csbm-sparse", "accuracy on the cSBM, sparse split, in percent"},
    [PART_CSBM_DENSE] = {"table-csbm-dense", "accuracy on the cSBM, dense split, in percent"},
    [PART_HOMOPHILIC] = {"table-dense-homophilic", "accuracy on homophilic graphs, dense split, in percent"},
    [PART_SMOOTHING] = {"table-oversmoothing", "from delta_K, where all nodes begin alike: accuracy in percent"},
    [PART_FIGURES] = {"figures", "learned filters on real graphs, from random weights, dense split"},
    [PART_SPEED] = {"table-efficiency", "milliseconds per epoch"},
    [PART_DATASETS] = {"table-datasets", "sizes and homophily of the datasets"},
};

const char *part_name(paper_part part) { return names[part][0]; }
const char *part_title(paper_part part) { return names[part][1]; }

const char *verdict_name(paper_verdict verdict) {
    static const char *const words[] = {"", "inside", "above", "below"};
    return words[verdict];
}

static const paper_data datasets[] = {
#define ACCURACY(part, model, dataset, percent, ci)
#define SPEED(model, dataset, ms, total)
#define SMOOTHING(dataset, before, after, ratio)
#define NEIGHBOURHOODS(dataset, sha256)
#define DATASET(word, rule, c, f, n, e, h, print) \
    {.name = word,                                \
     .split = rule,                               \
     .fingerprint = print,                        \
     .published = {.classes = c, .features = f, .nodes = n, .edges = e, .node_homophily = h}},
#define HOMOPHILY(phi, h)      \
    {.name = "csbm:phi=" #phi, \
     .split = "dense",         \
     .published = {.classes = 2, .features = 2000, .nodes = 5000, .node_homophily = h}},
#include "paper/program/values.def"
#undef DATASET
#undef HOMOPHILY
#define DATASET(name, split, c, f, n, e, h, print)
#define HOMOPHILY(phi, h)
};
enum { DATASETS = sizeof datasets / sizeof *datasets };

static const paper_speed speeds[] = {
#undef SPEED
#define SPEED(word, data, ms, total) {.model = word, .dataset = data, .published_ms = ms, .published_seconds = total},
#include "paper/program/values.def"
#undef SPEED
#define SPEED(model, dataset, ms, total)
};
enum { SPEEDS = sizeof speeds / sizeof *speeds };

static const paper_cell accuracies[] = {
#undef ACCURACY
#undef SMOOTHING
#define ACCURACY(table, word, data, percent, ci) \
    {.part = table, .model = word, .dataset = data, .published = percent, .published_ci = ci},
#define SMOOTHING(data, before, after, ratio) \
    {.part = PART_SMOOTHING,                  \
     .model = "gprgnn",                       \
     .dataset = data,                         \
     .published = after,                      \
     .published_ci = NAN,                     \
     .published_initial = before,             \
     .published_smoothed = ratio},
#include "paper/program/values.def"
};
static const char *const neighbourhoods[][2] = {
#undef ACCURACY
#undef SMOOTHING
#undef NEIGHBOURHOODS
#define ACCURACY(part, model, dataset, percent, ci)
#define SMOOTHING(dataset, before, after, ratio)
#define NEIGHBOURHOODS(dataset, sha256) {dataset, "sha256:" sha256},
#include "paper/program/values.def"
};
enum { ACCURACIES = sizeof accuracies / sizeof *accuracies };

/* ---- choosing ---- */

/* Does the list of words between commas have the word? NULL has all. */
static bool chosen(const char *list, const char *word) {
    const size_t size = strlen(word);
    if (!list) return true;
    for (const char *at = list; *at; at += *at == ',') {
        const size_t length = strcspn(at, ",");
        if (length == size && strncmp(at, word, size) == 0) return true;
        at += length;
    }
    return false;
}

/* "csbm" stands for all of them. */
static bool chosen_data(const char *list, const char *name) {
    return chosen(list, name) || (strncmp(name, "csbm:", 5) == 0 && chosen(list, "csbm"));
}

enum { MOST_WORDS = 64 };

/* Every word of the list must be one of `words`. */
static int check_words(const paper *tables, const char *flag, const char *list, const char *const *words, int count) {
    char word[128];
    for (const char *at = list; at && *at; at += *at == ',') {
        const size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        at += length;
        bool known = false;
        for (int i = 0; i < count; i++) known |= strcmp(words[i], word) == 0;
        if (known) continue;
        const char *near = gpr_nearest_word(word, words, count);
        return near ? wrong_call(tables->args->command->name, "--%s: '%s' is not in the paper: did you mean '%s'?",
                                 flag, word, near)
                    : wrong_call(tables->args->command->name, "--%s: '%s' is not in the paper", flag, word);
    }
    return EXIT_OK;
}

static int check_choice(const paper *tables, const char *models, const char *wanted) {
    static const char *const model_words[] = {"gprgnn", "gprgnn-random", "appnp", "mlp",   "sgc",    "gcn",
                                              "gat",    "sage",          "jknet", "cheby", "geomgcn"};
    const char *data_words[MOST_WORDS] = {"csbm"};
    int count = 1;
    for (int i = 0; i < DATASETS; i++) data_words[count++] = datasets[i].name;
    const int code = check_words(tables, "models", models, model_words, sizeof model_words / sizeof *model_words);
    return code != EXIT_OK ? code : check_words(tables, "datasets", wanted, data_words, count);
}

/* ---- the cells ---- */

const char *split_of(const char *dataset) {
    for (int i = 0; i < DATASETS; i++)
        if (strcmp(datasets[i].name, dataset) == 0) return datasets[i].split;
    return "dense";
}

const gpr_dataset_info *published_sizes(const char *name) {
    for (int i = 0; i < DATASETS; i++)
        if (strcmp(datasets[i].name, name) == 0) return &datasets[i].published;
    return NULL;
}

const char *published_fingerprint(const char *name) {
    for (int i = 0; i < DATASETS; i++)
        if (strcmp(datasets[i].name, name) == 0 && datasets[i].fingerprint) return datasets[i].fingerprint;
    return NULL;
}

const char *published_neighbourhoods(const char *name) {
    for (size_t i = 0; i < sizeof neighbourhoods / sizeof *neighbourhoods; i++)
        if (strcmp(neighbourhoods[i][0], name) == 0) return neighbourhoods[i][1];
    return NULL;
}

static paper_cell *add(paper *tables, const paper_cell *cell, const char *split) {
    paper_cell *added = &tables->cells[tables->cell_count++];
    const bool drawn = strncmp(cell->dataset, "csbm", 4) == 0;
    *added = *cell;
    added->split = split;
    added->runs = tables->runs;
    added->draws = drawn && cell->part != PART_SMOOTHING ? tables->draws : 1;
    for (int i = 0; i < MOST_DRAWS; i++) added->at[i] = added->initial[i] = -1;
    added->mean = added->ci95 = added->initial_mean = added->smoothed = NAN;
    tables->planned += cell->part == PART_SMOOTHING ? 2 * tables->runs : tables->runs;
    return added;
}

static void plan_accuracies(paper *tables, const char *models, const char *wanted) {
    for (int i = 0; i < ACCURACIES; i++) {
        const paper_cell *cell = &accuracies[i];
        if (!tables->parts[cell->part] || !chosen(models, cell->model) || !chosen_data(wanted, cell->dataset)) continue;
        add(tables, cell,
            cell->part == PART_REAL          ? split_of(cell->dataset)
            : cell->part == PART_CSBM_SPARSE ? "sparse"
                                             : "dense");
    }
}

/* The learned filters: from random weights on the dense split, on every real graph. Those on the cSBM are the cells of
   table-csbm-dense, and those from delta_K the cells of table-oversmoothing. */
static void plan_figures(paper *tables, const char *models, const char *wanted) {
    for (int i = 0; i < DATASETS; i++) {
        if (strncmp(datasets[i].name, "csbm", 4) == 0) continue;
        const paper_cell cell = {.part = PART_FIGURES,
                                 .model = "gprgnn-random",
                                 .dataset = datasets[i].name,
                                 .published = NAN,
                                 .published_ci = NAN};
        if (chosen(models, cell.model) && chosen_data(wanted, cell.dataset)) add(tables, &cell, "dense");
    }
}

int plan_paper(paper *tables, const char *models, const char *wanted) {
    const int code = check_choice(tables, models, wanted);
    if (code != EXIT_OK) return code;
    plan_accuracies(tables, models, wanted);
    if (tables->parts[PART_FIGURES]) plan_figures(tables, models, wanted);
    for (int i = 0; i < SPEEDS && tables->parts[PART_SPEED]; i++)
        if (chosen(models, speeds[i].model) && chosen_data(wanted, speeds[i].dataset))
            tables->speeds[tables->speed_count++] = speeds[i];
    for (int i = 0; i < DATASETS && tables->parts[PART_DATASETS]; i++)
        if (chosen_data(wanted, datasets[i].name)) tables->datasets[tables->dataset_count++] = datasets[i];
    if (tables->cell_count + tables->speed_count + tables->dataset_count > 0) return EXIT_OK;
    return wrong_call(tables->args->command->name,
                      "the paper has no such cell: other --models or --datasets are needed");
}
