#!/usr/bin/env python3
"""Random graphs of the size of well-known ones, as .npz: nodes, edges, features and classes; degrees by a power law.

    bench/shapes.py arxiv graph.npz     169,343 nodes, 1.17 million edges, 128 features, 40 classes (ogbn-arxiv)
    bench/shapes.py products graph.npz  2,449,029 nodes, 61.9 million edges, 100 features, 47 classes (ogbn-products)
    bench/shapes.py products-communities graph.npz  the same with 940 communities
    bench/shapes.py groups graph.npz    1,000,000 nodes, 16 million edges, 64 features, 16 classes; 1000 communities

Three quarters of the edges join nodes of one class (in groups: of one community, whose nodes are of one class), and the
features are noise around a point of each class: so that there is something to learn. The numbers of the nodes say
nothing about class or community. The same graph every time.
"""
import sys

import numpy as np
import scipy.sparse

SHAPES = {"arxiv": (169343, 1166243, 128, 40, 40), "products": (2449029, 61859140, 100, 47, 47),
          "products-communities": (2449029, 61859140, 100, 47, 940),
          "groups": (1000000, 16000000, 64, 16, 1000)}


POWER = 2.5  # node of rank r among n: drawn with a probability of about r^-0.6


def ends_of_edges(rng, count, rank, groups, by_group, begin):
    """Both ends of so many edges. rank: the nodes, by their degree; by_group: ordered by their group, which has
    [begin[g], begin[g + 1])."""
    one, other = (rank[(len(rank) * rng.random(count)**POWER).astype(np.int64)] for _ in range(2))
    near = rng.random(count) < 0.75  # of one group
    of = groups[one[near]]
    other[near] = by_group[begin[of] + (np.diff(begin)[of] * rng.random(len(of))**POWER).astype(np.int64)]
    return one, other


def make(nodes, edges, features, classes, communities):
    rng = np.random.default_rng(1)
    groups = rng.integers(communities, size=nodes).astype(np.int32)
    rank, by_group = rng.permutation(nodes), np.argsort(groups, kind="stable")
    begin = np.searchsorted(groups[by_group], np.arange(communities + 1))
    keys = np.empty(0, np.int64)
    while len(keys) < edges:
        one, other = ends_of_edges(rng, int(1.15 * (edges - len(keys))) + 1000, rank, groups, by_group, begin)
        low, high = np.minimum(one, other), np.maximum(one, other)
        keys = np.unique(np.concatenate([keys, (low * nodes + high)[low != high]]))
    keys = keys[np.sort(rng.choice(len(keys), edges, replace=False))] if len(keys) > edges else keys
    low, high = keys // nodes, keys % nodes
    adj = scipy.sparse.csr_matrix((np.ones(2 * edges, np.float32), (np.r_[low, high], np.r_[high, low])),
                                  shape=(nodes, nodes))
    labels = groups % classes
    centre = rng.standard_normal((classes, features), dtype=np.float32)
    x = rng.standard_normal((nodes, features), dtype=np.float32)
    x += 0.5 * centre[labels]
    return adj, x, labels


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in SHAPES:
        sys.exit(__doc__)
    adj, x, labels = make(*SHAPES[sys.argv[1]])
    np.savez(sys.argv[2], adj_data=adj.data, adj_indices=adj.indices, adj_indptr=adj.indptr, adj_shape=adj.shape,
             attr_matrix=x, labels=labels)


if __name__ == "__main__":
    main()
