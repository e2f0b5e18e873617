"""Writes filters_golden.h: what filters beyond the paper's give on a tiny graph, computed by PyTorch's autograd and
Adam: several relations, directions, other bases, gamma for each column, no loops, networks of one and three layers.

    python3 -m venv venv && venv/bin/pip install torch==2.15.0 torch_geometric==2.8.1 numpy==2.4.6 scipy==1.17.1
    venv/bin/python tests/golden/make_filters.py       (writes the header beside this script)

Labels, features and random numbers are those of make_gprgnn.py, the training is that of make_baselines.py. Nothing is
computed as the C code does it: matrices are dense, polynomials are sums of their powers whose coefficients NumPy and
SciPy give (of Bernstein's: products of (I - S) / 2 and (I + S) / 2), and autograd finds the gradients.

    Z = gamma_0 H + sum_t sum_{k >= 1} gamma_{t,k} P_k(S_t) H;  of Bernstein's polynomials sum_t sum_{k >= 0}
"""
import math
import pathlib
import sys

import numpy as np
import scipy.special
import torch

import make_baselines as training
import make_gprgnn as base
from make_gprgnn import CLASSES, EDGES, GAMMA, NODES

HERE = pathlib.Path(__file__).parent

# Arcs from -> to: some have one back. No arc leaves node 11, none comes to node 0 but from 2, node 12 is alone.
ARCS = EDGES + [(2, 1), (5, 4), (9, 7), (4, 3), (6, 1)]
WEIGHTS = [(1 + 5 * k % 7) / 4 for k in range(len(ARCS))]
KINDS = ["pay", "device", "address"]  # the data keeps them in the order of their names
KIND_OF = [k % 3 for k in range(len(ARCS))]


# ---- Matrices of the graph ------------------------------------------------------------------------------------------

def arcs_of(case, kind):
    a = np.zeros((NODES, NODES))
    for (i, j), weight, its in zip(ARCS, WEIGHTS, KIND_OF):
        if kind is None or its == KINDS.index(kind):
            a[i, j] = max(a[i, j], weight if case["weighted"] else 1)
    return a


def root(sums):
    """D^-1/2; a node without edges has the degree 1."""
    return 1 / np.sqrt(np.where(sums > 0, sums, 1))


def matrix(case, kind, side):
    a = arcs_of(case, kind)
    if side == "undirected":
        a = np.maximum(a, a.T) + np.eye(NODES) * (case["options"].get("loops", "yes") == "yes")
    s = root(a.sum(1))[:, None] * a * root(a.sum(0))[None, :]
    return s.T if side == "against" else s


def terms_of(case):
    """[(relation, side)] in their order."""
    given = case["options"].get("direction", "undirected")
    sides = dict(part.split("=") for part in given.split(",")) if "=" in given else None
    terms = []
    for kind in case["options"]["relations"].split(",") if case["kinds"] else [None]:
        word = given if sides is None else sides.get(kind, "undirected")
        terms += [(kind, side) for side in (("along", "against") if word == "both" else (word,))]
    return terms


# ---- Polynomials by their powers ------------------------------------------------------------------------------------

def powers_of(basis, k):
    """The coefficients of P_k, that of x^0 first."""
    unit = np.eye(k + 1)[k]
    if basis == "chebyshev":
        return np.polynomial.chebyshev.cheb2poly(unit)
    if basis == "legendre":
        return np.polynomial.legendre.leg2poly(unit)
    if basis.startswith("jacobi:"):
        a, b = map(float, basis[7:].split(","))
        return scipy.special.jacobi(k, a, b).coeffs[::-1]
    return unit


def polynomials(basis, s, hops):
    """[P_0(S), ..., P_K(S)], dense."""
    one, power = np.eye(NODES), np.linalg.matrix_power
    if basis == "bernstein":
        return [math.comb(hops, k) * power((one - s) / 2, k) @ power((one + s) / 2, hops - k) for k in range(hops + 1)]
    return [sum(c * power(s, i) for i, c in enumerate(powers_of(basis, k))) for k in range(hops + 1)]


# ---- Initial gamma --------------------------------------------------------------------------------------------------

def by_rule(options, hops):
    """The polynomial of the rule, in powers."""
    init, alpha = options["init"], float(options.get("alpha", 0.1))
    if init.startswith("delta:"):
        return np.eye(hops + 1)[int(init[6:])]
    if init == "random":
        bound = math.sqrt(3 / (hops + 1))
        gamma = np.array([(2 * base.uniform(GAMMA, 0, k) - 1) * bound for k in range(hops + 1)])
        return gamma / np.abs(gamma).sum()
    if init == "nppr":
        gamma = alpha**np.arange(hops + 1)
        return gamma / np.abs(gamma).sum()
    return np.array([alpha * (1 - alpha)**k for k in range(hops)] + [(1 - alpha)**hops])


def in_basis(gamma, basis, hops):
    """The same polynomial; of Bernstein's: its values."""
    if basis == "bernstein":
        return np.polynomial.polynomial.polyval(1 - 2 * np.arange(hops + 1) / max(hops, 1), gamma)
    places = np.cos(np.pi * (np.arange(hops + 1) + 0.5) / (hops + 1))
    table = np.array([np.polynomial.polynomial.polyval(places, powers_of(basis, k)) for k in range(hops + 1)]).T
    return np.linalg.solve(table, np.polynomial.polynomial.polyval(places, gamma))


def initial(case):
    """(rows): gamma_0, then K of each term; of Bernstein's K + 1 of each."""
    options, terms = case["options"], len(terms_of(case))
    hops, basis = int(options["K"]), options.get("basis", "monomial")
    first = 0 if basis == "bernstein" else 1
    if "," in options["init"]:
        one = np.array([float(word) for word in options["init"].split(",")])
        if len(one) != hops + 1:
            return one
        return np.concatenate([one[:first]] + [one[first:]] * terms)
    one = in_basis(by_rule(options, hops), basis, hops)
    return np.concatenate([one[:first]] + [one[first:] / terms] * terms)


# ---- The model ------------------------------------------------------------------------------------------------------

class Filters(torch.nn.Module):
    """dropout, linear, relu, dropout, linear, ..., dropout, filter"""

    def __init__(self, features, case):
        super().__init__()
        options = case["options"]
        self.count, hops = int(options.get("layers", 2)), int(options["K"])
        self.begin = {}
        for number in range(1, self.count + 1):
            inputs, layer = features if number == 1 else training.HIDDEN, 3 * number - 2
            linear = torch.nn.Linear(inputs, CLASSES if number == self.count else training.HIDDEN)
            setattr(self, "lin%d" % number, linear)
            self.begin["lin%d.weight" % number] = training.uniform(layer)
            self.begin["lin%d.bias" % number] = training.bias_of_linear(layer, inputs)
        gamma, basis, terms = initial(case), options.get("basis", "monomial"), terms_of(case)
        self.columns = options.get("gamma", "shared") == "columns"
        single = len(terms) == 1 and terms[0][1] == "undirected" and not self.columns
        self.name = "temp" if single else "filters"
        self.prop1 = torch.nn.Module()
        size = (CLASSES, len(gamma)) if self.columns else (len(gamma),)
        setattr(self.prop1, self.name, torch.nn.Parameter(torch.zeros(size)))
        weight = np.repeat(gamma[:, None], CLASSES, 1) if self.columns else gamma[None, :]
        self.begin["prop1." + self.name] = lambda rows, cols: weight
        self.without_decay = ["prop1." + self.name]
        self.steps = []  # one matrix for each row of gamma
        for t, (kind, side) in enumerate(terms):
            made = polynomials(basis, matrix(case, kind, side), hops)
            self.steps += made[1 if t and basis != "bernstein" else 0:]
        assert len(self.steps) == len(gamma)

    def forward(self, x, edges, drop, margins):
        for number in range(1, self.count + 1):
            x = getattr(self, "lin%d" % number)(drop(x, 3 * number - 3))
            if number < self.count:
                margins.append(x.detach().abs().min().item())
                x = torch.relu(x)
        x = drop(x, 3 * self.count - 1)
        gamma = getattr(self.prop1, self.name)
        parts = [torch.tensor(s, dtype=x.dtype) @ x for s in self.steps]
        return sum((gamma[:, k] if self.columns else gamma[k]) * part for k, part in enumerate(parts))


training.MODELS["gprgnn"] = Filters


def case(name, features_seed, kinds="", weighted=False, csr=False, **options):
    if kinds:
        options["relations"] = kinds
    options.setdefault("K", 4)
    options.setdefault("init", "ppr")
    options.setdefault("dropout", 0.5)
    options["dprate"] = options["dropout"]
    made = training.case("gprgnn", csr, 6, features_seed, **options)
    made.update(name=name, kinds=bool(kinds), weighted=weighted)
    return made


CASES = [
    case("chebyshev", 1, basis="chebyshev"),
    case("chebyshev_columns_open", 1, basis="chebyshev", gamma="columns", loops="no", init="nppr", alpha=-0.5,
         weighted=True),
    case("legendre_columns", 1, basis="legendre", gamma="columns", layers=1, K=5),
    case("jacobi_open", 1, basis="jacobi:1,-0.5", loops="no", init="random", csr=True),
    case("bernstein", 1, basis="bernstein", weighted=True),
    case("bernstein_columns_kinds", 1, "pay,device", basis="bernstein", gamma="columns", loops="no", init="delta:1"),
    case("along", 1, direction="along", weighted=True, layers=3),
    case("against", 1, direction="against", init="0.4,-0.3,0.2,0.6,-0.1"),
    case("both_columns", 1, direction="both", gamma="columns", init="random", layers=1),
    case("kinds", 1, "pay,device,address", weighted=True, loops="no"),
    case("kinds_directions", 1, "device,pay", direction="pay=both,device=undirected", gamma="columns", K=3,
         weighted=True, init="0.5,0.3,-0.2,0.1,0.4,0.2,-0.3,0.25,0.15,-0.05"),
    case("kinds_jacobi_columns", 1, "pay,address", basis="jacobi:0.5,0.25", gamma="columns", layers=3, dropout=0),
    case("kinds_chebyshev", 1, "pay,device", basis="chebyshev", init="delta:2", loops="no"),
    case("no_hops", 1, "pay,device", gamma="columns", K=0),
]


# ---- The header -----------------------------------------------------------------------------------------------------

BANNER = """/* Generated by make_filters.py (which says how); not to be edited. torch %s, numpy %s.
 *
 * Filters of several relations, directions and bases on a graph of 13 nodes, by PyTorch in float64. The same run in
 * float32 differs by no more than (per tensor, relative to its largest value):
%s */
#ifndef FILTERS_GOLDEN_H
#define FILTERS_GOLDEN_H

#include "baselines_golden.h"

"""


def text_of(cases, prefix, model):
    """-> the arrays of the cases and their table, what float32 differs by."""
    body, table, deviations = "", "static const baseline_case %s_cases[] = {\n" % prefix, ""
    for c in cases:
        for c["features_seed"] in range(1, 400):  # the first that is away from relu's kink
            out, names, margin = training.run(c, torch.float64)
            single, _, _ = training.run(c, torch.float32)
            worst = max(out, key=lambda n: base.apart(out[n], single[n]) if np.abs(out[n]).max() > 0 else 0)
            grads = {n[1]: v for n, v in out.items() if n[0] == "grad"}
            smallest = min(np.abs(v[v != 0]).min(initial=1) for v in grads.values())
            if base.apart(out[worst], single[worst]) < 1.5e-6 and margin > 1e-4 and smallest > 1e-5:
                break
        else:
            raise SystemExit("%s: no features are far enough from the kink" % c["name"])
        print("%-24s seed %d, float32: %.2g (%s); nearest to the kink %.2g; smallest gradient %.2g; loss %.4f -> %.4f" %
              (c["name"], c["features_seed"], base.apart(out[worst], single[worst]), worst, margin, smallest,
               *out["eval_train_loss"][[0, -1]]))
        deviations += " *   %-24s %.1e (%s)\n" % (c["name"], base.apart(out[worst], single[worst]),
                                                 worst if isinstance(worst, str) else " ".join(worst))
        words = ['"model"', '"%s"' % model] + ['"%s"' % word for item in c["options"].items() for word in item]
        arrays, entry = training.case_text(c, "%s_%s_" % (prefix, c["name"]), "{%s, NULL}" % ", ".join(words), out,
                                           names)
        extra = dict(edge_weights="filter_edge_weights" if c["weighted"] else "NULL")
        if c["kinds"]:
            extra.update(relation_count=len(KINDS), relation_names="filter_relation_names",
                         edge_relation="filter_edge_relation")
        entry = entry.replace("    },\n", "".join("        .%s = %s,\n" % item for item in extra.items()) + "    },\n")
        entry = entry.replace("baseline_src", "filter_src").replace("baseline_dst", "filter_dst")
        entry = entry.replace(".edges = %d" % len(EDGES), ".edges = %d" % len(ARCS))
        body, table = body + arrays, table + entry
    return body + "\n" + table + "};\n", deviations


def write(file, banner, cases, model, body="", prefix=None):
    torch.set_num_threads(1)
    prefix = prefix or file
    text, deviations = text_of(cases, prefix, model)
    header = banner % (torch.__version__.split("+")[0], np.__version__, deviations) + body + text
    upper = prefix.upper()
    header += "\nenum { %s_CASES = sizeof %s_cases / sizeof %s_cases[0] };\n\n#endif\n" % (upper, prefix, prefix)
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / (file + "_golden.h")
    path.write_text(header)
    print("%s: %d bytes" % (path.name, len(header)))


def main():
    array = base.array
    body = array("int64_t", "filter_src", [i for i, _ in ARCS]) + array("int64_t", "filter_dst", [j for _, j in ARCS])
    body += array("float", "filter_edge_weights", WEIGHTS) + array("int32_t", "filter_edge_relation", KIND_OF)
    body += "static const char *const filter_relation_names[] = {%s};\n" % ", ".join('"%s"' % k for k in KINDS)
    write("filters", BANNER, CASES, "gprgnn", body, "filter")


if __name__ == "__main__":
    main()
