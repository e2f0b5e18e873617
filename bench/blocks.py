#!/usr/bin/env python3
"""An epoch of GPR blocks (gprgnn train --model gprdeep) on the CPU, beside PyTorch Geometric (rivals/pyg_deep.py).

    bench/blocks.py GRAPH.npz [--program build/gprgnn] [--threads 2] [--layers 4] [--hidden 256] [--hops 1]

GRAPH.npz is what `gprgnn convert` writes. Needs the environment of bench/run.sh. Both have batch norm, dropout 0.5 and
AdamW; the rival has the graph as edges and as a torch.sparse matrix, and the faster counts. All run in turn, each in a
process of its own. An epoch of gprgnn is the difference of a long and a short training, divided by the epochs between
them. Given are medians of the clock and of the CPU time of all threads, which a busy machine changes less.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

RIVAL = pathlib.Path(__file__).resolve().parent / "rivals" / "pyg_deep.py"


def call(command):
    """-> its JSON, seconds of the clock, seconds of the CPU"""
    begin = time.perf_counter()
    with subprocess.Popen([str(part) for part in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as process:
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"bench: {' '.join(str(part) for part in command)}: exit status {process.returncode}")
    return json.loads(out), time.perf_counter() - begin, usage.ru_utime + usage.ru_stime


def ours(options):
    command = [options.program, "train", options.graph, "--model", "gprdeep", "--norm", "batch", "--layers",
               options.layers, "--hidden", options.hidden, "--K", options.hops, "--threads", options.threads, "--split",
               "60/20/20", "--stopping", "none", "--label-input", "no", "--label-counts", "no", "--smooth", "no",
               "--refit", "no", "--calibrate", "no", "--baselines", "no", "-q", "--json", "-", "--epochs"]
    short, long = (call([*command, epochs]) for epochs in (1, 1 + options.epochs))
    return [1000 * (long[i] - short[i]) / options.epochs for i in (1, 2)] + [long[0]["peak_memory_bytes"]]


def rival(options, form):
    found, _, _ = call([sys.executable, "-W", "ignore", RIVAL, options.graph, "--threads", options.threads, "--layers",
                        options.layers, "--hidden", options.hidden, "--hops", options.hops, "--norm", form, "--epochs",
                        max(2, options.epochs // 4)])
    return [found[key] for key in ("ms_per_epoch", "cpu_ms_per_epoch", "peak_memory_bytes")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graph")
    parser.add_argument("--program", default="build/gprgnn")
    for word, value in dict(threads=2, layers=4, hidden=256, hops=1, epochs=8, repetitions=5).items():
        parser.add_argument("--" + word, type=int, default=value)
    options = parser.parse_args()
    ways = {"gprgnn": lambda: ours(options), "PyG": lambda: rival(options, "cached"),
            "PyG, torch.sparse": lambda: rival(options, "csr")}
    found = {name: [] for name in ways}
    for _ in range(options.repetitions):
        for name, measure in ways.items():
            found[name].append(measure())
    print(f"{options.graph}: {options.layers} blocks of {options.hidden}, {options.hops} hops, {options.threads} "
          f"threads, {options.repetitions} repetitions\n")
    print("| | ms per epoch | times gprgnn's | CPU ms per epoch | times gprgnn's | memory |\n|---|---|---|---|---|---|")
    for name, rows in found.items():
        clock, cpu, memory = (statistics.median(row[i] for row in rows) for i in range(3))
        ratios = [statistics.median(row[i] / own[i] for row, own in zip(rows, found["gprgnn"])) for i in (0, 1)]
        print(f"| {name} | {clock:.0f} | {ratios[0]:.2f} | {cpu:.0f} | {ratios[1]:.2f} | {memory / 1e6:.0f} MB |")


if __name__ == "__main__":
    main()
