#!/usr/bin/env python3
"""Makes three graphs whose kinds or directions of edges must be told apart, trains on them, and draws the weights that
the filter learns. Prints accuracies and weights, which tests/cli/relations_made.sh checks. Needs only the program:

    python3 docs/figures/relations.py build/gprgnn docs/figures/relations.svg

opposite   Links have a direction. A tenth of the nodes are famous, and their class is not known. Each other node links
           to famous ones of its own class, and famous ones of the other class link to it. Without directions the two
           cancel out.
noise      Two kinds of links. One joins nodes of a class; the other, ten times as many, joins anybody.
one-each   Three classes, three kinds of links. The kind c joins nodes of class c, and nodes of one of the other two
           classes with nodes of the other one. Of all links together, each class gets a third.
"""
import csv
import json
import os
import random
import subprocess
import sys
import tempfile

NODES = 900
COLUMNS = 8
WIDTH, HEIGHT, GAP, TOP, BOTTOM = 260, 170, 30, 62, 40
COLOURS = ("#2a6fbb", "#d1603d", "#4c9a5b")


def features(rng, classes, labels, signal):
    """Columns with the mean of the class, and noise of deviation 1."""
    means = [[rng.gauss(0, signal) for _ in range(COLUMNS)] for _ in range(classes)]
    return [[rng.gauss(m, 1) for m in means[label]] for label in labels]


def opposite(rng):
    labels = [i % 2 for i in range(NODES)]
    famous = [[i for i in range(NODES // 10) if labels[i] == c] for c in (0, 1)]
    links = []
    for i in range(NODES // 10, NODES):
        links += [(i, j) for j in rng.sample(famous[labels[i]], 6)]
        links += [(j, i) for j in rng.sample(famous[1 - labels[i]], 6)]
    known = [None] * (NODES // 10) + labels[NODES // 10:]
    return known, features(rng, 2, labels, 0.25), {"links": links}


def within(rng, groups, count):
    """Links between nodes of two groups, drawn with replacement."""
    return [(rng.choice(a), rng.choice(b)) for a, b in groups for _ in range(count)]


def noise(rng):
    labels = [i % 2 for i in range(NODES)]
    of = [[i for i in range(NODES) if labels[i] == c] for c in (0, 1)]
    everybody = range(NODES)
    return labels, features(rng, 2, labels, 0.25), {
        "friend": within(rng, [(of[0], of[0]), (of[1], of[1])], NODES),
        "advert": within(rng, [(everybody, everybody)], 10 * NODES)}


def one_each(rng):
    labels = [i % 3 for i in range(NODES)]
    of = [[i for i in range(NODES) if labels[i] == c] for c in range(3)]
    links = {}
    for c in range(3):
        a, b = (c + 1) % 3, (c + 2) % 3
        links[f"kind_{'abc'[c]}"] = within(rng, [(of[c], of[c])], NODES) + within(rng, [(of[a], of[b])], 2 * NODES)
    return labels, features(rng, 3, labels, 0.35), links


# name, maker, title, options, and those of the filter that tells apart
GRAPHS = [("opposite", opposite, "two directions, opposite", ["--K", "1"], ["--direction", "both"]),
          ("noise", noise, "one kind tells, one is noise", ["--K", "2"], []),
          ("one-each", one_each, "each kind tells one class", ["--K", "1", "--gamma", "columns"], [])]
COMMON = ["--label", "class", "--split", "20/20/60", "--runs", "5", "--label-input", "no", "--label-counts", "no",
          "--smooth", "no", "--refit", "no", "--calibrate", "no", "-q"]


def write_table(path, head, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *rows])


def write(folder, name, maker):
    """-> the options of the tables of a graph: with the kinds of its links apart, and united."""
    labels, x, links = maker(random.Random(name))
    where = os.path.join(folder, name)
    os.makedirs(where, exist_ok=True)
    nodes = os.path.join(where, "nodes.csv")
    write_table(nodes, ["id", "class", *(f"x{f}" for f in range(COLUMNS))],
                [[i, "" if label is None else "abc"[label], *(f"{v:.4f}" for v in x[i])]
                 for i, label in enumerate(labels)])
    apart, united = ["--nodes", nodes], ["--nodes", nodes]
    for kind, pairs in links.items():
        path = os.path.join(where, f"{kind}.csv")
        write_table(path, ["source", "target"], pairs)
        apart += ["--edges", f"{kind}={path}" if len(links) > 1 else path]
        united += ["--edges", path]
    return apart, united


def train(program, options):
    """-> the results, and of each kind or direction its name and gamma_1 .. gamma_K, each a list of one number, or of
    one for each class."""
    out = subprocess.run([program, "train", *options, *COMMON, "--json", "-"], check=True, text=True,
                         capture_output=True).stdout
    result = json.loads(out)
    return result, [(one["relation"] or one["direction"], [g if isinstance(g, list) else [g] for g in one["gamma"][1:]])
                    for one in result.get("filters") or []]


def bars(x0, width, gamma, largest):
    """Bars of one matrix: its hops, with a bar for each class if gamma has one."""
    middle, step = TOP + HEIGHT / 2, width / len(gamma)
    parts = []
    for k, row in enumerate(gamma):
        centre, each = x0 + (k + 0.5) * step, min(30, (step - 8) / len(row))
        for c, value in enumerate(row):
            height, x = abs(value) / largest * (HEIGHT / 2 - 20), centre + (c - len(row) / 2) * each
            up = value > 0
            parts.append(f'<rect x="{x:.1f}" y="{middle - height if up else middle:.1f}" width="{each - 1:.1f}" '
                         f'height="{height:.1f}" fill="{COLOURS[c]}"/>')
            y = middle - height - 4 if up else middle + height + 12
            number = f"{value:.{2 if each > 28 else 1}f}".replace("-", "−")
            parts.append(f'<text x="{x + each / 2:.1f}" y="{y:.1f}" class="tick">{number}</text>')
        parts.append(f'<text x="{centre:.1f}" y="{TOP + HEIGHT + 16}" class="tick">hop {k + 1}</text>')
    return parts


def panel(x0, title, filters, accuracy, merged):
    largest = max(abs(value) for _, gamma in filters for row in gamma for value in row)
    width = WIDTH / len(filters)
    parts = [f'<text x="{x0 + WIDTH / 2}" y="24" class="title">{title}</text>',
             f'<text x="{x0 + WIDTH / 2}" y="44" class="note">test accuracy {accuracy:.1f} %, merged {merged:.1f} %'
             '</text>',
             f'<rect x="{x0}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" class="frame"/>',
             f'<line x1="{x0}" y1="{TOP + HEIGHT / 2}" x2="{x0 + WIDTH}" y2="{TOP + HEIGHT / 2}" class="axis"/>']
    for t, (name, gamma) in enumerate(filters):
        left = x0 + t * width
        classes = len(gamma[0])
        parts += bars(left, width, gamma, largest)
        parts.append(f'<text x="{left + width / 2:.1f}" y="{TOP + HEIGHT + 33}" class="note">{name}</text>')
        if t > 0:
            parts.append(f'<line x1="{left:.1f}" y1="{TOP}" x2="{left:.1f}" y2="{TOP + HEIGHT}" class="frame"/>')
        if t == 0 and classes > 1:
            for c in range(classes):
                y = TOP + HEIGHT - 8 - 14 * (classes - 1 - c)
                parts.append(f'<rect x="{x0 + WIDTH - 50}" y="{y - 8}" width="8" height="8" fill="{COLOURS[c]}"/>')
                parts.append(f'<text x="{x0 + WIDTH - 38}" y="{y}" class="key">class {"abc"[c]}</text>')
    return parts


def main():
    program, path = sys.argv[1:3]
    total = len(GRAPHS) * WIDTH + (len(GRAPHS) + 1) * GAP
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {TOP + HEIGHT + BOTTOM}" '
             f'width="{total}" height="{TOP + HEIGHT + BOTTOM}">',
             "<style>text{font-family:Helvetica,Arial,sans-serif;fill:#222;text-anchor:middle}.title{font-size:15px;"
             "font-weight:bold}.note{font-size:12px;fill:#555}.tick{font-size:10px;fill:#555}"
             ".key{font-size:10px;fill:#555;text-anchor:start}"
             ".frame{fill:none;stroke:#ccc}.axis{stroke:#888}</style>",
             '<rect width="100%" height="100%" fill="#fff"/>']
    with tempfile.TemporaryDirectory() as folder:
        for i, (name, maker, title, options, tells_apart) in enumerate(GRAPHS):
            apart, united = write(folder, name, maker)
            with_kinds, filters = train(program, apart + options + tells_apart)
            merged, _ = train(program, united + options)
            print(f"{name:10} apart {with_kinds['test_accuracy']:.1f} % ± {with_kinds['ci95']:.1f}, merged "
                  f"{merged['test_accuracy']:.1f} % ± {merged['ci95']:.1f}")
            for kind, gamma in filters:
                print(f"    {kind:8}", *("(" + " ".join(f"{v:.3f}" for v in row) + ")" for row in gamma))
            parts += panel(GAP + i * (WIDTH + GAP), title, filters, with_kinds["test_accuracy"],
                           merged["test_accuracy"])
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(parts) + "\n</svg>\n")


main()
