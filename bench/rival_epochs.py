#!/usr/bin/env python3
"""Milliseconds per epoch of PyTorch Geometric on the datasets of the paper's efficiency table, for `gprgnn paper`:

    bench/rival_epochs.py build/gprgnn [--threads N] > rival.csv      # with the Python of build/bench-venv (make bench)
    build/gprgnn paper table-efficiency --rival rival.csv

Of PyG's two forms, edges or a torch.sparse matrix, the faster one counts. Graphs are found by name ($GPRGNN_DATA or
`gprgnn fetch`); one that is not found is left out with a message.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import models

GRAPHS = ("cora", "pubmed", "computers", "chameleon", "actor", "squirrel", "texas")


class Tools:
    @staticmethod
    def call(words):
        return subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, text=True, check=True).stdout


def fastest(model, path, threads, repetitions):
    """The median of each form; the smaller one."""
    medians = []
    for form in ("edges",) if model in models.EDGES_ONLY else ("edges", "csr"):
        more = () if model == "gprgnn" else ("--seconds", models.SECONDS)
        got = [models.rival(Tools, model, path, threads, form, 5, "--warmup", 1, *more)["ms_per_epoch"]
               for _ in range(repetitions)]
        medians.append(statistics.median(got))
    return min(medians)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--repetitions", type=int, default=3,
                        help="processes of each model and form; the median counts")
    args = parser.parse_args()
    print("model,dataset,ms_per_epoch")
    with tempfile.TemporaryDirectory() as folder:
        for graph in GRAPHS:
            path = pathlib.Path(folder) / (graph + ".npz")
            done = subprocess.run([args.program, "convert", graph, path, "-q"], stderr=subprocess.PIPE, text=True)
            if done.returncode:
                print("%s is left out: %s" % (graph, done.stderr.strip()), file=sys.stderr)
                continue
            for model in models.MODELS:
                if model not in models.ALONE:
                    print("%s,%s,%.4g" % (model, graph, fastest(model, path, args.threads, args.repetitions)),
                          flush=True)


if __name__ == "__main__":
    main()
