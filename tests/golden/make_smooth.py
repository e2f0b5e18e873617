#!/usr/bin/env python3
"""Writes smooth_golden.h: correct and smooth (Huang et al., ICLR 2021) on a small graph, in double precision with dense
matrices. Needs numpy; nothing of gprgnn is used.

    python3 tests/golden/make_smooth.py > tests/golden/smooth_golden.h
"""
import numpy as np

NODES, CLASSES, STEPS = 12, 3, 20
CASES = [(0.1, 0, 0), (0.25, 1, 0), (0, 0, 0.5), (0.5, 0, 0.25), (0.1, 1, 0.75)]  # correct, scale, smooth


def spread(matrix, start, alpha):
    """sum_k alpha (1 - alpha)^k M^k G, and (1 - alpha)^K for the last."""
    total, power = np.zeros_like(start), start
    for k in range(STEPS + 1):
        total += (alpha if k < STEPS else 1) * (1 - alpha) ** k * power
        power = matrix @ power
    return total


def shares(weights):
    weights = np.maximum(weights, 0)
    return (1 - 1e-6) * weights / weights.sum(axis=1, keepdims=True) + 1e-6 / CLASSES


def outcome(matrix, p, labels, correct, scale, smooth):
    known = labels >= 0
    truth = np.eye(CLASSES)[np.maximum(labels, 0)]
    q = p.copy()
    if correct:
        errors = np.where(known[:, None], truth - p, 0)
        mean = np.abs(errors[known]).sum(axis=1).mean()
        wide = spread(matrix, errors, correct)
        norm = np.abs(wide).sum(axis=1, keepdims=True)
        factor = scale if scale else np.where(norm * 1000 > mean, mean / np.maximum(norm, 1e-300), 1)
        q[~known] = shares(p + factor * wide)[~known]
    if smooth:
        wide = spread(matrix, np.where(known[:, None], truth, q), smooth)
        q[~known] = shares(wide)[~known]
    return q


def listed(values, form):
    return "{" + ", ".join(form % v for v in values) + "}"


def main():
    rng = np.random.default_rng(7)
    edges = [(i, i + 1) for i in range(NODES - 2)]  # a path; the last node is alone
    edges += [(0, 5), (2, 7), (3, 9), (1, 8)]
    graph = np.zeros((NODES, NODES))
    for a, b in edges:
        graph[a, b] = graph[b, a] = 1
    looped = graph + np.eye(NODES)
    root = 1 / np.sqrt(looped.sum(axis=1))
    matrix = root[:, None] * looped * root
    scores = rng.normal(size=(NODES, CLASSES)).round(3)
    p = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    labels = np.array([0, -1, 1, -1, -1, 2, -1, 1, -1, 0, -1, -1])
    print("/* Made by make_smooth.py: correct and smooth on a small graph. */")
    print(f"enum {{ SMOOTH_NODES = {NODES}, SMOOTH_CLASSES = {CLASSES}, SMOOTH_EDGES = {len(edges)}, "
          f"SMOOTH_CASES = {len(CASES)} }};")
    print(f"static const int64_t smooth_src[] = {listed([e[0] for e in edges], '%d')};")
    print(f"static const int64_t smooth_dst[] = {listed([e[1] for e in edges], '%d')};")
    print(f"static const int32_t smooth_known[] = {listed(labels, '%d')};")
    print(f"static const double smooth_scores[] = {listed(scores.ravel(), '%.3f')};")
    print(f"static const double smooth_how[][3] = {{{', '.join(listed(c, '%g') for c in CASES)}}};")
    print("static const double smooth_outcome[][SMOOTH_NODES * SMOOTH_CLASSES] = {")
    for case in CASES:
        print("    " + listed(outcome(matrix, p, labels, *case).ravel(), "%.9f") + ",")
    print("};")


if __name__ == "__main__":
    main()
