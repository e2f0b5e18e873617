"""Writes metrics_golden.h: predictions, and what scikit-learn says of them.

    python3 -m venv venv && venv/bin/pip install scikit-learn
    venv/bin/python tests/golden/make_metrics.py > tests/golden/metrics_golden.h

The expected calibration error is not part of scikit-learn: it is written out below as docs/metrics.md defines it.
"""
import math
import textwrap
import warnings

import numpy as np
import sklearn
from sklearn import metrics as sk

warnings.simplefilter("ignore")
rng = np.random.default_rng(7)


def softmax(z):
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)).astype(np.float32)


def noisy(labels, classes, strength):
    z = rng.normal(size=(len(labels), classes))
    z[np.arange(len(labels)), labels] += strength
    return softmax(z)


def rounded(p, steps):
    """Few distinct values, so that there are many ties; rows sum to 1."""
    q = np.floor(p * steps) / steps
    q[:, -1] = 1 - q[:, :-1].sum(axis=1)
    return q.astype(np.float32)


def cases():
    two = rng.integers(0, 2, 60)
    yield "two classes", 2, two, noisy(two, 2, 1.0)
    yield "two classes, ties", 2, two, rounded(noisy(two, 2, 0.7), 8)
    rare = (rng.random(200) < 0.05).astype(int)
    rare[:3] = 1
    yield "a rare class", 2, rare, noisy(rare, 2, 1.5)
    often = 1 - rare
    yield "class 0 is rare", 2, often, noisy(often, 2, 0.5)
    yield "all probabilities equal", 2, two, np.full((60, 2), 0.5, np.float32)
    yield "perfect", 2, two, np.eye(2, dtype=np.float32)[two]
    yield "all wrong", 2, two, np.eye(2, dtype=np.float32)[1 - two]
    yield "one true class of two", 2, np.ones(20, int), noisy(np.ones(20, int), 2, 0.5)
    yield "one class predicted", 2, two, softmax(np.column_stack([rng.normal(5, 1, 60), rng.normal(-5, 1, 60)]))
    five = rng.integers(0, 5, 150)
    yield "five classes", 5, five, noisy(five, 5, 1.2)
    yield "five classes, ties", 5, five, rounded(noisy(five, 5, 1.0), 4)
    four = five[five != 3][:80]
    yield "a class without nodes", 5, four, noisy(four, 5, 1.0)
    p = noisy(four, 5, 1.0)
    p[:, 3] = 0
    yield "a class neither true nor predicted", 5, four, (p / p.sum(axis=1, keepdims=True)).astype(np.float32)
    p = noisy(five, 5, 1.0)
    p[:, 2] *= np.float32(1e-6)
    yield "a class that is never predicted", 5, five, (p / p.sum(axis=1, keepdims=True)).astype(np.float32)
    yield "one true class of three", 3, np.full(30, 1), noisy(np.full(30, 1), 3, 0.3)
    yield "one node", 3, np.array([2]), softmax(rng.normal(size=(1, 3)))
    many = rng.integers(0, 12, 240)
    yield "twelve classes, perfect", 12, many, np.eye(12, dtype=np.float32)[many]


def calibration_error(y, predicted, p):
    top = p[np.arange(len(y)), predicted]
    bins = np.clip(np.ceil(top * 15) - 1, 0, 14).astype(int)
    right = predicted == y
    return sum(abs(right[bins == b].mean() - top[bins == b].mean()) * (bins == b).mean()
               for b in range(15) if (bins == b).any())


def ranking(y, p, c):
    truth = y == c
    auc = sk.roc_auc_score(truth, p[:, c]) if 0 < truth.sum() < len(y) else math.nan
    ap = sk.average_precision_score(truth, p[:, c]) if truth.any() else math.nan
    return auc, ap


def mean_of(values):
    known = [v for v in values if not math.isnan(v)]
    return sum(known) / len(known) if known else math.nan


def number(value):
    return "NAN" if math.isnan(value) else repr(float(value))


def numbers(values):
    return ", ".join(number(v) for v in values)


def array(kind, name, text):
    print(f"static const {kind} {name}[] = {{")
    print("\n".join(textwrap.wrap(text, 118, initial_indent="    ", subsequent_indent="    ")))
    print("};")


def write(index, name, classes, y, p):
    p64 = p.astype(np.float64)
    predicted = p.argmax(axis=1)
    labels = list(range(classes))
    precision, recall, f1, _ = sk.precision_recall_fscore_support(y, predicted, labels=labels, zero_division=np.nan)
    ranked = [ranking(y, p64, c) for c in labels]
    if classes == 2:
        positive = 0 if (y == 0).sum() < (y == 1).sum() else 1
        auc, ap = ranked[positive]
    else:
        positive = -1
        auc, ap = mean_of([r[0] for r in ranked]), mean_of([r[1] for r in ranked])
        if len(set(y)) == classes:
            whole = p64 / p64.sum(axis=1, keepdims=True)
            assert abs(auc - sk.roc_auc_score(y, whole, multi_class="ovr", average="macro")) < 1e-3
    values = [sk.accuracy_score(y, predicted), sk.balanced_accuracy_score(y, predicted),
              sk.f1_score(y, predicted, average="macro"), sk.f1_score(y, predicted, average="weighted"),
              auc, ap, sk.log_loss(y, p64, labels=labels), calibration_error(y, predicted, p64)]
    confusion = sk.confusion_matrix(y, predicted, labels=labels)
    array("int32_t", f"labels_{index}", ", ".join(map(str, y)))
    array("float", f"proba_{index}", ", ".join(f"{v!s}f" for v in p.ravel()))
    for word, row in [("precision", precision), ("recall", recall), ("f1", f1),
                      ("auc", [r[0] for r in ranked]), ("ap", [r[1] for r in ranked])]:
        array("double", f"{word}_{index}", numbers(row))
    array("int64_t", f"confusion_{index}", ", ".join(map(str, confusion.ravel())))
    return (f'    {{"{name}", {len(y)}, {classes}, {positive}, labels_{index}, proba_{index},\n     {{'
            + "\n      ".join(textwrap.wrap(numbers(values), 108)) + f"}},\n     precision_{index}, recall_{index}, "
            f"f1_{index}, auc_{index}, ap_{index}, confusion_{index}}},")


print(f"""/* Generated by make_metrics.py (which says how); not to be edited. scikit-learn {sklearn.__version__}, \
numpy {np.__version__}.
 *
 * Predictions, and how good they are. values: accuracy, balanced accuracy, macro F1, weighted F1, ROC-AUC, average
 * precision, log-loss, calibration error. */
#include <math.h>
#include <stdint.h>

typedef struct metrics_case {{
    const char *name;
    int64_t rows, classes, positive;
    const int32_t *labels;
    const float *proba;
    double values[8];
    const double *precision, *recall, *f1, *auc, *ap;
    const int64_t *confusion;
}} metrics_case;

/* clang-format off */""")
rows = [write(i, *case) for i, case in enumerate(cases())]
print("static const metrics_case metrics_cases[] = {")
print("\n".join(rows))
print("};\n/* clang-format on */")
