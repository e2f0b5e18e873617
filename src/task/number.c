/* The unit of numbers, and the words of their losses. */
#include "task/number.h"

#include <string.h>

#include "base/text.h"

/* In two passes: the sum of squares about the mean loses nothing where numbers are large and near each other. */
gpri_unit gpri_unit_of(const float *numbers, const uint8_t *part, uint8_t which, int64_t count) {
    double sum = 0, squares = 0;
    int64_t known = 0;
    for (int64_t i = 0; i < count; i++) {
        if (isnan(numbers[i]) || (part && part[i] != which)) continue;
        sum += (double)numbers[i];
        known++;
    }
    const double mean = known ? sum / (double)known : 0;
    for (int64_t i = 0; i < count; i++) {
        if (isnan(numbers[i]) || (part && part[i] != which)) continue;
        squares += ((double)numbers[i] - mean) * ((double)numbers[i] - mean);
    }
    return (gpri_unit){mean, known ? sqrt(squares / (double)known) : 0};
}

gpr_status gpri_error_form_parse(gpri_error_form *out, const char *word) {
    const bool bends = strncmp(word, "huber:", 6) == 0;
    *out = (gpri_error_form){.loss = GPRI_SQUARED, .bend = 1};
    if (strcmp(word, "auto") == 0 || strcmp(word, "squared") == 0) return GPR_OK;
    if (strcmp(word, "absolute") == 0) out->loss = GPRI_ABSOLUTE;
    else if (bends || strcmp(word, "huber") == 0) out->loss = GPRI_HUBER;
    else
        return gpri_fail(GPR_ERROR_ARGUMENT, "`loss` is '%s': it must be auto, squared, absolute, huber or huber:D",
                         word);
    if (bends && (!gpri_parse_real(word + 6, &out->bend) || !(out->bend > 0) || isinf(out->bend)))
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "`loss` is '%s': D of huber:D must be a number above 0; it is counted in standard deviations "
                         "of the target",
                         word);
    return GPR_OK;
}
