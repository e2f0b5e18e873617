#!/usr/bin/env python3
"""What it costs to save the state of a training: the same training into a run folder with and without saving.

    bench/saving.py [--program build/gprgnn] [--shape arxiv|products] [--epochs N] [--every SECONDS] [--repetitions N]

The graph is a cSBM with the nodes, edges and features of ogbn-arxiv or ogbn-products. Both trainings run in turn, so
that a slow minute of the machine affects both. Compared are the medians of the time per epoch, which includes the
saving.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import tempfile

SHAPES = {"arxiv": (169343, 13.8, 128), "products": (2449029, 50.5, 100)}


def train(options, folder, every):
    """Milliseconds per epoch, and the bytes of the last state."""
    out = os.path.join(folder, "run")
    subprocess.run([options.program, "train", os.path.join(folder, "graph.gpr"), "--epochs", str(options.epochs),
                    "--stopping", "none", "--out", out, "--save-every", every, "--json", os.path.join(folder, "r.json"),
                    "--threads", str(options.threads), "-q"], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(out)
    with open(os.path.join(folder, "r.json"), encoding="utf-8") as file:
        return json.load(file)["ms_per_epoch"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/gprgnn")
    parser.add_argument("--shape", choices=SHAPES, default="arxiv")
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--every", default="30", help="as --save-every; 0: after every epoch")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--repetitions", type=int, default=3)
    options = parser.parse_args()
    nodes, degree, features = SHAPES[options.shape]
    with tempfile.TemporaryDirectory(dir=".") as folder:
        graph = os.path.join(folder, "graph.gpr")
        subprocess.run([options.program, "generate", "csbm", "--phi", "0.5", "--n", str(nodes), "--d", str(degree),
                        "--f",
                        str(features), "-o", graph, "-q"], check=True)
        times = {"never": [], options.every: []}
        for _ in range(options.repetitions):
            for every, kept in times.items():
                kept.append(train(options, folder, every))
    never, saved = (statistics.median(kept) for kept in times.values())
    print(f"{options.shape}: {nodes} nodes, {options.epochs} epochs, ms per epoch, median of {options.repetitions}")
    print(f"  without saving            {never:10.2f}")
    print(f"  a state every {options.every:>4} s      {saved:10.2f}   {100 * (saved / never - 1):+.2f} %")


if __name__ == "__main__":
    main()
