/* The heat map of classes: for each class, the share of its edges that leads to each class. */
#include "heatmap.h"

#include <math.h>

#include "names.h"

/* Columns per class: for "██ 81 ", or for "██". */
typedef enum { NO_CELL = 0, SHADE_CELL = 2, NUMBER_CELL = 6 } cell_width;

enum { MOST_ROWS = 50, MOST_NAME = 20 };

/* Five shades. Most shares are small, so the steps are squares: 1/16, 1/4, 9/16. */
const char *share_shade(double share, bool utf8) {
    static const char *const blocks[] = {"  ", "░░", "▒▒", "▓▓", "██"};
    static const char *const letters[] = {"  ", "..", "::", "++", "##"};
    int level = (int)ceil(4 * sqrt(share));
    if (level > 4) level = 4;
    return utf8 ? blocks[level] : letters[level];
}

static void print_cells(FILE *out, const int64_t *row, int64_t classes, cell_width cell, bool utf8) {
    int64_t sum = 0;
    for (int64_t c = 0; c < classes; c++) sum += row[c];
    for (int64_t c = 0; c < classes; c++) {
        double share = sum > 0 ? (double)row[c] / (double)sum : 0;
        if (cell == NUMBER_CELL) fputc(' ', out);
        fputs(share_shade(share, utf8), out);
        if (cell == NUMBER_CELL && row[c] > 0) fprintf(out, "%3.0f", 100 * share);
        else if (cell == NUMBER_CELL) fputs("  -", out);
    }
}

/* indent: columns of a row before its cells. */
static void print_header(FILE *out, int64_t classes, int indent, cell_width cell, bool utf8) {
    fprintf(out, "  share of each class's edges that lead to each class, in percent:\n");
    if (cell == SHADE_CELL)
        fprintf(out, "  %s up to 6, %s up to 25, %s up to 56, %s above\n", share_shade(0.01, utf8),
                share_shade(0.1, utf8), share_shade(0.5, utf8), share_shade(1, utf8));
    fprintf(out, "%*s", indent, "");
    for (int64_t c = 0; c < classes; c++)
        fprintf(out, "%*lld", (int)cell, (long long)(cell == NUMBER_CELL ? c : c % 10));
    fputc('\n', out);
}

static int digits(int64_t value) {
    int count = 1;
    for (; value >= 10; value /= 10) count++;
    return count;
}

/* Columns for the names; 0: classes have no names. */
static int names_width(const gpr_dataset *data, int64_t classes) {
    int widest = 0;
    for (int64_t c = 0; c < classes && c < MOST_ROWS; c++) {
        const char *name = gpr_dataset_class_name(data, c);
        const int width = name ? name_width(name) : 0;
        if (width > widest) widest = width;
    }
    return widest < MOST_NAME ? widest : MOST_NAME;
}

void print_class_map(FILE *out, const gpr_dataset *data, const int64_t *sizes, const int64_t *edges, int64_t classes,
                     int width, bool utf8) {
    int64_t largest = 0;
    for (int64_t c = 0; c < classes; c++)
        if (sizes[c] > largest) largest = sizes[c];
    const int id_digits = digits(classes - 1), size_digits = digits(largest), names = names_width(data, classes);
    const int indent = 12 + id_digits + size_digits + (names ? names + 1 : 0); /* of "  class 0 name  351  " */
    const int64_t room = width > indent ? width - indent : 0;
    cell_width cell = NO_CELL;
    if (edges && classes <= room / SHADE_CELL) cell = SHADE_CELL;
    if (edges && classes <= room / NUMBER_CELL) cell = NUMBER_CELL;
    if (cell != NO_CELL && classes > 0) print_header(out, classes, indent, cell, utf8);
    for (int64_t c = 0; c < classes && c < MOST_ROWS; c++) {
        fprintf(out, "  class %-*lld", id_digits, (long long)c);
        if (names) fputc(' ', out);
        if (names) print_name(out, gpr_dataset_class_name(data, c), -names, utf8);
        fprintf(out, "  %*lld", size_digits, (long long)sizes[c]);
        if (cell != NO_CELL) fputs("  ", out);
        if (cell != NO_CELL) print_cells(out, edges + c * classes, classes, cell, utf8);
        fputc('\n', out);
    }
    if (classes > MOST_ROWS) fprintf(out, "  and %lld more classes: see the JSON\n", (long long)(classes - MOST_ROWS));
}
