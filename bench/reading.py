"""Reading of graphs, compared with pandas and scipy: a section of bench/bench.py (bench/run.sh --only reading).

A csv of many random edges becomes CSR: gprgnn (bench/reading.c), and pandas.read_csv with scipy
(bench/rivals/pandas_csr.py). Each is its own process; they run one after the other in every repetition. Both must find
the same number of edges. It also measures how long a small .npz file takes.
"""
import json
import os
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
RIVAL = HERE / "rivals" / "pandas_csr.py"
# name: title, options, whether it does the same work as gprgnn
RIVALS = {
    "pandas": ("pandas.read_csv, scipy", [], True),
    "pandas_int32": ("the same, told that ids are int32", ["--dtype", "int32"], True),
    "pandas_plain": ("pandas.read_csv, scipy, directed as in the file", ["--plain"], False),
}
# Other formats of the same edges, which open faster. Word of --format: title, goal in milliseconds, and the arguments
# of gprgnn that make the file; the paths of the csv file and of the result are added to them.
FORMS = {"gpr": ("a .gpr file, mapped", 50, ["convert", "--quiet"])}
FASTER, LESS_MEMORY, NPZ_MS = 3, 3, 20  # goals
MB = 1e6


def write_edges(path, lines, nodes, seed=1):
    """`src,dst` and `lines` lines of random ids below `nodes`; made a million lines at a time."""
    rng = np.random.default_rng(seed)
    width = len(str(nodes - 1))
    powers = 10 ** np.arange(width - 1, -1, -1)
    with open(path, "wb") as f:
        f.write(b"src,dst\n")
        for begin in range(0, lines, 1000000):
            ids = rng.integers(nodes, size=(min(1000000, lines - begin), 2))
            text = np.empty((len(ids), 2, width + 1), np.uint8)
            text[:, :, :width] = ids[:, :, None] // powers % 10 + ord("0")
            text[:, 0, width], text[:, 1, width] = ord(","), ord("\n")
            keep = np.ones(text.shape, bool)  # all but leading zeros
            keep[:, :, :width - 1] = ids[:, :, None] >= powers[:-1]
            f.write(text[keep].tobytes())


def find_npz(folder, make):
    """Cora itself if it is there, else a file of its shape. -> path, title."""
    cora = pathlib.Path(os.environ.get("GPRGNN_DATA", "")) / "graphs" / "cora.npz"
    if os.environ.get("GPRGNN_DATA") and cora.exists():
        return cora, "cora.npz"
    path = folder / "cora_shape.npz"
    if not path.exists():
        make(path)
    return path, "an .npz of Cora's shape"


def measure(args, folder, tools):
    """-> entries as in bench.py. tools: call, spread, SMALL_PARENT, cora_shape of bench.py."""
    found = {}

    def add(name, who, unit, value, **about):
        entry = found.setdefault(name, dict(name="reading/" + name, who=who, unit=unit, better="less", values=[],
                                            **about))
        entry["values"].append(value)

    def ours(path, threads, *more):
        return json.loads(tools.call([*tools.SMALL_PARENT, args.reading, "--threads", threads, *more, path]))

    edges, (npz, title) = folder / "edges.csv", find_npz(folder, tools.cora_shape)
    write_edges(edges, args.reading_lines, args.reading_lines // 10)
    size = os.path.getsize(edges) / MB
    for word, (_, _, arguments) in FORMS.items():
        tools.call([args.program, *arguments, edges, folder / ("edges." + word)])
    for repetition in range(max(3, args.repetitions)):
        for threads in args.threads:
            got = ours(edges, threads)
            add("csv/%d/gprgnn/seconds" % threads, "gprgnn", "s", got["seconds"][0], threads=threads)
            add("csv/%d/gprgnn/memory" % threads, "gprgnn", "bytes", got["peak_memory_bytes"], threads=threads)
        for who, (_, options, same) in RIVALS.items():
            theirs = json.loads(tools.call([*tools.SMALL_PARENT, sys.executable, "-W", "ignore", RIVAL, edges,
                                            *options]))
            if same and theirs["entries"] != 2 * got["edges"]:
                sys.exit("bench: %d entries (%s), %d edges (gprgnn)" % (theirs["entries"], who, got["edges"]))
            add("csv/%s/seconds" % who, who, "s", theirs["seconds"])
            add("csv/%s/read" % who, who, "s", theirs["read_seconds"])
            add("csv/%s/memory" % who, who, "bytes", theirs["peak_memory_bytes"])
        got = ours(npz, args.threads[-1], "--times", 10)
        add("npz/first", "gprgnn", "ms", 1e3 * got["seconds"][0])
        for seconds in got["seconds"][1:]:
            add("npz/again", "gprgnn", "ms", 1e3 * seconds)
        for word in FORMS:
            got = ours(folder / ("edges." + word), args.threads[-1], "--format", word)
            add("form/" + word, "gprgnn", "ms", 1e3 * got["seconds"][0])
        print("reading: repetition %d of %d" % (repetition + 1, max(3, args.repetitions)), file=sys.stderr)
    for entry in found.values():
        entry.update(tools.spread(entry["values"]))
    tables(args, found, size, title)
    return list(found.values())


def seconds(entry):
    return "%.2f (%.2f–%.2f)" % tuple(entry[k] for k in ("median", "q1", "q3"))


def tables(args, found, size, title):
    threads = args.threads[-1]
    best, memory = found["csv/%d/gprgnn/seconds" % threads]["median"], found["csv/%d/gprgnn/memory" % threads]["median"]
    print("Reading %.0f million edges (a csv of %.0f MB, in the system's cache) into an undirected graph as CSR. "
          "Seconds, "
          "median (quartiles) of %d runs, and peak memory in MB:\n" % (args.reading_lines / 1e6, size,
                                                                      len(found["csv/pandas/seconds"]["values"])))
    print("| program | threads | seconds | of it read_csv | MB | times as long as gprgnn | times the memory |")
    print("|---|---|---|---|---|---|---|")
    for t in args.threads:
        print("| gprgnn | %d | %s | | %.0f | | |" % (t, seconds(found["csv/%d/gprgnn/seconds" % t]),
                                                    found["csv/%d/gprgnn/memory" % t]["median"] / MB))
    for who, (name, _, _) in RIVALS.items():
        time, space = found["csv/%s/seconds" % who], found["csv/%s/memory" % who]
        print("| %s | 1 | %s | %.2f | %.0f | %.1f | %.1f |" %
              (name, seconds(time), found["csv/%s/read" % who]["median"], space["median"] / MB, time["median"] / best,
               space["median"] / memory))
    ratio = found["csv/pandas/seconds"]["median"] / best
    less = found["csv/pandas/memory"]["median"] / memory
    print("\nCompared with the first of them, with %d threads: %.1f times as fast (goal ≥ %d: %s), %.1f times less "
          "memory (goal ≥ %d: %s).\n" %
          (threads, ratio, FASTER, "met" if ratio >= FASTER else "**missed**", less, LESS_MEMORY,
           "met" if less >= LESS_MEMORY else "**missed**"))
    again = found["npz/again"]
    print("Reading %s into a graph: %.1f ms the first time in a process, then %.1f (%.1f–%.1f) (goal < %d: %s).\n" %
          (title, found["npz/first"]["median"], again["median"], again["q1"], again["q3"], NPZ_MS,
           "met" if found["npz/first"]["median"] < NPZ_MS else "**missed**"))
    for word, (name, goal, _) in FORMS.items():
        entry = found["form/" + word]
        print("The same edges from %s: %.1f (%.1f–%.1f) ms (goal < %d: %s).\n" %
              (name, entry["median"], entry["q1"], entry["q3"], goal,
               "met" if entry["median"] < goal else "**missed**"))
