#!/usr/bin/env python3
"""Makes the tables of docs/tutorial.md: papers that cite each other, most of them with a subject.

    python3 make_tables.py      writes papers.csv, citations.csv and those of the next year beside it
"""
import csv
import random
from pathlib import Path

FOLDER = Path(__file__).parent
SUBJECTS = ["Databases", "Graph learning", "Robotics, control"]
VENUES = {"Databases": ["SIGMOD", "VLDB"], "Graph learning": ["ICLR", "KDD"], "Robotics, control": ["ICRA", "IROS"]}
WORDS = ["fast", "robust", "sparse", "online", "learned", "adaptive", "scalable", "simple", "deep", "distributed"]
THINGS = ["joins", "indexes", "filters", "walks", "arms", "maps", "queries", "graphs", "plans", "sensors"]
NAMES = ["adams", "bauer", "chen", "diaz", "evans", "fujita", "garcia", "hansen", "ito", "jansen", "khan", "lopez"]


def make(rng, number, year, taken):
    subject = rng.choice(SUBJECTS)
    usual = VENUES[subject] if rng.random() < 0.5 else sum(VENUES.values(), [])
    pages = round(rng.gauss(8 + 3 * SUBJECTS.index(subject), 2.5))
    paper = f"{rng.choice(NAMES)}{year}"
    taken[paper] = taken.get(paper, 0) + 1
    return {
        "paper": paper + "abcdefghijklmnop"[taken[paper] - 1],
        "year": year,
        "pages": max(4, pages),
        "venue": rng.choice(usual),
        "title": f"{rng.choice(WORDS)} {rng.choice(WORDS)} {rng.choice(THINGS)} {number}".capitalize(),
        "subject": subject,
    }


def cite(rng, papers, first):
    """Citations by the papers from `first` on: they cite earlier papers, mostly of the same subject."""
    for i in range(first, len(papers)):
        earlier = papers[:i]
        like = [p for p in earlier if p["subject"] == papers[i]["subject"]]
        cited = set()
        for _ in range(rng.randint(2, 5) if earlier else 0):
            cited.add(rng.choice(like if like and rng.random() < 0.7 else earlier)["paper"])
        for paper in sorted(cited):
            yield papers[i]["paper"], paper


def write(name, header, rows):
    with open(FOLDER / name, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(header)
        out.writerows(rows)


def main():
    rng = random.Random(7)
    taken = {}
    papers = [make(rng, i, 2010 + i // 18, taken) for i in range(240)]
    citations = list(cite(rng, papers, 0))
    citations += citations[100:102]  # given twice
    shown = [dict(p) for p in papers]
    for p in shown:
        if rng.random() < 0.4:
            p["subject"] = ""  # not classified yet
    for i in (17, 90, 151):
        shown[i]["pages"] = ""  # not known
    header = list(papers[0])
    write("papers.csv", header, (p.values() for p in shown))
    write("citations.csv", ["citing", "cited"], citations)

    newer = [make(rng, 240 + i, 2024, taken) for i in range(12)]
    newer[3]["venue"] = newer[8]["venue"] = "NeurIPS"
    citations += list(cite(rng, papers + newer, 240))
    write("papers_2024.csv", header, (p.values() for p in shown + [dict(p, subject="") for p in newer]))
    write("citations_2024.csv", ["citing", "cited"], citations)


main()
