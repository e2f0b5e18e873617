/* The numbers of runs that can be compared, and how a sentence speaks of them. */
#include <string.h>

#include "report/compare/compare.h"
#include "task/measures.h"

static const gpri_run_metric metrics[] = {
    {"test_accuracy", "is better than", " points", false},
    {"val_accuracy", "is better (in validation) than", " points", false},
#define MEASURE(ID, word, name, heading, choice, traits)                                                           \
    {"test_" word, (traits)&GPRI_LOWER ? "has a lower test_" word " than" : "has a higher test_" word " than", "", \
     ((traits)&GPRI_LOWER) != 0},
#include "task/measures.def"
    {"train_accuracy", "is better (in training) than", " points", false},
    {"initial_accuracy", "is better (before training) than", " points", false},
    {"val_loss", "has a lower val_loss than", "", true},
    {"train_loss", "has a lower train_loss than", "", true},
    {"epochs", "trains for fewer epochs than", " epochs", true},
    {"best_epoch", "has its best epoch earlier than", " epochs", true},
    {"ms_per_epoch", "is faster than", " ms per epoch", true},
    {"seconds", "is faster than", " s", true},
};
enum { METRICS = sizeof metrics / sizeof *metrics };

const gpri_run_metric *gpri_run_metric_find(const char *word) {
    for (int i = 0; i < METRICS; i++)
        if (strcmp(metrics[i].word, word) == 0) return &metrics[i];
    return NULL;
}

gpr_status gpri_run_metric_unknown(const char *word) {
    static const char measures[] =
#define MEASURE(ID, word, ...) ", test_" word
#include "task/measures.def"
        ;
    const char *words[METRICS];
    for (int i = 0; i < METRICS; i++) words[i] = metrics[i].word;
    const char *near = gpr_nearest_word(word, words, METRICS);
    return gpri_fail(
        GPR_ERROR_ARGUMENT,
        "`metric` is '%s': no number of a run has that name; %s%s%s: test_accuracy, val_accuracy, "
        "train_accuracy, initial_accuracy, val_loss, train_loss%s, epochs, best_epoch, ms_per_epoch, seconds",
        word, near ? "did you mean '" : "there are", near ? near : "", near ? "'? There are" : "",
        &measures[strlen(", test_accuracy")]);
}
