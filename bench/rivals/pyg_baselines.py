"""The baselines as a user of PyTorch Geometric writes them. Prints one JSON object.

    pyg_baselines.py GRAPH.npz --model gcn --epochs 20              milliseconds per epoch, as in pyg_gprgnn.py
    pyg_baselines.py GRAPH.npz --model gcn --runs 10 --rule dense   accuracy by the paper's protocol: at most 1000
    epochs,
                                                                    the authors' early stopping, one random split per
                                                                    run

Architectures and settings are the paper's. PyG's layers cache between epochs what they can (cached=True). Features
are dense; --normalize divides their rows by their sums.
"""
import argparse
import json
import math
import statistics
import time

import torch
import torch.nn.functional as F
from torch_geometric.nn import APPNP, ChebConv, GATConv, GCNConv, JumpingKnowledge, SAGEConv, SGConv

from pyg_gprgnn import load, peak_memory, split


class Mlp(torch.nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.lin1, self.lin2 = torch.nn.Linear(features, 64), torch.nn.Linear(64, classes)

    def forward(self, x, edges):
        x = F.dropout(x, 0.5, self.training)
        x = F.dropout(F.relu(self.lin1(x)), 0.5, self.training)
        return self.lin2(x)


class Appnp(Mlp):
    def __init__(self, features, classes):
        super().__init__(features, classes)
        self.prop = APPNP(10, 0.1, cached=True)

    def forward(self, x, edges):
        return self.prop(super().forward(x, edges), edges)


class Sgc(torch.nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.conv = SGConv(features, classes, K=2, cached=True)

    def forward(self, x, edges):
        return self.conv(x, edges)


class Convolutions(torch.nn.Module):
    def __init__(self, one, two):
        super().__init__()
        self.conv1, self.conv2 = one, two

    def forward(self, x, edges):
        x = F.dropout(F.relu(self.conv1(x, edges)), 0.5, self.training)
        return self.conv2(x, edges)


class Gat(torch.nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.conv1 = GATConv(features, 8, heads=8, dropout=0.5)
        self.conv2 = GATConv(64, classes, heads=1, concat=False, dropout=0.5)

    def forward(self, x, edges):
        x = F.elu(self.conv1(F.dropout(x, 0.5, self.training), edges))
        return self.conv2(F.dropout(x, 0.5, self.training), edges)


class Jknet(torch.nn.Module):
    """As the authors' program has it."""

    def __init__(self, features, classes):
        super().__init__()
        self.conv1, self.conv2 = GCNConv(features, 16, cached=True), GCNConv(16, 16, cached=True)
        self.jump = JumpingKnowledge("lstm", channels=16, num_layers=4)
        self.one_step, self.lin = APPNP(K=1, alpha=0, cached=True), torch.nn.Linear(16, classes)

    def forward(self, x, edges):
        first = F.dropout(F.relu(self.conv1(x, edges)), 0.5, self.training)
        second = F.dropout(F.relu(self.conv2(first, edges)), 0.5, self.training)
        return self.lin(self.one_step(self.jump([first, second]), edges))


MODELS = {
    "mlp": Mlp,
    "appnp": Appnp,
    "sgc": Sgc,
    "gcn": lambda f, c: Convolutions(GCNConv(f, 64, cached=True), GCNConv(64, c, cached=True)),
    "sage": lambda f, c: Convolutions(SAGEConv(f, 64), SAGEConv(64, c)),
    "cheby": lambda f, c: Convolutions(ChebConv(f, 32, K=2), ChebConv(32, c, K=2)),
    "gat": Gat,
    "jknet": Jknet,
}


def random_split(rule, labels):
    """The paper's: so many training nodes of each class, then validation nodes from all the rest."""
    train_share, val_share = {"sparse": (0.025, 0.025), "dense": (0.6, 0.2)}[rule]
    n, classes = len(labels), int(labels.max()) + 1
    order = torch.randperm(n)
    train = torch.cat([order[labels[order] == c][:round(train_share * n / classes)] for c in range(classes)])
    rest = order[~torch.isin(order, train)]
    rest = rest[torch.randperm(len(rest))]  # in the first order, classes with few nodes to spare come last
    val = round(val_share * n)
    return train, rest[:val], rest[val:]


class Training:
    def __init__(self, args, x, edges, y, parts):
        self.x, self.edges, self.y, self.parts = x, edges, y, parts
        self.model = MODELS[args.model](x.shape[1], int(y.max()) + 1)
        self.adam = torch.optim.Adam(self.model.parameters(), lr=args.lr, weight_decay=args.weight_decay)

    def epoch(self):
        """A step, then losses and accuracies of the three parts."""
        self.model.train()
        self.adam.zero_grad()
        train = self.parts[0]
        F.cross_entropy(self.model(self.x, self.edges)[train], self.y[train]).backward()
        self.adam.step()
        self.model.eval()
        with torch.no_grad():
            out = F.log_softmax(self.model(self.x, self.edges), 1)
            hits = out.argmax(1) == self.y
            return ([F.nll_loss(out[part], self.y[part]).item() for part in self.parts],
                    [100 * hits[part].double().mean().item() for part in self.parts])


def accuracy(args, x, edges, y):
    tests, epochs = [], []
    for run in range(args.runs):
        torch.manual_seed(args.seed + run)
        training, history, best = Training(args, x, edges, y, random_split(args.rule, y)), [], (math.inf, 0)
        for epoch in range(1000):
            losses, accuracies = training.epoch()
            best = min(best, (losses[1], accuracies[2]), key=lambda pair: pair[0])
            if epoch >= 200 and losses[1] > statistics.fmean(history[-200:]):
                break
            history.append(losses[1])
        tests.append(best[1])
        epochs.append(epoch + 1)
    half = 0 if args.runs < 2 else 1.96 * statistics.stdev(tests) / math.sqrt(args.runs)
    return dict(test_accuracy=statistics.fmean(tests), ci95=half, runs=args.runs, epochs=statistics.fmean(epochs))


def timing(args, x, edges, y):
    training, times, best = Training(args, x, edges, y, split(args.split, y)), [], (math.inf, 0, 0)
    begin = time.perf_counter()
    for _ in range(args.warmup + args.epochs):
        start = time.perf_counter()
        losses, accuracies = training.epoch()
        now = time.perf_counter()
        times.append(1000 * (now - start))
        best = min(best, (losses[1], accuracies[1], accuracies[2]), key=lambda triple: triple[0])
        if args.seconds and now - begin > args.seconds and len(times) >= args.warmup + 2:
            break
    times = sorted(times[args.warmup:])
    return dict(ms_per_epoch=statistics.median(times), fastest_ms=times[0], epochs=len(times), val_loss=best[0],
                val_accuracy=best[1], test_accuracy=best[2])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("--model", choices=MODELS, required=True)
    parser.add_argument("--runs", type=int, default=0, help="measure accuracy, over so many runs")
    parser.add_argument("--rule", choices=("sparse", "dense"), default="dense", help="of the random splits")
    parser.add_argument("--split", help="a file, for timing")
    parser.add_argument("--normalize", action="store_true")
    parser.add_argument("--graph", choices=("edges", "csr"), default="edges",
                        help="edges: a message for each; csr: a torch.sparse matrix (not cheby, mlp: they have no use "
                             "for one)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=20, help="that are timed")
    parser.add_argument("--warmup", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0,
                        help="time fewer epochs, two at least, if this is over; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lr", type=float, default=0.01)
    parser.add_argument("--weight-decay", type=float, default=0.0005)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    x, edges, y = load(args.data)
    if args.normalize:
        sums = x.sum(1, keepdim=True)
        x = torch.where(sums == 0, x, x / sums)
    if args.graph == "csr":
        edges = torch.sparse_coo_tensor(edges, torch.ones(edges.shape[1]), (len(y), len(y))).coalesce().to_sparse_csr()
    found = accuracy(args, x, edges, y) if args.runs else timing(args, x, edges, y)
    print(json.dumps(dict(found, model=args.model, peak_memory_bytes=peak_memory(), threads=torch.get_num_threads())))


if __name__ == "__main__":
    main()
