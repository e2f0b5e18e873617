/* Mutations of text: lines, fields, numbers, quotes, ends of lines; plain or gzip. */
#ifndef FUZZ_TEXT_H
#define FUZZ_TEXT_H

#include "gzip.h"
#include "mutate.h"

/* Words that mean something in a format. */
typedef struct {
    const char *const *words;
    size_t count;
} dictionary;
#define DICTIONARY(...) \
    { (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *) }

/* A line without its newline, or a field. */
typedef struct {
    size_t at, end;
} span;

static inline size_t count_lines(const blob *b) {
    size_t count = b->size > 0 && b->bytes[b->size - 1] != '\n';
    for (size_t i = 0; i < b->size; i++) count += b->bytes[i] == '\n';
    return count;
}

static inline span any_line(const blob *b, chance *c) {
    size_t left = below(c, count_lines(b));
    span line = {0, 0};
    while (left > 0 && line.at < b->size) left -= b->bytes[line.at++] == '\n';
    for (line.end = line.at; line.end < b->size && b->bytes[line.end] != '\n';) line.end++;
    return line;
}

static inline bool is_delimiter(uint8_t byte) { return byte && strchr(",;\t :=", byte) != NULL; }

static inline span any_field(const blob *b, chance *c) {
    const span line = any_line(b, c);
    span field = {line.at, line.end};
    if (line.end > line.at) {
        const size_t middle = line.at + below(c, line.end - line.at);
        field.at = field.end = middle;
        while (field.at > line.at && !is_delimiter(b->bytes[field.at - 1])) field.at--;
        while (field.end < line.end && !is_delimiter(b->bytes[field.end])) field.end++;
    }
    return field;
}

/* The bytes of a span, to be put elsewhere. */
static inline blob cut_out(const blob *b, span s) { return blob_copy(b->bytes + s.at, s.end - s.at); }

static inline void put_span(blob *b, span s, const void *bytes, size_t size) {
    blob_replace(b, s.at, s.end - s.at, bytes, size);
}

/* A number as people write it, and as they should not. */
static inline void number_text(chance *c, char out[64]) {
    static const char *const odd[] = {
        "",     "-",   "+1",  "1.",    ".5",         "1e5",        "1e400",      "1e-400",
        "0x10", "1_0", "nan", "-inf",  "infinity",   "00",         "007",        "1,5",
        "1 2",  "-0",  "1e",  "\"3\"", "4294967296", "2147483647", "2147483646", "99999999999999999999"};
    switch (below(c, 4)) {
    case 0: snprintf(out, 64, "%s", odd[below(c, sizeof odd / sizeof *odd)]); break;
    case 1: snprintf(out, 64, "%.*g", (int)below(c, 18) + 1, draw_real(c)); break;
    case 2: snprintf(out, 64, "%lld", (long long)draw_integer(c)); break;
    default: snprintf(out, 64, "%d", (int)below(c, 10));
    }
}

static inline void change_field(blob *b, chance *c, const dictionary *words) {
    const span field = any_field(b, c);
    char number[64];
    if (words && words->count > 0 && one_in(c, 2)) {
        const char *word = words->words[below(c, words->count)];
        put_span(b, field, word, strlen(word));
    } else if (one_in(c, 2)) { /* that of another place */
        blob other = cut_out(b, any_field(b, c));
        put_span(b, field, other.bytes, other.size);
        blob_free(&other);
    } else {
        number_text(c, number);
        put_span(b, field, number, strlen(number));
    }
}

/* One more or one less than a number, or than half of a long one. */
static inline void step_number(blob *b, chance *c) {
    const span field = any_field(b, c);
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)(field.end - field.at < 60 ? field.end - field.at : 60),
             (const char *)b->bytes + field.at);
    snprintf(text, sizeof text, "%lld",
             strtoll(text, NULL, 10) / (field.end - field.at > 9 ? 2 : 1) + (one_in(c, 2) ? 1 : -1));
    put_span(b, field, text, strlen(text));
}

static inline void quote_field(blob *b, chance *c) {
    static const char *const inside[] = {"", "\"\"", ",", "\n", "\r\n", "\xc3\xa9", "#", " "};
    const span field = any_field(b, c);
    blob quoted = {0};
    blob_text(&quoted, "\"");
    blob_put(&quoted, b->bytes + field.at, field.end - field.at);
    blob_text(&quoted, inside[below(c, sizeof inside / sizeof *inside)]);
    if (!one_in(c, 8)) blob_text(&quoted, "\"");
    put_span(b, field, quoted.bytes, quoted.size);
    blob_free(&quoted);
}

/* Another field behind this one, with the delimiter that is there; or the field goes with its delimiter. */
static inline void repeat_field(blob *b, chance *c) {
    span field = any_field(b, c);
    if (field.end >= b->size || b->bytes[field.end] == '\n') {
        if (field.at == 0 || !is_delimiter(b->bytes[field.at - 1])) return;
        field.at--;
    } else {
        field.end++;
    }
    blob copy = cut_out(b, field);
    if (one_in(c, 2)) put_span(b, field, NULL, 0);
    else blob_replace(b, field.at, 0, copy.bytes, copy.size);
    blob_free(&copy);
}

static inline void move_line(blob *b, chance *c) {
    span line = any_line(b, c);
    if (line.end < b->size) line.end++;
    blob copy = cut_out(b, line);
    const size_t times = one_in(c, 2) ? 1 : below(c, 20);
    switch (below(c, 3)) {
    case 0: put_span(b, line, NULL, 0); break;
    case 1:
        for (size_t i = 0; i < times; i++) blob_replace(b, line.at, 0, copy.bytes, copy.size);
        break;
    default: put_span(b, line, NULL, 0); blob_replace(b, b->size ? any_line(b, c).at : 0, 0, copy.bytes, copy.size);
    }
    blob_free(&copy);
}

/* Every such byte of the text by another. */
static inline void replace_all(blob *b, uint8_t from, const char *to) {
    for (size_t i = 0; i < b->size && b->size < GZIP_MOST; i++)
        if (b->bytes[i] == from) {
            blob_replace(b, i, 1, to, strlen(to));
            i += strlen(to) - 1;
        }
}

static inline void change_form(blob *b, chance *c) {
    static const char *const delimiters[] = {",", ";", "\t", " ", " \t", ", "};
    static const char *const ends[] = {"\n", "\r\n", "\n\n", "\r", " \n"};
    static const char *const additions[] = {"\xef\xbb\xbf", "# comment\n", "% comment\n", "\n", " ",
                                            "\r\n",         "\xff\xfe"};
    const char *added = additions[below(c, sizeof additions / sizeof *additions)];
    switch (below(c, 4)) {
    case 0: replace_all(b, (uint8_t)delimiters[below(c, 4)][0], delimiters[below(c, 6)]); break;
    case 1: replace_all(b, '\n', ends[below(c, sizeof ends / sizeof *ends)]); break;
    case 2: blob_replace(b, one_in(c, 2) ? 0 : any_line(b, c).at, 0, added, strlen(added)); break;
    default:
        if (b->size > 0) b->size--;
    }
}

/* how: a dictionary, or NULL. */
static inline void mutate_text(blob *b, chance *c, const void *how) {
    blob unpacked;
    if (gzip_is(b) && gzip_unpack(&unpacked, b->bytes, b->size, GZIP_WRAPPED)) {
        blob_move(b, &unpacked);
        mutate_text(b, c, how);
        if (!one_in(c, 32)) gzip_close(b, c);
        return;
    }
    switch (below(c, 12)) {
    case 0:
    case 1: move_line(b, c); break;
    case 2: quote_field(b, c); break;
    case 3: repeat_field(b, c); break;
    case 4: step_number(b, c); break;
    case 5: change_form(b, c); break;
    case 6: mutate_bytes(b, c); break;
    case 7:
        if (one_in(c, 8)) gzip_close(b, c);
        break;
    default: change_field(b, c, how);
    }
}

/* The same where the first byte of the input is not of the text. */
static inline void mutate_skipping_one(blob *b, chance *c, const void *how) {
    const uint8_t first = b->size > 0 && !one_in(c, 8) ? b->bytes[0] : (uint8_t)draw(c);
    if (b->size > 0) blob_replace(b, 0, 1, NULL, 0);
    mutate_text(b, c, how);
    blob_replace(b, 0, 0, &first, 1);
}

#endif
