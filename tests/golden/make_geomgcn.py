"""Writes geomgcn_golden.h: what Geom-GCN gives on a tiny graph, computed by PyTorch's autograd and Adam; and the two
files that the option `embedding` reads there, geomgcn_points.csv and geomgcn_relations.txt.

    python3 -m venv venv && venv/bin/pip install torch==2.15.0 torch_geometric==2.8.1 numpy==2.4.6
    venv/bin/python tests/golden/make_geomgcn.py       (writes the files beside this script)

Graph, labels, features and random numbers are those of make_gprgnn.py, the training is that of make_baselines.py. The
model is implemented from the paper's equations (Pei et al., ICLR 2020, section 3) with dense matrices; where the paper
and its authors' program differ, it follows the program (docs/models.md lists the differences).

    e_(v,d) = sum over u in division d of v of (deg(v) deg(u))^-1/2 h_u W_d
    hidden layer: h_v = relu(e_(v,0) | ... | e_(v,8))        last layer: z_v = mean of e_(v,0), ..., e_(v,8)

Neighbourhoods from points are found by looking at all pairs: rho is such that there are as many pairs nearer than it as
edges.
"""
import itertools
import math
import pathlib
import sys

import numpy as np
import torch

import make_baselines as training
import make_gprgnn as base
from make_gprgnn import CLASSES, EDGES, NODES

HERE = pathlib.Path(__file__).parent
DIVISIONS = 9


# ---- Neighbourhoods: {(from, to): division} ---------------------------------------------------------------------

def direction(v, u):
    """Where u lies as seen from v."""
    if v[1] <= u[1]:
        return 0 if v[0] > u[0] else 1  # upper left, upper right
    return 2 if v[0] > u[0] else 3      # lower left, lower right


def from_points(points):
    pairs = sorted((math.dist(points[a], points[b]), a, b) for a, b in itertools.combinations(range(NODES), 2))
    assert pairs[len(EDGES)][0] - pairs[len(EDGES) - 1][0] > 1e-3
    both_ways = lambda pair: [pair, pair[::-1]]
    found = {p: direction(points[p[1]], points[p[0]]) for edge in EDGES for p in both_ways(edge)}
    for _, a, b in pairs[:len(EDGES)]:  # a near pair is in the latent space even if it is an edge
        found.update({p: 4 + direction(points[p[1]], points[p[0]]) for p in both_ways((a, b))})
    return found


def made_up_relations():
    """Relations without a geometry: latent pairs in one direction only, one division without a pair."""
    lines, found = [], {}
    for k, (a, b) in enumerate(EDGES):
        for u, v, relation in ((a, b, k % 3), (b, a, (k + 1) % 3)):
            lines.append((u, v, "graph", relation))
            found[u, v] = relation
    for k, (u, v) in enumerate([(0, 1), (12, 3), (12, 7), (3, 12), (5, 9), (9, 2), (8, 7), (4, 11), (6, 0)]):
        lines.append((u, v, "latent_space", k % 4))
        found[u, v] = 4 + k % 4
    text = "node1,node2\tspace\trelation_type\n" + "".join("%d,%d\t%s\t%d\n" % line for line in lines)
    (HERE / "geomgcn_relations.txt").write_text(text)
    return found


def random_points():
    points = np.round(np.random.default_rng(5).uniform(-1, 1, (NODES, 2)), 3)
    (HERE / "geomgcn_points.csv").write_text("x,y\n" + "".join("%g,%g\n" % tuple(p) for p in points))
    return from_points(points.tolist())


NEIGHBOURHOODS = {"geomgcn_points.csv": random_points, "geomgcn_relations.txt": made_up_relations}


# ---- The model --------------------------------------------------------------------------------------------------

class Layer(torch.nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        for d in range(DIVISIONS):  # not in a list: so they have the names of the model file
            self.add_module(str(d), torch.nn.Linear(inputs, outputs, bias=False))

    def forward(self, h, divisions):
        return [divisions[d].to(h.dtype) @ self.get_submodule(str(d))(h) for d in range(DIVISIONS)]


class GeomGcn(torch.nn.Module):
    """dropout 0, product 1, aggregation 2, join 3, relu 4, dropout 5, product 6, aggregation 7"""

    def __init__(self, features, case):
        super().__init__()
        self.geomgcn1 = Layer(features, training.HIDDEN)
        self.geomgcn2 = Layer(DIVISIONS * training.HIDDEN, CLASSES)
        self.begin = {"geomgcn%d.%d.weight" % (layer, d): training.glorot(1 if layer == 1 else 6, d)
                      for layer in (1, 2) for d in range(DIVISIONS)}
        found = NEIGHBOURHOODS[case["file"]]()
        degree = np.ones(NODES)  # itself
        for _, v in found:
            degree[v] += 1
        matrices = np.zeros((DIVISIONS, NODES, NODES))
        for (u, v), d in found.items():
            matrices[d, v, u] = 1 / math.sqrt(degree[v] * degree[u])
        matrices[8] = np.diag(1 / degree)
        self.divisions = torch.tensor(matrices)

    def forward(self, x, edges, drop, margins):
        h = torch.cat(self.geomgcn1(drop(x, 0), self.divisions), 1)
        margins.append(h.detach()[h != 0].abs().min().item())  # without neighbours it stays 0
        return sum(self.geomgcn2(drop(torch.relu(h), 5), self.divisions)) / DIVISIONS


training.MODELS["geomgcn"] = GeomGcn


def case(csr, file, features, features_seed):
    made = training.case("geomgcn", csr, features, features_seed)
    return dict(made, name="geomgcn_%s_%s" % ("csr" if csr else "dense", file.split("_")[1].split(".")[0]), file=file)


CASES = [case(False, "geomgcn_points.csv", 6, 1), case(True, "geomgcn_relations.txt", 12, 4)]


# ---- The header -------------------------------------------------------------------------------------------------

BANNER = """/* Generated by make_geomgcn.py (which says how); not to be edited. torch %s, numpy %s.
 *
 * Geom-GCN on the graph of baselines_golden.h, by PyTorch in float64. \
The same run in float32 differs by no more than (per
 * tensor, relative to its largest value):
%s */
#ifndef GEOMGCN_GOLDEN_H
#define GEOMGCN_GOLDEN_H

#include "baselines_golden.h"

"""


def main():
    torch.set_num_threads(1)
    body, table, deviations = "", "static const baseline_case geomgcn_cases[] = {\n", ""
    for c in CASES:
        out, names, margin = training.run(c, torch.float64)
        single, _, _ = training.run(c, torch.float32)
        worst = max(out, key=lambda n: base.apart(out[n], single[n]) if np.abs(out[n]).max() > 0 else 0)
        smallest = min(np.abs(v[v != 0]).min() for n, v in out.items() if n[0] == "grad" and np.abs(v).max() > 0)
        print("%-24s float32: %.2g (%s); nearest to the kink %.2g; smallest gradient %.2g; loss %.4f -> %.4f" %
              (c["name"], base.apart(out[worst], single[worst]), worst, margin, smallest,
               *out["eval_train_loss"][[0, -1]]))
        assert base.apart(out[worst], single[worst]) < 3e-6 and margin > 1e-5
        deviations += " *   %-24s %.1e (%s)\n" % (c["name"], base.apart(out[worst], single[worst]),
                                                 worst if isinstance(worst, str) else " ".join(worst))
        words = ['"%s"' % word for item in c["options"].items() for word in item]
        options = "{\n    \"model\", \"geomgcn\", \"embedding\",\n    TEST_SOURCE_DIR \"/tests/golden/%s\",\n" \
                  "    %s, NULL}" % (c["file"], ", ".join(words))
        arrays, entry = training.case_text(c, c["name"] + "_", options, out, names)
        body, table = body + arrays, table + entry
    header = BANNER % (torch.__version__.split("+")[0], np.__version__, deviations) + body + "\n" + table + "};\n"
    header += "\nenum { GEOMGCN_CASES = sizeof geomgcn_cases / sizeof geomgcn_cases[0] };\n\n#endif\n"
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "geomgcn_golden.h"
    path.write_text(header)
    print("%s: %d bytes" % (path.name, len(header)))


if __name__ == "__main__":
    main()
