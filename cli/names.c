/* Prints names of any origin: in columns of the terminal, in CSV and in JSON. */
#include "names.h"

#include <stdlib.h>
#include <string.h>

#include "gprgnn.h"

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

/* Not the second or a later byte of a UTF-8 sequence. */
static bool begins_letter(char byte) { return ((unsigned char)byte & 0xc0) != 0x80; }

/* Names wider than tables are cut: so what does not fit here does not matter. */
enum { MOST_BYTES = 1024 };

static int letters(const char *shown) {
    int width = 0;
    for (; *shown; shown++) width += begins_letter(*shown);
    return width;
}

/* Every letter counts as one column. */
int name_width(const char *name) {
    char shown[MOST_BYTES];
    gpr_text_printable(shown, sizeof shown, name);
    return letters(shown);
}

void print_name(FILE *out, const char *name, int width, bool utf8) {
    char shown[MOST_BYTES];
    gpr_text_printable(shown, sizeof shown, name);
    const int room = abs(width), size = letters(shown);
    int at = 0;
    if (width > 0) fprintf(out, "%*s", size < room ? room - size : 0, "");
    for (const char *from = shown; *from; from++) {
        if (begins_letter(*from) && size > room && ++at == room) break;
        const unsigned char byte = (unsigned char)*from;
        if (byte >= 0xc0 && !utf8) fputc('?', out);
        else if (byte < 0x80 || utf8) fputc(byte, out);
    }
    if (size > room) fputs(utf8 ? "…" : "~", out);
    if (width < 0) fprintf(out, "%*s", size < room ? room - size : 0, "");
}
