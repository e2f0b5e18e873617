"""Models of PyTorch Geometric on an NVIDIA GPU, each in all its forms. Prints one JSON object:

    pyg_gpu.py GRAPH.npz --models gprgnn,gcn --epochs 200     {"gprgnn": {"edges": 9.4, "csr, graph": 0.9, ...}, ...}

Milliseconds per epoch (a training step and an evaluation of the whole graph), median. The graph is edges, with one
message for each, or a torch.sparse matrix (csr). `graph`: the epoch is captured as a CUDA graph and replayed, with the
fused Adam.
`compile`: torch.compile, which also uses CUDA graphs. A form that PyTorch cannot do is left out; why is on standard
error.
Captures and compilations have a process each, since one that fails makes all others fail after it.
"""
import argparse
import json
import signal
import statistics
import subprocess
import sys
import time

import torch
import torch.nn.functional as F

from pyg_baselines import MODELS
from pyg_deep import GprDeep
from pyg_gprgnn import GprGnn, load, split

WAYS = ("plain", "graph", "compile")
NO_MATRIX = ("mlp", "cheby")  # mlp uses none, and PyG's layer of cheby accepts none


class Epoch:
    """One training; call it for an epoch. Losses and accuracies stay on the GPU."""

    def __init__(self, name, form, way, x, edges, y, parts):
        self.x, self.edges, self.y, self.parts = x, edges, y, parts
        features, classes = x.shape[1], int(y.max()) + 1
        if name == "gprgnn":
            model = GprGnn(features, 64, classes, 10, 0.1, 0.5, 0.5, "csr" if form == "csr" else "cached", len(y))
        elif name == "gprdeep":
            model = GprDeep(features, classes, 4, 256, 1, 0.5, "csr" if form == "csr" else "cached", len(y))
        else:
            model = MODELS[name](features, classes)
        self.model = model.to(x.device)
        others = [p for n, p in model.named_parameters() if n != "prop.gamma"]
        groups = [dict(params=others, weight_decay=0.0005)]
        if name == "gprgnn":
            groups.append(dict(params=[model.prop.gamma], weight_decay=0.0))
        fast = dict(fused=True, capturable=True) if way != "plain" else {}
        self.adam = torch.optim.Adam(groups, lr=0.01, **fast)
        self.compiled = None
        if way == "compile":
            self.forward()  # what layers cache must not lie in the memory of a compiled call
            self.compiled = torch.compile(self.model, mode="reduce-overhead")

    def forward(self):
        if self.compiled is None:
            return self.model(self.x, self.edges)
        torch.compiler.cudagraph_mark_step_begin()  # what the last call returned is no longer needed
        return self.compiled(self.x, self.edges)

    def __call__(self):
        self.model.train()
        # a CUDA graph needs gradients that stay where they are
        self.adam.zero_grad(set_to_none=self.compiled is not None)
        train = self.parts[0]
        F.cross_entropy(self.forward()[train], self.y[train]).backward()
        self.adam.step()
        self.model.eval()
        with torch.no_grad():
            out = F.log_softmax(self.forward(), 1)
            hits = out.argmax(1) == self.y
            return torch.stack([F.nll_loss(out[part], self.y[part]) for part in self.parts] +
                               [hits[part].float().mean() for part in self.parts])


def captured(epoch):
    """The epoch as one CUDA graph."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            epoch()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        found = epoch()

    def replay():
        graph.replay()
        return found

    return replay


def measure(epoch, epochs, seconds):
    """Milliseconds: the host has each epoch's results before the next one begins, as in a training with early
    stopping."""
    times, begin = [], time.perf_counter()
    while len(times) < 10 + epochs and (len(times) < 15 or time.perf_counter() - begin < seconds):
        start = time.perf_counter()
        losses = epoch().tolist()
        times.append(1000 * (time.perf_counter() - start))
    if not all(loss == loss for loss in losses):
        raise ValueError("not a number: %s" % losses)
    return statistics.median(times[10:])


def too_long(number, frame):
    raise TimeoutError("too long")


def apart(args, name, form, way):
    """The same in a process of its own -> its figures, or {}."""
    command = [sys.executable, "-W", "ignore", __file__, args.data, "--models", name, "--forms", form, "--ways", way,
               "--epochs",
               str(args.epochs), "--seconds", str(args.seconds), "--limit", str(args.limit), "--here"]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=args.limit + 60)
    except subprocess.TimeoutExpired:
        print("%s, %s, %s: too long" % (name, form, way), file=sys.stderr)
        return {}
    return json.loads(done.stdout)["models"].get(name, {}) if done.returncode == 0 else {}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("--models", type=lambda s: s.split(","), default=["gprgnn", *MODELS])
    parser.add_argument("--ways", type=lambda s: s.split(","), default=list(WAYS))
    parser.add_argument("--forms", type=lambda s: s.split(","), default=["edges", "csr"])
    parser.add_argument("--epochs", type=int, default=200, help="that are timed")
    parser.add_argument("--seconds", type=float, default=5, help="time fewer, five at least, if this is over")
    parser.add_argument("--limit", type=int, default=120, help="seconds for a form, with its compilation")
    parser.add_argument("--here", action="store_true", help="all in this process")
    args = parser.parse_args()
    torch.manual_seed(1)
    signal.signal(signal.SIGALRM, too_long)
    x, edges, y = load(args.data)
    matrix = torch.sparse_coo_tensor(edges, torch.ones(edges.shape[1]),
                                     (len(y), len(y))).coalesce().to_sparse_csr().cuda()
    x, edges, y, parts = x.cuda(), edges.cuda(), y.cuda(), [part.cuda() for part in split(None, y)]
    found = {}
    for name in args.models:
        for form in args.forms:
            if form == "csr" and name in NO_MATRIX:
                continue
            for way in args.ways:
                key = form if way == "plain" else form + ", " + way
                if way != "plain" and not args.here:
                    found.setdefault(name, {}).update(apart(args, name, form, way))
                    continue
                signal.alarm(args.limit)
                try:
                    # these two make their matrix from the edges
                    graph = matrix if form == "csr" and name not in ("gprgnn", "gprdeep") else edges
                    epoch = Epoch(name, form, way, x, graph, y, parts)
                    torch.cuda.reset_peak_memory_stats()
                    ms = measure(captured(epoch) if way == "graph" else epoch, args.epochs, args.seconds)
                    found.setdefault(name, {})[key] = dict(ms=ms, bytes=torch.cuda.max_memory_allocated())
                except Exception as error:  # PyTorch raises all kinds where it cannot capture or compile
                    print("%s, %s: %s" % (name, key, str(error).splitlines()[0]
                                          if str(error) else type(error).__name__), file=sys.stderr)
                finally:
                    signal.alarm(0)
                torch._dynamo.reset()
                torch.cuda.empty_cache()
    print(json.dumps(dict(models=found, torch=torch.__version__, card=torch.cuda.get_device_name())))


if __name__ == "__main__":
    main()
