#!/usr/bin/env python3
"""Makes tables, as a company has them, from a seed.

    bench/tables/make_tables.py DIR [--kind NAME]... [--seed N] [--scale X]

DIR/KIND/edges.csv has the edges, nodes.csv the nodes with their columns and a label that is empty for hidden nodes, and
truth.csv the labels of the hidden ones. Needs the standard library only; the same seed gives the same bytes.
--scale 0.1 makes a tenth of the nodes.

- fraud: 30,000 customers, 2 % fraud. Most of the fraud is in rings of 5 to 16 customers who send each other money, and
  who also send some to others; families of honest customers are as dense as rings. The columns are weak: numbers with
  gaps, a city, the date of opening. 70 % of the labels are visible.
- products: 5,000 products with string ids in 12 categories, and what is bought together. The brand, one of 400, says
  much of the category, and the price has some cells that are no numbers. 60 % of the labels are visible.
- users: 300,000 users in 5 groups, 1.5 million edges. Each user has a few weak numbers and a country; edges mostly
  stay within the group. 5 % of the labels are visible.
- payments, films, houses, drift: smaller ones, each hard for another reason (make_harder.py).

Several kinds of edges are files of their own, edges_NAME.csv.
"""
import argparse
import csv
import datetime
import math
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from drawing import Drawing, activity, add, gap, grouped_edges, number, rings, shuffled, zipf
import make_harder


CITIES = [a + b for a in ("Nor", "Sud", "Ost", "Alt", "Neu", "Gro", "Bad ", "San ")
          for b in ("berg", "dorf", "stad", "mouth", "haven")]


def make_fraud(rng, scale):
    n = max(500, round(30000 * scale))
    order = shuffled(rng, range(n))
    fraud = order[:round(0.02 * n)]
    honest = order[len(fraud):]
    bad = set(fraud)
    weights = [activity(rng, 2.2, 30) for _ in range(n)]
    edges = grouped_edges(rng, [int(rng.random() * 40) for _ in range(n)], weights, round(2.2 * n), 0.5)
    # Fraudsters send little to anyone by chance alone: what they send to others is part of their camouflage below.
    edges = {e for e in edges if not (e[0] in bad or e[1] in bad) or rng.random() < 0.5}
    alone = round(0.015 * len(fraud))
    for ring in rings(rng, fraud[alone:], 5, 16):
        for a in ring:
            for _ in range(2 + int(rng.random() * 4)):
                add(edges, a, ring[int(rng.random() * len(ring))])
            for _ in range(int(rng.random() * 5)):
                add(edges, a, honest[int(rng.random() * len(honest))])
    for family in rings(rng, honest[:len(honest) // 3], 3, 9):
        for a in family:
            for _ in range(3):
                add(edges, a, family[int(rng.random() * len(family))])
    cities = Drawing(rng, CITIES, zipf(len(CITIES), 0.8))
    strange = Drawing(rng, shuffled(rng, CITIES), zipf(len(CITIES), 0.8))
    first = datetime.date(2015, 1, 1)
    rows = []
    for i in range(n):
        f = 1.0 if i in bad else 0.0
        age = min(95, max(18, rng.gauss(44 - 4 * f, 15)))
        income = math.exp(rng.gauss(10.3 - 0.15 * f, 0.6))
        balance = rng.gauss(2400 - 500 * f, 2100)
        transfers = int(math.exp(rng.gauss(2.5 + 0.25 * f, 0.9)))
        days = int(3650 * rng.random() ** (0.75 if f else 1.0))
        channel = ("app", "web", "branch")[min(2, int(rng.random() * (2.4 if f else 3)))]
        rows.append([f"{100000 + i}", number(age, 0), gap(rng, 0.12, number(income)), gap(rng, 0.05, number(balance)),
                     str(transfers), gap(rng, 0.02, (strange if f and rng.random() < 0.3 else cities).draw()),
                     (first + datetime.timedelta(days)).isoformat(), gap(rng, 0.04, channel),
                     "fraud" if f else "honest"])
    head = ["id", "age", "income", "balance", "transfers", "city", "opened", "channel", "label"]
    return head, rows, edges, 0.70


CATEGORIES = ["audio", "books", "camera", "car", "garden", "grocery", "kitchen", "music", "office", "pets", "sports",
              "toys"]
ODD_PRICES = ("n/a", "on request", "?", "12.50 EUR")


def make_products(rng, scale):
    n, brands = max(300, round(5000 * scale)), max(40, round(400 * scale))
    names = [f"{a}{b}{c}" for a in "BDFKLMNPRSTV" for b in ("ar", "el", "io", "un", "ova", "exi") for c in
             ("da", "co", "tek", "line", "max", "ro")]
    names = shuffled(rng, names)[:brands]
    kinds = Drawing(rng, range(len(CATEGORIES)), zipf(len(CATEGORIES), 0.5))
    home = [kinds.draw() for _ in range(brands)]
    brand = Drawing(rng, range(brands), zipf(brands, 0.7))
    prices = [rng.gauss(3.0, 0.7) for _ in CATEGORIES]
    groups, chosen = [], []
    for _ in range(n):
        b = brand.draw()
        chosen.append(b)
        groups.append(home[b] if rng.random() < 0.65 else kinds.draw())
    weights = [activity(rng, 1.9, 25) for _ in range(n)]
    edges = grouped_edges(rng, groups, weights, round(4.4 * n), 0.76)
    rows = []
    for i in range(n):
        g = groups[i]
        price = number(math.exp(rng.gauss(prices[g], 0.6)))
        if rng.random() < 0.01:
            price = ODD_PRICES[int(rng.random() * len(ODD_PRICES))]
        stars = min(5.0, max(1.0, rng.gauss(3.6 + 0.03 * g, 0.7)))
        rows.append([f"{names[chosen[i]][:2].upper()}-{i * 7919 % 99991:05d}{'ABCX'[int(rng.random() * 4)]}",
                     gap(rng, 0.02, names[chosen[i]]), gap(rng, 0.03, price), gap(rng, 0.2, number(stars, 1)),
                     gap(rng, 0.08, number(math.exp(rng.gauss(-0.5 + 0.1 * (g % 4), 0.8)), 3)), CATEGORIES[g]])
    return ["sku", "brand", "price", "stars", "weight_kg", "label"], rows, edges, 0.60


GROUPS = ["commuter", "family", "gamer", "student", "traveller"]


def make_users(rng, scale):
    n = max(2000, round(300000 * scale))
    kinds = Drawing(rng, range(len(GROUPS)), [0.30, 0.24, 0.20, 0.15, 0.11])
    groups = [kinds.draw() for _ in range(n)]
    weights = [activity(rng, 2.0, 60) for _ in range(n)]
    edges = grouped_edges(rng, groups, weights, round(5 * n), 0.59)
    traits = 8
    centres = [[rng.gauss(0, 0.62) for _ in range(traits)] for _ in GROUPS]
    countries = [f"{a}{b}" for a in "ABCDEFG" for b in "ELRT"]
    usual = [Drawing(rng, shuffled(rng, countries), zipf(len(countries), 0.7)) for _ in GROUPS]
    rows = []
    for i in range(n):
        g = groups[i]
        rows.append([str(i)] + [gap(rng, 0.03, number(rng.gauss(c, 1.0), 3)) for c in centres[g]] +
                    [usual[g].draw(), GROUPS[g]])
    return ["id"] + [f"trait{k + 1}" for k in range(traits)] + ["country", "label"], rows, edges, 0.05


def write_edges(path, rows, edges, rng):
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["source", "target"])
        for a, b in shuffled(rng, sorted(edges)):
            out.writerow([rows[a][0], rows[b][0]] if rng.random() < 0.5 else [rows[b][0], rows[a][0]])


def write(folder, head, rows, edges, visible, rng, by_time=False):
    """visible: the share of the labels that nodes.csv has; by_time: of the first rows. edges: a set, or one for each
    kind; they are written last."""
    os.makedirs(folder, exist_ok=True)
    order = range(len(rows)) if by_time else shuffled(rng, range(len(rows)))
    hidden = set(order[round(visible * len(rows)):])
    with open(os.path.join(folder, "nodes.csv"), "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(head)
        out.writerows(row[:-1] + ["" if i in hidden else row[-1]] for i, row in enumerate(rows))
    with open(os.path.join(folder, "truth.csv"), "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow([head[0], head[-1]])
        out.writerows([row[0], row[-1]] for i, row in enumerate(rows) if i in hidden)
    for kind, some in (edges if isinstance(edges, dict) else {None: edges}).items():
        write_edges(os.path.join(folder, f"edges_{kind}.csv" if kind else "edges.csv"), rows, some, rng)


MAKERS = {"fraud": make_fraud, "products": make_products, "users": make_users, **make_harder.MAKERS}


def make(folder, kind, seed, scale):
    """Writes the tables of one kind to folder/kind."""
    rng = random.Random(f"{kind} {seed}")
    head, rows, edges, visible = MAKERS[kind](rng, scale)
    write(os.path.join(folder, kind), head, rows, edges, visible, rng, kind in make_harder.BY_TIME)
    return len(rows), sum(map(len, edges.values())) if isinstance(edges, dict) else len(edges)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--kind", action="append", choices=list(MAKERS), help="one kind only; may be repeated")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scale", type=float, default=1.0)
    options = parser.parse_args()
    for kind in options.kind or MAKERS:
        nodes, edges = make(options.folder, kind, options.seed, options.scale)
        print(f"{os.path.join(options.folder, kind)}: {nodes} nodes, {edges} edges")


if __name__ == "__main__":
    main()
