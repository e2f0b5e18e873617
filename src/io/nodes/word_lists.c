/* Splitting cells into words, and the rule that tells lists from other text. */
#include "io/nodes/word_lists.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "io/text/dates.h"
#include "io/text/label_texts.h"

enum { FEW_TEXTS = 100, LEAST_OF_TEXT = 5, LEAST_OF_LIST = 3, MOST_BETWEEN_COMMAS = 3 };

/* ---- splitting ---- */

static const char marks[GPRI_LISTS] = {0, 0, '|', ';', ',', ' '};

static bool is_blank(char letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r'); }

static bool is_bracketed(const char *text, int64_t size) {
    static const char *const pairs[] = {"[]", "()", "{}"};
    for (int i = 0; i < 3 && size >= 2; i++)
        if (text[0] == pairs[i][0] && text[size - 1] == pairs[i][1])
            return i < 2 || !memchr(text, ':', (size_t)size); /* else it is a map */
    return false;
}

static gpr_status add_word(gpri_words *words, const char *text, int64_t size) {
    while (size > 0 && is_blank(*text)) text++, size--;
    while (size > 0 && is_blank(text[size - 1])) size--;
    if (size == 0) return GPR_OK;
    NEED(gpri_grow(words->ctx, &words->word, &words->capacity, words->count + 1, sizeof *words->word, "words"));
    words->word[words->count++] = (gpri_field){text, size};
    return GPR_OK;
}

/* Four hexadecimal digits; -1: they are not. */
static int read_code(const char *at, const char *end) {
    int code = 0;
    if (end - at < 4) return -1;
    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdef", *digit = at[i] ? strchr(digits, at[i] | 32) : NULL;
        if (!digit) return -1;
        code = 16 * code + (int)(digit - digits);
    }
    return code;
}

/* The letter behind a backslash at *at, which moves on, as JSON and Python write it. Returns the bytes. */
static int unescape(char *to, const char **at, const char *end) {
    const char *names = "ntrbf", *letters = "\n\t\r\b\f", *name = strchr(names, **at);
    if (**at == 'u') {
        const int first = read_code(*at + 1, end);
        if (first > 0) {
            uint32_t code = (uint32_t)first;
            *at += 5;
            if (first >= 0xD800 && first < 0xDC00 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u') {
                const int second = read_code(*at + 2, end);
                if (second >= 0xDC00 && second < 0xE000) {
                    code = 0x10000 + ((code - 0xD800) << 10) + ((uint32_t)second - 0xDC00);
                    *at += 6;
                }
            }
            return gpri_put_letter(to, code);
        }
    }
    *to = name ? letters[name - names] : **at;
    ++*at;
    return 1;
}

/* The end of a word without quotes: a comma, or a bracket that was opened before it. */
static const char *end_of_word(const char *at, const char *end) {
    for (int open = 0; at < end && *at != ','; at++)
        if (*at == '[' || *at == '{') open++;
        else if ((*at == ']' || *at == '}') && open-- == 0) break;
    return at;
}

/* What stands in quotes, and else what stands between commas; of lists in it and of objects all words. Quoted words are
   written over their own quotes. */
static gpr_status split_brackets(gpri_words *words, char *text, int64_t size) {
    const char *at = text + 1, *end = text + size - 1;
    while (at < end) {
        if (is_blank(*at) || strchr(",[]{}:", *at)) {
            at++;
            continue;
        }
        if (*at == '"' || *at == '\'') {
            const char quote = *at++;
            char *word = text + (at - text), *to = word;
            while (at < end && *at != quote) {
                if (*at == '\\' && at + 1 < end) at++, to += unescape(to, &at, end);
                else *to++ = *at++;
            }
            at++;
            NEED(add_word(words, word, to - word));
            continue;
        }
        const char *stop = end_of_word(at, end);
        NEED(add_word(words, at, stop - at));
        at = stop;
    }
    return GPR_OK;
}

/* A word of a sentence. */
static gpr_status add_plain(gpri_words *words, char *text, int64_t size) {
    const char *around = ".,;:!?\"()";
    while (size > 0 && strchr(around, *text)) text++, size--;
    while (size > 0 && strchr(around, text[size - 1])) size--;
    for (int64_t i = 0; i < size; i++)
        if (text[i] >= 'A' && text[i] <= 'Z') text[i] = (char)(text[i] + 32);
    return add_word(words, text, size);
}

gpr_status gpri_words_split(gpri_words *words, gpri_list_form form, const char *text, int64_t size) {
    NEED(gpri_grow(words->ctx, &words->bytes, &words->room, size + 1, 1, "words"));
    char *bytes = words->bytes;
    memcpy(bytes, text, (size_t)size);
    bytes[size] = 0;
    gpri_make_utf8(bytes);
    size = (int64_t)strlen(bytes);
    words->count = 0;
    if (form == GPRI_LIST_BRACKETS && is_bracketed(bytes, size)) return split_brackets(words, bytes, size);
    for (int64_t begin = 0, i = 0; i <= size; i++) {
        const bool ends = i == size || (form == GPRI_LIST_BLANKS ? is_blank(bytes[i]) : bytes[i] == marks[form]);
        if (!ends) continue;
        if (form == GPRI_LIST_BLANKS) NEED(add_plain(words, bytes + begin, i - begin));
        else NEED(add_word(words, bytes + begin, i - begin));
        begin = i + 1;
    }
    return GPR_OK;
}

void gpri_words_free(gpri_words *words) {
    gpri_free_all(words->ctx, words->word, words->bytes);
    *words = (gpri_words){.ctx = words->ctx};
}

/* ---- the rule ---- */

enum { COUNTED = 5 }; /* numbers of words, and all from there on */

/* Of a column's cells in one form. */
typedef struct census {
    int64_t cells, words, different;  /* words: in all cells */
    int64_t several, of[COUNTED + 1]; /* cells with several words; with that number of them */
} census;

static gpr_status take_census(gpr_ctx *ctx, census *out, gpri_list_form form, const gpri_ids *texts,
                              const int64_t *counts) {
    gpr_status status = GPR_OK;
    gpri_words words = {.ctx = ctx};
    gpri_ids seen = {.ctx = ctx};
    int64_t number;
    *out = (census){0};
    for (int64_t i = 0; i < gpri_ids_count(texts); i++) {
        const char *text = gpri_ids_text(texts, i);
        const int64_t size = (int64_t)strlen(text);
        if (gpri_is_missing(text, size)) continue;
        TRY(gpri_words_split(&words, form, text, size));
        for (int64_t w = 0; w < words.count; w++)
            TRY(gpri_ids_add(&seen, &number, words.word[w].text, words.word[w].size));
        out->cells += counts[i];
        out->words += counts[i] * words.count;
        out->several += words.count > 1 ? counts[i] : 0;
        out->of[words.count < COUNTED ? words.count : COUNTED] += counts[i];
    }
    out->different = gpri_ids_count(&seen);
done:
    gpri_words_free(&words);
    gpri_ids_free(&seen);
    return status;
}

/* The same number of words, below COUNTED, in nearly all cells that have several. */
static bool is_composite(const census *c) {
    for (int k = 2; k < COUNTED; k++)
        if (10 * c->of[k] >= 9 * c->several) return true;
    return false;
}

/* words: the census between blanks. */
static bool fits(gpri_list_form form, const census *c, const census *words, int64_t texts) {
    const bool rare = (double)c->words * (double)texts < 2 * (double)c->cells * (double)c->different;
    if (c->cells == 0 || rare) return false;
    if (form != GPRI_LIST_BLANKS && 10 * c->several < c->cells) return false;
    if (form == GPRI_LIST_COMMAS && (is_composite(c) || MOST_BETWEEN_COMMAS * c->words < words->words)) return false;
    if (form != GPRI_LIST_BLANKS) return true;
    return texts > FEW_TEXTS && !is_composite(c) &&
           (c->words >= LEAST_OF_TEXT * c->cells ||
            (c->words >= LEAST_OF_LIST * c->cells && 2 * c->different <= texts));
}

/* Nearly all cells are in brackets. *vectors: most begin with a number that is not whole, as vectors do. */
static gpr_status find_brackets(gpr_ctx *ctx, bool *out, bool *vectors, const gpri_ids *texts, const int64_t *counts) {
    gpr_status status = GPR_OK;
    gpri_words words = {.ctx = ctx};
    int64_t cells = 0, bracketed = 0, numbers = 0;
    double value;
    for (int64_t i = 0; i < gpri_ids_count(texts); i++) {
        const char *text = gpri_ids_text(texts, i);
        const int64_t size = (int64_t)strlen(text);
        if (gpri_is_missing(text, size)) continue;
        cells += counts[i];
        if (!is_bracketed(text, size)) continue;
        bracketed += counts[i];
        TRY(gpri_words_split(&words, GPRI_LIST_BRACKETS, text, size));
        const gpri_field first = words.count > 0 ? words.word[0] : (gpri_field){"", 0};
        if (gpri_span_real(first.text, first.size, &value) && value != floor(value)) numbers += counts[i];
    }
    *out = cells > 0 && 10 * bracketed >= 9 * cells;
    *vectors = 2 * numbers > bracketed;
done:
    gpri_words_free(&words);
    return status;
}

gpr_status gpri_find_list_form(gpr_ctx *ctx, gpri_list_form *out, const gpri_ids *texts, const int64_t *counts,
                               bool asked) {
    census words, c;
    *out = GPRI_LIST_BRACKETS;
    bool bracketed, vectors;
    NEED(find_brackets(ctx, &bracketed, &vectors, texts, counts));
    if (bracketed) {
        if (vectors && !asked) *out = GPRI_LIST_NONE;
        return GPR_OK;
    }
    NEED(take_census(ctx, &words, GPRI_LIST_BLANKS, texts, counts));
    for (int form = GPRI_LIST_BARS; form <= GPRI_LIST_BLANKS; form++) {
        *out = (gpri_list_form)form;
        if (form == GPRI_LIST_BLANKS) c = words;
        else NEED(take_census(ctx, &c, *out, texts, counts));
        if (fits(*out, &c, &words, gpri_ids_count(texts))) return GPR_OK;
        const bool sentences =
            form == GPRI_LIST_COMMAS && (MOST_BETWEEN_COMMAS * c.words < words.words || 2 * c.several < words.several);
        if (asked && form != GPRI_LIST_BLANKS && 10 * c.several >= c.cells && !sentences) return GPR_OK;
    }
    if (!asked) *out = GPRI_LIST_NONE;
    return GPR_OK;
}
