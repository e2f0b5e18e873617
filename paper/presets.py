#!/usr/bin/env python3
"""Writes src/train/preset_search.def from the search.json files of paper/search.sh:

    paper/presets.py SEARCH.json... > src/train/preset_search.def

A row is the best setting of each model by the accuracy on validation nodes. Of two files with the same model, dataset and
split, the later one counts. GPR-GNN on real graphs has its rows in preset_paper.def, and gets none here. Where no split is
asked for, the first row counts: sparse comes before dense, as the paper's main table has it."""
import json
import re
import sys

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


def main():
    rows = {}
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            search = json.load(file)
        for tried in search["tried"]:
            if tried.get("best_of_model"):
                key, row = row_of(tried, search["dataset"])
                if key[0] == "csbm" or key[3] != "gprgnn":
                    rows[key] = row
    print("/* Found by `gprgnn search` (paper/search.sh) and written by paper/presets.py: the best of the paper's grid, by the")
    print(" * accuracy on validation nodes. */")
    for key in sorted(rows, key=lambda key: (key[0], key[1] != "sparse", key[2:])):
        print(rows[key])


if __name__ == "__main__":
    main()
