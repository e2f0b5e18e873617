/* Numbers with marks between thousands, with currencies, and in percent. */
#include "io/text/amounts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { LONGEST = 48 };

/* ---- units ---- */

/* Signs first, longer ones before their ends; then codes. The letters: euro, pound, yen, rupee, won, rouble, lira. */
static const char units[] = "% US$ A$ C$ R$ $ \xe2\x82\xac \xc2\xa3 \xc2\xa5 \xe2\x82\xb9 \xe2\x82\xa9 \xe2\x82\xbd "
                            "\xe2\x82\xba kr USD EUR GBP JPY "
                            "CNY CHF CAD AUD NZD SEK NOK DKK PLN CZK HUF INR BRL MXN KRW ZAR TRY RUB";

static gpri_field trimmed(gpri_field field) {
    while (field.size > 0 && *field.text == ' ') field.text++, field.size--;
    while (field.size > 0 && field.text[field.size - 1] == ' ') field.size--;
    return field;
}

/* Takes the unit off one end of the text; a size of 0: it has none. */
static gpri_field take_unit(gpri_field *field) {
    for (const char *unit = units; *unit; unit += strspn(unit, " ")) {
        const int64_t size = (int64_t)strcspn(unit, " "), rest = field->size - size;
        const gpri_field found = {unit, size};
        unit += size;
        if (rest <= 0) continue;
        const bool before = *found.text != '%' && memcmp(field->text, found.text, (size_t)size) == 0;
        if (!before && memcmp(field->text + rest, found.text, (size_t)size) != 0) continue;
        *field = trimmed((gpri_field){field->text + (before ? size : 0), rest});
        return found;
    }
    return (gpri_field){"", 0};
}

static bool is_sign(char letter) { return letter == '-' || letter == '+'; }

/* Sign, unit and digits: "-$5", "$-5", "5 EUR", "($5)". */
typedef struct amount {
    bool minus, enclosed;
    gpri_field unit;
    gpri_field digits;
} amount;

static amount take_apart(gpri_field field) {
    amount out = {.digits = trimmed(field)};
    bool is_signed = false;
    for (int end = 0; end < 2; end++) { /* the sign stands before the unit or behind it */
        const int64_t size = out.digits.size;
        if (size > 2 && *out.digits.text == '(' && out.digits.text[size - 1] == ')' && !is_signed) {
            is_signed = out.minus = out.enclosed = true;
            out.digits = trimmed((gpri_field){out.digits.text + 1, size - 2});
        } else if (out.digits.size > 0 && is_sign(*out.digits.text) && !is_signed) {
            is_signed = true;
            out.minus = *out.digits.text == '-';
            out.digits = trimmed((gpri_field){out.digits.text + 1, out.digits.size - 1});
        }
        if (end == 0) out.unit = take_unit(&out.digits);
    }
    return out;
}

/* ---- marks ---- */

static bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/* The bytes of a mark at this place; 0: it is none. *mark: ',', '.', ' ', or '\'' for all that is never anything else.
 */
static int mark_at(gpri_field digits, int64_t at, char *mark) {
    const char *text = digits.text + at;
    const int64_t left = digits.size - at;
    *mark = *text;
    if (*text == ',' || *text == '.' || *text == '\'' || *text == ' ') return 1;
    *mark = '\'';
    if (left > 2 && memcmp(text, "\xc2\xa0", 2) == 0) return 2; /* a blank without a break */
    if (left > 3 && (memcmp(text, "\xe2\x80\xaf", 3) == 0 || memcmp(text, "\xe2\x80\x89", 3) == 0))
        return 3; /* narrow */
    return left > 3 && memcmp(text, "\xe2\x80\x99", 3) == 0 ? 3 : 0;
}

/* Digits with marks, of which `thousands` (0: none) stands between groups of three, and `decimal` before the rest. */
static bool read_digits(gpri_field digits, char thousands, char decimal, double *out) {
    char text[LONGEST], mark;
    int64_t size = 0, group = 0, groups = 0;
    bool decimals = false;
    for (int64_t i = 0; i < digits.size;) {
        if (size == LONGEST) return false;
        const int bytes = mark_at(digits, i, &mark);
        if (is_digit(digits.text[i])) {
            text[size++] = digits.text[i++];
            group++;
            continue;
        }
        if (bytes == 0 || decimals) return false; /* no exponents beside such marks */
        if (mark == decimal) {
            if (groups > 0 && group != 3) return false;
            decimals = true;
            text[size++] = '.';
        } else if (mark != thousands || group == 0 || group > 3 || (groups > 0 && group != 3) ||
                   (groups == 0 && text[0] == '0'))
            return false;
        else groups++;
        group = 0;
        i += bytes;
    }
    if (groups > 0 && !decimals && group != 3) return false;
    return gpri_span_real(text, size, out);
}

bool gpri_styled_real(gpri_number_style style, gpri_field field, double *out) {
    const amount a = take_apart(field);
    if (a.unit.size > 0 && !gpri_field_is(a.unit, style.unit)) return false;
    if (!read_digits(a.digits, style.thousands, style.decimal, out)) {
        if (a.unit.size > 0 || style.decimal != '.' || !gpri_span_real(a.digits.text, a.digits.size, out)) return false;
        if (a.digits.size > 0 && is_sign(*a.digits.text)) return false;
    }
    if (a.minus) *out = -*out;
    return isfinite((float)*out);
}

/* ---- the style of a column ---- */

typedef struct evidence {
    int64_t between[128], before[128]; /* cells that show what the mark is: between thousands, before decimals */
    int64_t either[128];               /* 1,234 */
    int64_t three, more;               /* whole numbers without a mark: of three digits, of more */
} evidence;

/* 192.168.100.200: four numbers up to 255, as of a computer in a network. */
static bool is_address(gpri_field digits) {
    int groups = 0, value = 0;
    int64_t begin = 0;
    for (int64_t i = 0; i <= digits.size; i++) {
        if (i < digits.size && is_digit(digits.text[i])) {
            value = value > 255 ? value : 10 * value + digits.text[i] - '0';
            continue;
        }
        if (i < digits.size && digits.text[i] != '.') return false;
        if (i == begin || value > 255 || (i > begin + 1 && digits.text[begin] == '0')) return false;
        groups++;
        value = 0;
        begin = i + 1;
    }
    return groups == 4;
}

/* false: it is no number in any style. */
static bool look(evidence *e, gpri_field digits, int64_t count) {
    char mark, first = 0, last = 0;
    int64_t marks = 0, firsts = 0;
    double value;
    for (int64_t i = 0; i < digits.size;) {
        const int bytes = mark_at(digits, i, &mark);
        if (bytes == 0 && !is_digit(digits.text[i])) return false;
        i += bytes ? bytes : 1;
        if (bytes == 0) continue;
        if (marks++ == 0) first = mark;
        firsts += mark == first;
        last = mark;
    }
    if (is_address(digits)) return false;
    const bool usual = first == ',' || first == '.';
    if (marks == 0) {
        e->three += digits.size == 3 ? count : 0;
        e->more += digits.size > 3 ? count : 0;
    } else if (marks > 1 && read_digits(digits, first, firsts == marks ? 0 : last, &value)) {
        e->between[(int)first] += count;
        if (last != first) e->before[(int)last] += count;
    } else if (marks == 1 && read_digits(digits, first, 0, &value)) e->either[(int)first] += count;
    else if (marks == 1 && usual && read_digits(digits, 0, first, &value)) e->before[(int)first] += count;
    else return false;
    return digits.size > 0;
}

gpri_number_style gpri_find_style(const gpri_ids *texts, const int64_t *counts) {
    static const gpri_number_style plain = {0};
    evidence e = {0};
    gpri_number_style style = {.decimal = '.'};
    int64_t open = 0, enclosed = 0;
    for (int64_t i = 0; i < gpri_ids_count(texts); i++) {
        const char *text = gpri_ids_text(texts, i);
        const amount a = take_apart((gpri_field){text, (int64_t)strlen(text)});
        if (!look(&e, a.digits, counts[i])) continue;
        *(a.enclosed ? &enclosed : &open) += counts[i];
        if (a.unit.size == 0) continue;
        if (!*style.unit) snprintf(style.unit, sizeof style.unit, "%.*s", (int)a.unit.size, a.unit.text);
    }
    const bool money = *style.unit && *style.unit != '%', small = e.three > 0 && e.more == 0;
    const int64_t comma = e.between[','], point = e.between['.'];
    int64_t english = comma + e.before['.'], other = point + e.before[','];
    const int64_t apart = e.between['\''] + e.either['\''], blanks = e.between[' '] + e.either[' '];
    if (9 * english <= other) english = 0;
    else if (9 * other <= english) other = 0;
    if ((english > 0 && other > 0) || (apart > 0 && blanks > 0)) return plain;
    if (enclosed > open) return plain; /* (255,255,128): lists */
    if (other > 0) style.decimal = ',';
    if (english > 0 && (comma > 0 || e.either[','] > 0)) style.thousands = ',';
    else if (other > 0 && (point > 0 || e.either['.'] > 0)) style.thousands = '.';
    else if (english == 0 && other == 0 && (money || small) && !(e.either[','] > 0 && e.either['.'] > 0)) {
        if (e.either[','] > 0) style.thousands = ',';
        else if (e.either['.'] > 0 && money) style.thousands = '.', style.decimal = ',';
    } else if (english == 0 && other == 0 && e.either[','] > 0) style.decimal = ',';
    if (!style.thousands && apart > 0) style.thousands = '\'';
    if (!style.thousands && blanks > 0 && *style.unit) style.thousands = ' ';
    return gpri_is_plain(&style) ? plain : style;
}
