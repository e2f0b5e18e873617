#!/usr/bin/env python3
"""gprgnn on the tables of make_tables.py, judged on hidden nodes, beside scikit-learn.

    bench/tables/judge.py [--program build/gprgnn] [--tables DIR] [--kind fraud|products|users]... [--seed N] [--scale
    X]
                          [--json FILE] [-- OPTION...]

Needs what requirements.txt beside it names; a virtual environment for it:

    python3 -m venv build/tables-venv && build/tables-venv/bin/pip install -r bench/tables/requirements.txt

Tables are made in DIR (default build/tables) where they are missing. For each kind there is one `gprgnn train` command
with the names of the columns only; what follows `--` is added to it. The rivals are logistic regression and gradient
boosting (HistGradientBoostingClassifier) with the same visible labels: columns scaled, gaps filled with the median and
marked, texts one-hot, dates as days, and how many neighbours of each class and how many in all a node has. Every one is
judged on the same hidden nodes, which are in truth.csv alone. Seconds include reading; memory is the largest of the
process.
"""
import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
COLUMNS = {"fraud": ["--id", "id", "--label", "label"], "products": ["--id", "sku", "--label", "label"],
           "users": ["--id", "id", "--label", "label"]}
RIVALS = ("logistic regression", "gradient boosting")
RARE = {"fraud": "fraud"}


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


def ours(program, folder, kind, options):
    with tempfile.TemporaryDirectory() as out:
        run = os.path.join(out, "run")
        tables = ["--edges", os.path.join(folder, "edges.csv"), "--nodes", os.path.join(folder, "nodes.csv")]
        seconds, memory = run_measured([program, "train", *tables, *COLUMNS[kind], "--out", run, "-q", *options])
        made = os.path.join(out, "predictions.csv")
        subprocess.run([program, "predict", run, *tables, *COLUMNS[kind], "--proba", "-o", made, "-q"], check=True)
        with open(made, encoding="utf-8", newline="") as file:
            shares = {row["node"]: {k[2:]: float(v) for k, v in row.items() if k.startswith("p_")}
                      for row in csv.DictReader(file)}
        with open(os.path.join(run, "result.json"), encoding="utf-8") as file:
            result = json.load(file)
    return shares, seconds, memory, result.get("smoothing")


def rival_table(folder):
    """Ids, labels ('' for hidden nodes), and the matrix of columns and counts."""
    import numpy
    import pandas
    import scipy.sparse
    nodes = pandas.read_csv(os.path.join(folder, "nodes.csv"), dtype=str, keep_default_na=False)
    edges = pandas.read_csv(os.path.join(folder, "edges.csv"), dtype=str)
    ids, labels = nodes.iloc[:, 0], nodes["label"]
    place = pandas.Series(numpy.arange(len(ids)), index=ids)
    source, target = place[edges["source"]].to_numpy(), place[edges["target"]].to_numpy()
    ones = numpy.ones(2 * len(source))
    graph = scipy.sparse.csr_matrix((ones, (numpy.r_[source, target], numpy.r_[target, source])), shape=2 * [len(ids)])
    parts = []
    for name in nodes.columns[1:-1]:
        values = pandas.to_numeric(nodes[name], errors="coerce")
        days = pandas.to_datetime(nodes[name], format="%Y-%m-%d", errors="coerce")
        if values.notna().mean() > 0.5:
            parts.append(numpy.c_[values.fillna(values.median()), values.isna()].astype(float))
        elif days.notna().mean() > 0.5:
            parts.append(((days - days.min()).dt.days.to_numpy(float))[:, None])
        else:
            parts.append(pandas.get_dummies(nodes[name]).to_numpy(float))
    counts = graph @ pandas.get_dummies(labels).drop(columns="").to_numpy(float)
    return ids.to_numpy(), labels.to_numpy(), numpy.hstack(parts + [counts, graph.sum(axis=1).A1[:, None]])


def rival(folder, name):
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    started = time.monotonic()
    ids, labels, table = rival_table(folder)
    model = (make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)) if name == RIVALS[0]
             else HistGradientBoostingClassifier(random_state=1))
    seen = labels != ""
    model.fit(table[seen], labels[seen])
    made = model.predict_proba(table[~seen])
    seconds = time.monotonic() - started
    shares = {i: dict(zip(model.classes_, row.tolist())) for i, row in zip(ids[~seen], made)}
    return shares, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def judge_rival(folder, kind, name):
    """In a process of its own, so that its memory is its own."""
    command = [sys.executable, os.path.abspath(__file__), "--rival", name, "--folder", folder, "--kind", kind]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def row_of(kind, who, found, seconds, memory, note=""):
    def number(key):
        return f"{found[key]:.4f}" if key in found else ""
    return (f"| {kind} | {who} | {number('accuracy')} | {number('macro_f1')} | {number('auc')} | "
            f"{number('average_precision')} | {seconds:.1f} | {memory:.0f} | {note} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/gprgnn")
    parser.add_argument("--tables", default="build/tables")
    parser.add_argument("--kind", action="append", choices=list(COLUMNS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--json")
    parser.add_argument("--no-rivals", action="store_true", help="gprgnn alone")
    parser.add_argument("--rival", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    parser.add_argument("options", nargs="*", help="further options of gprgnn train, after --")
    args = parser.parse_args()
    if args.rival:
        shares, seconds, memory = rival(args.folder, args.rival)
        print(json.dumps(figures(shares, truth_of(args.folder), RARE.get(args.kind[0])) |
                         {"seconds": seconds, "memory": memory}))
        return
    sys.path.insert(0, HERE)
    import make_tables
    everything = []
    print("| tables | by | accuracy | macro F1 | AUC | average precision | seconds | MB | smoothing |")
    print("|---|---|---|---|---|---|---|---|---|")
    for kind in args.kind or COLUMNS:
        root = os.path.join(args.tables, f"seed{args.seed}-scale{args.scale:g}")
        folder = os.path.join(root, kind)
        if not os.path.exists(os.path.join(folder, "edges.csv")):  # written last
            make_tables.make(root, kind, args.seed, args.scale)
        shares, seconds, memory, smoothing = ours(args.program, folder, kind, args.options)
        found = figures(shares, truth_of(folder), RARE.get(kind))
        note = json.dumps(smoothing) if smoothing else ""
        print(row_of(kind, "gprgnn", found, seconds, memory, note), flush=True)
        everything.append({"tables": kind, "by": "gprgnn", **found, "seconds": seconds, "memory": memory})
        for name in () if args.no_rivals else RIVALS:
            found = judge_rival(folder, kind, name)
            print(row_of(kind, name, found, found["seconds"], found["memory"]), flush=True)
            everything.append({"tables": kind, "by": name, **found})
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(everything, file, indent=1)


if __name__ == "__main__":
    main()
