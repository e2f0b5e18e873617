/* The numbers of runs that can be compared, and how a sentence speaks of them. */
#include <string.h>

#include "report/compare/compare.h"

static const gpri_run_metric metrics[] = {
    {"test_accuracy", "is better than", " points", false},
    {"val_accuracy", "is better (in validation) than", " points", false},
    {"test_balanced_accuracy", "has a higher test_balanced_accuracy than", "", false},
    {"test_macro_f1", "has a higher test_macro_f1 than", "", false},
    {"test_weighted_f1", "has a higher test_weighted_f1 than", "", false},
    {"test_roc_auc", "has a higher test_roc_auc than", "", false},
    {"test_average_precision", "has a higher test_average_precision than", "", false},
    {"test_log_loss", "has a lower test_log_loss than", "", true},
    {"test_calibration_error", "has a lower test_calibration_error than", "", true},
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
    const char *words[METRICS];
    for (int i = 0; i < METRICS; i++) words[i] = metrics[i].word;
    const char *near = gpr_nearest_word(word, words, METRICS);
    return gpri_fail(
        GPR_ERROR_ARGUMENT,
        "`metric` is '%s': no number of a run has that name; %s%s%s: test_accuracy, val_accuracy, "
        "train_accuracy, initial_accuracy, val_loss, train_loss, test_balanced_accuracy, test_macro_f1, "
        "test_weighted_f1, test_roc_auc, "
        "test_average_precision, test_log_loss, test_calibration_error, epochs, best_epoch, ms_per_epoch, seconds",
        word, near ? "did you mean '" : "there are", near ? near : "", near ? "'? There are" : "");
}
