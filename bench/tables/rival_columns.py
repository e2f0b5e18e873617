"""What a careful user would make of the tables for a model of rows: columns of the node, of its neighbours, and counts
of visible labels, for each kind of edges. Nothing is taken from hidden labels, nor from a node's own label."""
import glob
import os
import re

import numpy
import pandas
import scipy.sparse

MOST_WORDS = 300


def read(path):
    return pandas.read_csv(path, dtype=str, keep_default_na=False)


def words_of(values):
    """A column of lists, or None: most of its cells have several words of a list that others have, too."""
    lists = [[word for word in re.split(r"[|; ,]+", cell) if word] for cell in values]
    counts = pandas.Series([word for words in lists for word in words]).value_counts()
    several = sum(len(words) > 1 for words in lists)
    return (lists, counts.index[:MOST_WORDS]) if several > 0.3 * len(lists) and len(counts) < 2 * len(lists) else None


def own_columns(nodes):
    """(numbers and dates, the rest as 0 or 1): float matrices, the second sparse. The first column is the id."""
    numbers, marks = [], []
    for name in nodes.columns[1:-1]:
        cells = nodes[name]
        values = pandas.to_numeric(cells.str.replace(r"[$€£,]", "", regex=True), errors="coerce")
        days = pandas.to_datetime(cells, format="%Y-%m-%d", errors="coerce")
        if values.notna().mean() > 0.5:
            numbers.append(values.to_numpy(float))
        elif days.notna().mean() > 0.5:
            numbers.append(((days - days.min()).dt.days).to_numpy(float))
        elif found := words_of(cells):
            place = {word: i for i, word in enumerate(found[1])}
            at = [(row, place[word]) for row, words in enumerate(found[0]) for word in set(words) if word in place]
            rows, columns = zip(*at)
            marks.append(scipy.sparse.csr_matrix((numpy.ones(len(at)), (rows, columns)),
                                                 shape=(len(cells), len(place))))
        elif cells.nunique() <= len(cells) / 4:
            frequent = cells.value_counts().index[:MOST_WORDS]
            marks.append(scipy.sparse.csr_matrix(pandas.get_dummies(cells.where(cells.isin(frequent))).to_numpy(float)))
    n = len(nodes)
    return (numpy.column_stack(numbers) if numbers else numpy.zeros((n, 0)),
            scipy.sparse.hstack(marks).tocsr() if marks else scipy.sparse.csr_matrix((n, 0)))


def graphs_of(folder, ids):
    place = pandas.Series(numpy.arange(len(ids)), index=ids)
    for path in sorted(glob.glob(os.path.join(folder, "edges*.csv"))):
        edges = read(path)
        a, b = place[edges["source"]].to_numpy(), place[edges["target"]].to_numpy()
        ends = (numpy.r_[a, b], numpy.r_[b, a])
        graph = scipy.sparse.csr_matrix((numpy.ones(2 * len(a)), ends), shape=2 * [len(ids)])
        graph.setdiag(0)
        graph.eliminate_zeros()
        graph.data[:] = 1
        yield graph


def extremes(graph, values, reduce):
    """(nodes x columns) the largest or smallest value of the neighbours; without neighbours nan."""
    out = numpy.full(values.shape, numpy.nan)
    some = numpy.flatnonzero(numpy.diff(graph.indptr))
    out[some] = reduce.reduceat(values[graph.indices], graph.indptr[:-1][some])
    return out


def table_of(folder):
    """(ids, labels, dense columns with nan for gaps, sparse columns)."""
    nodes = read(os.path.join(folder, "nodes.csv"))
    ids, labels = nodes.iloc[:, 0].to_numpy(), nodes["label"].to_numpy()
    numbers, marks = own_columns(nodes)
    filled = numpy.where(numpy.isnan(numbers), numpy.nanmedian(numbers, axis=0) if numbers.size else 0, numbers)
    known = pandas.get_dummies(nodes["label"]).drop(columns="").to_numpy(float)
    dense, sparse = [numbers], [marks]
    for graph in graphs_of(folder, ids):
        degree = graph.sum(axis=1).A1
        mean = scipy.sparse.diags(1 / numpy.maximum(degree, 1)) @ graph
        one, two = graph @ known, mean @ (graph @ known) - known * (mean @ numpy.ones(len(ids)))[:, None]
        dense += [mean @ filled, extremes(graph, filled, numpy.maximum), extremes(graph, filled, numpy.minimum), one,
                  one / numpy.maximum(one.sum(axis=1, keepdims=True), 1), two, numpy.log1p(degree)[:, None]]
        sparse.append(mean @ marks)
    return ids, labels, numpy.column_stack(dense), scipy.sparse.hstack(sparse).tocsr()
