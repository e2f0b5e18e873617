/* UTF-8, and texts of unknown origin spelled for people, CSV and JSON.
 *
 * Names come from files, folders and servers. On a terminal, control characters in them could move the cursor, change
 * the title or hide text, and marks of direction could show letters in another order. So these are spelled out: \x1b
 * for the byte, or \u202e for the letter. */
#include "base/utf8.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Length of the sequence at `at`; 0 if it is none. Overlong forms and surrogates are none. */
static int utf8_length(const unsigned char *at) {
    const int length = at[0] < 0x80 ? 1 : at[0] >= 0xf0 && at[0] < 0xf5 ? 4 : at[0] >= 0xe0 ? 3 : at[0] >= 0xc2 ? 2 : 0;
    if (at[0] >= 0xf5) return 0;
    for (int i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80) return 0;
    if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f)) return 0;
    if ((at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f)) return 0;
    return length;
}

bool gpri_is_utf8(const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    while (*at && utf8_length(at) > 0) at += utf8_length(at);
    return !*at;
}

/* The '\n' at the end stops a letter that is cut there, before bytes beyond it are looked at. */
int64_t gpri_utf8_fault(const char *text, int64_t size) {
    const unsigned char *at = (const unsigned char *)text, *end = at + size;
    while (at < end) {
        const int length = utf8_length(at);
        if (length == 0) return at - (const unsigned char *)text;
        at += length;
    }
    return -1;
}

void gpri_make_utf8(char *text) {
    if (gpri_is_utf8(text)) return;
    for (; *text; text++)
        if ((unsigned char)*text >= 0x80) *text = '?';
}

/* The letter of `length` bytes at `at`. */
static unsigned code_of(const unsigned char *at, int length) {
    unsigned code = length == 1 ? at[0] : at[0] & (0xffu >> (length + 1));
    for (int i = 1; i < length; i++) code = code << 6 | (at[i] & 0x3f);
    return code;
}

uint32_t gpri_take_letter(const char **at) {
    const unsigned char *letter = (const unsigned char *)*at;
    const int length = utf8_length(letter);
    *at += length;
    return code_of(letter, length);
}

int gpri_put_letter(char *to, uint32_t code) {
    if (code >= 0xd800 && (code < 0xe000 || code > 0x10ffff)) code = '?';
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    const int size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (int i = size - 1; i > 0; i--, code >>= 6) to[i] = (char)(0x80 | (code & 0x3f));
    to[0] = (char)(lead[size] | code);
    return size;
}

static bool is_control(unsigned code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

/* Marks of direction, line and paragraph separators, the byte order mark: nothing to see, but it changes what is seen.
 */
static bool is_mark(unsigned code) {
    return code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

int gpri_hidden_letter(const char *text, unsigned *code) {
    const unsigned char *at = (const unsigned char *)text;
    const int length = utf8_length(at);
    if (length == 0 || at[0] < 0x7f) return 0;
    *code = code_of(at, length);
    return is_control(*code) || is_mark(*code) ? length : 0;
}

/* Text that is written to `bytes` as far as it fits, by whole pieces; `length` counts all of it. */
typedef struct speller {
    char *bytes;
    size_t size, length;
    bool full;
} speller;

static void add(speller *to, const char *piece, size_t length) {
    if (to->length + length >= to->size) to->full = true;
    if (!to->full) memcpy(to->bytes + to->length, piece, length);
    if (!to->full) to->bytes[to->length + length] = 0;
    to->length += length;
}

static speller speller_for(char *out, size_t size) {
    if (size > 0) out[0] = 0;
    return (speller){.bytes = out, .size = size, .full = size == 0};
}

static void add_code(speller *to, const char *format, unsigned code) {
    char piece[16];
    const int length = snprintf(piece, sizeof piece, "%s%0*x", format, format[1] == 'x' ? 2 : 4, code);
    add(to, piece, (size_t)length);
}

/* Adds the letter at `at`, spelled out if a terminal would not show it. Returns its length. */
static int add_letter(speller *to, const unsigned char *at) {
    const int length = utf8_length(at);
    const unsigned code = length ? code_of(at, length) : at[0];
    if (length == 0 || (length == 1 && is_control(code))) add_code(to, "\\x", code);
    else if (is_control(code) || is_mark(code)) add_code(to, "\\u", code);
    else add(to, (const char *)at, (size_t)length);
    return length ? length : 1;
}

size_t gpr_text_printable(char *out, size_t size, const char *text) {
    speller to = speller_for(out, size);
    const unsigned char *at = (const unsigned char *)(text ? text : "");
    while (*at) at += add_letter(&to, at);
    return to.length;
}

size_t gpr_text_csv(char *out, size_t size, const char *text) {
    speller to = speller_for(out, size);
    const unsigned char *at = (const unsigned char *)(text ? text : "");
    const bool quoted = strpbrk((const char *)at, ",\"\r\n") != NULL;
    if (quoted) add(&to, "\"", 1);
    while (*at) {
        if (*at == '"') add(&to, "\"\"", 2), at++;
        else if (*at == '\t' || *at == '\r' || *at == '\n' || (*at >= 0xa0 && utf8_length(at) == 0))
            add(&to, (const char *)at, 1), at++; /* the last: a letter of another encoding */
        else at += add_letter(&to, at);
    }
    if (quoted) add(&to, "\"", 1);
    return to.length;
}

size_t gpr_text_json(char *out, size_t size, const char *text) {
    speller to = speller_for(out, size);
    const unsigned char *at = (const unsigned char *)(text ? text : "");
    const bool whole = gpri_is_utf8((const char *)at);
    add(&to, "\"", 1);
    while (*at) {
        const int length = whole || *at < 0x80 ? utf8_length(at) : 1;
        const unsigned code = whole || *at < 0x80 ? code_of(at, length) : '?';
        if (code == '"' || code == '\\') add(&to, code == '"' ? "\\\"" : "\\\\", 2);
        else if (is_control(code) || is_mark(code)) add_code(&to, "\\u", code);
        else if (code == '?') add(&to, "?", 1);
        else add(&to, (const char *)at, (size_t)length);
        at += length;
    }
    add(&to, "\"", 1);
    return to.length;
}
