"""Graphs of other packages as arrays for the library.

A graph is a CSR matrix of adjacency or two arrays of nodes. Arrays of the right type are not copied. No package is
imported: an object tells by its attributes what it is.
"""
from __future__ import annotations

from typing import Any, NamedTuple, Optional, Tuple

import numpy as np

ACCEPTED = ("a scipy sparse matrix, an edge_index of shape (2, edges) or (edges, 2), a dense matrix of shape (nodes, "
            "nodes), a pandas DataFrame of two or three columns, a networkx or igraph graph, or a PyG Data")


class GraphArrays(NamedTuple):
    """Either CSR (indptr, indices) or edges (source, target); weights: float32, or None for all 1."""

    nodes: Optional[int] = None  # None: the graph does not tell
    indptr: Optional[np.ndarray] = None
    indices: Optional[np.ndarray] = None
    source: Optional[np.ndarray] = None
    target: Optional[np.ndarray] = None
    weights: Optional[np.ndarray] = None


def graph_arrays(graph: Any, nodes: Optional[int] = None, edge_weight: Any = None, index: Any = None) -> GraphArrays:
    """The arrays of `graph`.

    Parameters
    ----------
    graph : object
        See ACCEPTED; None: a graph without edges.
    nodes : int, optional
        How many nodes the features have.
    edge_weight : array-like, optional
        One weight per edge, for a graph that is given as a list of edges.
    index : pandas.Index, optional
        The names of the nodes, where the features are a DataFrame with an index of names.
    """
    if graph is None:
        none = np.empty(0, np.int64)
        arrays = GraphArrays(nodes, source=none, target=none)
    elif hasattr(graph, "tocsr") or (hasattr(graph, "indptr") and hasattr(graph, "indices")):
        arrays = _from_sparse(graph)
    elif hasattr(graph, "edge_index"):
        arrays = _from_data(graph, nodes)
    elif hasattr(graph, "get_edgelist") and hasattr(graph, "vcount"):
        arrays = _from_igraph(graph)
    elif hasattr(graph, "adjacency") and hasattr(graph, "number_of_nodes"):
        arrays = _from_networkx(graph)
    elif hasattr(graph, "columns") and hasattr(graph, "iloc"):
        arrays = _from_frame(graph, nodes, index)
    else:
        arrays = _from_array(graph, nodes)
    if edge_weight is not None:
        arrays = _with_weights(arrays, edge_weight)
    if nodes is not None and arrays.nodes is not None and arrays.nodes != nodes:
        raise ValueError(f"the graph has {arrays.nodes} nodes, and X has {nodes} rows: one row per node is expected")
    return arrays


def to_numpy(value: Any) -> Any:
    """A numpy array of an array-like, also of a torch tensor on any device."""
    if hasattr(value, "detach") and hasattr(value, "cpu"):
        value = value.detach().cpu()
    if hasattr(value, "numpy") and not isinstance(value, np.ndarray) and hasattr(value, "dim"):
        return value.numpy()
    return np.asarray(value)


def float32(values: Any, what: str) -> np.ndarray:
    """Contiguous float32, not copied where it is that already."""
    array = to_numpy(values)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{what} must be numbers, not {array.dtype}")
    with np.errstate(over="ignore", invalid="ignore"):  # the library names the entry
        return np.ascontiguousarray(array, dtype=np.float32)


def same_width(indptr: Any, indices: Any) -> Tuple[np.ndarray, np.ndarray]:
    """Both of int32 or both of int64, contiguous."""
    indptr, indices = np.asarray(indptr), np.asarray(indices)
    if indptr.dtype.kind not in "iu" or indices.dtype.kind not in "iu":
        raise ValueError(f"indptr and indices must be whole numbers, not {indptr.dtype} and {indices.dtype}")
    narrow = indptr.dtype == np.int32 and indices.dtype == np.int32
    kind = np.int32 if narrow else np.int64
    return np.ascontiguousarray(indptr, kind), np.ascontiguousarray(indices, kind)


def weights_or_none(values: Any) -> Optional[np.ndarray]:
    """float32, or None if all are 1."""
    if values is None:
        return None
    array = to_numpy(values).ravel()
    if array.dtype == bool or bool(np.all(array == 1)):
        return None
    return float32(array, "weights of edges")


def to_csr(matrix: Any) -> Any:
    """The same by rows. scipy trusts the arrays of a matrix, and would crash on wrong ones: they are checked here."""
    kind = getattr(matrix, "format", "csr")
    if kind == "csr":
        return matrix
    if kind == "coo":
        for length, ends in zip(matrix.shape, (matrix.row, matrix.col)):
            if ends.shape != matrix.data.shape:
                raise ValueError("the arrays of a coo matrix differ in length")
            if ends.size and (ends.min() < 0 or ends.max() >= length):
                raise ValueError(f"a coo matrix of shape {matrix.shape} has the index "
                                 f"{ends.min() if ends.min() < 0 else ends.max()}")
    elif hasattr(matrix, "check_format"):
        matrix.check_format(full_check=True)
    return matrix.tocsr()


def _without_zeros(graph: Any) -> Any:
    """A stored 0 is no edge."""
    indptr = np.asarray(graph.indptr)
    consistent = (indptr.ndim == 1 and len(indptr) == graph.shape[0] + 1 and indptr[0] == 0
                  and (np.diff(indptr) >= 0).all() and indptr[-1] <= min(len(graph.indices), len(graph.data)))
    if not consistent:
        return graph  # the library says what is wrong
    graph = graph.copy()
    graph.eliminate_zeros()
    return graph


def _from_sparse(graph: Any) -> GraphArrays:
    graph = to_csr(graph)
    shape = getattr(graph, "shape", None) or (len(graph.indptr) - 1,) * 2
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError(f"the graph is a matrix of shape {tuple(shape)}: (nodes, nodes) is expected")
    data = getattr(graph, "data", None)
    if data is not None and not isinstance(data, memoryview) and len(data):
        data = np.asarray(data)
        if data.dtype.kind == "c":
            raise ValueError("the graph has complex weights: give real ones above 0")
        if hasattr(graph, "eliminate_zeros") and not np.all(data):
            graph = _without_zeros(graph)
            data = graph.data
    else:
        data = None
    indptr, indices = same_width(graph.indptr, graph.indices)
    if data is not None and len(data) != len(indices):
        raise ValueError(f"the graph has {len(data)} weights for {len(indices)} entries")
    return GraphArrays(int(shape[0]), indptr, indices, weights=weights_or_none(data))


def _edges(source: Any, target: Any, nodes: Optional[int], weights: Any = None) -> GraphArrays:
    ends = []
    for array in (np.asarray(source), np.asarray(target)):
        if array.size and array.dtype.kind not in "iu":
            raise ValueError(f"nodes of edges must be whole numbers from 0 on, not {array.dtype}")
        if array.dtype == np.uint64 and array.size and array.max() > np.iinfo(np.int64).max:
            raise ValueError(f"an edge has the node {array.max()}: there are not so many")
        ends.append(np.ascontiguousarray(array, np.int64))
    return GraphArrays(nodes, source=ends[0], target=ends[1], weights=weights_or_none(weights))


def _from_array(graph: Any, nodes: Optional[int]) -> GraphArrays:
    try:
        array = to_numpy(graph)
    except (ValueError, TypeError) as error:
        raise TypeError(f"graph is a {type(graph).__name__}: expected {ACCEPTED}") from error
    if array.dtype == object or array.ndim != 2:
        shape = f" of shape {array.shape}" if isinstance(graph, np.ndarray) else ""
        raise TypeError(f"graph is a {type(graph).__name__}{shape}: expected {ACCEPTED}")
    rows, columns = array.shape
    if rows == columns and rows == nodes and rows != 2:
        if array.dtype.kind not in "biuf":
            raise ValueError(f"a dense graph must have numbers, not {array.dtype}")
        source, target = np.nonzero(array)
        return _edges(source, target, rows, array[source, target])
    if rows == 2:
        return _edges(array[0], array[1], None)
    if columns == 2:
        return _edges(array[:, 0], array[:, 1], None)
    expected = "(2, edges), (edges, 2)" + ("" if nodes is None else f" or ({nodes}, {nodes})")
    raise ValueError(f"graph has the shape {array.shape}: {expected} is expected")


def _from_data(graph: Any, nodes: Optional[int]) -> GraphArrays:
    """PyG's Data, or anything else with an edge_index."""
    ends = to_numpy(graph.edge_index)
    if ends.ndim != 2 or ends.shape[0] != 2:
        raise ValueError(f"edge_index has the shape {ends.shape}: (2, edges) is expected")
    weights = getattr(graph, "edge_weight", None)
    if weights is None:
        weights = getattr(graph, "edge_attr", None)
        if weights is not None and to_numpy(weights).size != ends.shape[1]:
            weights = None  # several features per edge are no weight
    count = getattr(graph, "num_nodes", None)
    arrays = _edges(ends[0], ends[1], int(count) if count is not None else nodes)
    return arrays if weights is None else _with_weights(arrays, weights)


def _from_igraph(graph: Any) -> GraphArrays:
    ends = np.asarray(graph.get_edgelist(), np.int64).reshape(-1, 2)
    weights = graph.es["weight"] if "weight" in graph.es.attributes() else None
    return _edges(ends[:, 0], ends[:, 1], int(graph.vcount()), weights)


def _from_networkx(graph: Any) -> GraphArrays:
    """Node i is the i-th of graph.nodes."""
    place = {node: i for i, node in enumerate(graph.nodes)}
    edges = [(place[a], place[b], weight) for a, b, weight in graph.edges(data="weight", default=1)]
    source = np.fromiter((edge[0] for edge in edges), np.int64, len(edges))
    target = np.fromiter((edge[1] for edge in edges), np.int64, len(edges))
    return _edges(source, target, len(place), np.asarray([edge[2] for edge in edges]) if edges else None)


def _from_frame(graph: Any, nodes: Optional[int], index: Any) -> GraphArrays:
    """Two columns of nodes, and perhaps one of weights: the third, or the one called weight."""
    names = [str(name) for name in graph.columns]
    if len(names) not in (2, 3):
        raise ValueError(f"the DataFrame of edges has {len(names)} columns: two of nodes are expected, and perhaps one "
                         "of weights")
    last = names.index("weight") if "weight" in names and len(names) == 3 else 2
    columns = [graph.iloc[:, i] for i in range(len(names)) if i != last]
    weights = graph.iloc[:, last].to_numpy() if len(names) == 3 else None
    if index is None:
        return _edges(columns[0].to_numpy(), columns[1].to_numpy(), None, weights)
    ends = []
    for column in columns:
        places = index.get_indexer(column)
        if (places < 0).any():
            unknown = column.iloc[int(np.argmax(places < 0))]
            raise ValueError(f"an edge has the node {unknown!r}, which is not in the index of X")
        ends.append(places)
    return _edges(ends[0], ends[1], nodes, weights)


def _with_weights(arrays: GraphArrays, edge_weight: Any) -> GraphArrays:
    if arrays.source is None:
        raise ValueError("edge_weight is for a list of edges; the weights of a matrix are its entries")
    weights = to_numpy(edge_weight).ravel()
    if weights.shape != arrays.source.shape:
        raise ValueError(f"edge_weight has {weights.size} numbers: one per edge is expected, {arrays.source.size}")
    return arrays._replace(weights=weights_or_none(float32(weights, "edge_weight")))
