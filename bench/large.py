"""Large graphs on the CPU: a section of bench/bench.py (bench/run.sh --only large).

An epoch on a random graph of the size of ogbn-arxiv (bench/shapes.py), beside PyTorch Geometric in both forms; a cSBM
of a million nodes; a graph with communities in several orders of its nodes; and one step over the graph beside
SuiteSparse:GraphBLAS (bench/spmm.c). With --products also graphs of the size of ogbn-products: they need 10 GB of
memory to be made, and ten minutes or more.
"""
import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
GOALS = {"csr": 7, "edges": 22}  # times as fast as PyG
MB = 1e6


def make(args, folder, shape):
    """-> the graph as .npz for PyG and as .gpr for us."""
    path = folder / (shape + ".npz")
    subprocess.run([sys.executable, HERE / "shapes.py", shape, path], check=True)
    subprocess.run([args.program, "convert", path, folder / (shape + ".gpr"), "-q"], check=True)
    return path, folder / (shape + ".gpr")


def add(entries, tools, name, who, unit, values, graph):
    entries.append(dict(dict(name="large/" + name, who=who, unit=unit, better="less", graph=graph),
                        **tools.spread(values)))
    return statistics.median(values)


def time_arxiv(args, folder, tools, entries, repetitions=3):
    """They take turns, so that a busy moment of the machine meets all of them."""
    npz, gpr = make(args, folder, "arxiv")
    threads = args.threads[-1]
    ours, theirs = [], {"csr": [], "edges": []}
    for _ in range(repetitions):
        ours.append(tools.gprgnn(args, gpr, threads, 6, "--split", "60/20/20"))
        for form, norm in (("csr", "csr"), ("edges", "cached")):
            theirs[form].append(tools.pyg(npz, threads, 2, "--warmup", "1", "--norm", norm))
    own = add(entries, tools, "arxiv/gprgnn, float32", "gprgnn", "ms", [r["ms_per_epoch"] for r in ours], "arxiv")
    print("| arxiv, %d threads | gprgnn | %.0f | %.0f | |" % (threads, own,
                                                              max(r["peak_memory_bytes"] for r in ours) / MB))
    for form, runs in theirs.items():
        other = add(entries, tools, "arxiv/pyg, " + form, "pyg", "ms", [r["ms_per_epoch"] for r in runs], "arxiv")
        ratio = other / own
        print("| | PyG, %s | %.0f | %.0f | %.1f (goal %d: %s) |" %
              (form, other, max(r["peak_memory_bytes"] for r in runs) / MB, ratio, GOALS[form],
               "met" if ratio >= GOALS[form] else "**missed**"), flush=True)
    npz.unlink()
    return gpr


def time_csbm(args, folder, tools, entries):
    """Nanoseconds per node of an epoch, f = 64, d = 10."""
    for nodes in (10000, 100000, 1000000):
        path = folder / "large_csbm.gpr"
        data = folder / "large_csbm.npz"
        subprocess.run([args.program, "generate", "csbm", "--n", str(nodes), "--f", "64", "--d", "10", "--phi", "0.5",
                        "-o", data, "-q"],
                       check=True)
        subprocess.run([args.program, "convert", data, path, "-q"], check=True)
        got = [tools.gprgnn(args, path, args.threads[-1], 3 if nodes > 100000 else 20, "--split",
                            "60/20/20")["ms_per_epoch"]
               for _ in range(3)]
        ms = add(entries, tools, "csbm %d/gprgnn" % nodes, "gprgnn", "ms", got, "csbm")
        print("| cSBM, %d nodes, %d threads | gprgnn | %.1f | | %.0f ns per node |" % (nodes, args.threads[-1], ms,
                                                                                       1e6 * ms / nodes),
              flush=True)


def time_orders(args, folder, tools, entries, name, first, orders, epochs, repetitions):
    """Epochs on the same graph with its nodes in several orders (gprgnn convert --reorder)."""
    times = {}
    for order in orders:
        path = first if order == "none" else folder / "ordered.gpr"
        begun = time.monotonic()
        if order != "none" and subprocess.run([args.program, "convert", first, path, "--reorder", order,
                                               "-q"]).returncode:
            continue  # METIS is not everywhere
        seconds = time.monotonic() - begun
        runs = [tools.gprgnn(args, path, args.threads[-1], epochs, "--split", "60/20/20") for _ in range(repetitions)]
        times[order] = add(entries, tools, "%s/%s" % (name, order), "gprgnn", "ms", [r["ms_per_epoch"] for r in runs],
                           name)
        print("| %s, %d threads | order %s | %.0f | %.0f | %.2f%s |" %
              (name, args.threads[-1], order, times[order], max(r["peak_memory_bytes"] for r in runs) / MB,
               times["none"] / times[order], "" if order == "none" else "; %.1f s to convert" % seconds), flush=True)


def time_products(args, folder, tools, entries):
    """Sizes of ogbn-products, with its classes as communities, and with 940."""
    for shape, orders in (("products", ("none", "communities")),
                          ("products-communities", ("none", "communities", "metis"))):
        npz, path = make(args, folder, shape)
        npz.unlink()
        time_orders(args, folder, tools, entries, shape, path, orders, 2, 1)
        path.unlink()


def measure(args, folder, tools):
    entries = []
    print("Large graphs on the CPU, milliseconds per epoch and MB at the most:\n\n| graph | | ms | MB | times faster "
          "|\n|---|---|---|---|---|")
    arxiv = time_arxiv(args, folder, tools, entries)
    time_csbm(args, folder, tools, entries)
    npz, groups = make(args, folder, "groups")
    npz.unlink()
    time_orders(args, folder, tools, entries, "groups", groups, ("none", "rcm", "communities", "metis"), 3, 3)
    if args.products:
        time_products(args, folder, tools, entries)
    print()
    spmm = pathlib.Path(args.kernels).parent / "bench_spmm"
    if not spmm.exists():
        print("bench: SuiteSparse:GraphBLAS is not installed (Debian: libgraphblas-dev): its steps are left out",
              file=sys.stderr)
        return entries
    for threads in args.threads:
        print("One step over the graph, %d threads:\n" % threads)
        print(tools.call([spmm, threads, arxiv]), flush=True)
    return entries
