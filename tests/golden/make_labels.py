"""Writes labels_golden.h: GPR-GNN with known labels as input, with their counts, and with both, computed by PyTorch's
autograd and Adam.

    venv/bin/python tests/golden/make_labels.py        (the environment of make_gprgnn.py)

Nothing here is taken from the C code but the definition of the random numbers, which make_gprgnn.py implements. In step
t a training node shows its label if its random bit says so: a row of E is added to its first product. The loss is the
mean over the other training nodes. Without dropout all training nodes show their labels. Counts of the training nodes'
labels are columns N of each node; N C is added to the scores, C begins as 0, and the loss is the mean over all training
nodes.
"""
import math
import pathlib

import numpy as np
import torch
import torch.nn.functional as F

import make_gprgnn as base

LABELS_PURPOSE, LABELS_LAYER = 12, 0xFFFF
SHARE, DROPOUT, DPRATE, LR, DECAY, ALPHA, FEATURES, STEPS = 0.5, 0.5, 0.25, 0.05, 0.005, 0.1, 6, 10
T, V = base.TRAIN, base.VAL
LABELS = [0, 0, 1, 1, 2, -1, 2, 0, 1, -1, 2, 0, 1]
PARTS = [T, T, T, V, T, 0, T, T, V, 0, T, V, T]


def shown(step, parts=PARTS, share=SHARE):
    """The training nodes that show their label in a step."""
    threshold, digits = base.dropout_numbers(1 - share)
    result = []
    for node in range(base.NODES):
        number = 0
        for digit in range(digits):
            number = 2 * number + (base.block(LABELS_PURPOSE, step, 0,
                                              node // 128 * 16 + digit)[node % 128 // 32] >> node % 32 & 1)
        result.append(parts[node] == T and number >= threshold)
    return np.array(result)


def counts():
    """(nodes x 4 classes + 1): what the training nodes' labels say about each node, its own label left out."""
    a = np.zeros((base.NODES, base.NODES))
    for i, j in base.EDGES:
        a[i, j] = a[j, i] = 1
    degree = a.sum(1)
    label = np.zeros((base.NODES, base.CLASSES))
    for i in range(base.NODES):
        if PARTS[i] == T:
            label[i, LABELS[i]] = 1
    near = a @ label
    columns = np.zeros((base.NODES, base.CLASSES, 4))
    for i in range(base.NODES):
        others = label.copy()
        others[i] = 0
        beyond = a @ others
        neighbours = np.flatnonzero(a[i])
        columns[i, :, 0] = np.log1p(near[i])
        columns[i, :, 1] = near[i] / max(degree[i], 1)
        columns[i, :, 2] = np.log1p((beyond[neighbours] / degree[neighbours, None]).sum(0))
        columns[i, :, 3] = np.log1p(beyond[neighbours].sum(0))
    return np.hstack([columns.reshape(base.NODES, -1), np.log1p(degree)[:, None]])


def run(dtype, as_input, counted):
    x = base.features(dict(features_seed=1, features=FEATURES, csr=False))
    a, labels = torch.tensor(base.adjacency(), dtype=dtype), torch.tensor(LABELS)
    w1, b1 = base.linear_init(base.LAYER["linear1"], FEATURES, base.HIDDEN)
    w2, b2 = base.linear_init(base.LAYER["linear2"], base.HIDDEN, base.CLASSES)
    count = base.CLASSES * base.HIDDEN
    e = np.array([2 * base.uniform(base.WEIGHTS, LABELS_LAYER, i) - 1 for i in range(count)]) / math.sqrt(FEATURES)
    gamma = base.gamma_init("ppr", ALPHA)
    columns = torch.tensor(counts(), dtype=dtype)
    params = [torch.tensor(v, dtype=dtype, requires_grad=True)
              for v in (w1, b1, w2, b2, e.reshape(base.CLASSES, base.HIDDEN),
                        np.zeros((columns.shape[1], base.CLASSES)), gamma)]
    adam = torch.optim.Adam([dict(params=params[:6], weight_decay=DECAY), dict(params=params[6:], weight_decay=0)],
                            lr=LR)
    train, val = np.array(PARTS) == T, np.array(PARTS) == V

    def forward(step=None):
        def drop(h, p, layer):
            return h if step is None else h * torch.tensor(base.mask(p, step, base.LAYER[layer], *h.shape), dtype=dtype)
        w1, b1, w2, b2, e, c, gamma = params
        show = np.zeros_like(train) if not as_input else train if step is None else shown(step)
        given = torch.zeros(base.NODES, base.CLASSES, dtype=dtype)
        given[np.flatnonzero(show), labels[show]] = 1
        h = drop(torch.tensor(x, dtype=dtype), DROPOUT, "drop_in") @ w1 + b1 + given @ e
        h = drop(torch.relu(h), DROPOUT, "drop_hidden") @ w2 + b2
        z = base.gpr(drop(h, DPRATE, "drop_out"), a, gamma)
        return z + columns @ c if counted else z, train & ~show

    def loss(z, nodes):
        nodes = torch.tensor(np.flatnonzero(nodes))
        return F.nll_loss(F.log_softmax(z, 1)[nodes], labels[nodes])

    def judge(nodes):
        with torch.no_grad():
            return loss(forward()[0], nodes).item()

    out = {"logits_eval": forward()[0].detach().numpy()}
    if as_input:
        out["initial"] = params[4].detach().numpy().copy()
    if counted and not as_input:
        out["matrix"] = columns.numpy()
    losses, history, validated, hidden = [], [], [judge(val)], []
    for step in range(STEPS):
        adam.zero_grad()
        z, others = forward(step)
        value = loss(z, others)
        history.append(value.item() if as_input else judge(train))  # who shows a label cannot be judged by it
        value.backward()
        if step == 0:
            out["logits_train"] = z.detach().numpy()
            if as_input:
                out["gradient"] = params[4].grad.numpy().copy()
            if counted:
                out["gradient_counts"] = params[5].grad.numpy().copy()
            out["gradient_w1"] = params[0].grad.numpy().copy()
        adam.step()
        losses.append(value.item())
        validated.append(judge(val))
        hidden.append(int(others.sum()))
    assert min(hidden) > 0 and (max(hidden) < train.sum()) == as_input, hidden
    out["step_loss"], out["val_loss"], out["history"] = np.array(losses), np.array(validated), np.array(history)
    out["final_w1"] = params[0].detach().numpy().copy()
    if as_input:
        out["final"] = params[4].detach().numpy().copy()
    if counted:
        out["final_counts"] = params[5].detach().numpy().copy()
    return out, x


def main():
    torch.set_num_threads(1)
    all_of_them, worst = {}, 0
    for name, how in dict(labels=(True, False), counts=(False, True), both=(True, True)).items():
        out, x = run(torch.float64, *how)
        single, _ = run(torch.float32, *how)
        apart = max(base.apart(out[n], single[n]) for n in out)
        print("%s: float32 differs by %.2g; loss of the steps %.4f -> %.4f" %
              (name, apart, out["step_loss"][0], out["step_loss"][-1]))
        assert apart < 1e-5
        worst = max(worst, apart)
        all_of_them.update({name + "_" + key: values for key, values in out.items()})
    settings = dict(SHARE=SHARE, DROPOUT=DROPOUT, DPRATE=DPRATE, LR=LR, DECAY=DECAY, ALPHA=ALPHA)
    text = ("/* Generated by make_labels.py (which says how); not to be edited. GPR-GNN with known labels as input, "
            "with their "
            "counts, and\n * with both, by PyTorch %s in float64; in float32 the same differs by %.1e of the largest "
            "value of a tensor. */\n"
            "#ifndef LABELS_GOLDEN_H\n#define LABELS_GOLDEN_H\n\n#include <stdint.h>\n\n" %
            (torch.__version__.split("+")[0], worst))
    text += "".join('#define LABELS_%s "%s"\n' % item for item in settings.items())
    text += "#define LABELS_SEED UINT64_C(%d)\n" % base.SEED
    text += "enum { LABELS_NODES = %d, LABELS_EDGES = %d, LABELS_FEATURES = %d, LABELS_HIDDEN = %d, " \
            "LABELS_CLASSES = %d,\n" \
            "       LABELS_HOPS = %d, LABELS_STEPS = %d };\n\n" % (base.NODES, len(base.EDGES), FEATURES, base.HIDDEN,
                                                                  base.CLASSES, base.HOPS, STEPS)
    text += base.array("int64_t", "labels_src", [i for i, _ in base.EDGES]) + base.array("int64_t", "labels_dst",
                                                                                         [j for _, j in base.EDGES])
    text += base.array("int32_t", "labels_labels", LABELS) + base.array("uint8_t", "labels_parts", PARTS)
    text += base.array("float", "labels_dense", x)
    text += "".join(base.array("double", key, values) for key, values in all_of_them.items()) + "\n#endif\n"
    pathlib.Path(__file__).with_name("labels_golden.h").write_text(text)


if __name__ == "__main__":
    main()
