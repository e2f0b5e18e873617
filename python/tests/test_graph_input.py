"""Graphs, features and labels of all kinds give the same training; what fits is not copied."""
import numpy as np
import pytest

from gprgnn import GCNClassifier
from gprgnn._features import feature_arrays
from gprgnn._graph import graph_arrays
from gprgnn._labels import encode_labels, labels_as
from gprgnn._training_data import new_dataset

sparse = pytest.importorskip("scipy.sparse")


def train(X, y, graph, **more):
    # A model that uses known labels stores the ids of the nodes, too.
    model = GCNClassifier(epochs=5, n_jobs=1, label_input="no", label_counts="no", smooth="no")
    return model.fit(X, y, graph, **more).model_.to_bytes()


@pytest.fixture(scope="module")
def plain(small):
    """The graph without duplicates, and the bytes of its model."""
    edges = np.unique(np.sort(small.edges[:, small.edges[0] != small.edges[1]], axis=0), axis=1)
    return edges, train(small.X, small.y, edges)


def matrix(edges, nodes, kind=np.float32):
    return sparse.coo_matrix((np.ones(edges.shape[1], kind), edges), (nodes, nodes))


@pytest.mark.parametrize("change", [
    lambda m: m.tocsr(), lambda m: m.tocsc(), lambda m: m, lambda m: (m + m.T).tocsr(), lambda m: m.tolil(),
    lambda m: m.tocsr().astype(np.float64), lambda m: m.tocsr().astype(bool), lambda m: m.tocsr().astype(np.int8),
    lambda m: sparse.csr_array(m), lambda m: m.toarray(), lambda m: m.toarray().astype(bool).tolist(),
    lambda m: np.asfortranarray(m.toarray())])
def test_matrices(small, plain, change):
    edges, expected = plain
    assert train(small.X, small.y, change(matrix(edges, small.nodes))) == expected


@pytest.mark.parametrize("change", [
    lambda e: e.T, lambda e: e.tolist(), lambda e: e.astype(np.int32), lambda e: e.astype(np.uint16),
    lambda e: e[::-1], lambda e: np.asfortranarray(e), lambda e: [tuple(pair) for pair in e.T.tolist()]])
def test_lists_of_edges(small, plain, change):
    edges, expected = plain
    assert train(small.X, small.y, change(edges)) == expected


def test_wide_indices(small, plain):
    edges, expected = plain
    A = matrix(edges, small.nodes).tocsr()
    A.indptr, A.indices = A.indptr.astype(np.int64), A.indices.astype(np.int64)
    assert train(small.X, small.y, A) == expected
    X = sparse.csr_matrix(small.X)
    assert train(X, small.y, A) == expected  # of two widths


def test_a_stored_zero_is_no_edge(small, plain):
    edges, expected = plain
    ends = np.hstack([edges, [[0], [small.nodes - 1]]])
    A = sparse.csr_matrix((np.append(np.ones(edges.shape[1]), 0), ends), (small.nodes, small.nodes))
    before = A.data.copy()
    assert train(small.X, small.y, A) == expected
    assert np.array_equal(A.data, before)


def test_weights(small, plain):
    edges, expected = plain
    weights = np.random.RandomState(1).rand(edges.shape[1]) + 0.5
    A = sparse.coo_matrix((weights, edges), (small.nodes, small.nodes)).tocsr()
    weighted = train(small.X, small.y, A)
    assert weighted != expected
    assert train(small.X, small.y, edges, edge_weight=weights) == weighted
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"weight": weights, "from": edges[0], "to": edges[1]})
    assert train(small.X, small.y, frame) == weighted
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph()
    graph.add_nodes_from(range(small.nodes))
    graph.add_weighted_edges_from((a, b, w) for a, b, w in zip(*edges.tolist(), weights.tolist()))
    assert train(small.X, small.y, graph) == weighted
    for wrong in (weights[1:], -weights, weights * np.nan, ["x"] * len(weights)):
        with pytest.raises(ValueError):
            train(small.X, small.y, edges, edge_weight=wrong)
    with pytest.raises(ValueError, match="its entries"):
        train(small.X, small.y, A, edge_weight=weights)


def test_networkx(small, plain):
    networkx = pytest.importorskip("networkx")
    edges, expected = plain
    graph = networkx.Graph()
    graph.add_nodes_from(f"node {i}" for i in range(small.nodes))
    graph.add_edges_from((f"node {a}", f"node {b}") for a, b in edges.T)
    with pytest.raises(ValueError, match="have names, such as 'node 0'.*whose index has these names"):
        train(small.X, small.y, graph)
    pandas = pytest.importorskip("pandas")
    assert train(pandas.DataFrame(small.X, index=list(graph)), small.y, graph) == expected


def test_igraph(small, plain):
    igraph = pytest.importorskip("igraph")
    edges, expected = plain
    assert train(small.X, small.y, igraph.Graph(small.nodes, edges.T.tolist())) == expected


def test_pandas(small, plain):
    pandas = pytest.importorskip("pandas")
    edges, expected = plain
    assert train(small.X, small.y, pandas.DataFrame(edges.T)) == expected
    # Where the features have an index of names, edges are between names.
    names = np.array([f"n{i}" for i in range(small.nodes)])
    X = pandas.DataFrame(small.X, index=names)
    assert train(X, pandas.Series(small.y, index=names), pandas.DataFrame(names[edges.T])) == expected
    with pytest.raises(ValueError, match="'nobody', which is not in the index"):
        train(X, small.y, pandas.DataFrame([["n0", "nobody"]]))
    with pytest.raises(ValueError, match="4 columns"):
        train(X, small.y, pandas.DataFrame(np.zeros((2, 4), int)))


class Tensor:
    """As much of a torch tensor as is looked at."""

    def __init__(self, array):
        self.array = array

    def detach(self):
        return self

    def cpu(self):
        return self

    def dim(self):
        return self.array.ndim

    def numpy(self):
        return self.array


class Data:
    """As much of PyG's Data as is looked at."""

    def __init__(self, edges, nodes, **more):
        self.edge_index, self.num_nodes = Tensor(edges), nodes
        self.edge_attr = None
        self.__dict__.update(more)


def test_pyg(small, plain):
    edges, expected = plain
    assert train(Tensor(small.X), Tensor(small.y), Data(edges, small.nodes)) == expected
    assert train(small.X, small.y, Tensor(edges)) == expected
    several = Tensor(np.ones((edges.shape[1], 4)))
    assert train(small.X, small.y, Data(edges, small.nodes, edge_attr=several)) == expected
    weights = np.arange(edges.shape[1]) + 1.0
    weighted = train(small.X, small.y, edges, edge_weight=weights)
    assert train(small.X, small.y, Data(edges, small.nodes, edge_weight=Tensor(weights))) == weighted


@pytest.mark.parametrize("change", [
    lambda X: X.astype(np.float64), lambda X: X.tolist(), lambda X: np.asfortranarray(X), lambda X: X[:, ::-1][:, ::-1],
    lambda X: sparse.csr_matrix(X), lambda X: sparse.csc_matrix(X), lambda X: sparse.coo_array(X)])
def test_features(small, plain, change):
    assert train(change(small.X), small.y, plain[0]) == plain[1]


def test_frames_of_features(small, plain):
    pandas = pytest.importorskip("pandas")
    assert train(pandas.DataFrame(small.X), small.y, plain[0]) == plain[1]
    held = pandas.DataFrame.sparse.from_spmatrix(sparse.csr_matrix(small.X))
    assert train(held, small.y, plain[0]) == plain[1]
    with pytest.raises(TypeError, match="string names"):
        train(pandas.DataFrame(small.X[:, :2], columns=["a", 1]), small.y, plain[0])


def shares(a, b):
    return a is not None and np.shares_memory(a, b)


def test_nothing_is_copied(small):
    """float32 and CSR of the right types come to the library where they lie."""
    A, X = small.A, np.ascontiguousarray(small.X)
    weighted = A.copy()
    weighted.data[:] = 2
    graph = graph_arrays(weighted, small.nodes)
    assert shares(graph.indptr, weighted.indptr) and shares(graph.indices, weighted.indices)
    assert shares(graph.weights, weighted.data)
    assert graph_arrays(A, small.nodes).weights is None
    assert shares(feature_arrays(X).dense, X)
    rows = sparse.csr_matrix(X)
    found = feature_arrays(rows)
    assert shares(found.indptr, rows.indptr) and shares(found.indices, rows.indices) and shares(found.values, rows.data)
    edges = graph_arrays(np.ascontiguousarray(small.edges, np.int64), small.nodes)
    assert shares(edges.source, edges.source) and edges.source.base is not None


def test_the_library_gets_these_addresses(small, monkeypatch):
    import ctypes

    from gprgnn import _context
    from gprgnn._context import Context, lib

    A, X = small.A, np.ascontiguousarray(small.X)
    seen = {}

    def look(context, kind, free, function, argument):
        desc = argument._obj
        seen["dense"] = ctypes.cast(desc.dense, ctypes.c_void_p).value
        seen["indptr"], seen["indices"] = desc.adj_indptr, desc.adj_indices

    monkeypatch.setattr(_context.Context, "make", look)
    new_dataset(Context(), feature_arrays(X), graph_arrays(A, small.nodes))
    assert lib is not None
    assert seen == {"dense": X.ctypes.data, "indptr": A.indptr.ctypes.data, "indices": A.indices.ctypes.data}


@pytest.mark.parametrize("graph, error", [
    (np.zeros((3, 5), int), ValueError), (np.zeros((2, 3)) + 0.5, ValueError), (np.zeros(4, int), TypeError),
    ("edges.csv", TypeError), (3, TypeError), (object(), TypeError), ({1: 2}, TypeError), ([[0, 1], [2]], TypeError),
    (sparse.csr_matrix((4, 5)), ValueError), (sparse.csr_matrix((4, 4)), ValueError), ([[0], [200]], ValueError),
    ([[0], [-1]], ValueError), (np.array([[0], [2**63]], np.uint64), ValueError),
    (sparse.csr_matrix((200, 200), dtype=complex) + 1j * sparse.eye(200), ValueError)])
def test_wrong_graphs(small, graph, error):
    with pytest.raises(error):
        train(small.X, small.y, graph)


def test_messages_name_the_shape(small):
    with pytest.raises(ValueError, match=r"\(3, 5\): \(2, edges\), \(edges, 2\) or \(200, 200\) is expected"):
        train(small.X, small.y, np.zeros((3, 5), int))
    with pytest.raises(ValueError, match="the graph has 4 nodes, and X has 200 rows"):
        train(small.X, small.y, sparse.csr_matrix((4, 4)))
    with pytest.raises(ValueError, match=r"\[0, 200\)"):
        train(small.X, small.y, [[0], [200]])


@pytest.mark.parametrize("X", [np.zeros(5), np.zeros((2, 2, 2)), np.zeros((0, 3)), np.zeros((3, 0)), 3, "x", None,
                               np.full((4, 2), np.nan), np.full((4, 2), np.inf), np.full((4, 2), 1e300),
                               np.ones((4, 2), complex), [["a", "b"]] * 4, [[1, 2], [3]], [{}] * 4])
def test_wrong_features(X):
    with pytest.raises((ValueError, TypeError)):
        GCNClassifier(epochs=1).fit(X, [0, 1, 0, 1], graph=None)


@pytest.mark.parametrize("y", [None, [0.5, 1, 0, 1], [0, 1], [[0, 1]] * 4, [-1] * 4, [None] * 4, [0, "a", 1, "b"],
                               [1j] * 4,
                               [np.inf, 1, 0, 0], [object()] * 4, 3, "abcd", [[1], [2, 3], [4], [5]]])
def test_wrong_labels(y):
    with pytest.raises((ValueError, TypeError)):
        GCNClassifier(epochs=1).fit(np.eye(4), y, graph=None)


def test_quantity_as_label():
    prices = np.arange(300) % 150 * 37 + 80000
    for y in (prices, prices.astype(float), prices.tolist(), np.arange(300)):
        with pytest.raises(ValueError, match=r"values of 300 labelled nodes.*qcut.*y.astype\(str\)"):
            GCNClassifier(epochs=1).fit(np.eye(300), y, graph=None)
    for y in (prices.astype(str), np.arange(300) % 150, np.arange(300) % 50 * 3):
        assert encode_labels(y)[1].size in (50, 150)


def test_codes_of_labels():
    labels, classes = encode_labels(["b", float("nan"), "a", None])
    assert labels.tolist() == [1, -1, 0, -1] and classes.dtype.kind == "U"
    labels, classes = encode_labels([2, 0, -1, 2])
    assert labels.tolist() == [1, 0, -1, 1] and classes.dtype == int
    labels, classes = encode_labels(np.array(["b", None, "a", float("nan")], object))
    assert labels.tolist() == [1, -1, 0, -1] and classes.tolist() == ["a", "b"]
    assert labels_as(["a", "c", "b"], classes).tolist() == [0, -2, 1]
    assert labels_as(["a", "c", "b"], np.array(["b", "d", "a"])).tolist() == [2, -2, 0]
    labels, classes = encode_labels(np.array([3, 1, -1], np.int8))
    assert labels.tolist() == [1, 0, -1] and labels.dtype == np.int32
    assert labels_as([1, 2, -1], classes).tolist() == [0, -2, -1]
    with pytest.raises(ValueError, match="type"):
        labels_as(["1", "2"], classes)
    pandas = pytest.importorskip("pandas")
    labels, classes = encode_labels(pandas.Series(["x", pandas.NA, "y"], dtype="string"))
    assert labels.tolist() == [0, -1, 1]
    labels, classes = encode_labels(pandas.Series([1, None, 2], dtype="Int64"))
    assert labels.tolist() == [0, -1, 1]
    labels, classes = encode_labels(pandas.Categorical(["x", None, "y"]))
    assert labels.tolist() == [0, -1, 1]
