#!/usr/bin/env python3
"""Whole scripts side by side: this package, PyTorch Geometric and scikit-network, on the same data and splits.

    bench/python/compare.py [--repeats 3] [--threads 1] [--json FILE] [--only cora,pubmed,edges]

Needs a Python with gprgnn, torch, torch_geometric, scipy and scikit-network, and cora and pubmed where load_dataset
finds them. A script runs from `python` to its end, imports and reading included. Times are medians of the repeats; the
CPU time depends little on what else the machine does. Memory: the largest resident set of the process. Accuracy: the
mean over the repeats, each on another split with other initial weights.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import gprgnn

HERE = pathlib.Path(__file__).resolve().parent
TOOLS = {"gprgnn": "with_gprgnn.py", "PyG": "with_pyg.py", "scikit-network (GCN)": "with_sknetwork.py"}
# Name: (how to open it, epochs)
GRAPHS = {
    "cora": ("cora", 200),
    "pubmed": ("pubmed", 200),
    "edges": ("csbm:n=100000,f=50,d=20,phi=0.5,eps=15,seed=1", 100),
}


def lines_of(script):
    """Lines of code: no blank ones, no comments, no docstring."""
    text = (HERE / script).read_text().split('"""', 2)[2]
    return sum(bool(line.strip()) and not line.strip().startswith("#") for line in text.splitlines())


def run(script, arguments, threads):
    """(seconds, CPU seconds, bytes, accuracy) of one script."""
    limits = {name: str(threads) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        start = time.perf_counter()
        process = subprocess.Popen([sys.executable, HERE / script, *arguments], stdout=out, stderr=err,
                                   env={**os.environ, **limits})
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = status
        out.seek(0), err.seek(0)
        if status != 0:
            raise SystemExit(f"{script} failed:\n{err.read()[-3000:]}")
        return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, float(out.read().split()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json")
    parser.add_argument("--only", default=",".join(GRAPHS))
    args = parser.parse_args()

    found = []
    with tempfile.TemporaryDirectory() as folder:
        for graph in args.only.split(","):
            name, epochs = GRAPHS[graph]
            data = gprgnn.load_dataset(name)
            path = os.path.join(folder, f"{graph}.npz")
            data.save(path)
            results = {tool: [] for tool in TOOLS}
            for repeat in range(args.repeats):  # in turn, so that a slow minute is everyone's
                split = os.path.join(folder, "split.npz")
                train, val, test = data.split("60/20/20", seed=repeat)
                np.savez(split, train_mask=train, val_mask=val, test_mask=test)
                for tool, script in TOOLS.items():
                    results[tool].append(run(script, [path, split, str(epochs), str(args.threads), str(repeat + 1)],
                                             args.threads))
                    print(graph, tool, *results[tool][-1], file=sys.stderr, flush=True)
            for tool, script in TOOLS.items():
                seconds, cpu, memory, accuracy = zip(*results[tool])
                found.append({"graph": graph, "nodes": data.n_nodes, "edges": data.n_edges, "epochs": epochs,
                              "tool": tool, "lines": lines_of(script), "seconds": statistics.median(seconds),
                              "cpu_seconds": statistics.median(cpu), "all_seconds": seconds, "all_cpu_seconds": cpu,
                              "peak_bytes": max(memory),
                              "accuracy": statistics.fmean(accuracy)})
    print("| graph | epochs | | lines | time | CPU time | peak memory | test accuracy |")
    print("|---" * 8 + "|")
    for row in found:
        print(f"| {row['graph']}, {row['nodes']} nodes, {row['edges']} edges | {row['epochs']} | {row['tool']} | "
              f"{row['lines']} | {row['seconds']:.1f} s | {row['cpu_seconds']:.1f} s | "
              f"{row['peak_bytes'] / 1e6:.0f} MB | {row['accuracy']:.1f} % |")
    if args.json:
        outcome = {"threads": args.threads, "repeats": args.repeats, "rows": found}
        pathlib.Path(args.json).write_text(json.dumps(outcome))


if __name__ == "__main__":
    main()
