/* The numbers of a .gpr file, section by section: everything that gpr_dataset promises about them. Later code does not
 * check again.
 *
 * To see that a graph is undirected, a hash of every arc is summed: over arcs to a higher node, and over arcs to a
 * lower one. Equal sets have equal sums, in any order; different sets have equal sums with probability 2^-64. A
 * relation is a graph like the whole. */
#include "io/mapped/check_arrays.h"

#include <math.h>
#include <string.h>

/* ---- Row pointers and starts: from 0 to the end, never decreasing ------------------------------ */

static int64_t check_steps(const int64_t *start, int64_t first, int64_t end, int64_t count, int64_t total,
                           int64_t least_step, int64_t *empty) {
    for (int64_t i = first; i < end; i++) {
        if (start[i] < 0 || start[i] > total) return i;
        if (i == 0) {
            if (start[i] != 0) return i;
            continue;
        }
        if (start[i - 1] < 0 || start[i] - start[i - 1] < least_step) return i;
        if (i == count && start[i] != total) return i;
        *empty += start[i] == start[i - 1];
    }
    return -1;
}

static int64_t check_rowptr(const gpri_mapped_owner *of, gpri_mapped_kind kind, int64_t first, int64_t end,
                            gpri_mapped_sums *sum) {
    const gpri_graph *graph = of->graph;
    const gpri_feature_matrix *matrix = &of->data->features;
    if (kind == GPRI_ROWPTR) return check_steps(graph->rowptr, first, end, graph->nodes, graph->arcs, 0, &sum->counted);
    return check_steps(matrix->rowptr, first, end, matrix->rows, matrix->nnz, 0, &sum->counted);
}

/* The names whose starts or bytes the section has: the bytes come after the starts. */
static const gpri_names *names_of(const gpr_dataset *data, gpri_mapped_kind kind) {
    return kind <= GPRI_CLASS_NAMES ? &data->target.names
           : kind <= GPRI_NODE_IDS  ? &data->node_ids
                                    : &data->feature_names;
}

/* Every text has at least a NUL. */
static int64_t check_starts(const gpri_mapped_owner *of, gpri_mapped_kind kind, int64_t first, int64_t end,
                            gpri_mapped_sums *sum) {
    const gpri_mapped *file = of->data->backing.file;
    const gpri_names *names = names_of(of->data, kind);
    const int64_t total = file->header.section[file->slots[kind + 1]].bytes;
    return check_steps(names->start, first, end, names->count, total, 1, &sum->counted);
}

/* ---- The rest ------------------------------------------------------------------------------------- */

/* The row i that has start[i] <= place < start[i + 1]; start must ascend, and place < start[rows]. */
static int64_t row_of(const int64_t *start, int64_t rows, int64_t place) {
    int64_t low = 0, high = rows; /* start[low] <= place < start[high] */
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (start[middle] <= place) low = middle;
        else high = middle;
    }
    return low;
}

/* Which arcs there are between the lower and the higher node of an edge, seen from the higher one if `down`. */
static inline uint64_t turned(uint64_t side, uint64_t down) {
    return down ? (side & GPRI_ALONG) << 1 | (side & GPRI_AGAINST) >> 1 : side & (GPRI_ALONG | GPRI_AGAINST);
}

/* Equal for the two arcs of an edge, if they have the same weight and say the same of its directions. */
static inline uint64_t hash_arc(uint64_t low, uint64_t high, const float *weight, uint64_t side) {
    uint32_t bits = 0;
    if (weight) memcpy(&bits, weight, sizeof bits);
    uint64_t x = (low << 32 | high) ^ (bits + (side << 32)) * (uint64_t)0x9e3779b97f4a7c15u;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

/* Arcs k .. stop - 1 of one row; false if one of them is wrong. No branch per arc. */
static inline bool check_row(const gpri_graph *graph, int64_t row, int64_t k, int64_t stop, uint64_t *total) {
    int64_t before = k > graph->rowptr[row] ? graph->column[k - 1] : -1;
    bool right = true;
    uint64_t sum = 0;
    for (; k < stop; k++) {
        const int64_t column = graph->column[k];
        const uint64_t down = column < row; /* counted negative */
        const uint64_t low = (uint64_t)(down ? column : row), high = (uint64_t)(down ? row : column);
        const uint64_t side = graph->sides ? turned(graph->sides[k], down) : 0;
        const uint64_t hash = hash_arc(low, high, graph->weight ? &graph->weight[k] : NULL, side);
        sum += (hash ^ (0 - down)) + down;
        right = right & (column > before) & (column != row);
        before = column;
    }
    *total += sum;
    return right & (before < graph->nodes); /* the last is the largest */
}

static int64_t check_column(const gpri_mapped_owner *of, GPRI_UNUSED gpri_mapped_kind kind, int64_t first, int64_t end,
                            gpri_mapped_sums *sum) {
    const gpri_graph *graph = of->graph;
    uint64_t total = 0, none = 0;
    for (int64_t k = first, row = row_of(graph->rowptr, graph->nodes, first); k < end; row++) {
        const int64_t stop = graph->rowptr[row + 1] < end ? graph->rowptr[row + 1] : end;
        if (!check_row(graph, row, k, stop, &total)) {
            while (check_row(graph, row, k, k + 1, &none)) k++; /* which one? */
            return k;
        }
        k = stop;
    }
    sum->arcs += total;
    return -1;
}

/* Directions: each arc has at least one. */
static int64_t check_sides(const gpri_mapped_owner *of, GPRI_UNUSED gpri_mapped_kind kind, int64_t first, int64_t end,
                           gpri_mapped_sums *sum) {
    const uint8_t *sides = of->graph->sides;
    for (int64_t k = first; k < end; k++) {
        if (sides[k] < GPRI_ALONG || sides[k] > (GPRI_ALONG | GPRI_AGAINST)) return k;
        sum->counted += sides[k] == (GPRI_ALONG | GPRI_AGAINST);
    }
    return -1;
}

/* Weights along: above 0 where there is an arc along, else 0. */
static int64_t check_along(const gpri_mapped_owner *of, GPRI_UNUSED gpri_mapped_kind kind, int64_t first, int64_t end,
                           GPRI_UNUSED gpri_mapped_sums *sum) {
    const float *along = of->graph->along;
    for (int64_t k = first; k < end; k++)
        if (!isfinite(along[k]) || along[k] < 0 || (along[k] > 0) != ((of->graph->sides[k] & GPRI_ALONG) != 0))
            return k;
    return -1;
}

/* Weights, dense features and stored values: all are finite, weights above 0, and stored values not 0. */
static int64_t check_numbers(const gpri_mapped_owner *of, gpri_mapped_kind kind, int64_t first, int64_t end,
                             gpri_mapped_sums *sum) {
    const float *numbers =
        kind == GPRI_WEIGHT ? of->graph->weight : gpri_mapped_section_of(of->data->backing.file, kind);
    for (int64_t k = first; k < end; k++) {
        if (!isfinite(numbers[k]) || (kind == GPRI_WEIGHT && numbers[k] <= 0)) return k;
        if (kind == GPRI_FEATURE_VALUE && numbers[k] == 0) return k;
        sum->counted += numbers[k] != 0;
    }
    return -1;
}

static int64_t check_feature_column(const gpri_mapped_owner *of, GPRI_UNUSED gpri_mapped_kind kind, int64_t first,
                                    int64_t end, GPRI_UNUSED gpri_mapped_sums *sum) {
    const gpri_feature_matrix *matrix = &of->data->features;
    for (int64_t k = first, row = row_of(matrix->rowptr, matrix->rows, first); k < end; row++) {
        const int64_t begin = matrix->rowptr[row], stop = matrix->rowptr[row + 1] < end ? matrix->rowptr[row + 1] : end;
        int64_t before = k > begin ? matrix->column[k - 1] : -1;
        for (; k < stop; k++) {
            if (matrix->column[k] <= before || matrix->column[k] >= matrix->cols) return k;
            before = matrix->column[k];
        }
    }
    return -1;
}

/* Labels, and the order of the nodes. */
static int64_t check_whole(const gpri_mapped_owner *of, gpri_mapped_kind kind, int64_t first, int64_t end,
                           GPRI_UNUSED gpri_mapped_sums *sum) {
    const gpr_dataset *data = of->data;
    const int32_t *numbers = gpri_mapped_section_of(data->backing.file, kind);
    const int64_t least = kind == GPRI_LABELS ? -1 : 0,
                  most = kind == GPRI_LABELS ? data->target.classes : data->graph.nodes;
    for (int64_t i = first; i < end; i++)
        if (numbers[i] < least || numbers[i] >= most) return i;
    return -1;
}

/* Numbers to tell: known where the label is 0. The labels lie before them, and may not be checked yet. */
static int64_t check_targets(const gpri_mapped_owner *of, GPRI_UNUSED gpri_mapped_kind kind, int64_t first, int64_t end,
                             GPRI_UNUSED gpri_mapped_sums *sum) {
    const gpri_target *target = &of->data->target;
    for (int64_t i = first; i < end; i++)
        if (target->labels[i] == 0 ? !isfinite(target->numbers[i]) : !isnan(target->numbers[i])) return i;
    return -1;
}

/* A NUL ends every text, and is nowhere else. Names of classes and features go to model files: they are UTF-8. */
static int64_t check_names(const gpri_mapped_owner *of, gpri_mapped_kind kind, int64_t first, int64_t end,
                           GPRI_UNUSED gpri_mapped_sums *sum) {
    const gpri_names *names = names_of(of->data, kind);
    const bool utf8 = kind != GPRI_NODE_IDS;
    for (int64_t k = first, name = row_of(names->start, names->count, first); k < end; name++) {
        const int64_t last = names->start[name + 1] - 1, stop = last < end ? last : end;
        const char *nul = memchr(names->bytes + k, 0, (size_t)(stop - k));
        if (nul) return nul - names->bytes;
        if (last < end && names->bytes[last]) return last;
        if (last < end && utf8 && !gpri_is_utf8(gpri_name(names, name))) return k;
        k = last + 1;
    }
    return -1;
}

/* ---- Sections ------------------------------------------------------------------------------------- */

const gpri_mapped_rule gpri_mapped_rules[GPRI_MAPPED_KINDS] = {
    [GPRI_ROWPTR] = {check_rowptr, true, "they must go from 0 to the number of arcs and never decrease"},
    [GPRI_COLUMN] = {check_column, false, "in a row they must ascend, be nodes, and not be the row itself"},
    [GPRI_WEIGHT] = {check_numbers, false, "weights must be positive and finite"},
    [GPRI_EDGE_SIDES] = {check_sides, false, "they must be 1, 2 or 3"},
    [GPRI_EDGE_ALONG] = {check_along, false, "weights must be above 0 where an arc goes along, else 0"},
    [GPRI_GRAPHS] = {NULL, false, ""},
    [GPRI_DENSE] = {check_numbers, false, "every feature must be a finite number"},
    [GPRI_FEATURE_ROWPTR] = {check_rowptr, true, "they must go from 0 to the number of values and never decrease"},
    [GPRI_FEATURE_COLUMN] = {check_feature_column, false, "in a row they must ascend, and be columns of the table"},
    [GPRI_FEATURE_VALUE] = {check_numbers, false, "stored values must be finite and not 0"},
    [GPRI_LABELS] = {check_whole, false, "labels must be classes, or -1 for none"},
    [GPRI_TARGETS] = {check_targets, false, "they must be finite where there is a label, and NaN elsewhere"},
    [GPRI_CLASS_STARTS] = {check_starts, true, "they must ascend from 0 to the end of the names"},
    [GPRI_CLASS_NAMES] = {check_names, false, "every name must be UTF-8 and a NUL"},
    [GPRI_NODE_STARTS] = {check_starts, true, "they must ascend from 0 to the end of the ids"},
    [GPRI_NODE_IDS] = {check_names, false, "a NUL must end every id, and be nowhere else"},
    [GPRI_FEATURE_STARTS] = {check_starts, true, "they must ascend from 0 to the end of the names"},
    [GPRI_FEATURE_NAMES] = {check_names, false, "every name must be UTF-8 and a NUL"},
    [GPRI_NODE_ORDER] = {check_whole, false, "they must be numbers of nodes"},
    [GPRI_NAME] = {NULL, false, ""}, /* its contents, and those of the list, are checked when the file is opened */
};
