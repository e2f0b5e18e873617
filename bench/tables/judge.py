#!/usr/bin/env python3
"""gprgnn on tables, judged on hidden nodes, beside logistic regression and XGBoost.

    bench/tables/judge.py [--program build/gprgnn] [--tables DIR] [--real DIR] [--kind NAME]... [--seeds 1,2,3,4,5]
                          [--scale X] [--json FILE] [-- OPTION...]

Needs what requirements.txt beside it names; a virtual environment for it:

    python3 -m venv build/tables-venv && build/tables-venv/bin/pip install -r bench/tables/requirements.txt

Tables are made in DIR (default build/tables) where they are missing: those of make_tables.py, and of real graphs
that --real has (default $GPRGNN_DATA/real or ../shared/data/real). For each kind and seed there is one `gprgnn train`
command with the names of the columns only; what follows `--` is added to it. The rivals (rivals.py) see the same
visible labels and columns of neighbours (rival_columns.py). Every one is judged on the same hidden nodes, which are in
truth.csv alone: accuracy; AUC and average precision where a class is rare. Seconds include reading; memory is the
largest of the process.

The last table has, of each kind, the mean over the seeds of the figure that counts there, and the mean difference to
the better rival with its standard error, seed by seed.
"""
import argparse
import csv
import glob
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
RARE = {"fraud": "fraud", "payments": "fraud", "drift": "fraud"}
TIME = {"drift": "opened"}
RIVALS = ("logistic regression", "XGBoost")


def truth_of(folder):
    with open(os.path.join(folder, "truth.csv"), encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        next(rows)
        return dict(rows)


def figures(shares, truth, rare):
    """shares: {id: {class: probability}}. Accuracy and macro F1; AUC and average precision of the rare class."""
    from sklearn.metrics import accuracy_score, average_precision_score, f1_score, roc_auc_score
    ids = list(truth)
    right = [truth[i] for i in ids]
    said = [max(shares[i], key=shares[i].get) for i in ids]
    found = {"accuracy": accuracy_score(right, said), "macro_f1": f1_score(right, said, average="macro")}
    if rare:
        positive, scores = [r == rare for r in right], [shares[i].get(rare, 0.0) for i in ids]
        found |= {"auc": roc_auc_score(positive, scores),
                  "average_precision": average_precision_score(positive, scores)}
    return found


def run_measured(command):
    """Seconds and the largest memory of a command, in MB."""
    started = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"judge: failed: {' '.join(command)}")
    return time.monotonic() - started, usage.ru_maxrss / 1000


def tables_of(folder, kind):
    """The options that name the tables and their columns."""
    options = ["--nodes", os.path.join(folder, "nodes.csv"), "--label", "label"]
    for path in sorted(glob.glob(os.path.join(folder, "edges*.csv"))):
        name = os.path.basename(path)[len("edges_"):-len(".csv")]
        options += ["--edges", f"{name}={path}" if name else path]
    return options + (["--time", TIME[kind]] if kind in TIME else [])


def ours(program, folder, kind, options):
    with tempfile.TemporaryDirectory() as out:
        run, made = os.path.join(out, "run"), os.path.join(out, "predictions.csv")
        tables = tables_of(folder, kind)
        seconds, memory = run_measured([program, "train", *tables, "--out", run, "-q", *options])
        subprocess.run([program, "predict", run, *tables, "--proba", "-o", made, "-q"], check=True)
        with open(made, encoding="utf-8", newline="") as file:
            shares = {row["node"]: {k[2:]: float(v) for k, v in row.items() if k.startswith("p_")}
                      for row in csv.DictReader(file)}
        with open(os.path.join(run, "result.json"), encoding="utf-8") as file:
            result = json.load(file)
    return shares, seconds, memory, (result.get("choice") or {}).get("chosen", result["model"])


def apart(what, folder, kind, text=""):
    """In a process of its own: what a program takes counts from what the process had that started it."""
    command = [sys.executable, os.path.abspath(__file__), "--apart", what, "--folder", folder, "--kind", kind]
    return json.loads(subprocess.run(command, input=text, check=True, stdout=subprocess.PIPE, text=True).stdout)


def print_apart(what, folder, kind):
    """The figures of a rival, or of shares that stdin has."""
    extra = {}
    if what == "figures":
        shares = json.load(sys.stdin)
    else:
        import rivals
        started = time.monotonic()
        shares, extra["note"] = rivals.shares_of(folder, what, kind in TIME)
        extra |= {"seconds": time.monotonic() - started,
                  "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000}
    print(json.dumps(figures(shares, truth_of(folder), RARE.get(kind)) | extra))


def judge_all(args, kind, folder):
    """What each came to on the tables in the folder."""
    shares, seconds, memory, chosen = ours(args.program, folder, kind, args.options)
    yield {"by": "gprgnn", **apart("figures", folder, kind, json.dumps(shares)), "seconds": seconds, "memory": memory,
           "note": chosen}
    for name in () if args.no_rivals else RIVALS:
        yield {"by": name, **apart(name, folder, kind)}


def print_row(found):
    def number(key):
        return f"{found[key]:.4f}" if key in found else ""
    print(f"| {found['tables']} | {found['seed']} | {found['by']} | {number('accuracy')} | {number('macro_f1')} | "
          f"{number('auc')} | {number('average_precision')} | {found['seconds']:.1f} | {found['memory']:.0f} | "
          f"{found['note']} |", flush=True)


def mean(values):
    return sum(values) / len(values)


def standard_error(values):
    if len(values) < 2:
        return math.nan
    centre = mean(values)
    return math.sqrt(sum((v - centre) ** 2 for v in values) / (len(values) - 1) / len(values))


def print_summary(everything, kinds):
    print("\n| tables | measure | gprgnn | " + " | ".join(RIVALS) + " | difference to the better rival |")
    print("|---|---|---|" + "---|" * (len(RIVALS) + 1))
    for kind in kinds:
        measure = "average_precision" if kind in RARE else "accuracy"
        of = {by: [100 * row[measure] for row in everything if row["tables"] == kind and row["by"] == by]
              for by in ("gprgnn", *RIVALS)}
        best = max(RIVALS, key=lambda by: mean(of[by]))
        ahead = [a - b for a, b in zip(of["gprgnn"], of[best])]
        print(f"| {kind} | {measure.replace('_', ' ')} | " + " | ".join(f"{mean(of[by]):.2f}" for by in of) +
              f" | {mean(ahead):+.2f} ± {standard_error(ahead):.2f} |")


def folder_of(args, kind, seed):
    """Makes the tables where they are missing."""
    import make_tables
    import real_tables
    real = kind in real_tables.LABELS
    root = os.path.join(args.tables, f"seed{seed}" if real else f"seed{seed}-scale{args.scale:g}")
    folder = os.path.join(root, kind)
    if not glob.glob(os.path.join(folder, "edges*.csv")):  # written last
        if real:
            real_tables.make(root, kind, seed, args.real)
        else:
            make_tables.make(root, kind, seed, args.scale)
    return folder


def main():
    sys.path.insert(0, HERE)
    import make_tables
    import real_tables
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/gprgnn")
    parser.add_argument("--tables", default="build/tables")
    parser.add_argument("--real", default=os.path.join(os.environ.get("GPRGNN_DATA", "../shared/data"), "real"))
    parser.add_argument("--kind", action="append", choices=[*make_tables.MAKERS, *real_tables.LABELS])
    parser.add_argument("--seeds", default="1", help="numbers with commas between them")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--json")
    parser.add_argument("--no-rivals", action="store_true", help="gprgnn alone")
    parser.add_argument("--apart", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    parser.add_argument("options", nargs="*", help="further options of gprgnn train, after --")
    args = parser.parse_args()
    if args.apart:
        print_apart(args.apart, args.folder, args.kind[0])
        return
    kinds = args.kind or [*make_tables.MAKERS, *real_tables.there(args.real)]
    if not args.kind and not real_tables.there(args.real):
        print(f"judge: no real graphs in {args.real}: those are left out", file=sys.stderr)
    everything = []
    print("| tables | seed | by | accuracy | macro F1 | AUC | average precision | seconds | MB | chosen |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for kind in kinds:
        for seed in args.seeds.split(","):
            for found in judge_all(args, kind, folder_of(args, kind, int(seed))):
                everything.append({"tables": kind, "seed": int(seed), **found})
                print_row(everything[-1])
    if not args.no_rivals:
        print_summary(everything, kinds)
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(everything, file, indent=1)


if __name__ == "__main__":
    main()
