/* A graph as CSR, immutable once built.
 *
 * Every edge is stored in both directions, columns ascending within a row, no duplicates, no self loops: the
 * normalisation adds one loop per node. D^-1/2 factors out of A~ = D^-1/2 (A + I) D^-1/2 into row scalings,
 * so an edge is one 4-byte column index. So all that asks for neighbours sees an undirected graph. Which of the two
 * directions the input had is kept beside it (`sides`), for filters that go along or against the edges. */
#ifndef GPRI_GRAPH_H
#define GPRI_GRAPH_H

#include "base/context.h"
#include "base/thread.h"

/* Which arcs the input has of an edge between the nodes of a row and a column. */
enum { GPRI_ALONG = 1 /* row -> column */, GPRI_AGAINST = 2 /* column -> row */ };

struct gpri_relation;

typedef struct gpri_graph {
    int64_t nodes;
    int64_t arcs;                             /* stored entries: twice the undirected edges */
    int64_t *rowptr;                          /* (nodes + 1) */
    int32_t *column;                          /* (arcs) */
    float *weight;                            /* (arcs), or NULL: all 1 */
    int64_t self_loops, duplicates, isolated; /* found in the input; isolated: no neighbour but itself */
    int64_t mutual;                           /* edges that the input has in both directions; 0: none, or not known */
    bool moved;     /* nodes have other numbers than for the user: files that go by numbers do not fit */
    uint8_t *sides; /* (arcs) GPRI_ALONG, GPRI_AGAINST or both; NULL: both everywhere, or the input has no directions */
    float *along;   /* (arcs) with sides: the weight of the arc row -> column; 0: there is none. NULL: all 1 */
    int64_t relation_count;          /* kinds of edges that are united in this graph: 0, or 2 and more */
    struct gpri_relation *relations; /* (relation_count) each with its own edges and weights; then sides is NULL */
    const void *plan; /* of the device that has the arrays: how it goes over the rows. NULL: it has none */
} gpri_graph;

/* One kind of edges: a graph over the same nodes. */
typedef struct gpri_relation {
    char *name; /* unique among the relations */
    gpri_graph graph;
} gpri_relation;

/* A graph of one kind of edges is its own and only relation, without a name. */
static inline int64_t gpri_relation_count(const gpri_graph *graph) {
    return graph->relation_count > 0 ? graph->relation_count : 1;
}
static inline const gpri_graph *gpri_relation_graph(const gpri_graph *graph, int64_t relation) {
    return graph->relation_count > 0 ? &graph->relations[relation].graph : graph;
}
/* All graphs of a dataset, as files keep them one after the other: first the whole, then its relations. */
static inline int64_t gpri_graph_count(const gpri_graph *graph) { return 1 + graph->relation_count; }
static inline const gpri_graph *gpri_graph_at(const gpri_graph *graph, int64_t place) {
    return place == 0 ? graph : &graph->relations[place - 1].graph;
}
static inline const char *gpri_relation_name(const gpri_graph *graph, int64_t relation) {
    return graph->relation_count > 0 ? graph->relations[relation].name : "";
}

/* From edges in either or both directions; src, dst: (edges). weights: (edges) positive and finite, or NULL; merged
   duplicates (and the two directions of an edge) get the largest. An arc given in both directions is not a duplicate;
   the same ordered pair again is. The error names the first bad edge. Time and memory proportional to nodes + edges. On
   failure *graph is zeroed. */
gpr_status gpri_graph_build(gpr_ctx *ctx, gpri_graph *graph, int64_t nodes, int64_t edges, const int64_t *src,
                            const int64_t *dst, const float *weights) GPRI_MUST_CHECK;

/* The same, and keeps the directions: `sides` and `along`, unless the input has every edge in both directions with the
   same weight. */
gpr_status gpri_graph_build_directed(gpr_ctx *ctx, gpri_graph *graph, int64_t nodes, int64_t edges, const int64_t *src,
                                     const int64_t *dst, const float *weights) GPRI_MUST_CHECK;

/* Edges as a reader collects them. */
typedef struct gpri_edges {
    int64_t nodes, count;
    int32_t *src, *dst;       /* (count) */
    float *weights;           /* (count), or NULL */
    float *along;             /* (count) the weights within their own direction where these are others, or NULL */
    bool directed;            /* keep the directions */
    uint8_t *relation;        /* (count) the kind of each, a place in relations; NULL: all are of one */
    gpri_relation *relations; /* (relation_count) the names of the kinds. Their graphs are not there so far; without
                                 `relation`, and with count 0, they are */
    int64_t relation_count;
} gpri_edges;

/* The same from 32-bit ids, half the memory. The edges are freed as soon as they are no longer needed; *edges is always
   zeroed. */
gpr_status gpri_graph_take(gpr_ctx *ctx, gpri_graph *graph, gpri_edges *edges) GPRI_MUST_CHECK;
void gpri_edges_free(gpr_ctx *ctx, gpri_edges *edges);
/* Are all values 1? Such weights are not stored. values: (count); NULL with count 0 is all ones. */
bool gpri_all_ones(const float *values, int64_t count);

void gpri_graph_free(gpr_ctx *ctx, gpri_graph *graph);

/* Of an input with some edges in both directions: those in one only. Such an input is directed, and its directions are
   lost. 0: it has all in both, or each once, as undirected graphs are written. */
static inline int64_t gpri_graph_one_way(const gpri_graph *graph) {
    return graph->mutual > 0 ? graph->arcs / 2 - graph->mutual : 0;
}

static inline int64_t gpri_degree(const gpri_graph *graph, int64_t node) {
    return graph->rowptr[node + 1] - graph->rowptr[node];
}

/* Diagonal matrices of the degrees d of the nodes. A degree is the sum of the weights of the node's edges. */
typedef enum gpri_scale {
    GPRI_SCALE_LOOPED, /* (d + 1)^-1/2: D^-1/2 of A + I */
    GPRI_SCALE_PLAIN,  /* d^-1/2 of A itself; 0 for a node without edges */
    GPRI_SCALE_OPEN,   /* the same, but 1 for a node without edges: it can be divided by */
    GPRI_SCALE_MEAN,   /* 1 / d; 0 for a node without edges */
    GPRI_SCALES
} gpri_scale;
/* scale: (nodes). */
void gpri_graph_scale(const gpri_graph *graph, gpri_scale which, double *scale);

/* A graph of several kinds of edges has at most so many, and names of at most so many bytes, of letters, digits, '_',
   '-' and '.'. */
enum { GPRI_MOST_RELATIONS = 64, GPRI_RELATION_NAME = 31 };
bool gpri_is_relation_name(const char *name, int64_t size);
/* An empty list of them, in *graph; count: 0: there are none. */
gpr_status gpri_graph_relations_new(gpr_ctx *ctx, gpri_graph *graph, int64_t count) GPRI_MUST_CHECK;
void gpri_graph_relations_free(gpr_ctx *ctx, gpri_relation *relations, int64_t count); /* NULL is fine */
/* The graph of one relation; of "" the whole; NULL: there is none of this name. */
const gpri_graph *gpri_graph_relation(const gpri_graph *graph, const char *name);
/* The union of graphs over the same nodes, which become its relations, in the order of their names; of one alone, it is
   that graph. An edge has the largest of its weights. Takes relations, also on failure. Two of one name are an error.
 */
gpr_status gpri_graph_unite(gpr_ctx *ctx, gpri_graph *graph, gpri_relation *relations, int64_t count) GPRI_MUST_CHECK;

/* A graph of the arcs of one side alone, each with its weight: the entries of row i are the nodes that i has an arc to
   (GPRI_ALONG), or from (GPRI_AGAINST). So it is not symmetric, and only its rows, columns, weights and isolated nodes
   mean something. graph: of one relation. Without sides it has all arcs. */
gpr_status gpri_graph_directed(gpr_ctx *ctx, gpri_graph *out, const gpri_graph *graph, int side) GPRI_MUST_CHECK;

/* For each arc from i to j, in the order of `column`: the index, among j's arcs, of the one back to i. (*out)
   (arcs). */
gpr_status gpri_graph_reverse(gpr_ctx *ctx, int32_t **out, const gpri_graph *graph) GPRI_MUST_CHECK;

/* The nodes at most `most` steps from `start`, including itself, by ascending distance into queue (nodes); returns how
   many. distance: (nodes) -1 where nothing has been found; set for those found. */
int64_t gpri_graph_search(const gpri_graph *graph, int32_t start, int32_t most, int32_t *distance, int32_t *queue);

/* ---- Measures: docs/measures.md has their formulas and meaning. Weights are ignored. ---- */

typedef struct gpri_degrees {
    int64_t min, max;
    double median, mean;
} gpri_degrees;

gpr_status gpri_graph_degrees(gpr_ctx *ctx, gpri_degrees *out, const gpri_graph *graph) GPRI_MUST_CHECK;
/* All measures below use only labelled nodes and the edges between them. labels: (nodes) in [0, classes), -1 for none.
   NaN where nothing can be measured. */
/* What the homophily of nodes and of edges is made of. Rows are added in their order: so several processes, one after
   the other, have the bits of one. */
typedef struct gpri_alike {
    double shares;      /* sum over nodes of the share of neighbours of the node's class */
    int64_t nodes;      /* that have labelled neighbours */
    int64_t same, ends; /* ends of edges within a class; of all edges */
} gpri_alike;
void gpri_alike_add(gpri_alike *sum, const gpri_graph *graph, const int32_t *labels, gpri_range rows);
double gpri_alike_nodes(const gpri_alike *alike);
double gpri_alike_edges(const gpri_alike *alike);

/* The kind of a labelled node's neighbourhood: how many fifths of its labelled neighbours have its class; the last
   kind has no such neighbours, and so have nodes without a label. kinds: (nodes) set for the rows. */
enum { GPRI_HOMOPHILY_BINS = 6 };
void gpri_homophily_kinds(uint8_t *kinds, const gpri_graph *graph, const int32_t *labels, gpri_range rows);

typedef struct gpri_mixing {
    double class_homophily;       /* class-insensitive: 0 .. 1 */
    double adjusted_homophily;    /* 0: as many edges within classes as expected by chance; at most 1 */
    double label_informativeness; /* 0 .. 1 */
} gpri_mixing;

gpr_status gpri_class_mixing(gpr_ctx *ctx, gpri_mixing *out, const gpri_graph *graph, const int32_t *labels,
                             int64_t classes) GPRI_MUST_CHECK;
/* From the matrix of gpri_class_edges and the sizes of the classes. */
gpri_mixing gpri_mixing_of_edges(const int64_t *matrix, const int64_t *sizes, int64_t classes);

/* Ends of edges: matrix[i * classes + j] is how many neighbours of class j the nodes of class i have in total.
   Symmetric; an edge within a class counts twice. matrix: (classes x classes). */
void gpri_class_edges(int64_t *matrix, const gpri_graph *graph, const int32_t *labels, int64_t classes);
/* Adds those of some rows. */
void gpri_class_edges_add(int64_t *matrix, const gpri_graph *graph, const int32_t *labels, int64_t classes,
                          gpri_range rows);
/* Of more classes there is no matrix: it would be larger than most graphs. */
#define GPRI_MATRIX_CLASSES 1024
/* sizes: (classes) labelled nodes of each. */
void gpri_class_sizes(int64_t *sizes, const int32_t *labels, int64_t nodes, int64_t classes);

typedef struct gpri_divergence {
    double value;          /* 0: two classes have the same neighbours; NaN: fewer than two classes, or too many */
    int64_t first, second; /* the two classes with that divergence; -1 with NaN */
} gpri_divergence;

/* The least Chernoff-Hellinger divergence of any two classes, over at most this many classes: time grows with their
   cube. */
#define GPRI_DIVERGENCE_CLASSES 256
gpr_status gpri_class_divergence(gpr_ctx *ctx, gpri_divergence *out, const gpri_graph *graph, const int32_t *labels,
                                 int64_t classes) GPRI_MUST_CHECK;
gpr_status gpri_divergence_of_edges(gpr_ctx *ctx, gpri_divergence *out, const int64_t *matrix, const int64_t *sizes,
                                    int64_t classes) GPRI_MUST_CHECK;

#endif
