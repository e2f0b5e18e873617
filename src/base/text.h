/* A growing string, and small helpers on text. */
#ifndef GPRI_TEXT_H
#define GPRI_TEXT_H

#include "base/context.h"
#include "base/utf8.h"

/* Zero-initialise with .ctx set. An append that fails makes all later ones do nothing; check once with
   gpri_text_status at the end. */
typedef struct gpri_text {
    gpr_ctx *ctx;
    char *bytes; /* NUL-terminated, or NULL when empty */
    int64_t size, capacity;
    gpr_status status;
} gpri_text;

void gpri_text_add(gpri_text *text, const char *format, ...) GPRI_PRINTF(2, 3);
gpr_status gpri_text_status(const gpri_text *text);
void gpri_text_free(gpri_text *text);
/* Fails with the whole text as message, and frees it. */
gpr_status gpri_text_fail(gpr_status status, gpri_text *text);

/* The whole text as a number; false if anything is left over, or the number is out of range. */
bool gpri_parse_int(const char *text, int64_t *out);
bool gpri_parse_real(const char *text, double *out);
/* The same for `size` bytes without a NUL, in plain decimal digits with an optional sign ("+1", "-2.5e3"; not "inf",
   "nan" or "0x1"); fast. Too large a real becomes infinite. */
bool gpri_span_int(const char *text, int64_t size, int64_t *out);
bool gpri_span_real(const char *text, int64_t size, double *out);

/* The decimal number with the fewest digits (6 to 9) that reads back as the same float: 0.1f gives 0.1, where a plain
   conversion to double gives 0.10000000149. */
double gpri_shortest_decimal(float value);

#endif
