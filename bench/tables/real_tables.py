"""Real graphs as tables, with the labels of a quarter of the nodes hidden: of a folder that has, for each, nodes.csv.gz
(the first column is the id) and edges.csv.gz."""
import csv
import gzip
import os
import random

from drawing import shuffled
import make_tables

LABELS = {"facebook": "page_type", "twitch_ENGB": "mature", "twitch_ES": "mature", "twitch_PTBR": "mature",
          "german": "GoodCustomer"}


def read(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def make(folder, kind, seed, source):
    head, *rows = read(os.path.join(source, kind, "nodes.csv.gz"))
    label = head.index(LABELS[kind])
    head = [name for name in head if name != LABELS[kind]] + ["label"]  # as in tables that are made
    rows = [row[:label] + row[label + 1:] + [row[label]] for row in rows]
    place = {row[0]: i for i, row in enumerate(rows)}
    edges = {(place[a], place[b]) for a, b, *_ in read(os.path.join(source, kind, "edges.csv.gz"))[1:]}
    rng = random.Random(f"{kind} {seed}")
    make_tables.write(os.path.join(folder, kind), head, rows, edges, 0.75, rng)


def there(source):
    return [kind for kind in LABELS if os.path.exists(os.path.join(source, kind, "nodes.csv.gz"))]
