"""Training on an NVIDIA GPU, compared with PyTorch Geometric on the same card: a section of bench/bench.py
(bench/run.sh --only gpu). Without a card it is left out, with a message.

An epoch of ours is the difference of a long and a short training, divided by the epochs between them: so start-up and
the recording of the first epoch do not count. The paper's graphs must be found by name ($GPRGNN_DATA or `gprgnn
fetch`); the shapes of ogbn-arxiv and ogbn-products are random graphs (bench/shapes.py).
"""
import json
import pathlib
import statistics
import subprocess
import sys
import time

import shapes

HERE = pathlib.Path(__file__).resolve().parent
GRAPHS = ("cora", "texas", "chameleon", "squirrel", "pubmed", "computers")
# ms per epoch, GPR-GNN
GOALS = dict(cora=0.12, texas=0.10, chameleon=0.2, squirrel=0.4, pubmed=0.5, computers=1.2, csbm=0.6)
OTHERS = ("mlp", "appnp", "sgc", "gcn", "sage", "cheby", "gat", "jknet")
MODEL_GRAPHS = ("cora", "computers", "squirrel")
SLOW = ("gat", "jknet")  # fewer epochs
GB = 1e9


def why_not(args):
    """What is missing, or None."""
    done = subprocess.run([args.program, "train", "csbm:n=60,f=8", "--device", "cuda", "--epochs", "2", "-q"],
                          capture_output=True,
                          text=True)
    if done.returncode:
        return done.stderr.strip()
    done = subprocess.run([sys.executable, "-c", "import torch; torch.zeros(1).cuda()"], capture_output=True, text=True)
    return done.stderr.strip().splitlines()[-1] if done.returncode else None


def seconds_of(tools, args, path, model, epochs):
    """-> seconds of the epochs."""
    got = tools.gprgnn(args, path, 1, epochs, "--model", model, "--split", "60/20/20", "--device", "cuda")
    return got["ms_per_epoch"] * got["epochs"] / 1000


def epoch_of(tools, args, path, model, epochs):
    """-> milliseconds, one for each repetition."""
    found = []
    for _ in range(min(3, args.repetitions)):
        short, long = (seconds_of(tools, args, path, model, e) for e in (20, 20 + epochs))
        found.append(1000 * (long - short) / epochs)
    return found


def rival(args, path, models, *more):
    """-> {model: {form: {ms, bytes}}}; what PyG could not do is on standard error."""
    done = subprocess.run([sys.executable, "-W", "ignore", HERE / "rivals" / "pyg_gpu.py", path, "--models",
                           ",".join(models), *more],
                          stdout=subprocess.PIPE, text=True)
    if done.returncode:
        print("bench: PyG failed on %s" % path, file=sys.stderr)
        return {}
    return json.loads(done.stdout)["models"]


def find_graphs(args, folder):
    found = {}
    for name in GRAPHS:
        path = folder / (name + ".npz")
        done = subprocess.run([args.program, "convert", name, path, "-q"], stderr=subprocess.PIPE, text=True)
        if done.returncode:
            print("bench: %s is left out: %s" % (name, done.stderr.strip()), file=sys.stderr)
        else:
            found[name] = path
    found["csbm"] = folder / "gpu_csbm.npz"
    subprocess.run([args.program, "generate", "csbm", "--phi", "0.5", "--seed", "1", "-o", found["csbm"], "-q"],
                   check=True)
    return found


def best_of(forms):
    return min((entry["ms"], form) for form, entry in forms.items()) if forms else (None, None)


def cell(value):
    return "–" if value is None else "%.3f" % value if value < 1 else "%.2f" % value


def whole_command(args, more):
    """Seconds of `gprgnn train ...`, median of three."""
    found = []
    for _ in range(3):
        start = time.perf_counter()
        done = subprocess.run([args.program, "train", *more, "--device", "cuda", "--json", "-", "-q"],
                              capture_output=True, text=True)
        found.append(time.perf_counter() - start)
        if done.returncode:
            sys.exit("bench: %s" % done.stderr)
    got = json.loads(done.stdout)
    return statistics.median(found), got


def entry_of(tools, name, who, unit, values, **about):
    return dict(dict(name=name, who=who, unit=unit, better="less", **about), **tools.spread(values))


def time_models(args, tools, graphs, entries):
    forms = ("edges", "edges, graph", "edges, compile", "csr", "csr, graph", "csr, compile")
    print("Milliseconds per epoch on the GPU: gprgnn (median of %d differences), and PyG in each form (median of 200 "
          "epochs):\n" %
          min(3, args.repetitions))
    print("| graph | model | gprgnn | PyG, %s | times faster | goal |\n|---|---|---|%s---|---|" %
          (" | PyG, ".join(forms), "---|" * len(forms)))
    for graph, path in graphs.items():
        models = ("gprgnn", *OTHERS) if graph in MODEL_GRAPHS else ("gprgnn",)
        theirs = rival(args, path, models)
        for model in models:
            ours = epoch_of(tools, args, path, model, 300 if model in SLOW else 2000)
            entries.append(entry_of(tools, "gpu/%s/%s/gprgnn" % (graph, model), "gprgnn", "ms", ours, graph=graph,
                                    model=model))
            of = theirs.get(model, {})
            for form, entry in of.items():
                entries.append(entry_of(tools, "gpu/%s/%s/pyg, %s" % (graph, model, form), "pyg", "ms", [entry["ms"]],
                                        graph=graph, model=model))
            median, best = statistics.median(ours), best_of(of)
            goal = GOALS.get(graph) if model == "gprgnn" else None
            print("| %s | `%s` | %s | %s | %s | %s |" %
                  (graph, model, cell(median), " | ".join(cell(of[f]["ms"]) if f in of else "–" for f in forms),
                   "%.1f" % (best[0] / median) if best[0] else "–",
                   "–" if goal is None else "≤ %g: %s" % (goal, "met" if median <= goal else "**missed**")), flush=True)
    print()


def time_many_runs(args, graphs, entries, tools):
    print("Whole commands on the GPU, seconds:\n\n| command | seconds | test accuracy |\n|---|---|---|")
    for graph in ("cora", "chameleon", "squirrel"):
        if graph not in graphs:
            continue
        took, got = whole_command(args, [graph, "--preset", "paper", "--runs", "100"])
        entries.append(entry_of(tools, "gpu/%s/100 runs" % graph, "gprgnn", "s", [took], graph=graph))
        print("| `train %s --preset paper --runs 100` | %.2f | %.2f ± %.2f |" % (graph, took, got["test_accuracy"],
                                                                                 got["ci95"]), flush=True)
    print()


def time_shapes(args, tools, folder, entries):
    print("Large graphs on the GPU:\n\n| shape | gprgnn, ms | PyG, ms (form) | times faster | gprgnn needs | PyG needs "
          "|\n|---|---|---|---|---|---|")
    for shape in shapes.SHAPES:
        path = folder / (shape + ".npz")
        subprocess.run([sys.executable, HERE / "shapes.py", shape, path], check=True)
        ours = epoch_of(tools, args, path, "gprgnn", 20 if shape == "products" else 200)
        entries.append(entry_of(tools, "gpu/%s/gprgnn/gprgnn" % shape, "gprgnn", "ms", ours, graph=shape))
        told = subprocess.run([args.program, "train", path, "--device", "cuda", "--epochs", "1", "--split", "60/20/20",
                               "-v"],
                              capture_output=True, text=True).stderr
        need = [line.split(":")[-1].split(" for ")[0].strip() for line in told.splitlines()
                if "memory of the device" in line]
        theirs = rival(args, path, ["gprgnn"], "--ways", "plain,graph").get("gprgnn", {})
        median, (ms, form) = statistics.median(ours), best_of(theirs)
        print("| %s | %s | %s | %s | %s | %s |" %
              (shape, cell(median), "%s (%s)" % (cell(ms), form) if ms else "–", "%.1f" % (ms / median) if ms else "–",
               need[0] if need else "–", "%.1f GB" % (theirs[form]["bytes"] / GB) if ms else "–"), flush=True)
        path.unlink()
    print()


def measure(args, folder, tools):
    """-> entries as in bench.py. tools: gprgnn, spread of bench.py."""
    missing = why_not(args)
    if missing:
        print("bench: nothing is measured on a GPU: %s" % missing, file=sys.stderr)
        return []
    entries, graphs = [], find_graphs(args, folder)
    time_models(args, tools, graphs, entries)
    time_many_runs(args, graphs, entries, tools)
    time_shapes(args, tools, folder, entries)
    return entries
