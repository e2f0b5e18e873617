/* All that a graph has: its arrays, what is kept of directions, and its relations. */
#ifndef TEST_SAME_GRAPH_H
#define TEST_SAME_GRAPH_H

#include "graph/graph.h"
#include "support.h"

static inline void assert_same_block(const char *what, const void *a, const void *b, int64_t bytes) {
    if (!a != !b) fail_msg("%s: only one has it", what);
    if (a && bytes > 0 && memcmp(a, b, (size_t)bytes) != 0) fail_msg("%s differs", what);
}

static inline void assert_same_arcs(const gpri_graph *a, const gpri_graph *b) {
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->arcs, b->arcs);
    assert_int_equal(a->isolated, b->isolated);
    assert_same_block("rowptr", a->rowptr, b->rowptr, (a->nodes + 1) * 8);
    assert_same_block("column", a->column, b->column, a->arcs * 4);
    assert_same_block("weight", a->weight, b->weight, a->arcs * 4);
    assert_same_block("sides", a->sides, b->sides, a->arcs);
    assert_same_block("along", a->along, b->along, a->arcs * 4);
}

static inline void assert_same_graph(const gpri_graph *a, const gpri_graph *b) {
    assert_same_arcs(a, b);
    assert_int_equal(a->relation_count, b->relation_count);
    for (int64_t r = 0; r < a->relation_count; r++) {
        assert_string_equal(a->relations[r].name, b->relations[r].name);
        assert_same_arcs(&a->relations[r].graph, &b->relations[r].graph);
    }
}

#endif
