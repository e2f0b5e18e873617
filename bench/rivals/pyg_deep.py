"""GPR blocks (`gprgnn train --model gprdeep`) as a user of PyTorch Geometric writes them, timed by epochs on the CPU.
Prints one JSON object. An epoch is one training step and one evaluation pass over the whole graph. Edges are normalised
once; --norm csr: the graph is a torch.sparse matrix, which is multiplied without one message for each edge.
"""
import argparse
import json
import statistics
import time

import torch
import torch.nn.functional as F
from torch_geometric.nn import MessagePassing
from torch_geometric.nn.conv.gcn_conv import gcn_norm

from pyg_gprgnn import load, peak_memory, split


class Hops(MessagePassing):
    """sum_{k >= 1} gamma_k * S^k h, gamma with a number for each column."""

    def __init__(self, hidden, hops):
        super().__init__(aggr="add")
        self.gamma = torch.nn.Parameter(torch.full((hops, hidden), 1 / hops))

    def forward(self, h, graph):
        out = 0
        for gamma in self.gamma:
            h = graph[0] @ h if graph[1] is None else self.propagate(graph[0], x=h, weight=graph[1])
            out = out + gamma * h
        return out

    def message(self, x_j, weight):
        return weight.view(-1, 1) * x_j


class GprDeep(torch.nn.Module):
    def __init__(self, features, classes, layers, hidden, hops, dropout, norm, nodes):
        super().__init__()
        self.norm, self.nodes, self.dropout, self.graph = norm, nodes, dropout, None
        self.first = torch.nn.Linear(features, hidden)
        self.norms = torch.nn.ModuleList(torch.nn.BatchNorm1d(hidden) for _ in range(layers + 1))
        self.hops = torch.nn.ModuleList(Hops(hidden, hops) for _ in range(layers))
        self.mixes = torch.nn.ModuleList(torch.nn.Linear(2 * hidden, hidden) for _ in range(layers))
        self.last = torch.nn.Linear(hidden, classes)

    def normalised(self, edges, dtype):
        edges, weight = gcn_norm(edges, None, self.nodes, False, False, dtype=dtype)
        if self.norm != "csr":
            return edges, weight
        return torch.sparse_coo_tensor(edges, weight, (self.nodes, self.nodes)).coalesce().to_sparse_csr(), None

    def forward(self, x, edges):
        if self.graph is None:
            self.graph = self.normalised(edges, x.dtype)
        x = F.relu(self.first(x))
        for norm, hops, mix in zip(self.norms, self.hops, self.mixes):
            h = norm(x)
            h = F.relu(mix(torch.cat([h, hops(h, self.graph)], 1)))
            x = x + F.dropout(h, self.dropout, self.training)
        return F.log_softmax(self.last(self.norms[-1](x)), dim=1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=3, help="that are timed")
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--hops", type=int, default=1)
    parser.add_argument("--norm", choices=("cached", "csr"), default="cached")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(1)
    x, edges, y = load(args.data)
    parts = split(None, y)
    model = GprDeep(x.shape[1], int(y.max()) + 1, args.layers, args.hidden, args.hops, 0.5, args.norm, len(y))
    adam, times = torch.optim.AdamW(model.parameters(), lr=0.003), []
    for _ in range(1 + args.epochs):
        start = time.perf_counter(), time.process_time()
        model.train()
        adam.zero_grad()
        F.nll_loss(model(x, edges)[parts[0]], y[parts[0]]).backward()
        adam.step()
        model.eval()
        with torch.no_grad():
            out = model(x, edges)
            [F.nll_loss(out[part], y[part]).item() for part in parts]
        times.append((1000 * (time.perf_counter() - start[0]), 1000 * (time.process_time() - start[1])))
    print(json.dumps(dict(ms_per_epoch=statistics.median(t[0] for t in times[1:]),
                          cpu_ms_per_epoch=statistics.median(t[1] for t in times[1:]),
                          peak_memory_bytes=peak_memory(), threads=torch.get_num_threads())))


if __name__ == "__main__":
    main()
