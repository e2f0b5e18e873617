"""What the makers of tables draw with. Only random.random and random.gauss are used: the same bytes in any Python."""
import bisect
import itertools


class Drawing:
    """Draws from a list in proportion to weights; None: all alike."""

    def __init__(self, rng, items, weights):
        self.rng, self.items = rng, items
        self.sums = list(itertools.accumulate(weights or [1] * len(items)))

    def draw(self):
        return self.items[bisect.bisect_right(self.sums, self.rng.random() * self.sums[-1], 0, len(self.items) - 1)]


def activity(rng, exponent, largest):
    """How many edges a node wants, relative to others: a power law with a bound."""
    return min(largest, (1.0 - rng.random()) ** (-1.0 / exponent))


def zipf(count, power):
    return [1.0 / (i + 3) ** power for i in range(count)]


def shuffled(rng, items):
    """As random.shuffle, whose numbers may differ between versions of Python."""
    items = list(items)
    for i in range(len(items) - 1, 0, -1):
        j = int(rng.random() * (i + 1))
        items[i], items[j] = items[j], items[i]
    return items


def add(edges, a, b):
    if a != b:
        edges.add((a, b) if a < b else (b, a))


def grouped_edges(rng, groups, weights, wanted, within):
    """Edges of nodes with groups: a share `within` of them stays in the group. weights: how active a node is."""
    everyone = Drawing(rng, range(len(groups)), weights)
    members = [[] for _ in range(max(groups) + 1)]
    for node, group in enumerate(groups):
        members[group].append(node)
    inside = [Drawing(rng, nodes, [weights[n] for n in nodes]) if nodes else None for nodes in members]
    edges = set()
    while len(edges) < wanted:
        a = everyone.draw()
        add(edges, a, inside[groups[a]].draw() if rng.random() < within else everyone.draw())
    return edges


def rings(rng, nodes, smallest, largest):
    """Cuts nodes into groups of smallest to largest."""
    parts, at = [], 0
    while at < len(nodes):
        size = smallest + int(rng.random() * (largest - smallest + 1))
        parts.append(nodes[at:at + size])
        at += size
    return parts


def number(value, digits=2):
    return f"{value:.{digits}f}"


def gap(rng, share, text):
    return "" if rng.random() < share else text
