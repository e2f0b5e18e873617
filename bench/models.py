"""Time per epoch of each model, compared with PyTorch Geometric: a section of bench/bench.py (bench/run.sh --only
models).

It uses the real cora, computers and squirrel, which `gprgnn` must find by name ($GPRGNN_DATA or `gprgnn fetch`); a
graph that is not found is left out with a message. PyG gets the graph as edges and, where its layers accept one, as a
torch.sparse matrix; the faster form counts. First, both must learn the same thing on the same split of cora.
"""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
RIVALS = HERE / "rivals"
GRAPHS = {"cora": 500, "computers": 30, "squirrel": 60}  # and epochs of gprgnn
MODELS = ("gprgnn", "mlp", "appnp", "sgc", "gcn", "sage", "cheby", "gat", "jknet", "geomgcn")
ALONE = ("geomgcn",)  # PyG has no such layers
EDGES_ONLY = ("mlp", "cheby")  # PyG: mlp uses no matrix, and its layer of cheby accepts none
FASTER = dict(mlp=10, sgc=10, appnp=10, gcn=10, sage=10, cheby=10, gat=10, jknet=3)  # goals on cora; all else 1
SECONDS = 3  # of PyG's epochs in a process
MB = 1e6


def find_graphs(args, folder):
    """-> name: path of an .npz that both programs read."""
    found = {}
    for name in GRAPHS:
        path = folder / (name + ".npz")
        done = subprocess.run([args.program, "convert", name, path, "-q"], stderr=subprocess.PIPE, text=True)
        if done.returncode:
            print("bench: models are not timed on %s: %s" % (name, done.stderr.strip()), file=sys.stderr)
        else:
            found[name] = path
    return found


def rival(tools, model, path, threads, form, epochs, *more):
    if model == "gprgnn":
        options = ["pyg_gprgnn.py", "--norm", {"edges": "cached", "csr": "csr"}[form]]
    else:
        options = ["pyg_baselines.py", "--model", model, "--graph", form]
    return json.loads(tools.call([sys.executable, "-W", "ignore", RIVALS / options[0], path, *options[1:], "--threads",
                                  threads,
                                  "--epochs", epochs, *more]))


def check(args, tools, path, folder):
    """Accuracies of single runs, which differ by chance: so the limit is some points."""
    epochs, limit, learned = 40, 6, {}
    for model in MODELS:
        ours = tools.gprgnn(args, path, args.threads[-1], epochs, "--model", model, "--split", "60/20/20", "--out",
                            folder / model)
        learned[model] = [ours["test_accuracy"]]
        if model not in ALONE:
            theirs = rival(tools, model, path, args.threads[-1], "edges", epochs, "--warmup", 0,
                           "--split", folder / model / "split.npz")
            learned[model].append(theirs["test_accuracy"])
            if abs(theirs["test_accuracy"] - ours["test_accuracy"]) > limit:
                sys.exit("bench: %s learns %.1f %% (gprgnn), %.1f %% (PyG)" % (model, *learned[model]))
    print("Test accuracy after %d epochs on the same split of cora, gprgnn / PyG: %s.\n" %
          (epochs, ", ".join("%s %s" % (model, " / ".join("%.1f" % v for v in values)) 
                             for model, values in learned.items())))


def measure(args, folder, tools):
    """-> entries as in bench.py. tools: call, gprgnn, spread of bench.py."""
    graphs, found = find_graphs(args, folder), {}
    if not graphs:
        return []

    def add(place, who, got, **about):
        for what, unit, value in (("epoch", "ms", got["ms_per_epoch"]), ("memory", "bytes", got["peak_memory_bytes"])):
            name = "models/%s/%s/%s" % (place, who, what)
            found.setdefault(name, dict(name=name, who=who, unit=unit, better="less", values=[],
                                        **about))["values"].append(value)

    if "cora" in graphs:
        check(args, tools, graphs["cora"], folder)
    repetitions = min(3, args.repetitions)
    for repetition in range(repetitions):
        for graph, path in graphs.items():
            for model in MODELS:
                for threads in args.threads:
                    place, about = "%s/%s/%d" % (graph, model, threads), dict(graph=graph, model=model, threads=threads)
                    epochs = max(10, GRAPHS[graph] // (5 if model in ("gat", "geomgcn") else 1))
                    add(place, "gprgnn",
                        tools.gprgnn(args, path, threads, epochs, "--model", model, "--split", "60/20/20"), **about)
                    for form in () if model in ALONE else ("edges",) if model in EDGES_ONLY else ("edges", "csr"):
                        more = () if model == "gprgnn" else ("--seconds", SECONDS)
                        add(place, "pyg_" + form, rival(tools, model, path, threads, form, 5, "--warmup", 1, *more),
                            **about)
            print("models: %s, repetition %d of %d" % (graph, repetition + 1, repetitions), file=sys.stderr)
    for entry in found.values():
        entry.update(tools.spread(entry["values"]))
    tables(args, graphs, found, repetitions)
    return list(found.values())


def digits(value):
    return "–" if value is None else "%.2f" % value if value < 100 else "%.0f" % value


def tables(args, graphs, found, repetitions):
    def median(place, who, what="epoch"):
        entry = found.get("models/%s/%s/%s" % (place, who, what))
        return entry and entry["median"]

    print("Milliseconds per epoch, medians of %d runs:\n" % repetitions)
    for graph in graphs:
        print("| %s |%s goal |" % (graph, "".join(" gprgnn, %d thread%s | PyG | PyG, torch.sparse | times faster |" %
                                                  (t, "s" * (t > 1)) for t in args.threads)))
        print("|---|%s---|" % ("---|---|---|---|" * len(args.threads)))
        for model in MODELS:
            cells, ratios = [], []
            for threads in args.threads:
                place = "%s/%s/%d" % (graph, model, threads)
                ours, *theirs = [median(place, who) for who in ("gprgnn", "pyg_edges", "pyg_csr")]
                measured = [t for t in theirs if t is not None]
                if measured:
                    ratios.append(min(measured) / ours)
                cells += [digits(ours), *map(digits, theirs), "%.1f" % ratios[-1] if measured else "–"]
            goal = FASTER.get(model, 1) if graph == "cora" else 1
            verdict = "≥ %d: %s" % (goal, "met" if min(ratios) >= goal else "**missed**") if ratios else "–"
            print("| `%s` | %s | %s |" % (model, " | ".join(cells), verdict))
        print()
    print("Peak memory in MB (10⁶ bytes) with %d thread%s, gprgnn / PyG from edges:\n" %
          (args.threads[0], "s" * (args.threads[0] > 1)))
    print("| model | %s |\n|---|%s" % (" | ".join(graphs), "---|" * len(graphs)))
    for model in MODELS:
        cells = []
        for graph in graphs:
            place = "%s/%s/%d" % (graph, model, args.threads[0])
            ours, theirs = median(place, "gprgnn", "memory"), median(place, "pyg_edges", "memory")
            cells.append("%.0f / %s" % (ours / MB, "%.0f" % (theirs / MB) if theirs else "–"))
        print("| `%s` | %s |" % (model, " | ".join(cells)))
    print()
