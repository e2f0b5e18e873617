"""Writes tests/golden/train_metrics_golden.h: scikit-learn's values of the metrics that a training may go by.

    python3 tests/golden/make_train_metrics.py      # needs numpy and scikit-learn

Scores are logits that are exact in float, with ties; one case has a class without nodes, one a class that is never
predicted. With more than two classes, auc and average_precision are means over the classes that occur, one against the
rest: roc_auc_score and average_precision_score of each.
"""
import os

import numpy as np
import sklearn
from sklearn.metrics import (accuracy_score, average_precision_score, balanced_accuracy_score, f1_score,
                             roc_auc_score)


def ranked(score, labels, z):
    """Of each class that occurs, its log-probability against the rest."""
    classes = z.shape[1]
    log_p = z - np.log(np.exp(z).sum(1, keepdims=True))
    if classes == 2:
        return score(labels == 1, z[:, 1] - z[:, 0])
    # float: the precision that ties are decided in
    return np.mean([score(labels == c, log_p[:, c].astype(np.float32)) for c in range(classes) if (labels == c).any()])


def case(name, seed, nodes, classes, step, absent=None, never=None):
    draw = np.random.default_rng(seed)
    labels = draw.integers(0, classes, nodes)
    if absent is not None:
        labels[labels == absent] = (absent + 1) % classes
    z = draw.normal(size=(nodes, classes))
    z[np.arange(nodes), labels] += 0.8
    if never is not None:
        z[:, never] -= 20
    z = np.round(z / step) * step
    predicted = z.argmax(1)
    values = [accuracy_score(labels, predicted), balanced_accuracy_score(labels, predicted),
              f1_score(labels, predicted, average="macro", zero_division=0),
              ranked(roc_auc_score, labels, z), ranked(average_precision_score, labels, z)]
    text = ["    {%s, %d, %d," % ('"' + name + '"', nodes, classes)]
    text.append("     {%s}," % ", ".join(str(v) for v in labels))
    text.append("     {%s}," % ", ".join(repr(float(v)) for v in z.ravel()))
    text.append("     {%s}}," % ", ".join(repr(float(v)) for v in values))
    return "\n".join(text)


cases = [case("two classes", 1, 40, 2, 1 / 1024), case("two classes, many ties", 2, 60, 2, 0.5),
         case("five classes", 3, 50, 5, 1 / 1024), case("five classes, ties", 4, 50, 5, 0.25),
         case("a class without nodes", 5, 40, 4, 0.25, absent=2),
         case("a class never predicted", 6, 40, 3, 0.25, never=1)]
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "train_metrics_golden.h")
with open(path, "w") as out:
    out.write("/* Written by make_train_metrics.py with scikit-learn %s: do not change by hand. */\n" %
              sklearn.__version__)
    out.write("#ifndef TRAIN_METRICS_GOLDEN_H\n#define TRAIN_METRICS_GOLDEN_H\n\n#include <stdint.h>\n\n")
    out.write("static const struct {\n    const char *name;\n    int64_t nodes, classes;\n    int32_t labels[60];\n")
    out.write("    double z[250];\n    /* accuracy, balanced_accuracy, macro_f1, auc, average_precision */\n")
    out.write("    double values[5];\n} golden_metrics[] = {\n    /* clang-format off */\n")
    out.write("\n".join(cases) + "\n    /* clang-format on */\n};\n\n#endif\n")
