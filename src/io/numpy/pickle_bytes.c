/* The bytes of a pickle file, read in order. */
#include "io/numpy/pickle_bytes.h"

#include <string.h>

#include "base/text.h"

static gpr_status take(gpri_pickle_bytes *in, const unsigned char **out, int64_t count) {
    int64_t left = in->size - in->at;
    if (count > left)
        return gpri_fail(GPR_ERROR_FORMAT, "%lld bytes are announced, but %lld are left in the file: it is damaged",
                         (long long)count, (long long)left);
    *out = in->bytes + in->at;
    in->at += count;
    return GPR_OK;
}

gpr_status gpri_pickle_take_number(gpri_pickle_bytes *in, int64_t *out, int bytes) {
    const unsigned char *at = in->bytes;
    *out = 0;
    NEED(take(in, &at, bytes));
    for (int b = 0; b < bytes; b++) *out |= (int64_t)at[b] << 8 * b;
    return GPR_OK;
}

gpr_status gpri_pickle_take_line(gpri_pickle_bytes *in, char **out) {
    unsigned char *start = in->bytes + in->at;
    unsigned char *end = memchr(start, '\n', (size_t)(in->size - in->at));
    if (!end) return gpri_fail(GPR_ERROR_FORMAT, "the file ends within a line: it is damaged");
    if (memchr(start, 0, (size_t)(end - start))) return gpri_fail(GPR_ERROR_FORMAT, "a line holds a NUL byte");
    *end = 0;
    in->at += end + 1 - start;
    *out = (char *)start;
    return GPR_OK;
}

/* ---- Numbers -------------------------------------------------------------------------------------- */

/* Two's complement, little endian. */
static gpr_status signed_number(gpri_pickle_bytes *in, int64_t *out, int64_t bytes) {
    const unsigned char *at = in->bytes;
    uint64_t bits = 0;
    NEED(take(in, &at, bytes));
    if (bytes > 8)
        return gpri_fail(GPR_ERROR_FORMAT, "a whole number of %lld bytes: at most 8 are read", (long long)bytes);
    for (int64_t b = 0; b < bytes; b++) bits |= (uint64_t)at[b] << 8 * b;
    if (bytes > 0 && bytes < 8 && at[bytes - 1] & 0x80) bits |= UINT64_MAX << 8 * bytes; /* the sign */
    memcpy(out, &bits, sizeof bits);
    return GPR_OK;
}

/* I and L: as text; I01 is True and I00 False. */
static gpr_status number_line(gpri_pickle_bytes *in, unsigned char op, int64_t *out, bool *truth) {
    char *line = NULL;
    NEED(gpri_pickle_take_line(in, &line));
    size_t size = strlen(line);
    *truth = op == 'I' && (strcmp(line, "00") == 0 || strcmp(line, "01") == 0);
    if (op == 'L' && size > 0 && line[size - 1] == 'L') line[size - 1] = 0;
    if (!gpri_parse_int(line, out))
        return gpri_fail(GPR_ERROR_FORMAT, "'%.40s' is not a whole number of 64 bits", line);
    return GPR_OK;
}

gpr_status gpri_pickle_number(gpri_pickle_bytes *in, unsigned char op, int64_t *out, bool *truth) {
    int64_t bytes = 0;
    *truth = false;
    switch (op) {
    case 'K': return gpri_pickle_take_number(in, out, 1);
    case 'M': return gpri_pickle_take_number(in, out, 2);
    case 'J': return signed_number(in, out, 4);
    case 0x8a:
    case 0x8b:
        NEED(gpri_pickle_take_number(in, &bytes, op == 0x8a ? 1 : 4));
        NEED(signed_number(in, out, bytes));
        break;
    default: NEED(number_line(in, op, out, truth));
    }
    return GPR_OK;
}

/* ---- Texts ---------------------------------------------------------------------------------------- */

static int hex_digit(char c) {
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *found = c ? strchr(digits, c) : NULL;
    return found ? (int)(found - digits) % 16 : -1;
}

/* A text as Python's repr writes it, in place. *size: of the result; false if it is not one. */
static bool unquote(char *line, int64_t *size) {
    static const char written[] = "\\'\"nrtabfv", meant[] = "\\'\"\n\r\t\a\b\f\v";
    size_t length = strlen(line);
    if (length < 2 || (line[0] != '\'' && line[0] != '"') || line[length - 1] != line[0]) return false;
    char *to = line;
    for (const char *from = line + 1, *end = line + length - 1; from < end;) {
        if (*from != '\\') {
            *to++ = *from++;
            continue;
        }
        if (++from == end) return false;
        const char *which = strchr(written, *from);
        if (which) {
            *to++ = meant[which - written];
            from++;
        } else {
            if (*from != 'x' || end - from < 3 || hex_digit(from[1]) < 0 || hex_digit(from[2]) < 0) return false;
            *to++ = (char)(hex_digit(from[1]) << 4 | hex_digit(from[2]));
            from += 3;
        }
    }
    *size = to - line;
    return true;
}

gpr_status gpri_pickle_text(gpri_pickle_bytes *in, unsigned char op, int64_t *at, int64_t *size) {
    const unsigned char *start = in->bytes;
    char *line = NULL;
    if (op == 'S') {
        NEED(gpri_pickle_take_line(in, &line));
        if (!unquote(line, size)) return gpri_fail(GPR_ERROR_FORMAT, "a text is not quoted as Python quotes it");
        start = (unsigned char *)line;
    } else {
        NEED(gpri_pickle_take_number(in, size, op == 'U' ? 1 : 4));
        NEED(take(in, &start, *size));
    }
    *at = start - in->bytes;
    return GPR_OK;
}
