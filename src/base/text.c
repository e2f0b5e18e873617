/* Growing strings, and numbers in texts. */
#include "base/text.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/print.h"

void gpri_text_add(gpri_text *text, const char *format, ...) {
    if (text->status != GPR_OK) return;
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int needed = gpri_vprint(NULL, 0, format, args);
    if (needed >= 0) {
        text->status = gpri_grow(text->ctx, &text->bytes, &text->capacity, text->size + needed + 1, 1, "text");
        if (text->status == GPR_OK) {
            gpri_vprint(text->bytes + text->size, (size_t)needed + 1, format, again);
            text->size += needed;
        }
    }
    va_end(again);
    va_end(args);
}

gpr_status gpri_text_status(const gpri_text *text) { return text->status; }

void gpri_text_free(gpri_text *text) {
    gpri_free(text->ctx, text->bytes);
    *text = (gpri_text){.ctx = text->ctx};
}

gpr_status gpri_text_fail(gpr_status status, gpri_text *text) {
    status = text->status == GPR_OK ? gpri_fail(status, "%s", text->bytes) : gpri_text_status(text);
    gpri_text_free(text);
    return status;
}

bool gpri_parse_int(const char *text, int64_t *out) {
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end || errno == ERANGE) return false;
    *out = value;
    return true;
}

bool gpri_parse_real(const char *text, double *out) {
    char *end;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* whatever the host's language: 0.5, not 0,5 */
    if (!plain) return false;
    double value = strtod_l(text, &end, plain);
    freelocale(plain);
    if (end == text || *end || value != value) return false;
    *out = value;
    return true;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool gpri_span_int(const char *text, int64_t size, int64_t *out) {
    const char *at = text, *end = text + size;
    const bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    if (at == end) return false;
    int64_t value = 0; /* negative: there is one more negative number than positive ones */
    for (; at < end; at++) {
        if (!is_digit(*at) || value < (INT64_MIN + (*at - '0')) / 10) return false;
        value = value * 10 - (*at - '0');
    }
    if (!negative && value == INT64_MIN) return false;
    *out = negative ? value : -value;
    return true;
}

/* Up to 15 digits and powers of ten up to 22 are exact in double, so one product or quotient is rounded correctly.
   strtod does the rest. */
bool gpri_span_real(const char *text, int64_t size, double *out) {
    static const double ten_to[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *at = text, *end = text + size;
    const bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    int64_t mantissa = 0, digits = 0, exponent = 0, given = 0; /* digits: of those that count, without leading zeros */
    int written = 0;
    for (; at < end && is_digit(*at); at++, written = 1)
        if (digits < 16 && (mantissa = mantissa * 10 + (*at - '0')) > 0) digits++;
    if (at < end && *at == '.')
        for (at++; at < end && is_digit(*at); at++, written = 1) {
            if (digits >= 16) continue;
            if ((mantissa = mantissa * 10 + (*at - '0')) > 0) digits++;
            exponent--;
        }
    if (!written) return false;
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        const bool down = at < end && *at == '-';
        if (at < end && (*at == '-' || *at == '+')) at++;
        if (at == end) return false;
        for (; at < end && is_digit(*at); at++)
            if (given < 100000) given = given * 10 + (*at - '0');
        exponent += down ? -given : given;
    }
    if (at != end) return false;
    if (digits <= 15 && exponent >= -22 && exponent <= 22) {
        double value = exponent < 0 ? (double)mantissa / ten_to[-exponent] : (double)mantissa * ten_to[exponent];
        *out = negative ? -value : value;
        return true;
    }
    char copy[512];
    if (size >= (int64_t)sizeof copy) return false; /* more digits than anyone writes */
    memcpy(copy, text, (size_t)size);
    copy[size] = 0;
    return gpri_parse_real(copy, out);
}

/* Edit distance with swaps of neighbours counted as one (optimal string alignment); long words are cut. */
static int edit_distance(const char *a, const char *b) {
    enum { MOST = 40 };
    int rows[3][MOST + 1];
    int la = (int)strlen(a), lb = (int)strlen(b);
    if (la > MOST) la = MOST;
    if (lb > MOST) lb = MOST;
    for (int j = 0; j <= lb; j++) rows[0][j] = j;
    for (int i = 1; i <= la; i++) {
        int *now = rows[i % 3], *up = rows[(i + 2) % 3], *upup = rows[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= lb; j++) {
            int best = up[j - 1] + (a[i - 1] != b[j - 1]);
            if (up[j] + 1 < best) best = up[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && upup[j - 2] + 1 < best)
                best = upup[j - 2] + 1;
            now[j] = best;
        }
    }
    return rows[la % 3][lb];
}

const char *gpr_nearest_word(const char *word, const char *const *words, int count) {
    const char *nearest = NULL;
    if (!word || !words) return NULL;
    int least = ((int)strlen(word) + 1) / 3; /* a word that is further away is no help */
    if (least < 1) least = 1;
    for (int i = 0; i < count; i++) {
        if (!words[i]) continue;
        int distance = edit_distance(word, words[i]);
        if (distance <= least && (!nearest || distance < least)) {
            least = distance;
            nearest = words[i];
        }
    }
    return nearest;
}

double gpri_shortest_decimal(float value) {
    char number[32];
    if (!isfinite(value)) return (double)value;
    for (int digits = 6; digits < 9; digits++) {
        double decimal;
        gpri_print(number, sizeof number, "%.*g", digits, (double)value);
        if (gpri_parse_real(number, &decimal) && (float)decimal == value) return decimal;
    }
    double decimal = (double)value;
    gpri_print(number, sizeof number, "%.9g", (double)value);
    (void)gpri_parse_real(number, &decimal);
    return decimal;
}
