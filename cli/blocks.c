/* The filters of a model's blocks: for each block its relations and directions, and for each of these its hops. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "chart.h"
#include "filters.h"

enum { MOST_HOPS = 16, CELL = 9, LEAST_BAR = 8, MOST_BAR = 20 };

/* What the rows of a table share. */
typedef struct {
    FILE *out;
    double low, high; /* of the bars: of the middle gamma of all hops */
    int bar;          /* columns of the terminal; 0: no bars */
    int name;         /* those before the size */
    bool on_data, utf8;
} block_table;

static bool part_of(const gpr_inspection *found, int64_t index, gpr_inspected_filter *part) {
    gpr_inspection_info info = {.struct_size = sizeof info};
    *part = (gpr_inspected_filter){.struct_size = sizeof *part};
    return gpr_inspection_describe(found, &info) == GPR_OK && index < info.filters &&
           gpr_inspection_filter(found, index, part) == GPR_OK;
}

/* What all parts of a block give, added up: their shares are of this. */
static double whole_of(const gpr_inspection *found, int64_t block) {
    gpr_inspected_filter part;
    double sum = 0;
    for (int64_t i = 0; part_of(found, i, &part); i++)
        if (part.block == block && part.contribution) sum += part.part + part.contribution[0];
    return sum;
}

static void print_size(const block_table *t, double size, double whole) {
    fprintf(t->out, "%*.4g", CELL, size);
    if (t->on_data) fprintf(t->out, " %3.0f %%", whole > 0 ? 100 * size / whole : 0);
    fputc('\n', t->out);
}

/* The gamma of a hop, between which numbers the middle half of the columns lies, and how much it gives. */
static void print_hop(const block_table *t, const gpr_inspected_filter *part, int64_t k) {
    const double *quartile = part->quartiles + 3 * k;
    char name[32];
    snprintf(name, sizeof name, "hop %" PRId64, k);
    fprintf(t->out, "      %-8s%*.4f", name, CELL, quartile[1]);
    if (part->columns > 1) fprintf(t->out, "%*.4f to%*.4f", CELL, quartile[0], CELL, quartile[2]);
    fprintf(t->out, "%*.4g  ", CELL, t->on_data ? part->contribution[k] : part->weights[k]);
    if (t->bar > 0) print_bar(t->out, quartile[1], t->low, t->high, t->bar, t->utf8);
    fputc('\n', t->out);
}

static void print_part(const block_table *t, const gpr_inspected_filter *part, double whole) {
    char title[64];
    filter_title(title, sizeof title, part->relation, part->direction);
    if (t->on_data) fprintf(t->out, "    %-*s", t->name, title), print_size(t, part->part, whole);
    else fprintf(t->out, "    %s\n", title);
    for (int64_t k = 1; k <= part->hops && k <= MOST_HOPS; k++) print_hop(t, part, k);
    if (part->hops > MOST_HOPS)
        fprintf(t->out, "      and %" PRId64 " more hops: see the JSON\n", part->hops - MOST_HOPS);
    if (part->columns > 1 && part->hops > 1)
        fprintf(t->out, "      both signs: %.0f %% of the columns\n", 100 * part->mixed);
}

static void print_head(const block_table *t, const gpr_inspected_filter *part) {
    const bool powers = strcmp(part->basis, "monomial") == 0;
    fprintf(t->out, "blocks    each has weights gamma of its %s%s\n", powers ? "hops" : "polynomials of the basis ",
            powers ? "" : part->basis);
    if (part->columns > 1)
        fprintf(t->out, "          one for each of %" PRId64 " columns: here the middle one, and half of them\n",
                part->columns);
    fprintf(t->out, "          size: %s\n",
            t->on_data ? "of what a part adds to its block on this graph, and its share"
                       : "of the weights behind a part, times gamma: no graph was given");
    fprintf(t->out, "%*s%s%*s\n", 14 + CELL, "gamma", part->columns > 1 ? "   half of the columns" : "", CELL, "size");
}

void print_blocks(FILE *out, const gpr_inspection *found, int width, bool utf8) {
    block_table t = {.out = out, .utf8 = utf8};
    gpr_inspected_filter part;
    double whole = 0;
    for (int64_t i = 0; part_of(found, i, &part); i++)
        for (int64_t k = 1; k <= part.hops; k++) {
            t.low = fmin(t.low, part.quartiles[3 * k + 1]);
            t.high = fmax(t.high, part.quartiles[3 * k + 1]);
        }
    if (!part_of(found, 0, &part)) return;
    t.on_data = part.contribution != NULL;
    t.name = 10 + CELL * (part.columns > 1 ? 3 : 1) + (part.columns > 1 ? 3 : 0);
    t.bar = width - 16 - 5 * CELL;
    t.bar = t.bar < LEAST_BAR ? 0 : t.bar > MOST_BAR ? MOST_BAR : t.bar;
    print_head(&t, &part);
    for (int64_t i = 0, block = 0; part_of(found, i, &part); i++) {
        if (part.block != block) {
            block = part.block;
            whole = whole_of(found, block);
            fprintf(out, "  block %" PRId64 "\n    %-*s", block, t.name, "the node itself");
            print_size(&t, t.on_data ? part.contribution[0] : part.weights[0], whole);
        }
        print_part(&t, &part, whole);
    }
}
