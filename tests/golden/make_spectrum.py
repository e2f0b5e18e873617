"""Writes spectrum_golden.h: eigenvalues and densities of small graphs from NumPy, for tests/unit/test_spectral.c.

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6
    venv/bin/python tests/golden/make_spectrum.py > tests/golden/spectrum_golden.h

The graph has 60 nodes: a ring of 40 with chords and weights, a star of 15, a pair, and three nodes without edges.
"""
import numpy as np

NODES, BINS = 60, 20
edges = [(i, (i + 1) % 40, 1 + (i % 5) / 4) for i in range(40)]
edges += [(i, (i * 7 + 3) % 40, 0.5 + (i % 3)) for i in range(0, 40, 3) if i != (i * 7 + 3) % 40]
edges += [(40, 40 + i, 1.0) for i in range(1, 15)] + [(55, 56, 2.0)]

adjacency = np.zeros((NODES, NODES))
for a, b, w in edges:
    adjacency[a, b] = adjacency[b, a] = max(adjacency[a, b], w)
looped = adjacency + np.eye(NODES)
scale = 1 / np.sqrt(looped.sum(axis=1))
values = np.linalg.eigvalsh(scale[:, None] * looped * scale)[::-1]
# An eigenvalue on the edge of two bins, up to rounding, belongs to the upper one: 1/2 is one.
density = np.histogram(np.clip(values + 1e-9, -1, 1), bins=BINS, range=(-1, 1))[0] / NODES

print("/* Written by make_spectrum.py with NumPy %s: do not edit. */" % np.__version__)
print("#include <stdint.h>\n")
print("enum { GOLDEN_NODES = %d, GOLDEN_EDGES = %d, GOLDEN_BINS = %d };" % (NODES, len(edges), BINS))


def table(kind, name, numbers, form):
    print("static const %s %s[] = {" % (kind, name))
    numbers = [form % n for n in numbers]
    for first in range(0, len(numbers), 6):
        print("    " + ", ".join(numbers[first:first + 6]) + ",")
    print("};")


table("int64_t", "golden_src", [e[0] for e in edges], "%d")
table("int64_t", "golden_dst", [e[1] for e in edges], "%d")
table("float", "golden_weight", [e[2] for e in edges], "%.2ff")
table("double", "golden_values", values, "%.17g")
table("double", "golden_density", density, "%.17g")
