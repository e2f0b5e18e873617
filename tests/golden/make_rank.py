#!/usr/bin/env python3
"""Writes rank_golden.h: scores of networkx.pagerank for test_rank.c.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install networkx==3.6.1 numpy scipy
    /tmp/venv/bin/python tests/golden/make_rank.py [CORA.npz] > tests/golden/rank_golden.h

The small graph is Zachary's karate club with its weights, a ring of three nodes beside it, and a node without edges.
The seeds of the last case are one of each. CORA.npz is cora of gnn-benchmark; its self loops are left out, as in
gprgnn.
"""
import sys

import networkx
import numpy
import scipy.sparse

SEEDS = ([0], [33, 16], [5, 34, 37])
CORA_SEEDS = [1000, 1500]
TOP = 20


def pagerank(graph, alpha, seeds, weight):
    """alpha: the probability of a restart."""
    found = networkx.pagerank(graph, alpha=1 - alpha, personalization={seed: 1 for seed in seeds}, tol=1e-17,
                              max_iter=100000, weight=weight)
    return numpy.array([found[i] for i in range(len(graph))])


def put(kind, name, values, form):
    print(f"static const {kind} {name}[] = {{")
    for begin in range(0, len(values), 5):
        print("    " + ", ".join(form % value for value in values[begin:begin + 5]) + ",")
    print("};")


def small_graph():
    graph = networkx.convert_node_labels_to_integers(networkx.karate_club_graph())
    graph.add_weighted_edges_from([(34, 35, 2), (35, 36, 3), (36, 34, 1)])
    graph.add_node(37)
    return graph


def cora(path):
    loaded = numpy.load(path, allow_pickle=True)
    matrix = scipy.sparse.csr_matrix((loaded["adj_data"], loaded["adj_indices"], loaded["adj_indptr"]),
                                     shape=loaded["adj_shape"])
    graph = networkx.from_scipy_sparse_array(matrix)
    graph.remove_edges_from(list(networkx.selfloop_edges(graph)))
    networkx.set_edge_attributes(graph, 1, "weight")
    return graph


def main():
    graph = small_graph()
    edges = list(graph.edges(data="weight"))
    print("/* Made by make_rank.py: scores of networkx.pagerank. */")
    print("#ifndef RANK_GOLDEN_H\n#define RANK_GOLDEN_H\n")
    print("#include <stdint.h>\n")
    print(f"enum {{ RANK_NODES = {len(graph)}, RANK_EDGES = {len(edges)}, RANK_CASES = {len(SEEDS)} }};")
    put("int64_t", "rank_src", [a for a, _, _ in edges], "%d")
    put("int64_t", "rank_dst", [b for _, b, _ in edges], "%d")
    put("float", "rank_weights", [w for _, _, w in edges], "%d")
    for case, seeds in enumerate(SEEDS):
        print(f"/* The seeds {seeds}, with the restart probability 0.1 and equal weights, and with 0.15 and the "
              f"weights. */")
        put("int64_t", f"rank_seeds_{case}", seeds, "%d")
        put("double", f"rank_plain_{case}", pagerank(graph, 0.1, seeds, None), "%.17g")
        put("double", f"rank_weighted_{case}", pagerank(graph, 0.15, seeds, "weight"), "%.17g")
    if len(sys.argv) > 1:
        scores = pagerank(cora(sys.argv[1]), 0.1, CORA_SEEDS, None)
        order = numpy.lexsort((numpy.arange(len(scores)), -scores))[:TOP]
        print(f"/* cora with the seeds {CORA_SEEDS}, restart probability 0.1. */")
        put("int64_t", "rank_cora_seeds", CORA_SEEDS, "%d")
        put("int64_t", "rank_cora_nodes", order, "%d")
        put("double", "rank_cora_scores", scores[order], "%.17g")
    print("\n#endif")


if __name__ == "__main__":
    main()
