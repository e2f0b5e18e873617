#!/usr/bin/env python3
"""Writes logistic_golden.h: the baseline "features without the graph", by scikit-learn. Needs numpy and scikit-learn;
nothing of gprgnn is used.

    python3 tests/golden/make_logistic.py > tests/golden/logistic_golden.h
"""
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

NODES, COLUMNS, CLASSES = 90, 4, 3
STRENGTHS = [1e-2, 1e-3, 1e-4, 1e-5]  # of L2, where the loss is a mean


def numbers(name, kind, values, format):
    print(f"static const {kind} {name}[] = {{")
    texts = [format % v for v in np.ravel(values)]
    for at in range(0, len(texts), 8):
        print("    " + ", ".join(texts[at:at + 8]) + ",")
    print("};")


rng = np.random.default_rng(4)
labels = rng.integers(0, CLASSES, NODES)
x = (rng.normal(size=(NODES, COLUMNS)) + 0.9 * np.eye(CLASSES, COLUMNS)[labels]).round(3)
parts = np.array([1, 1, 2, 3] * NODES)[:NODES]  # gpr_part: training, validation, test
train, val = parts == 1, parts == 2
found = []
for l2 in STRENGTHS:
    model = LogisticRegression(C=1 / (l2 * train.sum()), tol=1e-10, max_iter=10000).fit(x[train], labels[train])
    found.append((log_loss(labels[val], model.predict_proba(x[val])), model.predict_proba(x)))
best = min(range(len(found)), key=lambda i: found[i][0])
print("/* Made by make_logistic.py: features, labels, parts (gpr_part), and the probabilities that scikit-learn finds. "
      "*/")
print("#include <stdint.h>\n")
print(f"enum {{ LOGISTIC_NODES = {NODES}, LOGISTIC_COLUMNS = {COLUMNS}, LOGISTIC_CLASSES = {CLASSES} }};")
numbers("logistic_x", "float", x, "%.3fF")
numbers("logistic_labels", "int32_t", labels, "%d")
numbers("logistic_parts", "uint8_t", parts, "%d")
numbers("logistic_proba", "double", found[best][1], "%.7f")
