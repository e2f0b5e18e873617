/* Prints names in columns of the terminal and in CSV. */
#include "names.h"

#include <stdlib.h>
#include <string.h>

/* Not the second or a later byte of a UTF-8 sequence. */
static bool begins_letter(char byte) { return ((unsigned char)byte & 0xc0) != 0x80; }

/* Every letter counts as one column. */
int name_width(const char *name) {
    int width = 0;
    for (; *name; name++) width += begins_letter(*name);
    return width;
}

void print_name(FILE *out, const char *name, int width, bool utf8) {
    const int room = abs(width), size = name_width(name);
    int at = 0;
    if (width > 0) fprintf(out, "%*s", size < room ? room - size : 0, "");
    for (; *name; name++) {
        if (begins_letter(*name) && size > room && ++at == room) break;
        const unsigned char byte = (unsigned char)*name;
        if (byte < 0x20 || byte == 0x7f || (byte >= 0xc0 && !utf8)) fputc('?', out);
        else if (byte < 0x80 || utf8) fputc(byte, out);
    }
    if (size > room) fputs(utf8 ? "…" : "~", out);
    if (width < 0) fprintf(out, "%*s", size < room ? room - size : 0, "");
}

void put_csv_name(FILE *out, const char *before, const char *name) {
    if (!strpbrk(name, ",\"\r\n")) {
        fprintf(out, "%s%s", before, name);
        return;
    }
    fprintf(out, "\"%s", before);
    for (; *name; name++) {
        if (*name == '"') fputc('"', out);
        fputc(*name, out);
    }
    fputc('"', out);
}
