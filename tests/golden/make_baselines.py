"""Writes baselines_golden.h: what the baselines give on a tiny graph, computed by PyTorch Geometric's own layers.

    python3 -m venv venv && venv/bin/pip install torch==2.15.0 torch_geometric==2.8.1 numpy==2.4.6
    venv/bin/python tests/golden/make_baselines.py     (writes the header beside this script)

Graph, labels, features and random numbers are those of make_gprgnn.py. Initial weights and dropout masks are put into
PyG's layers as docs/design.md defines them; the layers do the rest, in float64, with PyTorch's autograd and Adam.
The same run in float32 must agree, so a float32 program can be held to a tolerance of about 1e-5.

To add a model: a class like those below, its weights as (name, module's parameter, how it begins), and its cases.
"""
import math
import pathlib
import sys

import numpy as np
import torch
import torch.nn.functional as F
import torch_geometric
from torch_geometric.nn import APPNP, ChebConv, GATConv, GCNConv, JumpingKnowledge, SAGEConv, SGConv

import make_gprgnn as base
from make_gprgnn import CLASSES, EDGES, LABELS, NODES, PARTS, STEPS, TRAIN, VAL, WEIGHTS

HIDDEN = 5


# ---- Initial weights: number `first` and on of the stream of a layer -----------------------------------------------

def drawn(layer, first, shape, bound):
    count = int(np.prod(shape))
    return np.array([(2 * base.uniform(WEIGHTS, layer, first + i) - 1) * bound for i in range(count)]).reshape(shape)


def uniform(layer, part=0):
    """+-1 / sqrt(in); of several weights side by side the part-th. The matrix is (in x out), PyTorch's its
    transpose."""
    return lambda rows, cols: drawn(layer, part * rows * cols, (rows, cols), 1 / math.sqrt(rows))


def glorot(layer, part=0):
    return lambda rows, cols: drawn(layer, part * rows * cols, (rows, cols), math.sqrt(6 / (rows + cols)))


def bias_of_linear(layer, inputs):
    """In the stream of the linear layer, after its weight."""
    return lambda _, cols: drawn(layer, inputs * cols, (1, cols), 1 / math.sqrt(inputs))


def bias(layer, inputs):
    return lambda _, cols: drawn(layer, 0, (1, cols), 1 / math.sqrt(inputs))


def zero(_, cols):
    return np.zeros((1, cols))


def numbers(layer, first, bound):
    """Numbers of the stream from `first` on, in any shape."""
    return lambda rows, cols: drawn(layer, first, (rows, cols), bound)


# ---- The models: layers are numbered from 0 as docs/design.md says ---------------------------------------------------

class MLP(torch.nn.Module):
    """dropout 0, linear 1, relu 2, dropout 3, linear 4"""

    def __init__(self, features, case):
        super().__init__()
        self.lin1, self.lin2 = torch.nn.Linear(features, HIDDEN), torch.nn.Linear(HIDDEN, CLASSES)
        self.begin = {"lin1.weight": uniform(1), "lin1.bias": bias_of_linear(1, features),
                      "lin2.weight": uniform(4), "lin2.bias": bias_of_linear(4, HIDDEN)}

    def forward(self, x, edges, drop, margins):
        h = self.lin1(drop(x, 0))
        margins.append(h.detach().abs().min().item())
        return self.lin2(drop(torch.relu(h), 3))


class Appnp(MLP):
    """the MLP, filter 5"""

    def __init__(self, features, case):
        super().__init__(features, case)
        self.prop1 = APPNP(int(case["options"]["K"]), float(case["options"]["alpha"]))

    def forward(self, x, edges, drop, margins):
        return self.prop1(super().forward(x, edges, drop, margins), edges)


class Sgc(torch.nn.Module):
    """product 0, filter 1, bias 2"""

    def __init__(self, features, case):
        super().__init__()
        self.conv1 = SGConv(features, CLASSES, K=int(case["options"]["K"]))
        self.begin = {"conv1.lin.weight": uniform(0), "conv1.lin.bias": bias(2, features)}

    def forward(self, x, edges, drop, margins):
        return self.conv1(x, edges)


class Convolutions(torch.nn.Module):
    """product 0, step 1, bias 2, relu 3, dropout 4, product 5, step 6, bias 7"""

    def forward(self, x, edges, drop, margins):
        h = self.conv1(x, edges)
        margins.append(h.detach().abs().min().item())
        return self.conv2(drop(torch.relu(h), 4), edges)


class Gcn(Convolutions):
    def __init__(self, features, case):
        super().__init__()
        self.conv1, self.conv2 = GCNConv(features, HIDDEN), GCNConv(HIDDEN, CLASSES)
        self.begin = {"conv1.lin.weight": glorot(0), "conv1.bias": zero,
                      "conv2.lin.weight": glorot(5), "conv2.bias": zero}


class Sage(Convolutions):
    def __init__(self, features, case):
        super().__init__()
        self.conv1, self.conv2 = SAGEConv(features, HIDDEN), SAGEConv(HIDDEN, CLASSES)
        self.begin = {"conv1.lin_l.weight": uniform(0, 0), "conv1.lin_r.weight": uniform(0, 1),
                      "conv1.lin_l.bias": bias(2, features),
                      "conv2.lin_l.weight": uniform(5, 0), "conv2.lin_r.weight": uniform(5, 1),
                      "conv2.lin_l.bias": bias(7, HIDDEN)}


class Cheby(Convolutions):
    def __init__(self, features, case):
        super().__init__()
        self.conv1, self.conv2 = ChebConv(features, HIDDEN, K=2), ChebConv(HIDDEN, CLASSES, K=2)
        self.begin = {"conv1.lins.1.weight": glorot(0, 0), "conv1.lins.0.weight": glorot(0, 1), "conv1.bias": zero,
                      "conv2.lins.1.weight": glorot(5, 0), "conv2.lins.0.weight": glorot(5, 1), "conv2.bias": zero}


class Attention(GATConv):
    """GATConv with the given dropout on its attention coefficients. Elements: for each node its neighbours ascending,
    then itself; for each of these all heads."""

    def forward(self, x, edges, drop, layer):
        self.thin = lambda coefficients: drop(coefficients, layer)
        return super().forward(x, edges)

    def edge_update(self, alpha_j, alpha_i, edge_attr, index, ptr, dim_size):
        e = (alpha_j + alpha_i).detach()
        self.margins.append(e[e != 0].abs().min().item())  # 0: both nodes have lost all their features
        alpha = super().edge_update(alpha_j, alpha_i, edge_attr, index, ptr, dim_size)
        order = sorted(range(len(self.sources)), key=lambda e: (index[e], self.sources[e] == index[e], self.sources[e]))
        place = torch.tensor(order).argsort()
        return self.thin(alpha[order])[place]


class Gat(torch.nn.Module):
    """dropout 0, product 1, scores 2, attention 3, heads 4, bias 5, elu 6, dropout 7, product 8, scores 9, attention
    10, heads 11, bias 12"""

    def __init__(self, features, case):
        super().__init__()
        heads, output_heads = (int(case["options"][word]) for word in ("heads", "output-heads"))
        hidden, slope = int(case["options"]["hidden"]), float(case["options"].get("slope", 0.2))
        self.conv1 = Attention(features, hidden, heads, negative_slope=slope)
        self.conv2 = Attention(heads * hidden, CLASSES, output_heads, concat=False, negative_slope=slope)
        self.begin = {}
        for conv, product, count, out in ("conv1", 1, heads, hidden), ("conv2", 8, output_heads, CLASSES):
            bound = math.sqrt(6 / (count + out))
            self.begin.update({conv + ".lin.weight": glorot(product), conv + ".bias": zero,
                               conv + ".att_src": numbers(product + 1, 0, bound),
                               conv + ".att_dst": numbers(product + 1, count * out, bound)})

    def forward(self, x, edges, drop, margins):
        for conv in self.conv1, self.conv2:
            conv.sources, conv.margins = torch.cat([edges[0], torch.arange(NODES)]), margins
        h = F.elu(self.conv1(drop(x, 0), edges, drop, 3))
        return self.conv2(drop(h, 7), edges, drop, 10)


class Jknet(torch.nn.Module):
    """product 0, step 1, bias 2, relu 3, dropout 4, fork 5, product 6, step 7, bias 8, relu 9, dropout 10, LSTM 11,
    jump 12, step 13, linear 14. As in the authors' program: one_step is a step with A~."""

    def __init__(self, features, case):
        super().__init__()
        layers, hidden = int(case["options"]["jk-layers"]), int(case["options"]["hidden"])
        units = layers * hidden // 2
        self.conv1, self.conv2 = GCNConv(features, hidden), GCNConv(hidden, hidden)
        self.JK = JumpingKnowledge("lstm", hidden, layers)
        self.one_step, self.lin1 = APPNP(K=1, alpha=0), torch.nn.Linear(hidden, CLASSES)
        self.begin = {"conv1.lin.weight": glorot(0), "conv1.bias": zero,
                      "conv2.lin.weight": glorot(6), "conv2.bias": zero}
        first = 0
        for direction in "", "_reverse":
            for part, rows in ("weight_ih", hidden), ("weight_hh", units), ("bias_ih", 1), ("bias_hh", 1):
                self.begin["JK.lstm.%s_l0%s" % (part, direction)] = numbers(11, first, 1 / math.sqrt(units))
                first += rows * 4 * units
        self.begin.update({"JK.att.weight": uniform(12), "JK.att.bias": bias_of_linear(12, 2 * units),
                           "lin1.weight": uniform(14), "lin1.bias": bias_of_linear(14, hidden)})

    def forward(self, x, edges, drop, margins):
        layers = []
        for conv, layer in (self.conv1, 4), (self.conv2, 10):
            x = conv(x, edges)
            margins.append(x.detach().abs().min().item())
            layers.append(x := drop(torch.relu(x), layer))
        return self.lin1(self.one_step(self.JK(layers), edges))


MODELS = dict(mlp=MLP, appnp=Appnp, sgc=Sgc, gcn=Gcn, sage=Sage, cheby=Cheby, gat=Gat, jknet=Jknet)


# ---- A training -------------------------------------------------------------------------------------------------

def as_matrix(tensor):
    """(in x out), or anything else as one row."""
    value = tensor.detach().numpy().copy()
    return value.T if value.ndim == 2 else value.reshape(1, -1)


def run(case, dtype):
    """All numbers of a case, as numpy arrays; weights as (rows x cols) by name."""
    x = base.features(case)
    positions = list(zip(*np.nonzero(x))) if case["csr"] else None
    both = torch.tensor(EDGES + [(j, i) for i, j in EDGES]).t().contiguous()
    labels, parts = torch.tensor(LABELS), np.array(PARTS)
    dropout = float(case["options"].get("dropout", 0))
    model = MODELS[case["model"]](case["features"], case).to(dtype)
    params = dict(model.named_parameters())
    assert set(params) == set(model.begin), (set(params), set(model.begin))
    with torch.no_grad():
        for name, begin in model.begin.items():
            rows, cols = as_matrix(params[name]).shape
            value = begin(rows, cols)
            params[name].copy_(torch.tensor(value.T, dtype=dtype).reshape(params[name].shape))
    free = getattr(model, "without_decay", ())
    kind = torch.optim.AdamW if case["options"].get("optimizer") == "adamw" else torch.optim.Adam
    adam = kind([dict(params=[p for n, p in params.items() if n not in free],
                      weight_decay=float(case["options"]["weight-decay"])),
                 dict(params=[params[n] for n in free], weight_decay=0)],
                lr=float(case["options"]["lr"]))
    running = getattr(model, "running", dict)  # what training keeps beside the weights
    shown = case.get("shown", lambda epoch: np.zeros(NODES, bool))  # whose label is an input, and not in the loss
    margins = []

    def forward(epoch=None):
        """Logits; epoch None: without dropout."""
        def drop(h, layer, rate=dropout):
            if epoch is None or rate == 0:
                return h
            given = positions if layer == 0 else None  # of layer 0 the features are dropped, as they are stored
            return h * torch.tensor(base.mask(rate, epoch, layer, *h.shape, given), dtype=dtype)
        model.train(epoch is not None)
        model.given = torch.zeros(NODES, CLASSES, dtype=dtype)
        model.given[shown(epoch), labels[shown(epoch)]] = 1
        return model(torch.tensor(x, dtype=dtype), both, drop, margins)

    def loss(z, nodes):
        nodes = torch.tensor(np.flatnonzero(nodes))
        return F.nll_loss(F.log_softmax(z, 1)[nodes], labels[nodes])

    def evaluate():
        with torch.no_grad():
            z = forward()
            return [loss(z, parts == part).item() for part in (TRAIN, VAL)]

    out = {("initial", n): as_matrix(params[n]) for n in model.begin}
    out.update({("initial", n): value for n, value in running().items()})
    out["logits_eval"] = forward().detach().numpy()
    losses, evaluated = [], [evaluate()]
    for step in range(STEPS):
        adam.zero_grad()
        z = forward(step)
        value = loss(z, (parts == TRAIN) & ~shown(step))
        value.backward()
        if step == 0:
            out["logits_train"] = z.detach().numpy()
            # a gradient that is 0 except for rounding, as of a bias before a softmax, is written as 0
            for name in model.begin:
                grad = as_matrix(params[name].grad)
                out[("grad", name)] = grad * (np.abs(grad).max() > 1e-6)
        adam.step()
        losses.append(value.item())
        evaluated.append(evaluate())
    out["step_loss"] = np.array(losses)
    out["eval_train_loss"], out["eval_val_loss"] = np.array(evaluated).T
    if "shown" in case:
        out["eval_train_loss"][:-1] = losses  # who shows a label cannot be judged by it
    out.update({("final", n): as_matrix(params[n]) for n in model.begin})
    out.update({("final", n): value for n, value in running().items()})
    return out, [n[1] for n in out if n[0] == "initial"], min(margins, default=1)


def case(model, csr, features, features_seed, density=0.4, **options):
    for word, value in ("lr", 0.05), ("weight-decay", 0.005), ("hidden", HIDDEN), ("dropout", 0.5):
        if model != "sgc" or word in ("lr", "weight-decay"):
            options.setdefault(word, value)
    return dict(name="%s_%s" % (model, "csr" if csr else "dense"), model=model, csr=csr, features=features,
                density=density,
                features_seed=features_seed, options={k: str(v) for k, v in options.items()})


CASES = [
    case("mlp", False, 6, 2), case("mlp", True, 20, 4),
    case("appnp", False, 6, 1, K=5, alpha=0.2), case("appnp", True, 20, 15, K=10, alpha=0.1),
    case("sgc", False, 6, 1, K=3), case("sgc", True, 20, 1, K=2),
    case("gcn", False, 6, 2), case("gcn", True, 20, 3),
    case("sage", False, 6, 1), case("sage", True, 20, 1),
    case("cheby", False, 6, 1), case("cheby", True, 20, 1),
    case("gat", False, 6, 18, hidden=8, heads=8, **{"output-heads": 1}),
    case("gat", True, 20, 1, heads=3, slope=0.1, dropout=0.3, **{"output-heads": 2}),
    case("jknet", False, 6, 46, **{"jk-layers": 3, "lr": 0.005, "weight-decay": 0.05}),
    case("jknet", True, 20, 66, hidden=16, **{"jk-layers": 1, "lr": 0.005, "weight-decay": 0.05}),
]


# ---- The header -------------------------------------------------------------------------------------------------

BANNER = """/* Generated by make_baselines.py (which says how); not to be edited. torch %s, \
torch_geometric %s, numpy %s.
 *
 * The baselines on a graph of %d nodes, by PyTorch Geometric in float64. Matrices are row after row; \
a linear's weight is
 * (in x out). The dropout of training step t is that of epoch t. The same run in float32 differs by no more than (per
 * tensor, relative to its largest value):
%s */
#ifndef BASELINES_GOLDEN_H
#define BASELINES_GOLDEN_H

#include <stdint.h>

typedef struct baseline_weight {
    const char *name;
    int64_t rows, cols;
    /* (rows x cols); grad: of the loss of step 0, without the L2 term; NULL: it has none */
    const double *initial, *grad, *final;
} baseline_weight;

typedef struct baseline_case {
    const char *name;
    uint64_t seed;
    int64_t nodes, edges, features, classes, steps;
    const int64_t *src, *dst;   /* (edges) one direction each, no loops */
    const float *dense;         /* (nodes x features), or NULL and CSR: */
    const int64_t *indptr;      /* (nodes + 1) */
    const int32_t *indices;     /* (nnz) */
    const float *values;        /* (nnz) */
    const int32_t *labels;      /* (nodes) -1: none */
    const uint8_t *parts;       /* (nodes) a gpr_part each */
    const char *const *options; /* word, value, word, value, ..., NULL; the first is the model */
    const baseline_weight *weights;
    int weight_count;
    const double *logits_eval;  /* (nodes x classes) of the initial weights, without dropout */
    const double *logits_train; /* (nodes x classes) of the initial weights, with the dropout of step 0 */
    const double *step_loss;    /* (steps) training loss with dropout, before the update of the step */
    const double *eval_train_loss, *eval_val_loss; /* (steps + 1) without dropout, after so many steps */
    const float *edge_weights;                     /* (edges), or NULL */
    int64_t relation_count;
    const char *const *relation_names;
    const int32_t *edge_relation; /* (edges), or NULL: all edges are of one kind */
} baseline_case;

"""


def case_text(c, prefix, options, out, names):
    """-> the arrays of a case, its entry in the table of cases. options: the C initializer."""
    array, x = base.array, base.features(c)
    rows, columns = np.nonzero(x)
    fields = dict(name='"%s"' % c["name"], seed="UINT64_C(%d)" % base.SEED, nodes=NODES, edges=len(EDGES),
                  features=c["features"], classes=CLASSES, steps=STEPS, src="baseline_src", dst="baseline_dst")
    if c["csr"]:
        body = array("int64_t", prefix + "indptr", np.concatenate([[0], np.cumsum(np.count_nonzero(x, 1))]))
        body += array("int32_t", prefix + "indices", columns) + array("float", prefix + "values", x[rows, columns])
        fields.update(indptr=prefix + "indptr", indices=prefix + "indices", values=prefix + "values")
    else:
        body = array("float", prefix + "dense", x)
        fields.update(dense=prefix + "dense")
    body += "static const char *const %soptions[] = %s;\n" % (prefix, options)
    weights = ""
    for number, name in enumerate(names):
        value = {kind: "%s%s_%d" % (prefix, kind, number) for kind in ("initial", "grad", "final")}
        for kind in value:
            if (kind, name) in out:
                body += array("double", value[kind], out[(kind, name)])
            else:
                value[kind] = "NULL"
        weights += "    {\"%s\", %d, %d, %s, %s, %s},\n" % (name, *out[("final", name)].shape, *value.values())
    body += "static const baseline_weight %sweights[] = {\n%s};\n" % (prefix, weights)
    for key in ("logits_eval", "logits_train", "step_loss", "eval_train_loss", "eval_val_loss"):
        body += array("double", prefix + key, out[key])
        fields[key] = prefix + key
    fields.update(labels="baseline_labels", parts="baseline_parts", options=prefix + "options",
                  weights=prefix + "weights", weight_count=len(names))
    return body, "    {\n%s    },\n" % "".join("        .%s = %s,\n" % item for item in fields.items())


def main():
    torch.set_num_threads(1)
    array = base.array
    body = array("int64_t", "baseline_src", [i for i, _ in EDGES]) + array("int64_t", "baseline_dst",
                                                                           [j for _, j in EDGES])
    body += array("int32_t", "baseline_labels", LABELS) + array("uint8_t", "baseline_parts", PARTS)
    table, deviations = "static const baseline_case baseline_cases[] = {\n", ""
    for c in CASES:
        out, names, margin = run(c, torch.float64)
        single, _, _ = run(c, torch.float32)
        worst = max(out, key=lambda n: base.apart(out[n], single[n]) if np.abs(out[n]).max() > 0 else 0)
        # Away from relu's kink and from gradients whose sign Adam would take from rounding.
        decay, grads = float(c["options"]["weight-decay"]), {n[1]: v for n, v in out.items() if n[0] == "grad"}
        smallest = min(np.abs(v + decay * out[("initial", n)])[v != 0].min(initial=1) for n, v in grads.items())
        print("%-12s float32: %.2g (%s); nearest to the kink %.2g; smallest gradient %.2g; loss %.4f -> %.4f" %
              (c["name"], base.apart(out[worst], single[worst]), worst, margin, smallest,
               *out["eval_train_loss"][[0, -1]]))
        assert base.apart(out[worst],
                          single[worst]) < 1e-6 and margin > 1e-4 and smallest > 2e-4 * float(c["options"]["lr"])
        deviations += " *   %-12s %.1e (%s)\n" % (c["name"], base.apart(out[worst], single[worst]),
                                                 worst if isinstance(worst, str) else " ".join(worst))
        prefix = "baseline_%s_" % c["name"]
        words = ['"model"', '"%s"' % c["model"]] + ['"%s"' % word for item in c["options"].items() for word in item]
        arrays, entry = case_text(c, prefix, "{%s, NULL}" % ", ".join(words), out, names)
        body, table = body + arrays, table + entry
    versions = (torch.__version__.split("+")[0], torch_geometric.__version__, np.__version__, NODES)
    header = BANNER % (*versions, deviations) + "#include <stddef.h>\n\n" + body + "\n" + table + "};\n"
    header += "\nenum { BASELINE_CASES = sizeof baseline_cases / sizeof baseline_cases[0] };\n\n#endif\n"
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).with_name("baselines_golden.h")
    path.write_text(header)
    print("%s: %d bytes" % (path.name, len(header)))


if __name__ == "__main__":
    main()
