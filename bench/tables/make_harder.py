"""Tables of four kinds on which a plain model loses: what each needs is said where it is made.

- payments: 6,000 customers, 5 % fraud, two kinds of edges. Frauds share devices with each other, which are few edges;
  payments go anywhere within a town and say nothing of fraud. Merged into one graph the payments hide the devices.
- films: 5,000 films in 5 audiences. Genres and keywords are lists in a cell ("drama|war"), the director is one of
  hundreds, the budget is written for people ("$12,500,000"). Edges are actors in common.
- houses: 6,000 houses with their coordinates, the price in quartiles. Prices follow bumps on the map, rooms by
  thresholds, and an income that is very skewed; edges go to the nearest houses.
- drift: 6,000 cards over three years. What fraud looks like moves with time, and it becomes more frequent; hidden are
  the newest cards, and `--time opened` says so.
"""
import datetime
import math

from drawing import Drawing, activity, add, gap, grouped_edges, number, rings, shuffled, zipf


def towns_edges(rng, n, wanted, towns=30, within=0.8):
    return grouped_edges(rng, [int(rng.random() * towns) for _ in range(n)],
                         [activity(rng, 2.2, 30) for _ in range(n)], wanted, within)


def make_payments(rng, scale):
    n = max(600, round(6000 * scale))
    order = shuffled(rng, range(n))
    fraud, honest = order[:round(0.05 * n)], order[round(0.05 * n):]
    bad = set(fraud)
    pay, device = towns_edges(rng, n, 6 * n), set()
    for ring in rings(rng, fraud, 3, 9):
        for a in ring:
            add(device, a, ring[int(rng.random() * len(ring))])
            if rng.random() < 0.3:
                add(device, a, honest[int(rng.random() * len(honest))])
    for family in rings(rng, honest[:len(honest) // 2], 2, 5):
        for a in family:
            add(device, a, family[int(rng.random() * len(family))])
    rows = []
    for i in range(n):
        f = 1.0 if i in bad else 0.0
        rows.append([f"c{i}", number(rng.gauss(40 - 2 * f, 14), 0),
                     gap(rng, 0.1, number(math.exp(rng.gauss(6 + 0.4 * f, 1.2)))),
                     str(int(math.exp(rng.gauss(2 + 0.3 * f, 0.8)))),
                     ("app", "web", "branch")[min(2, int(rng.random() * (2.6 if f else 3)))],
                     "fraud" if f else "honest"])
    return ["id", "age", "turnover", "logins", "channel", "label"], rows, {"pay": pay, "device": device}, 0.6


GENRES = ["action", "comedy", "crime", "drama", "family", "history", "horror", "music", "romance", "science", "sport",
          "war", "western"]
AUDIENCES = ["children", "couples", "critics", "fans", "friends"]


def make_films(rng, scale):
    n = max(500, round(5000 * scale))
    kinds = Drawing(rng, range(len(AUDIENCES)), [0.28, 0.24, 0.2, 0.16, 0.12])
    groups = [kinds.draw() for _ in range(n)]
    genres = [Drawing(rng, shuffled(rng, GENRES), zipf(len(GENRES), 0.9)) for _ in AUDIENCES]
    words = [f"k{i}" for i in range(2500)]
    common = Drawing(rng, words, zipf(len(words), 0.9))
    own = [Drawing(rng, shuffled(rng, words)[:300], zipf(300, 0.8)) for _ in AUDIENCES]
    directors = max(50, n // 8)
    home = [kinds.draw() for _ in range(directors)]
    of_kind = [Drawing(rng, [d for d in range(directors) if home[d] == g], None) for g in range(len(AUDIENCES))]
    edges = grouped_edges(rng, groups, [activity(rng, 1.9, 25) for _ in range(n)], 4 * n, 0.45)
    rows = []
    for i in range(n):
        g = groups[i]
        drawn = dict.fromkeys(genres[g].draw() for _ in range(1 + int(rng.random() * 3)))
        keys = dict.fromkeys((own[g] if rng.random() < 0.3 else common).draw() for _ in range(int(rng.random() * 9)))
        director = of_kind[g].draw() if rng.random() < 0.35 else int(rng.random() * directors)
        budget = int(math.exp(rng.gauss(16 + 0.2 * (g % 3), 1.3))) // 1000 * 1000
        rows.append([f"film {i} ({1950 + int(rng.random() * 70)})", "|".join(drawn), "|".join(keys),
                     f"Director {director}", gap(rng, 0.15, f"${budget:,}"), str(60 + int(rng.random() * 100)),
                     AUDIENCES[g]])
    return ["film", "genres", "keywords", "director", "budget", "minutes", "label"], rows, edges, 0.6


def nearest(places, count):
    """Edges to the `count` nearest places, by cells of a grid."""
    cells, side = {}, max(1, int(math.sqrt(len(places) / 4)))
    for i, (x, y) in enumerate(places):
        cells.setdefault((min(side - 1, int(x * side)), min(side - 1, int(y * side))), []).append(i)
    edges = set()
    for i, (x, y) in enumerate(places):
        cx, cy, reach, found = min(side - 1, int(x * side)), min(side - 1, int(y * side)), 1, []
        while len(found) <= count and reach <= side:
            found = [j for a in range(cx - reach, cx + reach + 1) for b in range(cy - reach, cy + reach + 1)
                     for j in cells.get((a, b), ())]
            reach += 1
        found.sort(key=lambda j: ((places[j][0] - x) ** 2 + (places[j][1] - y) ** 2, j))
        for j in found[1:count + 1]:
            add(edges, i, j)
    return edges


def make_houses(rng, scale):
    n = max(500, round(6000 * scale))
    hubs = [(rng.random(), rng.random(), 0.04 + 0.12 * rng.random(), 0.3 + rng.random()) for _ in range(25)]
    places = []
    for _ in range(n):  # most live near a hub
        x, y, width, _ = hubs[int(rng.random() * len(hubs))]
        near = rng.random() < 0.8
        places.append((min(0.999, max(0, rng.gauss(x, width) if near else rng.random())),
                       min(0.999, max(0, rng.gauss(y, width) if near else rng.random()))))
    rows, prices = [], []
    for i, (x, y) in enumerate(places):
        worth = sum(h * math.exp(-((x - a) ** 2 + (y - b) ** 2) / (2 * w * w)) for a, b, w, h in hubs)
        income = math.exp(rng.gauss(0.4 * worth, 0.5))
        rooms, age = 1 + int(rng.random() * 7), int(70 * rng.random())
        people = math.exp(rng.gauss(6.5, 1.1))
        sea = x + 0.3 * y < 0.35
        price = 0.8 * worth + 0.45 * math.log(income) + (0.5 if rooms >= 4 else 0) + (0.7 if sea else 0)
        price += (0.35 if age < 8 or age > 60 else 0) + rng.gauss(0, 0.22)
        prices.append(price)
        rows.append([f"h{i}", number(32 + 10 * y, 3), number(-124 + 10 * x, 3), number(38000 * income, 0), str(rooms),
                     gap(rng, 0.05, str(age)), number(people, 0)])
    bounds = [sorted(prices)[n * q // 4] for q in (1, 2, 3)]
    for row, price in zip(rows, prices):
        row.append("q" + str(1 + sum(price >= bound for bound in bounds)))
    return ["house", "latitude", "longitude", "income", "rooms", "age", "people", "label"], rows, \
        nearest(places, 6), 0.6


def make_drift(rng, scale):
    n = max(600, round(6000 * scale))
    when = sorted(rng.random() for _ in range(n))
    bad = [rng.random() < 0.06 + 0.16 * t for t in when]
    edges = towns_edges(rng, n, 3 * n)
    recent = []
    for i in range(n):  # a ring uses cards that were opened within some weeks
        if not bad[i]:
            continue
        recent = recent[-12:]
        for _ in range(2):
            if recent and rng.random() < 0.6:
                add(edges, i, recent[int(rng.random() * len(recent))])
        recent.append(i)
    first, rows = datetime.date(2019, 1, 1), []
    for i, t in enumerate(when):
        f = 1.0 if bad[i] else 0.0
        amount = math.exp(rng.gauss(4 + f * (0.9 - 1.2 * t), 0.9))  # large ones at first, then no more
        night = rng.gauss(0.2 + f * (0.05 + 0.25 * t), 0.15)
        rows.append([f"k{i}", (first + datetime.timedelta(int(1095 * t))).isoformat(), number(amount),
                     number(max(0, min(1, night)), 3), str(int(math.exp(rng.gauss(1.5 + 0.2 * f, 0.7)))),
                     ("chip", "swipe", "online")[min(2, int(rng.random() * 3 + 0.5 * f))], "fraud" if f else "honest"])
    return ["card", "opened", "amount", "night", "shops", "entry", "label"], rows, edges, 0.7


MAKERS = {"payments": make_payments, "films": make_films, "houses": make_houses, "drift": make_drift}
BY_TIME = ("drift",)  # their rows are in the order of time
