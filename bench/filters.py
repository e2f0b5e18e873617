#!/usr/bin/env python3
"""What kinds and directions of edges, bases and a gamma for each column cost: CPU time of an epoch, and peak memory.

    bench/filters.py [--program build/gprgnn] [--before OTHER] [--size small|large] [--repetitions N] [--json FILE]

Needs only the program. --before: another build of it, which gets the filter of the paper too. A graph is three tables
of random edges of the same size, over the same nodes. It has few columns of features and a narrow network, so most of
an epoch is the filter. All settings run in turn, so that a slow minute of the machine affects all; the time is that of
the CPU, which a busy machine changes less. An epoch is the difference of a long and a short training, divided by the
epochs between them. Given are medians, and the least of each, beside what the setting is compared with: R single
filters, or the filter of the paper. What an epoch costs without hops (K = 0) is in no ratio.
"""
import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile

# nodes, edges of a table, classes, epochs of the short and of the long training
SIZES = {"small": (5000, 50000, 5, 50, 350), "large": (60000, 600000, 16, 3, 23)}
COLUMNS, HOPS = 8, 10
COMMON = ["--label", "class", "--K", str(HOPS), "--hidden", "16", "--stopping", "none", "--threads", "1", "--split",
          "20/20/60", "--label-input", "no", "--label-counts", "no", "--smooth", "no", "--refit", "no", "--calibrate",
          "no", "--baselines", "no", "--lr", "0.001", "-q"]


def write_graph(folder, nodes, edges, classes):
    rng = random.Random(1)
    with open(os.path.join(folder, "nodes.csv"), "w", encoding="utf-8") as file:
        print("id,class," + ",".join(f"x{c}" for c in range(COLUMNS)), file=file)
        for i in range(nodes):
            print(f"{i},c{i % classes}," + ",".join(f"{rng.gauss(0, 1):.3f}" for _ in range(COLUMNS)), file=file)
    for table in range(3):
        with open(os.path.join(folder, f"t{table}.csv"), "w", encoding="utf-8") as file:
            print("source,target", file=file)
            for _ in range(edges):
                print(f"{rng.randrange(nodes)},{rng.randrange(nodes)}", file=file)


def settings_of(options, folder):
    """name -> (program, options, what it is compared with, how many of these)"""
    tables = [os.path.join(folder, f"t{r}.csv") for r in range(3)]
    one = ["--edges", tables[0]]

    def kinds(count):
        return [part for r in range(count) for part in ("--edges", f"r{r}={tables[r]}")]

    new, paper = options.program, "the filter of the paper"
    found = {"no hops": (new, [*one, "--K", "0"], None, 0), paper: (new, one, None, 0)}
    if options.before:
        found["the same, other build"] = (options.before, one, None, 0)
        found[paper] = (new, one, "the same, other build", 1)
    for count in (2, 3):
        found[f"{count} relations"] = (new, kinds(count), paper, count)
    found["3 relations, gamma columns"] = (new, [*kinds(3), "--gamma", "columns"], "gamma columns", 3)
    for side in ("along", "against"):
        found[side] = (new, [*one, "--direction", side], None, 0)
    found["both directions"] = (new, [*one, "--direction", "both"], "along", 2)
    for basis in ("chebyshev", "legendre", "jacobi:1,0.5", "bernstein"):
        found[basis] = (new, [*one, "--basis", basis], paper, 1)
    found["gamma columns"] = (new, [*one, "--gamma", "columns"], paper, 1)
    found["chebyshev, gamma columns"] = (new, [*one, "--basis", "chebyshev", "--gamma", "columns"], paper, 1)
    found["no loops"] = (new, [*one, "--loops", "no"], paper, 1)
    return found


def train(program, options, epochs):
    """-> seconds of the CPU, bytes of memory"""
    with subprocess.Popen([program, "train", *options, "--epochs", str(epochs), "--json", "-"], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"bench: {program} train {' '.join(options)}: exit status {process.returncode}")
    return usage.ru_utime + usage.ru_stime, json.loads(out)["peak_memory_bytes"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/gprgnn")
    parser.add_argument("--before", help="another build of the program")
    parser.add_argument("--size", choices=SIZES, default="small")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--only", help="settings with these words, separated by |, and what they are compared with")
    parser.add_argument("--json", help="all measurements")
    options = parser.parse_args()
    nodes, edges, classes, short, long = SIZES[options.size]
    times, memory = {}, {}
    with tempfile.TemporaryDirectory(dir=".") as folder:
        write_graph(folder, nodes, edges, classes)
        common = ["--nodes", os.path.join(folder, "nodes.csv"), *COMMON]
        chosen = settings_of(options, folder)
        if options.only:
            words = [*options.only.split("|"), "the filter of the paper", "no hops"]
            needed = [part for name, setting in chosen.items() if any(word in name for word in words)
                      for part in (name, setting[2])]
            chosen = {name: setting for name, setting in chosen.items() if name in needed}
        for _ in range(options.repetitions):
            for name, (program, more, *_) in chosen.items():
                few, _ = train(program, [*common, *more], short)
                many, peak = train(program, [*common, *more], long)
                times.setdefault(name, []).append(1000 * (many - few) / (long - short))
                memory.setdefault(name, []).append(peak / 1e6)
    none = statistics.median(times["no hops"])
    print(f"{options.size}: {nodes:,} nodes, tables of {edges:,} edges, {classes} classes, K = {HOPS}, one thread; "
          f"{options.repetitions} repetitions\n")
    print("| filter | CPU ms per epoch | least | beside | ratio | memory |\n|---|---|---|---|---|---|")
    for name, (_, _, beside, count) in chosen.items():
        median, ratio = statistics.median(times[name]), ""
        if beside:
            pairs = [(a - none) / (count * (b - none)) for a, b in zip(times[name], times[beside])]
            ratio = f"{statistics.median(pairs):.2f}"
            beside = f"{count} × {beside}" if count > 1 else beside
        print(f"| {name} | {median:.2f} | {min(times[name]):.2f} | {beside or ''} | {ratio} | "
              f"{statistics.median(memory[name]):.1f} MB |")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"times": times, "memory": memory}, file)


if __name__ == "__main__":
    main()
