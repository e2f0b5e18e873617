#!/usr/bin/env python3
"""Writes src/train/preset/preset_search.def from the search.json files of paper/search.sh:

    paper/presets.py [OLD.def] SEARCH.json... > src/train/preset/preset_search.def

A row is the best setting of each model by the accuracy on validation nodes. Of two searches with the same model,
dataset and split, the one with more runs counts; a .def file has rows that were found before. GPR-GNN on real graphs
has its rows in preset_paper.def, and gets one here only for the dense split of a homophilic graph. Where no split is
asked for, the first row counts: sparse comes before dense, as the paper's main table has it."""
import json
import re
import sys

DENSE_HOMOPHILIC = ("cora", "citeseer", "pubmed")
OPTIONS = ("hidden", "init", "alpha", "dprate", "lr", "weight-decay")


def row_of(tried, dataset):
    settings = tried["settings"]
    found = re.match(r"csbm\(phi=([-0-9.]+)", dataset)
    model = settings["model"]
    if model == "gprgnn" and settings.get("init") == "random" and found:
        model = "gprgnn(random)"
    words = " ".join(f"{word}={settings[word]}" for word in OPTIONS if word in settings)
    name = "csbm" if found else dataset
    phi = float(found.group(1)) if found else 0
    key = (name, settings["split"], phi, model)
    return key, f'PRESET("{model}", "{name}", {phi:g}, "{settings["split"]}", "{words}")'


def is_wanted(key):
    name, split, _, model = key
    return model != "gprgnn" or name == "csbm" or (split == "dense" and name in DENSE_HOMOPHILIC)


def rows_of(path):
    """-> (key, runs, row) for each row of a .def file or best setting of a search."""
    with open(path, encoding="utf-8") as file:
        if path.endswith(".def"):
            for line in file:
                found = re.match(r'PRESET\("(.*?)", "(.*?)", (.*?), "(.*?)", ', line)
                if found:
                    model, name, phi, split = found.groups()
                    yield (name, split, float(phi), model), 0, line.rstrip()
            return
        search = json.load(file)
    for tried in search["tried"]:
        if tried.get("best_of_model"):
            key, row = row_of(tried, search["dataset"])
            yield key, tried["runs"], row


def main():
    rows = {}
    for path in sys.argv[1:]:
        for key, runs, row in rows_of(path):
            if is_wanted(key) and runs >= rows.get(key, (0,))[0]:
                rows[key] = (runs, row)
    print("/* Found by `gprgnn search` (paper/search.sh) and written by paper/presets.py: the best of the paper's "
          "grid, by the")
    print(" * accuracy on validation nodes. */")
    for key in sorted(rows, key=lambda key: (key[0], key[1] != "sparse", key[2:])):
        print(rows[key][1])


if __name__ == "__main__":
    main()
