/* Texts from outside, spelled for SVG and HTML. */
#include "report/page/figure.h"

void gpri_markup_text(gpri_text *out, const char *text, int most) {
    int count = 0;
    const char *plain = text; /* from here to `at` the text stays as it is */
    const char *at = text;
    for (; *at; at++) {
        const unsigned char c = (unsigned char)*at;
        if ((c & 0xc0) != 0x80 && most > 0 && ++count > most) break;
        const char *entity = c == '&'                ? "&amp;"
                             : c == '<'              ? "&lt;"
                             : c == '>'              ? "&gt;"
                             : c == '"'              ? "&quot;"
                             : c == '\''             ? "&#39;"
                             : c < 0x20 || c == 0x7f ? " "
                                                     : NULL;
        if (!entity) continue;
        gpri_text_add(out, "%.*s%s", (int)(at - plain), plain, entity);
        plain = at + 1;
    }
    gpri_text_add(out, "%.*s%s", (int)(at - plain), plain, *at ? "…" : "");
}
