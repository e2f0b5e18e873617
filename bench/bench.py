"""Compares gprgnn with PyTorch Geometric on this machine: milliseconds per epoch and peak memory.

Run through bench/run.sh (make bench). Every repetition runs each program once, one after the other, so that a
slow minute of the machine affects all of them. Before anything is timed, both must learn the same thing.
Prints Markdown; --json FILE gets every single measurement, for bench/compare.py.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

import numpy as np
import scipy.sparse

import gpu
import large
import models
import reading

HERE = pathlib.Path(__file__).resolve().parent
RIVAL = HERE / "rivals" / "pyg_gprgnn.py"
PYG = {
    "pyg": ("PyG", ["--norm", "cached"]),
    "pyg_csr": ("PyG, torch.sparse", ["--norm", "csr"]),
    "pyg_authors": ("PyG, authors' loop", ["--norm", "each", "--evaluations", "4"]),
}
# These two do the same work per epoch as gprgnn; gprgnn is compared with the faster one.
FAIR = ("pyg", "pyg_csr")
MB = 1e6


def call(command):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit("bench: %s\nexit status %d\n%s" % (" ".join(map(str, command)), done.returncode, done.stderr))
    return done.stdout


# getrusage counts the parent's peak memory for a new process; so a small shell is put between.
SMALL_PARENT = ["sh", "-c", '"$@"; exit $?', "sh"]


def gprgnn(args, data, threads, epochs, *more):
    return json.loads(call([*SMALL_PARENT, args.program, "train", data, "--stopping", "none", "--epochs", epochs,
                            "--threads", threads,
                            "--normalize", "none", "--json", "-", "-q", *more]))


def pyg(data, threads, epochs, *more):
    return json.loads(call([sys.executable, "-W", "ignore", RIVAL, data, "--threads", threads, "--epochs", epochs,
                            *more]))


def cora_shape(path):
    """Random, but of the size of Cora: 2708 nodes, 5278 edges, 7 classes, 49216 ones among 1433 features."""
    rng = np.random.RandomState(1)
    n, edges, f, nnz = 2708, 5278, 1433, 49216
    pairs = set()
    while len(pairs) < edges:
        i, j = sorted(rng.randint(n, size=2).tolist())
        if i != j:
            pairs.add((i, j))
    i, j = np.array(sorted(pairs)).T
    adj = scipy.sparse.csr_matrix((np.ones(2 * edges, np.float32), (np.r_[i, j], np.r_[j, i])), shape=(n, n))
    cells = np.sort(rng.choice(n * f, nnz, replace=False))
    attr = scipy.sparse.csr_matrix((np.ones(nnz, np.float32), (cells // f, cells % f)), shape=(n, f))
    assert adj.nnz == 10556 and attr.nnz == nnz
    parts = {"%s_%s" % (name, key): value for name, m in (("adj", adj), ("attr", attr))
             for key, value in (("data", m.data), ("indices", m.indices), ("indptr", m.indptr), ("shape", m.shape))}
    np.savez(path, labels=rng.randint(7, size=n).astype(np.int32), **parts)


def check(args, data, folder):
    """Both must learn the same thing on the same split; otherwise the times mean nothing."""
    epochs = 40
    ours = gprgnn(args, data, args.threads[-1], epochs, "--split", "dense", "--out", folder / "check")
    theirs = pyg(data, args.threads[-1], epochs, "--warmup", "0", "--split", folder / "check" / "split.npz")
    print("After %d epochs on the same split of cSBM: test accuracy %.1f %% (gprgnn), %.1f %% (PyG); validation %.1f "
          "%%, %.1f %%.\n" %
          (epochs, ours["test_accuracy"], theirs["test_accuracy"], ours["val_accuracy"], theirs["val_accuracy"]))
    for key, limit in (("val_accuracy", 2.0), ("test_accuracy", 2.0), ("val_loss", 0.05)):
        if key in ours and abs(ours[key] - theirs[key]) > limit:
            sys.exit("bench: %s differs: %g (gprgnn), %g (PyG)" % (key, ours[key], theirs[key]))
    return {"gprgnn": ours["test_accuracy"], "pyg": theirs["test_accuracy"]}


def spread(values):
    values = sorted(values)
    q1, median, q3 = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    return dict(median=median, q1=q1, q3=q3, values=values)


def measure(args, graphs):
    """-> one entry per quantity: name, unit, whose, median, quartiles, all values."""
    found = {}

    def add(name, who, unit, value, **about):
        entry = found.setdefault(name, dict(name=name, who=who, unit=unit, better="less", values=[], **about))
        entry["values"].append(value)

    for repetition in range(args.repetitions):
        for graph in graphs:
            for threads in args.threads:
                about = dict(graph=graph["name"], threads=threads)
                place = "%s/%d" % (graph["name"], threads)
                for who, (_, options) in PYG.items():
                    got = pyg(graph["path"], threads, graph["pyg_epochs"], *options)
                    add(place + "/" + who + "/epoch", who, "ms", got["ms_per_epoch"], **about)
                    add(place + "/" + who + "/memory", who, "bytes", got["peak_memory_bytes"], **about)
                got = gprgnn(args, graph["path"], threads, graph["epochs"], "--split", graph["split"])
                add(place + "/gprgnn/epoch", "gprgnn", "ms", got["ms_per_epoch"], **about)
                add(place + "/gprgnn/memory", "gprgnn", "bytes", got["peak_memory_bytes"], **about)
        print("repetition %d of %d" % (repetition + 1, args.repetitions), file=sys.stderr)
    for entry in found.values():
        entry.update(spread(entry["values"]))
    return found


def milliseconds(entry):
    digits = "%.3f" if entry["median"] < 1 else "%.2f" if entry["median"] < 100 else "%.0f"
    return "%s (%s–%s)" % tuple(digits % entry[k] for k in ("median", "q1", "q3"))


def verdict(value, goal, met):
    return "–" if goal is None else "%s: %s" % (goal, "met" if met else "**missed**")


def tables(args, graphs, found):
    ratios = []
    print("Milliseconds per epoch (one training step and one evaluation of the whole graph), median (quartiles) of %d "
          "runs:\n" %
          args.repetitions)
    print("| graph | threads | gprgnn | %s | times faster | goal |" % " | ".join(title for title, _ in PYG.values()))
    print("|---|---|---|%s---|---|" % ("---|" * len(PYG)))
    for graph in graphs:
        for threads in args.threads:
            place = "%s/%d/" % (graph["name"], threads)
            ours = found[place + "gprgnn/epoch"]
            rivals = [found[place + who + "/epoch"] for who in PYG]
            best = min((found[place + who + "/epoch"] for who in FAIR), key=lambda e: e["median"])
            ratio, goal = best["median"] / ours["median"], graph["goals"].get(threads)
            ratios.append(dict(graph=graph["name"], threads=threads, against=best["who"], ratio=ratio, goal=goal))
            print("| %s | %d | %s | %s | %.1f | %s |" %
                  (graph["title"], threads, milliseconds(ours), " | ".join(map(milliseconds, rivals)), ratio,
                   verdict(ratio, goal and "≥ %g" % goal, goal and ratio >= goal)))
    print("\n“Times faster” compares with the faster of the first two PyG columns, which do the same work per epoch.\n")
    print("Peak memory in MB (10⁶ bytes), median:\n")
    print("| graph | threads | gprgnn | PyG | goal |\n|---|---|---|---|---|")
    for graph in graphs:
        for threads in args.threads:
            place = "%s/%d/" % (graph["name"], threads)
            ours, goal = found[place + "gprgnn/memory"]["median"] / MB, graph.get("memory_goal")
            print("| %s | %d | %.1f | %.0f | %s |" % (graph["title"], threads, ours,
                                                      found[place + "pyg/memory"]["median"] / MB,
                                                   verdict(ours, goal and "≤ %g" % goal, goal and ours <= goal)))
    print()
    return ratios


def cpu_name():
    try:
        with open("/proc/cpuinfo") as f:
            return next(line.split(":", 1)[1].strip() for line in f if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


def version_of(package):
    from importlib.metadata import version
    return version(package)


def time_epochs(args, folder, result):
    """Training, compared with PyTorch Geometric, and the kernels."""
    graphs = [
        dict(name="csbm", title="cSBM, 5000 × 2000 dense", path=folder / "csbm.npz", split="dense", epochs=60,
             pyg_epochs=10,
             goals={1: 4, 2: 6}),
        dict(name="cora_shape", title="Cora's shape, 2708 × 1433 sparse", path=folder / "cora_shape.npz",
             split="sparse",
             epochs=1000, pyg_epochs=20, goals={1: 50}, memory_goal=15),
    ]
    call([args.program, "generate", "csbm", "--phi", "0.5", "--seed", "1", "-o", graphs[0]["path"]])
    cora_shape(graphs[1]["path"])
    learned = check(args, graphs[0]["path"], folder)
    found = measure(args, graphs)
    ratios = tables(args, graphs, found)

    result.update(test_accuracy_csbm=learned, ratios=ratios)
    result["entries"] += found.values()
    if args.kernels:
        path = args.json + ".kernels"
        print(call([args.kernels, "--json", path]))
        with open(path) as f:
            kernels = json.load(f)
        os.remove(path)
        result["entries"] += kernels.pop("entries")
        result["kernels"] = kernels


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/gprgnn")
    parser.add_argument("--kernels", default="build/bench_kernels",
                        help="the program of bench/kernels.c; '' leaves it out")
    parser.add_argument("--reading", default="build/bench_reading", help="the program of bench/reading.c")
    parser.add_argument("--reading-lines", type=int, default=20000000, help="edges of the csv file")
    parser.add_argument("--only", choices=("epochs", "models", "reading", "large", "gpu"),
                        help="one section; default: all")
    parser.add_argument("--products", action="store_true", help="large: also a graph of the size of ogbn-products")
    parser.add_argument("--json", default="build/bench.json")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--threads", type=lambda s: [int(t) for t in s.split(",")], default=[1, 2])
    args = parser.parse_args()

    machine = dict(cpu=cpu_name(), cores=os.cpu_count(), load=os.getloadavg()[0], system=platform.platform(),
                   python=platform.python_version(), torch=version_of("torch"),
                   torch_geometric=version_of("torch_geometric"),
                   pandas=version_of("pandas"), scipy=version_of("scipy"),
                   gprgnn=call([args.program, "--version"]).strip(), date=datetime.date.today().isoformat())
    print("%(cpu)s, %(cores)d cores; %(gprgnn)s; PyTorch %(torch)s, PyTorch Geometric %(torch_geometric)s; "
          "%(date)s.\n" % machine)
    if machine["load"] > 0.5:
        print("bench: the machine is busy (load %.1f): the times will vary" % machine["load"], file=sys.stderr)

    result = dict(machine=machine, entries=[])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if args.only in (None, "epochs"):
            time_epochs(args, folder, result)
        for section in (models, reading, large, gpu):
            if args.only in (None, section.__name__):
                result["entries"] += section.measure(args, folder, sys.modules[__name__])
    with open(args.json + ".tmp", "w") as f:
        json.dump(result, f, indent=1)
    os.replace(args.json + ".tmp", args.json)
    print("Every measurement: %s" % args.json, file=sys.stderr)


if __name__ == "__main__":
    main()
