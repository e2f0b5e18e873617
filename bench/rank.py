#!/usr/bin/env python3
"""Personalised PageRank and the heat kernel from one seed on a large random graph: gprgnn beside scipy and networkx.

    bench/rank.py [--library build/libgprgnn.so] [--program build/gprgnn] [--edges N] [--repetitions N] [--networkx]

Needs numpy and scipy; with --networkx also networkx, which takes about 500 bytes per edge. The graph has a power law of
degrees (Chung and Lu, exponent 2.5) and about 22 edges' ends per node; it is written to a .gpr file first. All take
part in one process and in turn, so that a slow minute affects all. Before anything is timed, their scores are compared.

The rival of scipy is as an expert would write it: the matrix P in CSR is made beforehand and not timed. For the
tolerance of gprgnn it makes just as many iterations as bring its true error below that tolerance; for `exact`, as many
as bound the sum of all errors by 1e-10. networkx gets the same bound as `exact` by its own `tol`. Both times are given:
those on the clock, and those of the CPU, which a busy machine changes less.
"""
import argparse
import ctypes
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy.sparse

ALPHA, HEAT, TOLERANCE = 0.1, 5.0, 1e-6


class Options(ctypes.Structure):
    """gpr_rank_options"""
    _fields_ = [("struct_size", ctypes.c_size_t), ("weights", ctypes.c_char_p), ("values", ctypes.c_void_p),
                ("value_count", ctypes.c_int64), ("last_step", ctypes.c_int64), ("tolerance", ctypes.c_double),
                ("exact", ctypes.c_int), ("top", ctypes.c_int64), ("cluster", ctypes.c_int),
                ("cluster_max", ctypes.c_int64)]


class Ours:
    """The library, with one dataset."""

    def __init__(self, library, path):
        self.lib, self.ctx, self.data = ctypes.CDLL(os.path.abspath(library)), ctypes.c_void_p(), ctypes.c_void_p()
        self.lib.gpr_last_error.restype = ctypes.c_char_p
        for name, kind in (("nodes", ctypes.c_int64), ("scores", ctypes.c_double)):
            getattr(self.lib, "gpr_ranking_" + name).restype = ctypes.POINTER(kind)
        self.check(self.lib.gpr_ctx_new(ctypes.byref(self.ctx), None))
        self.check(self.lib.gpr_dataset_open(self.ctx, ctypes.byref(self.data), path.encode(), None))

    def check(self, status):
        if status < 0:
            sys.exit("bench: " + self.lib.gpr_last_error().decode())

    def rank(self, seed, nodes=0, **options):
        """nodes: their number, for all scores; 0: only the query, for its time."""
        ranking, count, chosen = ctypes.c_void_p(), ctypes.c_int64(), Options(ctypes.sizeof(Options), **options)
        seeds = (ctypes.c_int64 * 1)(seed)
        self.check(self.lib.gpr_rank(self.ctx, ctypes.byref(ranking), self.data, seeds, ctypes.c_int64(1),
                                     ctypes.byref(chosen)))
        scores = np.zeros(nodes)
        if nodes:
            order = self.lib.gpr_ranking_nodes(ranking, ctypes.byref(count))
            values = self.lib.gpr_ranking_scores(ranking, None)
            scores[np.ctypeslib.as_array(order, (count.value,))] = np.ctypeslib.as_array(values, (count.value,))
        self.lib.gpr_ranking_free(ranking)
        return scores


def make_graph(nodes, edges, seed=1):
    """Ends of edges, with some loops and duplicates."""
    rng = np.random.default_rng(seed)
    share = np.cumsum((np.arange(nodes) + 10.0) ** (-1 / 1.5))
    place = rng.permutation(nodes)
    return [place[np.searchsorted(share / share[-1], rng.random(edges))] for _ in range(2)]


def weights_of(word, count):
    if word == "ppr":
        return [ALPHA * (1 - ALPHA) ** k for k in range(count)]
    return [math.exp(-HEAT + k * math.log(HEAT) - math.lgamma(k + 1)) for k in range(count)]


def by_scipy(P, seed, weights):
    x = np.zeros(P.shape[0])
    x[seed] = 1
    score = weights[0] * x
    for weight in weights[1:]:
        x = P @ x
        score += weight * x
    return score


def enough(P, seed, weights, exact, degree):
    """How many steps have a true error within the tolerance."""
    x = np.zeros(P.shape[0])
    x[seed] = 1
    score, allowed = weights[0] * x, TOLERANCE * degree / degree.mean()
    for k, weight in enumerate(weights[1:], 1):
        if (np.abs(score - exact) <= allowed).all():
            return k
        x = P @ x
        score += weight * x
    return len(weights)


def measure(tasks, repetitions):
    """tasks: {name: function}. -> {name: (clock, CPU)}, medians in seconds."""
    times = {name: [] for name in tasks}
    for _ in range(repetitions):
        for name, task in tasks.items():
            clock, cpu = time.perf_counter(), time.process_time()
            task()
            times[name].append((time.perf_counter() - clock, time.process_time() - cpu))
    return {name: tuple(statistics.median(column) for column in zip(*rows)) for name, rows in times.items()}


def networkx_task(matrix, seed, nodes):
    import networkx  # only where it was asked for
    graph = networkx.from_scipy_sparse_array(matrix)
    return lambda: networkx.pagerank(graph, alpha=1 - ALPHA, personalization={seed: 1}, tol=1e-10 / nodes,
                                     max_iter=1000,
                                     weight=None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", default="build/libgprgnn.so")
    parser.add_argument("--program", default="build/gprgnn")
    parser.add_argument("--edges", type=int, default=11000000)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--networkx", action="store_true")
    args = parser.parse_args()
    nodes, seed = args.edges // 11, 7
    src, dst = make_graph(nodes, args.edges)
    with tempfile.TemporaryDirectory() as folder:
        text, path = os.path.join(folder, "graph.txt"), os.path.join(folder, "graph.gpr")
        np.savetxt(text, np.stack([src, dst], 1), fmt="%d")
        subprocess.run([args.program, "convert", text, path, "-q"], check=True)
        os.remove(text)
        keep = src != dst
        matrix = scipy.sparse.coo_matrix((np.ones(keep.sum(), np.float64), (src[keep], dst[keep])),
                                         (nodes, nodes)).tocsr()
        matrix = (matrix + matrix.T).tocsr()
        matrix.data[:] = 1
        degree = np.diff(matrix.indptr).astype(float)
        P = (matrix @ scipy.sparse.diags(1 / np.maximum(degree, 1))).tocsr()
        ours = Ours(args.library, path)
        tasks = {}
        for word, name, count in (("ppr", "ppr:%g" % ALPHA, 220), ("heat", "heat:%g" % HEAT, 30)):
            def query(name=name.encode(), **more):
                return ours.rank(seed, weights=name, **more)
            weights = weights_of(word, count)
            exact, rough = query(nodes=nodes, exact=1), query(nodes=nodes)
            theirs = by_scipy(P, seed, weights)
            steps = enough(P, seed, weights, theirs, degree)
            if np.abs(exact - theirs).sum() > 1e-9:
                sys.exit("bench: gprgnn and scipy differ by %g" % np.abs(exact - theirs).sum())
            if (np.abs(rough - theirs) > TOLERANCE * degree / degree.mean() + 1e-12).any():
                sys.exit("bench: the tolerance is not kept")
            tasks[name + ", tolerance 1e-6", "gprgnn"] = lambda query=query: query(top=20)
            tasks[name + ", tolerance 1e-6", "scipy, %d steps" % (steps - 1)] = \
                lambda w=weights[:steps]: by_scipy(P, seed, w)
            tasks[name + ", exact", "gprgnn"] = lambda query=query: query(top=20, exact=1)
            tasks[name + ", exact", "scipy, %d steps" % (count - 1)] = lambda w=weights: by_scipy(P, seed, w)
        found = measure(tasks, args.repetitions)
        if args.networkx:
            found.update(measure({("ppr:%g, exact" % ALPHA, "networkx"): networkx_task(matrix, seed, nodes)}, 1))
        whole = measure({("ppr:%g, tolerance 1e-6" % ALPHA,
                          "gprgnn rank, the program with a .gpr file"): lambda: subprocess.run(
            [args.program, "rank", path, "--node", str(seed), "-q"], check=True)}, args.repetitions)
    print("%d nodes, %d edges, %d threads; median of %d, seconds on the clock (of the CPU):\n" %
          (nodes, matrix.nnz // 2, len(os.sched_getaffinity(0)), args.repetitions))
    print("| query | program | clock | CPU |\n|---|---|---|---|")
    for (query, who), (clock, cpu) in sorted(found.items()):
        print("| %s | %s | %.3f | %.3f |" % (query, who, clock, cpu))
    for (query, who), (clock, _) in whole.items():
        print("| %s | %s | %.3f | |" % (query, who, clock))
    print(json.dumps({"%s: %s" % key: value for key, value in {**found, **whole}.items()}), file=sys.stderr)


if __name__ == "__main__":
    main()
