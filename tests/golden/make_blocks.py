"""Writes blocks_golden.h: what GPR blocks (the model gprdeep) give on a tiny graph, computed by PyTorch's layers for
norms, its autograd, AdamW and Adam: whole trainings of ten steps, with the running means and variances.

    venv/bin/python tests/golden/make_blocks.py        (the environment of make_filters.py; beside this script)

The graph, its matrices and polynomials are those of make_filters.py, the training is that of make_baselines.py. Where
known labels are an input, who shows a label in a step is computed by make_labels.py; the loss is that of the others.

    x = relu(drop(X) W_0 + b_0 + E[label]);  block: h = norm(x), x = x + drop(relu(h W_0 + sum_t p_t W_t + b));
    p_t = sum_{k >= 1} Gamma_{t,k} P_k(S_t) h;  Z = norm(x) W + b

Without residuals: x = drop(relu(drop(X) W_0 + b_0 + E[label]));
    block: p_t of x, x = drop(relu(norm(x W_0 + sum_t p_t W_t) + b))
"""
import math
import pathlib
import sys

import numpy as np
import torch

import make_baselines as training
import make_filters as filters
import make_gprgnn as base
import make_labels as labels
from make_baselines import HIDDEN
from make_gprgnn import CLASSES, NODES, PARTS, TRAIN


SHARE = 0.25  # of the labels that are shown: there are others in every step


def norm_of(word):
    """Without a scale and a shift to learn. The running moments of the first ten steps are plain means."""
    return {"batch": torch.nn.BatchNorm1d(HIDDEN, affine=False, momentum=None),
            "layer": torch.nn.LayerNorm(HIDDEN, elementwise_affine=False), "none": torch.nn.Identity()}[word]


class Block(torch.nn.Module):
    """norm, hops, linear, relu, dropout, residual, numbered from `number` on; without residuals copy, hops, product,
    norm, copy, bias, relu, dropout"""

    def __init__(self, case, number):
        super().__init__()
        options, terms = case["options"], filters.terms_of(case)
        hops, slices = int(options["K"]), 1 + len(terms)
        self.residual = options.get("residual", "yes") == "yes"
        self.dropout_number = number + (4 if self.residual else 7)
        self.columns = options.get("gamma", "columns") == "columns"
        self.norm = norm_of(options["norm"])
        for p in range(slices):
            setattr(self, str(p), torch.nn.Linear(HIDDEN, HIDDEN, bias=False))
        self.bias = torch.nn.Parameter(torch.zeros(HIDDEN))
        rows = len(terms) * hops
        self.gamma = torch.nn.Parameter(torch.zeros((HIDDEN, rows) if self.columns else rows))
        bound = 1 / math.sqrt(slices * HIDDEN)
        self.begin = {str(p) + ".weight": training.numbers(number + 2, p * HIDDEN**2, bound) for p in range(slices)}
        self.begin["bias"] = (training.numbers(number + 2, slices * HIDDEN**2, bound) if self.residual else
                              training.numbers(number + 5, 0, bound))
        self.begin["gamma"] = lambda rows, cols: np.full((rows, cols), 1 / hops)
        self.steps = [filters.polynomials(options.get("basis", "monomial"), filters.matrix(case, kind, side), hops)[1:]
                      for kind, side in terms]

    def forward(self, x, drop, margins):
        h = self.norm(x) if self.residual else x
        total, row = getattr(self, "0")(h) + (self.bias if self.residual else 0), 0
        for term, made in enumerate(self.steps):
            p = torch.zeros_like(h)
            for s in made:
                p = p + (self.gamma[:, row] if self.columns else self.gamma[row]) * (torch.tensor(s, dtype=h.dtype) @ h)
                row += 1
            total = total + getattr(self, str(1 + term))(p)
        total = total if self.residual else self.norm(total) + self.bias
        margins.append(total.detach().abs().min().item())
        made = drop(torch.relu(total), self.dropout_number)
        return x + made if self.residual else made


class Blocks(torch.nn.Module):
    """dropout 0, linear 1, relu 2, beginning 3, six layers of each block, norm, linear; without residuals a dropout
    before the beginning, and eight layers of each block"""

    def __init__(self, features, case):
        super().__init__()
        self.count, self.rate = int(case["options"]["layers"]), float(case["options"].get("dprate", 0))
        self.residual = case["options"].get("residual", "yes") == "yes"
        first, each = (4, 6) if self.residual else (5, 8)
        last = first + each * self.count
        setattr(self, "in", torch.nn.Linear(features, HIDDEN))
        self.begin = {"in.weight": training.uniform(1), "in.bias": training.bias_of_linear(1, features)}
        if "shown" in case:
            self.labels = torch.nn.Linear(CLASSES, HIDDEN, bias=False)
            self.begin["labels.weight"] = training.numbers(labels.LABELS_LAYER, 0, 1 / math.sqrt(features))
        for number in range(self.count):
            block = Block(case, first + each * number)
            setattr(self, "block%d" % (1 + number), block)
            self.begin.update({"block%d.%s" % (1 + number, name): value for name, value in block.begin.items()})
        self.norm, self.out = norm_of(case["options"]["norm"]), torch.nn.Linear(HIDDEN, CLASSES)
        self.begin.update({"out.weight": training.uniform(last + 1),
                           "out.bias": training.bias_of_linear(last + 1, HIDDEN)})
        self.without_decay = [name for name in self.begin if name.endswith(".gamma")]

    def running(self):
        """The moments that an evaluation goes by, of each norm: (means, variances)."""
        norms = {"block%d" % (1 + n): getattr(self, "block%d" % (1 + n)).norm for n in range(self.count)}
        norms["out"] = self.norm
        return {name + ".running": np.stack([norm.running_mean.numpy().copy(), norm.running_var.numpy().copy()])
                for name, norm in norms.items() if isinstance(norm, torch.nn.BatchNorm1d)}

    def forward(self, x, edges, drop, margins):
        x = getattr(self, "in")(drop(x, 0, self.rate))
        if hasattr(self, "labels"):
            x = x + self.labels(self.given)
        margins.append(x.detach().abs().min().item())
        x = torch.relu(x)
        if not self.residual:
            x = drop(x, 3)
        for number in range(self.count):
            x = getattr(self, "block%d" % (1 + number))(x, drop, margins)
        return self.out(self.norm(x))


training.MODELS["gprdeep"] = Blocks


def shown(step):
    """Who shows a label: in an evaluation all training nodes, in a step a part of them."""
    parts = np.array(PARTS)
    return parts == TRAIN if step is None else labels.shown(step, parts, SHARE)


def case(name, kinds="", weighted=False, csr=False, with_labels=False, **options):
    if kinds:
        options["relations"] = kinds
    if with_labels:
        options.update({"label-input": "yes", "label-share": SHARE})
    for word, value in dict(norm="batch", layers=2, K=2, dropout=0.5, lr=0.02).items():
        options.setdefault(word, value)
    options.setdefault("loops", "no")
    options.setdefault("optimizer", "adamw")
    made = training.case("gprdeep", csr, 6, 1, **options)
    made.update(name=name, kinds=bool(kinds), weighted=weighted)
    if with_labels:
        made["shown"] = shown
    return made


CASES = [
    case("batch", layers=3),
    case("layer_shared", norm="layer", gamma="shared", K=1, layers=1, loops="yes", optimizer="adam"),
    case("bare_jacobi", norm="none", basis="jacobi:1,-0.5", K=3, weighted=True, csr=True),
    case("kinds", "pay,device,address", weighted=True, K=2, layers=1, **{"weight-decay": 0.5}),
    case("chebyshev_shared", gamma="shared", basis="chebyshev", loops="yes", K=3, layers=3, dropout=0,
         optimizer="adam"),
    case("directions", "device,pay", direction="pay=both,device=undirected", norm="layer", layers=3, weighted=True),
    case("both", direction="both", layers=2, K=3, csr=True, dropout=0.25, dprate=0.4),
    case("labels", with_labels=True, K=1, layers=3, dprate=0.25),
    case("plain", residual="no", layers=3),
    case("plain_kinds", "pay,device,address", residual="no", norm="layer", layers=1, weighted=True),
    case("plain_bare", residual="no", norm="none", direction="both", layers=1, K=3, csr=True, dropout=0.25),
    case("plain_labels", with_labels=True, residual="no", K=1, dropout=0, loops="yes", optimizer="adam"),
    case("bare_labels", with_labels=True, norm="none", gamma="shared", layers=1, loops="yes", csr=True),
]

BANNER = """/* Generated by make_blocks.py (which says how); not to be edited. torch %s, numpy %s.
 *
 * GPR blocks on a graph of 13 nodes, by PyTorch in float64. The running moments of batch norm are weights without a
 * gradient. The same run in float32 differs by no more than (per tensor, relative to its largest value):
%s */
#ifndef BLOCKS_GOLDEN_H
#define BLOCKS_GOLDEN_H

#include "filters_golden.h"

"""


if __name__ == "__main__":
    counts = [shown(step).sum() for step in range(base.STEPS)]
    assert max(counts) < PARTS.count(TRAIN) and min(counts) < max(counts), counts
    filters.write("blocks", BANNER, CASES, "gprdeep")
