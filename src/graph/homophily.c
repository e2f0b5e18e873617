/* How similar neighbours are: these measures tell whether a low-pass or a high-pass filter is suitable.
 *
 * All count ends of edges (arcs) of the simple graph whose two nodes are labelled. With m_ij the ends at nodes of class
 * i that lead to class j, D_i = sum_j m_ij, T = sum_i D_i (twice the edges), n_i of n labelled nodes in class i, C
 * classes:
 *
 *   edge homophily        h = sum_i m_ii / T
 *   class-insensitive     1 / (C - 1) sum_i max(0, m_ii / D_i - n_i / n)       (Lim et al., NeurIPS 2021)
 *   adjusted              (h - sum_i (D_i / T)^2) / (1 - sum_i (D_i / T)^2)    (Platonov et al., NeurIPS 2023)
 *   label informativeness 2 - H(m_ij / T) / H(D_i / T), H the entropy          (the same; its edge version)
 *
 * Time proportional to nodes + edges + classes: of many classes the matrix m is never stored. */
#include <math.h>
#include <string.h>

#include "graph/graph.h"

/* Labelled neighbours of the labelled node i, and how many of them are of its class. */
static int64_t labelled_neighbours(const gpri_graph *graph, const int32_t *labels, int64_t i, int64_t *same) {
    int64_t labelled = 0;
    *same = 0;
    for (int64_t k = graph->rowptr[i]; k < graph->rowptr[i + 1]; k++) {
        int32_t label = labels[graph->column[k]];
        labelled += label >= 0;
        *same += label == labels[i];
    }
    return labelled;
}

void gpri_alike_add(gpri_alike *sum, const gpri_graph *graph, const int32_t *labels, gpri_range rows) {
    for (int64_t i = rows.first; i < rows.end; i++) {
        if (labels[i] < 0) continue;
        int64_t same, labelled = labelled_neighbours(graph, labels, i, &same);
        if (labelled == 0) continue;
        sum->shares += (double)same / (double)labelled;
        sum->nodes++;
        sum->same += same;
        sum->ends += labelled;
    }
}

/* H(G) of the paper: the mean over nodes of the share of neighbours of the node's class. Nodes without neighbours are
   left out, as in the paper's figures. */
double gpri_alike_nodes(const gpri_alike *alike) {
    return alike->nodes > 0 ? alike->shares / (double)alike->nodes : NAN;
}

/* The share of edges within a class: each edge counts twice in both. */
double gpri_alike_edges(const gpri_alike *alike) {
    return alike->ends > 0 ? (double)alike->same / (double)alike->ends : NAN;
}

void gpri_homophily_kinds(uint8_t *kinds, const gpri_graph *graph, const int32_t *labels, gpri_range rows) {
    const int64_t fifths = GPRI_HOMOPHILY_BINS - 1;
    for (int64_t i = rows.first; i < rows.end; i++) {
        int64_t same, labelled = labels[i] < 0 ? 0 : labelled_neighbours(graph, labels, i, &same);
        const int64_t fifth = labelled ? same * fifths / labelled : fifths;
        kinds[i] = (uint8_t)(labelled && fifth == fifths ? fifths - 1 : fifth);
    }
}

void gpri_class_sizes(int64_t *sizes, const int32_t *labels, int64_t nodes, int64_t classes) {
    memset(sizes, 0, (size_t)classes * sizeof *sizes);
    for (int64_t i = 0; i < nodes; i++)
        if (labels[i] >= 0) sizes[labels[i]]++;
}

void gpri_class_edges(int64_t *matrix, const gpri_graph *graph, const int32_t *labels, int64_t classes) {
    memset(matrix, 0, (size_t)(classes * classes) * sizeof *matrix);
    gpri_class_edges_add(matrix, graph, labels, classes, (gpri_range){0, graph->nodes});
}

void gpri_class_edges_add(int64_t *matrix, const gpri_graph *graph, const int32_t *labels, int64_t classes,
                          gpri_range rows) {
    for (int64_t i = rows.first; i < rows.end; i++) {
        if (labels[i] < 0) continue;
        int64_t *row = matrix + labels[i] * classes;
        for (int64_t k = graph->rowptr[i]; k < graph->rowptr[i + 1]; k++) {
            int32_t label = labels[graph->column[k]];
            if (label >= 0) row[label]++;
        }
    }
}

/* ---- Measures of the matrix m -------------------------------------------------------------------------------------
 */

static double m_log_m(int64_t m) { return m > 0 ? (double)m * log((double)m) : 0; }

/* The labelled nodes, class after class: those of class c are order[start[c]] .. order[start[c + 1] - 1]. */
typedef struct grouping {
    int64_t *start; /* (classes + 2): one more, to fill it in place */
    int32_t *order; /* (nodes) */
} grouping;

static gpr_status group_by_class(gpr_ctx *ctx, grouping *out, const int32_t *labels, int64_t nodes, int64_t classes) {
    NEED(gpri_calloc(ctx, &out->start, classes + 2, sizeof *out->start, "classes"));
    NEED(gpri_alloc(ctx, &out->order, nodes, sizeof *out->order, "classes"));
    gpri_class_sizes(out->start + 2, labels, nodes, classes);
    for (int64_t c = 0; c < classes; c++) out->start[c + 2] += out->start[c + 1];
    for (int64_t i = 0; i < nodes; i++)
        if (labels[i] >= 0) out->order[out->start[labels[i] + 1]++] = (int32_t)i;
    return GPR_OK;
}

/* What the measures need of m. */
typedef struct tally {
    int64_t labelled, present; /* nodes with a label; classes that have any */
    int64_t linked;            /* classes that have ends of edges */
    int64_t ends, within;      /* T and sum_i m_ii */
    double pairs;              /* sum_ij m_ij log m_ij */
    double marginal, squares;  /* sum_i D_i log D_i, sum_i D_i^2 */
    double excess;             /* sum_i max(0, m_ii / D_i - n_i / n) */
} tally;

/* Of one class of `members` nodes: all ends of edges, and those within it. */
static void add_ends(tally *sum, int64_t members, int64_t ends, int64_t within) {
    sum->present += members > 0;
    if (ends == 0) return;
    sum->linked++;
    sum->ends += ends;
    sum->within += within;
    sum->marginal += m_log_m(ends);
    sum->squares += (double)ends * (double)ends;
    sum->excess += fmax(0, (double)within / (double)ends - (double)members / (double)sum->labelled);
}

/* Adds row c of m. row: (classes) zero before and after. */
static void add_class(tally *sum, int64_t c, const grouping *group, const gpri_graph *graph, const int32_t *labels,
                      int64_t *row) {
    const int64_t begin = group->start[c], stop = group->start[c + 1];
    int64_t ends = 0, within = 0;
    for (int64_t member = begin; member < stop; member++) {
        const int32_t i = group->order[member];
        for (int64_t k = graph->rowptr[i]; k < graph->rowptr[i + 1]; k++) {
            int32_t label = labels[graph->column[k]];
            if (label < 0) continue;
            row[label]++;
            ends++;
            within += label == c;
        }
    }
    for (int64_t member = begin; member < stop; member++) { /* reads and clears only the entries that were used */
        const int32_t i = group->order[member];
        for (int64_t k = graph->rowptr[i]; k < graph->rowptr[i + 1]; k++) {
            int32_t label = labels[graph->column[k]];
            if (label < 0 || row[label] == 0) continue;
            sum->pairs += m_log_m(row[label]);
            row[label] = 0;
        }
    }
    add_ends(sum, stop - begin, ends, within);
}

/* With H(x / T) = log T - sum x log x / T. With a single class there is nothing to tell apart. */
static gpri_mixing mixing_of(const tally *sum) {
    gpri_mixing mixing = {NAN, NAN, NAN};
    const double T = (double)sum->ends;
    if (sum->ends > 0 && sum->present > 1) mixing.class_homophily = sum->excess / (double)(sum->present - 1);
    if (sum->linked < 2) return mixing;
    const double chance = sum->squares / (T * T);
    mixing.adjusted_homophily = ((double)sum->within / T - chance) / (1 - chance);
    const double pair_entropy = log(T) - sum->pairs / T, entropy = log(T) - sum->marginal / T;
    mixing.label_informativeness = fmin(1, fmax(0, 2 - pair_entropy / entropy)); /* without rounding it is in [0, 1] */
    return mixing;
}

gpri_mixing gpri_mixing_of_edges(const int64_t *matrix, const int64_t *sizes, int64_t classes) {
    tally sum = {0};
    for (int64_t c = 0; c < classes; c++) sum.labelled += sizes[c];
    for (int64_t c = 0; c < classes; c++) {
        int64_t ends = 0;
        for (int64_t k = 0; k < classes; k++) {
            ends += matrix[c * classes + k];
            sum.pairs += m_log_m(matrix[c * classes + k]);
        }
        add_ends(&sum, sizes[c], ends, matrix[c * classes + c]);
    }
    return mixing_of(&sum);
}

static gpr_status mixing_by_matrix(gpr_ctx *ctx, gpri_mixing *out, const gpri_graph *graph, const int32_t *labels,
                                   int64_t classes) {
    gpr_status status = GPR_OK;
    int64_t *matrix = NULL, *sizes = NULL;
    TRY(gpri_alloc(ctx, &matrix, classes * classes, sizeof *matrix, "classes"));
    TRY(gpri_alloc(ctx, &sizes, classes, sizeof *sizes, "classes"));
    gpri_class_edges(matrix, graph, labels, classes);
    gpri_class_sizes(sizes, labels, graph->nodes, classes);
    *out = gpri_mixing_of_edges(matrix, sizes, classes);
done:
    gpri_free_all(ctx, matrix, sizes);
    return status;
}

gpr_status gpri_class_mixing(gpr_ctx *ctx, gpri_mixing *out, const gpri_graph *graph, const int32_t *labels,
                             int64_t classes) {
    gpr_status status = GPR_OK;
    grouping group = {NULL, NULL};
    int64_t *row = NULL; /* (classes) */
    tally sum = {0};
    if (classes <= GPRI_MATRIX_CLASSES) return mixing_by_matrix(ctx, out, graph, labels, classes);
    TRY(group_by_class(ctx, &group, labels, graph->nodes, classes));
    TRY(gpri_calloc(ctx, &row, classes, sizeof *row, "classes"));
    sum.labelled = group.start[classes];
    for (int64_t c = 0; c < classes; c++) add_class(&sum, c, &group, graph, labels, row);
    *out = mixing_of(&sum);
done:
    gpri_free_all(ctx, group.start, group.order, row);
    return status;
}
