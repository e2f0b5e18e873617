#!/usr/bin/env python3
"""Draws depth.svg: the test accuracy of GPR blocks (--model gprdeep) by their number, from 1 to 32. Prints a row for
each number: the mean of the runs, and its 95 % interval. Needs the program, and cora in a folder of data:

    python3 docs/figures/depth.py build/gprgnn docs/figures/depth.svg --data-dir DATA
"""
import json
import subprocess
import sys

GRAPHS = [("cora", "cora", "dense"), ("csbm:phi=0.75,n=2000,f=500", "cSBM, φ = 0.75", "dense"),
          ("csbm:phi=-0.75,n=2000,f=500", "cSBM, φ = −0.75", "dense")]
DEPTHS = (1, 2, 4, 8, 16, 32)
OPTIONS = ["--model", "gprdeep", "--hidden", "32", "--K", "1", "--dprate", "0.5", "--runs", "10", "--epochs", "200",
           "--patience", "60", "--threads", "1", "-q"]
WIDTH, HEIGHT, LEFT, TOP, BOTTOM, LOW = 520, 260, 58, 46, 48, 60
COLOURS = ("#2a6fbb", "#d1603d", "#4c9a5b")


def train(program, graph, split, depth, more):
    out = subprocess.run([program, "train", graph, "--split", split, "--layers", str(depth), *OPTIONS, *more, "--json",
                          "-"], check=True, capture_output=True, text=True).stdout
    result = json.loads(out)
    print(f"{graph:30} {depth:3} blocks  {result['test_accuracy']:.2f} ± {result['ci95']:.2f} %, loss of the training "
          f"nodes {result['train_loss']:.3f}", flush=True)
    return result["test_accuracy"], result["ci95"]


def place(depth, accuracy):
    at = DEPTHS.index(depth)
    return LEFT + (at + 0.5) * WIDTH / len(DEPTHS), TOP + HEIGHT * (100 - accuracy) / (100 - LOW)


def line(number, name, found):
    colour = COLOURS[number]
    points = [place(depth, mean) for depth, (mean, _) in found.items()]
    parts = [f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" fill="none" stroke="{colour}" '
             'stroke-width="2"/>']
    for (depth, (mean, ci)), (x, y) in zip(found.items(), points):
        ends = [min(max(place(depth, mean + side * ci)[1], TOP), TOP + HEIGHT) for side in (-1, 1)]
        parts.append(f'<line x1="{x:.1f}" y1="{ends[0]:.1f}" x2="{x:.1f}" y2="{ends[1]:.1f}" stroke="{colour}"/>')
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>')
    x = LEFT + 14 + number * 170
    parts.append(f'<rect x="{x}" y="24" width="10" height="10" fill="{colour}"/>')
    parts.append(f'<text x="{x + 16}" y="33" class="key">{name}</text>')
    return parts


def main():
    program, path, *more = sys.argv[1:]
    total = LEFT + WIDTH + 20
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {TOP + HEIGHT + BOTTOM}" width="{total}">',
             "<style>text{font-family:Helvetica,Arial,sans-serif;font-size:12px;fill:#555;text-anchor:middle}"
             ".key{text-anchor:start;fill:#222}.scale{text-anchor:end}.frame{fill:none;stroke:#ccc}</style>",
             '<rect width="100%" height="100%" fill="#fff"/>']
    for accuracy in range(LOW, 101, 10):
        y = place(1, accuracy)[1]
        parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{LEFT + WIDTH}" y2="{y:.1f}" class="frame"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" class="scale">{accuracy} %</text>')
    for depth in DEPTHS:
        parts.append(f'<text x="{place(depth, 0)[0]:.1f}" y="{TOP + HEIGHT + 18}">{depth}</text>')
    parts.append(f'<text x="{LEFT + WIDTH / 2}" y="{TOP + HEIGHT + 38}">blocks</text>')
    for number, (graph, name, split) in enumerate(GRAPHS):
        parts += line(number, name, {depth: train(program, graph, split, depth, more) for depth in DEPTHS})
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(parts) + "\n</svg>\n")


main()
