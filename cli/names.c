/* Prints names of any origin: in columns of the terminal, in CSV and in JSON. */
#include "names.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "gprgnn.h"
#include "terminal.h"

/* Prints the text as one of the library's functions spells it. */
static void put_spelled(FILE *out, size_t (*spell)(char *, size_t, const char *), const char *text) {
    char small[256];
    const size_t size = spell(small, sizeof small, text) + 1;
    char *large = size > sizeof small ? malloc(size) : NULL;
    if (large) spell(large, size, text);
    fputs(large ? large : small, out); /* without memory: what fits */
    free(large);
}

void put_text(FILE *out, const char *text) { put_spelled(out, gpr_text_printable, text); }
void put_csv_name(FILE *out, const char *name) { put_spelled(out, gpr_text_csv, name); }
void put_json_text(FILE *out, const char *text) { put_spelled(out, gpr_text_json, text); }

/* ---- columns of the terminal ---- */

/* Names wider than tables are cut: so what does not fit here does not matter. */
enum { MOST_BYTES = 1024 };

/* Not the second or a later byte of a UTF-8 sequence. */
static bool begins_letter(char byte) { return ((unsigned char)byte & 0xc0) != 0x80; }

/* Bytes of the letter at `at`, which is not the end, and its columns: 2 for Chinese and the like, 0 for a mark that
   combines with the letter before it. A terminal without UTF-8 gets '?' for a letter outside ASCII. */
static int letter_size(const char *at, int *columns, bool utf8) {
    int bytes = 1;
    while (at[bytes] && !begins_letter(at[bytes])) bytes++;
    wchar_t letter;
    mbstate_t state = {0};
    *columns = 1;
    if (bytes > 1 && utf8 && mbrtowc(&letter, at, (size_t)bytes, &state) == (size_t)bytes) {
        const int width = wcwidth(letter); /* by the locale, whose tables grow with Unicode */
        if (width >= 0) *columns = width;
    }
    return bytes;
}

static int columns_of(const char *shown, bool utf8) {
    int sum = 0, columns;
    for (; *shown; sum += columns) shown += letter_size(shown, &columns, utf8);
    return sum;
}

int name_width(const char *name) {
    char shown[MOST_BYTES];
    gpr_text_printable(shown, sizeof shown, name);
    return columns_of(shown, terminal_is_utf8());
}

void print_name(FILE *out, const char *name, int width, bool utf8) {
    char shown[MOST_BYTES];
    gpr_text_printable(shown, sizeof shown, name);
    const int room = abs(width), whole = columns_of(shown, utf8), most = whole > room ? room - 1 : room;
    const char *end = shown;
    int used = 0, columns;
    while (*end) { /* a wide letter may leave one column of the room free */
        const int bytes = letter_size(end, &columns, utf8);
        if (used + columns > most) break;
        used += columns;
        end += bytes;
    }
    if (whole > room) used++;
    if (width > 0) fprintf(out, "%*s", room - used, "");
    for (const char *from = shown; from < end; from++)
        if (utf8 || (unsigned char)*from < 0x80) fputc(*from, out);
        else if (begins_letter(*from)) fputc('?', out);
    if (whole > room) fputs(utf8 ? "…" : "~", out);
    if (width < 0) fprintf(out, "%*s", room - used, "");
}

void put_paragraph(FILE *out, const char *text, int indent, int width) {
    char word[MOST_BYTES];
    int at = indent;
    while (*text) {
        const int blanks = (int)strspn(text, " "), size = (int)strcspn(text + blanks, " ");
        snprintf(word, sizeof word, "%.*s", size, text + blanks);
        const int columns = name_width(word);
        if (at > indent && at + blanks + columns > width) at = fprintf(out, "\n%*s", indent, "") - 1;
        else at += fprintf(out, "%*s", blanks, "");
        put_text(out, word);
        at += columns;
        text += blanks + size;
    }
    fputc('\n', out);
}
