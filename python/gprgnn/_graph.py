"""Graphs of other packages as arrays for the library.

A graph is a CSR matrix of adjacency or two arrays of nodes. Arrays of the right type are not copied. No package is
imported: an object tells by its attributes what it is.
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, List, NamedTuple, Optional, Tuple

import numpy as np

from ._arrow import as_frame, is_arrow
from ._frame import column, is_frame
from ._ids import is_counted, is_shuffled, own_ids, places, unknown_id

ACCEPTED = ("a scipy sparse matrix, an edge_index of shape (2, edges) or (edges, 2), a dense matrix of shape (nodes, "
            "nodes), a DataFrame of edges, a networkx or igraph graph, a PyG Data or HeteroData, or a dict {kind of "
            "edges: one of these}")
_RELATION = "relation"  # the attribute of an edge, in networkx and igraph, that is its kind
_ENDS = (("source", "src", "from"), ("target", "dst", "to"))  # names of the columns of a DataFrame of edges
_WEIGHT = ("weight", "w")


class GraphArrays(NamedTuple):
    """Either CSR (indptr, indices) or edges (source, target); weights: float32, or None for all 1."""

    nodes: Optional[int] = None  # None: the graph does not tell
    indptr: Optional[np.ndarray] = None
    indices: Optional[np.ndarray] = None
    source: Optional[np.ndarray] = None
    target: Optional[np.ndarray] = None
    weights: Optional[np.ndarray] = None
    ids: Any = None  # what the graph calls its nodes, where X is None; None: by their numbers
    kinds: Optional[List[str]] = None  # of edges, where there are several
    kind: Optional[np.ndarray] = None  # with them: of each edge, its place there


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
    index : pandas.Index or list, optional
        The ids of the nodes: those of the graph are found among them. Numbers of rows are no ids.
    """
    index = own_ids(index)
    graph = as_frame(graph, "graph")
    if graph is None:
        none = np.empty(0, np.int64)
        arrays = GraphArrays(nodes, source=none, target=none)
    elif hasattr(graph, "tocsr") or (hasattr(graph, "indptr") and hasattr(graph, "indices")):
        arrays = _from_sparse(graph)
    elif isinstance(graph, Mapping):
        arrays = _from_kinds(graph, nodes, index)
    elif hasattr(graph, "edge_types") and hasattr(graph, "node_types"):
        arrays = hetero_arrays(graph, nodes)
    elif hasattr(graph, "edge_index"):
        arrays = _from_data(graph, nodes)
    elif hasattr(graph, "get_edgelist") and hasattr(graph, "vcount"):
        arrays = _from_igraph(graph, nodes, index)
    elif hasattr(graph, "adjacency") and hasattr(graph, "number_of_nodes"):
        arrays = _from_networkx(graph, nodes, index)
    elif is_frame(graph):
        arrays = _from_frame(graph, nodes, index)
    else:
        arrays = _from_array(graph, nodes)
    if edge_weight is not None:
        arrays = _with_weights(arrays, edge_weight)
    if nodes is not None and arrays.nodes is not None and arrays.nodes != nodes:
        raise ValueError(f"the graph has {arrays.nodes} nodes, and X has {nodes} rows: one row per node is expected")
    if index is not None and graph is not None and not has_ids(graph) and is_shuffled(index):
        raise ValueError("the rows of X were moved (its index is 0 to n - 1 in another order), and this graph knows "
                         "its nodes by numbers only: give X.sort_index(), or X.reset_index(drop=True) if row i is "
                         "node i")
    return arrays


def has_ids(graph: Any) -> bool:
    """Whether the graph calls its nodes by names, or may do so."""
    if isinstance(graph, Mapping):
        return any(has_ids(one) for one in graph.values())
    if hasattr(graph, "vcount"):
        return "name" in graph.vs.attributes()
    return hasattr(graph, "number_of_nodes") and hasattr(graph, "adjacency") or is_frame(graph) or is_arrow(graph)


def to_numpy(value: Any, what: str = "the array") -> Any:
    """A numpy array of an array-like, also of a torch tensor on any device."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.getmaskarray(value).any():
        raise ValueError(f"{what} is a masked array with masked entries, and their values would count: fill them, such "
                         "as by .filled(0), or leave those rows or columns out")
    if hasattr(value, "detach") and hasattr(value, "cpu"):
        value = value.detach().cpu()
    if hasattr(value, "numpy") and not isinstance(value, np.ndarray) and hasattr(value, "dim"):
        return value.numpy()
    return np.asarray(value)


def float32(values: Any, what: str) -> np.ndarray:
    """Contiguous float32, not copied where it is that already."""
    array = to_numpy(values, what)
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


def _both_ways(arrays: GraphArrays) -> GraphArrays:
    """Of edges without a direction: each also from its target to its source, so that the library knows of none."""
    source, target = arrays.source, arrays.target
    if source is None or target is None or not source.size:
        return arrays
    low, high = np.minimum(source, target), np.maximum(source, target)
    order = np.lexsort((high, low))
    first = np.flatnonzero(np.r_[True, (np.diff(low[order]) != 0) | (np.diff(high[order]) != 0)])
    apart = low[order[first]] != high[order[first]]  # a loop has one direction
    once = order[first[apart]]
    weights = arrays.weights
    if weights is not None:  # parallel edges are one, with the largest weight
        weights = np.concatenate([weights, np.maximum.reduceat(weights[order], first)[apart]])
    # All from the lower end, and each once from the higher one: a parallel edge counts as one too many, not as two.
    return arrays._replace(source=np.concatenate([low, high[once]]), target=np.concatenate([high, low[once]]),
                           weights=weights)


def _as_pairs(arrays: GraphArrays) -> Any:
    """(source, target) of a matrix or a list of edges."""
    if arrays.indptr is None or arrays.indices is None:
        return arrays.source, arrays.target
    ends = np.diff(arrays.indptr)
    consistent = len(arrays.indptr) > 0 and (ends >= 0).all() and arrays.indptr[0] == 0 \
        and arrays.indptr[-1] == len(arrays.indices)
    if not consistent:
        raise ValueError(f"indptr must ascend from 0 to the number of indices, {len(arrays.indices)}")
    return np.repeat(np.arange(len(ends), dtype=np.int64), ends), arrays.indices.astype(np.int64)


def _from_kinds(graph: Any, nodes: Optional[int], index: Any) -> GraphArrays:
    """A dict of graphs over the same nodes."""
    if not graph:
        raise ValueError("graph is an empty dict: give it the kinds of edges, {name: graph}; graph=None says that "
                         "there are no edges")
    parts = []
    for name, one in graph.items():
        if not isinstance(name, str):
            raise TypeError(f"graph is a dict of kinds of edges, and {name!r} is no name")
        if one is None or isinstance(one, Mapping):
            raise TypeError(f"graph[{name!r}] is a {type(one).__name__}: a single graph is expected; without edges it "
                            "is numpy.empty((2, 0), int)")
        try:
            parts.append(_one_kind(graph_arrays(one, nodes, None, index)))
        except (TypeError, ValueError) as error:
            raise type(error)(f"graph[{name!r}]: {error}") from error
    if len(parts) == 1 and list(graph) == [""]:
        return parts[0]  # Dataset.relations of one kind
    if nodes is None and any(part.ids is not None for part in parts):
        every = list(dict.fromkeys(node for part in parts for node in (part.ids if part.ids is not None else ())))
        return _from_kinds(graph, len(every), every)._replace(nodes=len(every), ids=every)
    return _united(list(graph), parts)


def _one_kind(arrays: GraphArrays) -> GraphArrays:
    return arrays._replace(kinds=None, kind=None)


def _united(names: List[str], parts: List[GraphArrays]) -> GraphArrays:
    counts = {name: part.nodes for name, part in zip(names, parts) if part.nodes is not None}
    if len(set(counts.values())) > 1:
        one, other = min(counts, key=lambda name: counts[name]), max(counts, key=lambda name: counts[name])
        few, many = counts[one], counts[other]
        raise ValueError(f"graph[{one!r}] has {few} nodes, and graph[{other!r}] {many}: all kinds of edges are over "
                         "the same nodes")
    pairs = [_as_pairs(part) for part in parts]
    nodes = next(iter(counts.values()), None)
    for name, ends in zip(names, pairs):
        for end in ends:
            if nodes is not None and end.size and not 0 <= end.min() <= end.max() < nodes:
                wrong = end.min() if end.min() < 0 else end.max()
                raise ValueError(f"graph[{name!r}]: an edge has the node {wrong}: nodes are 0 to {nodes - 1}")
    weights = None
    if any(part.weights is not None for part in parts):
        weights = np.concatenate([np.ones(len(ends[0]), np.float32) if part.weights is None else part.weights
                                  for part, ends in zip(parts, pairs)])
    kind = np.repeat(np.arange(len(parts), dtype=np.int32), [len(ends[0]) for ends in pairs])
    return GraphArrays(nodes, source=np.concatenate([ends[0] for ends in pairs]),
                       target=np.concatenate([ends[1] for ends in pairs]), weights=weights, kinds=names, kind=kind)


def _with_kinds(arrays: GraphArrays, kinds: Any, what: str, directed: bool) -> GraphArrays:
    """kinds: of each edge, or None in all of them: there are none."""
    kinds = list(kinds)
    wrong = next((place for place, kind in enumerate(kinds) if kind is None), None)
    if not kinds or (wrong is not None and all(kind is None for kind in kinds)):
        return arrays if directed else _both_ways(arrays)
    if wrong is not None:
        raise ValueError(f"{what} of edge {wrong} is None, and other edges have one: give all edges a kind, or none")
    names = list(dict.fromkeys(str(kind) for kind in kinds))
    if len(names) == 1:
        return arrays if directed else _both_ways(arrays)
    place = np.asarray([names.index(str(kind)) for kind in kinds])
    assert arrays.source is not None and arrays.target is not None
    parts = []
    for number in range(len(names)):
        own = place == number
        part = arrays._replace(source=arrays.source[own], target=arrays.target[own],
                               weights=None if arrays.weights is None else arrays.weights[own])
        parts.append(part if directed else _both_ways(part))
    return _united(names, parts)._replace(ids=arrays.ids, nodes=arrays.nodes)


def _from_array(graph: Any, nodes: Optional[int]) -> GraphArrays:
    if isinstance(graph, np.ma.MaskedArray):
        graph = to_numpy(graph, "graph")
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


def _from_data(graph: Any, nodes: Optional[int], count: Optional[int] = None) -> GraphArrays:
    """PyG's Data, or anything else with an edge_index. count: how many nodes there are, if it is known."""
    ends = to_numpy(graph.edge_index)
    if ends.ndim != 2 or ends.shape[0] != 2:
        raise ValueError(f"edge_index has the shape {ends.shape}: (2, edges) is expected")
    weights = getattr(graph, "edge_weight", None)
    if weights is None:
        weights = getattr(graph, "edge_attr", None)
        if weights is not None and to_numpy(weights).size != ends.shape[1]:
            weights = None  # several features per edge are no weight
    count = getattr(graph, "num_nodes", None) if count is None else count
    arrays = _edges(ends[0], ends[1], int(count) if count is not None else nodes)
    return arrays if weights is None else _with_weights(arrays, weights)


def hetero_arrays(graph: Any, nodes: Optional[int]) -> GraphArrays:
    """PyG's HeteroData with one type of nodes: its types of edges are kinds."""
    if len(graph.node_types) != 1:
        raise ValueError(f"the HeteroData has the types of nodes {', '.join(map(repr, graph.node_types)) or 'none'}: "
                         "one type is expected, over which all edges are")
    found = {}
    for edge_type in graph.edge_types:
        name = str(edge_type[1])
        if name in found:
            raise ValueError(f"the HeteroData has two types of edges called {name!r}")
        found[name] = graph[edge_type]
    count = getattr(graph[graph.node_types[0]], "num_nodes", None)
    if not found:
        none = np.empty(0, np.int64)
        return GraphArrays(nodes if count is None else int(count), source=none, target=none)
    size = nodes if count is None else int(count)
    parts = [_from_data(one, size, size) for one in found.values()]
    return parts[0] if len(parts) == 1 else _united(list(found), parts)


def _from_igraph(graph: Any, nodes: Optional[int], index: Any) -> GraphArrays:
    """By the attribute `name` where X has ids too, else by the numbers that igraph gives its vertices."""
    directed = graph.is_directed()
    kinds = graph.es[_RELATION] if _RELATION in graph.es.attributes() else []
    ends = np.asarray(graph.get_edgelist(), np.int64).reshape(-1, 2)
    weights = graph.es["weight"] if "weight" in graph.es.attributes() else None
    if index is None or "name" not in graph.vs.attributes():
        return _with_kinds(_edges(ends[:, 0], ends[:, 1], int(graph.vcount()), weights), kinds, _RELATION, directed)
    rows = _rows(index, graph.vs["name"], "the graph has the node")
    return _with_kinds(_edges(rows[ends[:, 0]], rows[ends[:, 1]], nodes, weights), kinds, _RELATION, directed)


def _rows(index: Any, wanted: Any, what: str) -> np.ndarray:
    """(len(wanted)) the rows of X with these ids."""
    rows = places(index, wanted)
    if (rows < 0).any():
        one = list(wanted)[int(np.argmax(rows < 0))]
        raise ValueError(f"{what} {unknown_id(one, index)}")
    return rows


def _from_networkx(graph: Any, nodes: Optional[int], index: Any) -> GraphArrays:
    """By the ids of X; without any, the nodes must be 0 .. n - 1. X is None: node i is the i-th of graph.nodes."""
    names = list(graph.nodes)
    count: Optional[int] = len(names)
    if index is not None:
        place, count = dict(zip(names, _rows(index, names, "the graph has the node").tolist())), nodes
    else:
        if nodes is not None and not is_counted(names):
            raise ValueError(f"the nodes of the graph have names, such as {names[0]!r}, and X does not say which row "
                             "is whose. Give X as a DataFrame whose index has these names; if row i of X is the i-th "
                             "of graph.nodes, pandas.DataFrame(X, index=list(graph))"
                             + _numbers_remedy(names, nodes))
        place = {node: i for i, node in enumerate(names)}
    edges = [(place[a], place[b], weight) for a, b, weight in graph.edges(data="weight", default=1)]
    kinds = [kind for _, _, kind in graph.edges(data=_RELATION)]
    if all(kind is None for kind in kinds) and graph.is_multigraph():  # keys of parallel edges that are names
        keys = [key for _, _, key in graph.edges(keys=True)]
        kinds = keys if all(isinstance(key, str) for key in keys) else []
    source = np.fromiter((edge[0] for edge in edges), np.int64, len(edges))
    target = np.fromiter((edge[1] for edge in edges), np.int64, len(edges))
    found = _edges(source, target, count, np.asarray([edge[2] for edge in edges]) if edges else None)
    found = _with_kinds(found, kinds, f"the attribute {_RELATION!r}", graph.is_directed())
    return found._replace(ids=own_ids(names)) if nodes is None else found


def _numbers_remedy(names: Any, nodes: int) -> str:
    """What to do where the names may be numbers of rows: networkx keeps nodes in the order in which it met them."""
    if not all(isinstance(name, (int, np.integer)) and 0 <= name < nodes for name in names):
        return ""
    return "; if row i of X is the node i, graph=networkx.to_pandas_edgelist(graph)"


def _frame_columns(graph: Any) -> Tuple[int, int, Optional[int]]:
    """Where a DataFrame of edges has both ends and the weight: by the names of its columns, else the first ones."""
    names = [str(name).lower() for name in graph.columns]
    ends = [next((names.index(word) for word in words if word in names), None) for words in _ENDS]
    weight = next((names.index(word) for word in _WEIGHT if word in names), None)
    if None not in ends:
        return int(ends[0] or 0), int(ends[1] or 0), weight  # other columns are none of ours
    others = [place for place in range(len(names)) if place != weight]
    if weight is None and len(others) == 3:
        last = list(graph.columns)[2]
        if isinstance(last, str):
            raise ValueError(f"the DataFrame of edges has the column {last!r} beside its first two: call it 'weight' "
                             "if it has the weights, or give the two columns of nodes alone")
        weight, others = 2, [0, 1]
    if len(others) != 2:
        raise ValueError(f"the DataFrame of edges has {len(names)} columns: two of nodes are expected, called source "
                         "and target where there are more, and perhaps one called weight")
    return others[0], others[1], weight


def _from_frame(graph: Any, nodes: Optional[int], index: Any) -> GraphArrays:
    """Two columns of nodes, and perhaps one of weights, in a DataFrame of pandas or polars."""
    first, second, last = _frame_columns(graph)
    weights = None if last is None else np.asarray(column(graph, last).to_numpy())
    ends = [column(graph, place).to_numpy() for place in (first, second)]
    if index is not None:
        ends = [_rows(index, end, "an edge has the node") for end in ends]
    elif any(end.size and np.asarray(end).dtype.kind not in "iu" for end in ends):
        wrong = next(end for end in ends if np.asarray(end).dtype.kind not in "iu")
        raise ValueError(f"the edges are between names, such as {wrong[0]!r}, and X does not say which row is whose: "
                         "give X as a DataFrame whose index has these names, such as X.set_index('id'); where X has "
                         "no index (polars), read_tables(edges, X, label=..., id=...) finds the names in a column")
    return _edges(ends[0], ends[1], None if index is None else nodes, weights)


def _with_weights(arrays: GraphArrays, edge_weight: Any) -> GraphArrays:
    if arrays.kinds is not None:
        raise ValueError("edge_weight is for one list of edges: give each kind its weights, as a matrix, a DataFrame "
                         "or attributes of its edges")
    if arrays.source is None:
        raise ValueError("edge_weight is for a list of edges; the weights of a matrix are its entries")
    weights = to_numpy(edge_weight, "edge_weight").ravel()
    if weights.shape != arrays.source.shape:
        raise ValueError(f"edge_weight has {weights.size} numbers: one per edge is expected, {arrays.source.size}")
    return arrays._replace(weights=weights_or_none(float32(weights, "edge_weight")))
