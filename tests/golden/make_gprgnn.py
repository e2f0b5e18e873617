"""Writes gprgnn_golden.h: what GPR-GNN gives on a tiny graph, computed by PyTorch's autograd and Adam.

    python3 -m venv venv && venv/bin/pip install torch==2.15.0 torch_geometric==2.8.1 numpy==2.4.6
    venv/bin/python tests/golden/make_gprgnn.py        (writes the header beside this script)

Nothing here is taken from the C code. The random numbers are implemented again below from their definition:
the same seed must give the same weights and the same dropout. The filter is summed from dense
powers of the normalised adjacency matrix, and checked against PyTorch Geometric. The numbers are of a run in
float64; the same run in float32 must agree, so a float32 program can be held to a tolerance of about 1e-5.

    dropout - linear - relu - dropout - linear - dropout(dprate) - sum_k gamma_k A^k - log softmax
    loss: mean negative log-likelihood over the training nodes; Adam, L2 on the linears only
"""
import math
import pathlib
import sys

import numpy as np
import torch
import torch.nn.functional as F
import torch_geometric
from torch_geometric.nn import MessagePassing
from torch_geometric.nn.conv.gcn_conv import gcn_norm

STEPS = 10
SEED = 0x0123456789ABC009
WEIGHTS, GAMMA, DROPOUT = 1, 2, 3               # purposes of a stream of random numbers
LAYER = dict(drop_in=0, linear1=1, drop_hidden=3, linear2=4, drop_out=5, gpr=6)
UNUSED, TRAIN, VAL, TEST = 0, 1, 2, 3

# A path, a triangle, a small star; node 12 is alone.
EDGES = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8), (8, 9), (7, 9), (7, 10), (7, 11),
         (1, 5), (10, 4)]
LABELS = [0, 0, 1, 1, 2, -1, 2, 0, 1, -1, 2, 0, 1]
PARTS = [TRAIN, VAL, TRAIN, TEST, TRAIN, UNUSED, VAL, TRAIN, VAL, UNUSED, TEST, UNUSED, TRAIN]
NODES, CLASSES, HIDDEN, HOPS = len(LABELS), 3, 5, 4


# ---- Random numbers: Philox4x32-10 (Salmon et al., 2011) ---------------------------------------------------

def philox(counter, key):
    """counter: four and key: two 32-bit numbers -> four 32-bit numbers."""
    c, k, mask = list(counter), list(key), 0xFFFFFFFF
    for turn in range(10):
        if turn:
            k = [(k[0] + 0x9E3779B9) & mask, (k[1] + 0xBB67AE85) & mask]
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k[0], b & mask, (a >> 32) ^ c[3] ^ k[1], a & mask]
    return c


# Known answers, published with the generator.
assert philox([0] * 4, [0] * 2) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
assert philox([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2) == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]
assert philox([0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344], [0xA4093822, 0x299F31D0]) == \
    [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1]


def block(purpose, epoch, layer, index):
    return philox([index & 0xFFFFFFFF, index >> 32, epoch, purpose << 16 | layer], [SEED & 0xFFFFFFFF, SEED >> 32])


def uniform(purpose, layer, index):
    v, half = block(purpose, 0, layer, index >> 1), index & 1
    return ((v[2 * half] << 32 | v[2 * half + 1]) >> 11) * 2.0**-53


def dropout_numbers(p):
    """p in 1/65536ths -> (threshold, binary digits) after trailing zeros are stripped."""
    threshold, digits = round(p * 65536), 16
    while threshold and threshold % 2 == 0:
        threshold, digits = threshold // 2, digits - 1
    return threshold, digits


def kept(p, epoch, layer, element):
    threshold, digits = dropout_numbers(p)
    number, group, bit = 0, element // 128, element % 128
    for digit in range(digits):
        number = 2 * number + (block(DROPOUT, epoch, layer, group * 16 + digit)[bit // 32] >> bit % 32 & 1)
    return number >= threshold


def mask(p, epoch, layer, rows, columns, positions=None):
    """The factors of dropout for a rows x columns matrix. positions: of the stored entries of CSR features."""
    if p == 0:
        return np.ones((rows, columns))
    scale, result = 1 / (1 - round(p * 65536) / 65536), np.zeros((rows, columns))
    if positions is None:
        positions = [(r, c) for r in range(rows) for c in range(columns)]
    for e, (r, c) in enumerate(positions):
        result[r, c] = scale * kept(p, epoch, layer, e)
    return result


# ---- The model ----------------------------------------------------------------------------------------------

def linear_init(layer, rows, columns):
    draws = np.array([2 * uniform(WEIGHTS, layer, i) - 1 for i in range(rows * columns + columns)]) / math.sqrt(rows)
    return draws[:rows * columns].reshape(rows, columns), draws[rows * columns:]


def gamma_init(init, alpha):
    if init == "ppr":
        return np.array([alpha * (1 - alpha)**k for k in range(HOPS)] + [(1 - alpha)**HOPS])
    if init == "nppr":
        gamma = np.array([alpha**k for k in range(HOPS + 1)])
    else:
        bound = math.sqrt(3 / (HOPS + 1))
        gamma = np.array([(2 * uniform(GAMMA, 0, k) - 1) * bound for k in range(HOPS + 1)])
    return gamma / np.abs(gamma).sum()


def adjacency():
    a = np.eye(NODES)
    for i, j in EDGES:
        a[i, j] = a[j, i] = 1
    d = 1 / np.sqrt(a.sum(1))
    return d[:, None] * a * d[None, :]


class Filter(MessagePassing):
    """The filter in PyTorch Geometric, to check the dense one against."""

    def forward(self, h, edge_index, gamma):
        edge_index, weight = gcn_norm(edge_index, num_nodes=NODES, dtype=h.dtype)
        z = gamma[0] * h
        for g in gamma[1:]:
            h = self.propagate(edge_index, x=h, norm=weight)
            z = z + g * h
        return z

    def message(self, x_j, norm):
        return norm.view(-1, 1) * x_j


def gpr(h, a, gamma):
    return sum(gamma[k] * (torch.linalg.matrix_power(a, k) @ h) for k in range(HOPS + 1))


def features(case):
    """Multiples of 1/64: the same in float32. Positive and negative."""
    rng = np.random.RandomState(case["features_seed"])
    x = rng.randint(1, 129, (NODES, case["features"])) * rng.choice([-1, 1], (NODES, case["features"])) / 64
    if case["csr"]:
        x *= rng.rand(*x.shape) < case["density"]
    return x


def run(case, dtype):
    """All numbers of a case, as numpy arrays."""
    x = features(case)
    positions = list(zip(*np.nonzero(x))) if case["csr"] else None
    a = torch.tensor(adjacency(), dtype=dtype)
    labels, parts = torch.tensor(LABELS), np.array(PARTS)
    w1, b1 = linear_init(LAYER["linear1"], case["features"], HIDDEN)
    w2, b2 = linear_init(LAYER["linear2"], HIDDEN, CLASSES)
    names = ["w1", "b1", "w2", "b2", "gamma"]
    params = [torch.tensor(v, dtype=dtype, requires_grad=True) for v in (w1, b1, w2, b2,
                                                                         gamma_init(case["init"], case["alpha"]))]
    adam = torch.optim.Adam([dict(params=params[:4], weight_decay=case["weight_decay"]),
                             dict(params=params[4:], weight_decay=0)], lr=case["lr"])

    def forward(epoch=None):
        """Logits; epoch None: without dropout."""
        def drop(h, p, layer, positions=None):
            if epoch is None:
                return h
            return h * torch.tensor(mask(p, epoch, LAYER[layer], *h.shape, positions), dtype=dtype)
        w1, b1, w2, b2, gamma = params
        h = drop(torch.tensor(x, dtype=dtype), case["dropout"], "drop_in", positions)
        h = F.linear(h, w1.t(), b1)
        margins.append(h.detach().abs().min().item())
        h = drop(torch.relu(h), case["dropout"], "drop_hidden")
        h = F.linear(h, w2.t(), b2)
        return gpr(drop(h, case["dprate"], "drop_out"), a, gamma)

    def loss(z, part):
        nodes = torch.tensor(np.flatnonzero(parts == part))
        return F.nll_loss(F.log_softmax(z, 1)[nodes], labels[nodes])

    def evaluate():
        with torch.no_grad():
            z = forward()
            return [loss(z, part).item() for part in (TRAIN, VAL)]

    margins = []
    out = {"initial_" + n: p.detach().numpy().copy() for n, p in zip(names, params)}
    out["logits_eval"] = forward().detach().numpy()
    losses, evaluated = [], [evaluate()]
    for step in range(STEPS):
        adam.zero_grad()
        z = forward(step)
        value = loss(z, TRAIN)
        value.backward()
        if step == 0:
            out["logits_train"] = z.detach().numpy()
            out.update({"grad_" + n: p.grad.numpy().copy() for n, p in zip(names, params)})
        adam.step()
        losses.append(value.item())
        evaluated.append(evaluate())
    out["step_loss"] = np.array(losses)
    out["eval_train_loss"], out["eval_val_loss"] = np.array(evaluated).T
    out.update({"final_" + n: p.detach().numpy().copy() for n, p in zip(names, params)})
    return out, min(margins)


CASES = [
    dict(name="dense", features=6, csr=False, dropout=0.0, dprate=0.0, init="ppr", alpha=0.1, lr=0.05,
         weight_decay=0.005, features_seed=1),
    dict(name="dense_dropout", features=6, csr=False, dropout=0.5, dprate=0.7, init="random", alpha=0.0, lr=0.05,
         weight_decay=0.005, features_seed=1),
    dict(name="csr_dropout", features=6, csr=True, density=0.5, dropout=0.5, dprate=0.7, init="nppr", alpha=-0.5,
         lr=0.01,
         weight_decay=0.0005, features_seed=2),
    # More than 128 columns, and more than 128 stored entries: several groups of dropout bits.
    dict(name="wide_dense_dropout", features=131, csr=False, dropout=0.3, dprate=0.5, init="ppr", alpha=0.5, lr=0.01,
         weight_decay=0.0005, features_seed=3),
    dict(name="wide_csr_dropout", features=131, csr=True, density=0.2, dropout=0.6, dprate=0.25, init="random",
         alpha=0.0,
         lr=0.01, weight_decay=0.0005, features_seed=11),
]


# ---- Checks, and the header ---------------------------------------------------------------------------------

def check_filter():
    rng = np.random.RandomState(0)
    h = torch.tensor(rng.randn(NODES, CLASSES))
    gamma = torch.tensor(rng.randn(HOPS + 1))
    both = torch.tensor(EDGES + [(j, i) for i, j in EDGES]).t().contiguous()
    difference = (gpr(h, torch.tensor(adjacency()), gamma) - Filter(aggr="add")(h, both, gamma)).abs().max().item()
    assert difference < 1e-12, difference
    return difference


def apart(exact, single):
    """Largest difference, relative to the largest value of the tensor."""
    return np.abs(exact - single).max() / np.abs(exact).max()


def array(ctype, name, values):
    text = {"float": lambda v: repr(float(v)) + "f", "double": lambda v: "%.17g" % v}.get(ctype, lambda v: "%d" % v)
    items, lines, line = [text(v) for v in np.asarray(values).ravel()], [], "   "
    for item in items:
        if len(line) + len(item) + 2 > 118:
            lines, line = lines + [line], "   "
        line += " " + item + ","
    return "static const %s %s[] = {\n%s\n};\n" % (ctype, name, "\n".join(lines + [line]))


BANNER = """/* Generated by make_gprgnn.py (which says how); not to be edited. torch %s, torch_geometric %s, numpy %s.
 *
 * GPR-GNN on a graph of %d nodes, by PyTorch in float64. Layers, which key the random numbers: dropout 0, linear 1,
 * relu 2, dropout 3, linear 4, dropout 5, gpr 6. Matrices are row after row; a linear's weight is (in x out).
 * The dropout of training step t is that of epoch t. The same run in float32 differs by no more than (per
 * tensor, relative to its largest value):
%s */
#ifndef GPRGNN_GOLDEN_H
#define GPRGNN_GOLDEN_H

#include <stdint.h>

typedef struct golden_weights {
    const double *w1;    /* (features x hidden) */
    const double *b1;    /* (hidden) */
    const double *w2;    /* (hidden x classes) */
    const double *b2;    /* (classes) */
    const double *gamma; /* (hops + 1) */
} golden_weights;

typedef struct golden_case {
    const char *name;
    uint64_t seed;
    int64_t nodes, edges, features, nnz, hidden, classes, hops, steps;
    const int64_t *src, *dst; /* (edges) one direction each, no loops */
    const float *dense;       /* (nodes x features), or NULL and CSR: */
    const int64_t *indptr;    /* (nodes + 1) */
    const int32_t *indices;   /* (nnz) */
    const float *values;      /* (nnz) */
    const int32_t *labels;    /* (nodes) -1: none */
    const uint8_t *parts;     /* (nodes) a gpr_part each */
    double dropout, dprate, lr, weight_decay;
    const char *init;         /* of gamma: "ppr", "nppr" or "random" */
    double alpha;
    golden_weights initial;
    const double *logits_eval;  /* (nodes x classes) of the initial weights, without dropout */
    const double *logits_train; /* (nodes x classes) of the initial weights, with the dropout of step 0 */
    golden_weights grad;        /* of the loss of step 0; without the L2 term */
    const double *step_loss;    /* (steps) training loss with dropout, before the update of the step */
    const double *eval_train_loss, *eval_val_loss; /* (steps + 1) without dropout, after so many steps */
    golden_weights final;       /* after all steps */
} golden_case;

"""


def main():
    torch.set_num_threads(1)
    print("filter against torch_geometric: %.2g" % check_filter())
    body = array("int64_t", "golden_src", [i for i, _ in EDGES]) + array("int64_t", "golden_dst", [j for _, j in EDGES])
    body += array("int32_t", "golden_labels", LABELS) + array("uint8_t", "golden_parts", PARTS)
    table, deviations = "static const golden_case golden_cases[] = {\n", ""
    for case in CASES:
        out, margin = run(case, torch.float64)
        single, _ = run(case, torch.float32)
        worst = max(out, key=lambda n: apart(out[n], single[n]))
        # Away from relu's kink and from gradients whose sign Adam would take from rounding.
        smallest = min(np.abs(v[v != 0]).min() for n, v in out.items() if n.startswith("grad_"))
        print("%-20s float32: %.2g (%s); nearest to the kink %.2g; smallest gradient %.2g; loss %.4f -> %.4f" %
              (case["name"], apart(out[worst], single[worst]), worst, margin, smallest,
               *out["eval_train_loss"][[0, -1]]))
        assert apart(out[worst], single[worst]) < 1e-6 and margin > 1e-4 and smallest > 1e-5
        deviations += " *   %-20s %.1e (%s)\n" % (case["name"], apart(out[worst], single[worst]), worst)

        name, x = "golden_%s_" % case["name"], features(case)
        rows, columns = np.nonzero(x)
        fields = dict(name='"%s"' % case["name"], seed="UINT64_C(%d)" % SEED, nodes=NODES, edges=len(EDGES),
                      features=case["features"], nnz=len(rows) if case["csr"] else x.size, hidden=HIDDEN,
                      classes=CLASSES,
                      hops=HOPS, steps=STEPS, src="golden_src", dst="golden_dst")
        if case["csr"]:
            body += array("int64_t", name + "indptr", np.concatenate([[0], np.cumsum(np.count_nonzero(x, 1))]))
            body += array("int32_t", name + "indices", columns) + array("float", name + "values", x[rows, columns])
            fields.update(indptr=name + "indptr", indices=name + "indices", values=name + "values")
        else:
            body += array("float", name + "dense", x)
            fields.update(dense=name + "dense")
        fields.update(labels="golden_labels", parts="golden_parts", init='"%s"' % case["init"],
                      **{k: case[k] for k in ("dropout", "dprate", "lr", "weight_decay", "alpha")})
        for key, values in out.items():
            body += array("double", name + key, values)
        for group in ("initial", "grad", "final"):
            fields[group] = "{%s}" % ", ".join(name + group + "_" + p for p in ("w1", "b1", "w2", "b2", "gamma"))
        for key in ("logits_eval", "logits_train", "step_loss", "eval_train_loss", "eval_val_loss"):
            fields[key] = name + key
        table += "    {\n%s    },\n" % "".join("        .%s = %s,\n" % item for item in fields.items())
    versions = (torch.__version__.split("+")[0], torch_geometric.__version__, np.__version__, NODES)
    header = BANNER % (*versions, deviations) + body + "\n" + table + "};\n"
    header += "\nenum { GOLDEN_CASES = sizeof golden_cases / sizeof golden_cases[0] };\n\n#endif\n"
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).with_name("gprgnn_golden.h")
    path.write_text(header)
    print("%s: %d bytes" % (path.name, len(header)))


if __name__ == "__main__":
    main()
