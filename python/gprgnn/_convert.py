"""Datasets from and to the objects of other packages, which are imported here and only when they are asked for."""
from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._context import Context, Handle
from ._dataset import Dataset
from ._features import FeatureArrays
from ._graph import GraphArrays, graph_arrays, hetero_arrays, to_numpy
from ._ids import aligned
from ._input import NOT_GIVEN, Nodes, nodes_of
from ._labels import class_names, encode_labels
from ._read import with_features


def from_arrays(X: Any = None, y: Any = None, graph: Any = NOT_GIVEN, *, edge_weight: Any = None,
                node_ids: Optional[Sequence[Any]] = None, feature_names: Optional[Sequence[str]] = None,
                sample_weight: Any = None, features: Optional[str] = "auto", name: Optional[str] = None) -> Dataset:
    """A dataset from arrays, in the forms that an estimator's ``fit`` takes.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (nodes, features), DataFrame, or None
    y : array-like of shape (nodes,), optional
        Classes; -1, NaN and None are nodes without a label.
    graph : sparse matrix, edge_index, DataFrame, networkx or igraph graph, PyG Data or HeteroData, a dict, or None
        A dict {name: graph} has kinds of edges. None: a graph without edges, which must be asked for.
    edge_weight : array-like, optional
        One weight per edge, for a list of edges.
    node_ids, feature_names : sequence, optional
        Names; by default the index and the columns of a DataFrame.
    sample_weight : array-like of shape (nodes,), optional
        How much each node counts in a training.
    features : str or None
        What is made from the graph where X is None: "auto", "identity", "degree", "spectral:64"; None: nothing.
    name : str, optional

    Returns
    -------
    Dataset

    Examples
    --------
    >>> import numpy as np
    >>> from gprgnn import from_arrays
    >>> data = from_arrays(np.eye(4), ["x", "x", "y", None], graph=[[0, 1, 2], [1, 2, 3]])
    >>> data.n_edges, data.class_names, data.y
    (3, ['x', 'y'], array([ 0,  0,  1, -1], dtype=int32))
    """
    graph = _graph_or_none(graph, X)
    if X is None:
        return _from_graph(y, graph, edge_weight, node_ids, sample_weight, features, name)
    given = nodes_of(X)
    if node_ids is not None:
        given = given._replace(ids=_named(node_ids, given.nodes))
    if given.base is not None:
        if hasattr(X, "_handle"):
            raise ValueError("from_arrays: X is a Dataset already")
        if node_ids is not None or feature_names is not None:
            raise ValueError("from_arrays: a DataFrame with more than numbers has its own names: set its index and its "
                             "columns in place of node_ids and feature_names")
    elif feature_names is not None and given.arrays is not None:
        columns = _names(feature_names, given.columns, "feature_names")
        given = given._replace(arrays=given.arrays._replace(names=columns))
    arrays = graph_arrays(graph, given.nodes, edge_weight, given.ids)
    return Dataset(_made(given, arrays, y, sample_weight, name))


def _graph_or_none(graph: Any, X: Any) -> Any:
    if graph is not NOT_GIVEN:
        return graph
    if X is None:
        return None
    raise ValueError("from_arrays: no graph is given; graph=None says that there are no edges")


def _named(node_ids: Sequence[Any], count: int) -> List[Any]:
    ids = list(node_ids)
    if len(ids) != count:
        raise ValueError(f"node_ids has {len(ids)} names: {count} are expected")
    return ids


def _from_graph(y: Any, graph: Any, edge_weight: Any, node_ids: Any, sample_weight: Any, features: Optional[str],
                name: Optional[str]) -> Dataset:
    """A graph without features, or with some that are made from it."""
    arrays = graph_arrays(graph, None, edge_weight)
    count = _count(arrays, y)
    ids = arrays.ids if node_ids is None else _named(node_ids, count)
    given = Nodes(count, 0, None, ids, FeatureArrays(count, 0))
    data = Dataset(_made(given, arrays, y, sample_weight, name))
    return with_features(data, features) if features is not None else data


def _made(given: Nodes, arrays: GraphArrays, y: Any, sample_weight: Any, name: Optional[str]) -> Handle:
    labels, classes, names = None, 0, None
    if y is not None:
        labels, found = encode_labels(aligned(y, given.ids, "y"), given.nodes, training=True)
        classes, names = len(found), class_names(found)
    weights = None
    if sample_weight is not None:
        weights = np.ascontiguousarray(to_numpy(aligned(sample_weight, given.ids, "sample_weight"), "sample_weight"),
                                       dtype=np.float32)
        if weights.shape != (given.nodes,):
            raise ValueError(f"sample_weight has the shape {weights.shape}: ({given.nodes},) is expected, one per node")
    return given.dataset(Context(threads=0), arrays, labels, classes, names, weights, name or "data")


def _count(arrays: Any, y: Any) -> int:
    """How many nodes there are."""
    if arrays.nodes is not None:
        return int(arrays.nodes)
    if y is not None:
        return len(y)
    ends = [int(end.max()) for end in (arrays.source, arrays.target) if end is not None and end.size]
    if not ends:
        raise ValueError("from_arrays: give X, y or a graph with edges: the number of nodes is not known")
    return max(ends) + 1


def _names(names: Sequence[Any], count: int, what: str) -> List[str]:
    texts = [str(name) for name in names]
    if len(texts) != count:
        raise ValueError(f"{what} has {len(texts)} names: {count} are expected")
    return texts


def _dense(X: Any) -> np.ndarray:
    return X if isinstance(X, np.ndarray) else X.toarray()


def _labels(data: Dataset) -> List[Any]:
    """The class of each node by its name, or its number; None: no label."""
    names = data.class_names
    return [None if c < 0 else (names[c] if names else int(c)) for c in data.y]


def _columns(rows: Sequence[Dict[Any, Any]], features: Sequence[str], what: str) -> np.ndarray:
    """Attributes of nodes as a matrix: numbers, or a vector of numbers in each."""
    columns = []
    for word in features:
        missing = [i for i, row in enumerate(rows) if row.get(word) is None]
        if missing:
            raise ValueError(f"{what}: node {missing[0]} has no attribute {word!r}")
        try:
            column = np.asarray([row[word] for row in rows], dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{what}: the attribute {word!r} must be a number, or as many numbers in every node "
                             f"({error})") from error
        columns.append(column.reshape(len(rows), -1))
    return np.concatenate(columns, axis=1)


def _from_attributes(rows: Sequence[Dict[Any, Any]], ids: Sequence[Any], graph: Any,
                     features: Union[None, str, Sequence[str]], label: Optional[str], what: str,
                     name: Optional[str]) -> Dataset:
    words = [features] if isinstance(features, str) else list(features or ())
    X = _columns(rows, words, what) if words else None
    names: Optional[List[str]] = None
    if X is not None and X.shape[1] == len(words):
        names = [str(word) for word in words]
    y = [row.get(label) for row in rows] if label is not None else None
    if y is not None and all(value is None for value in y):
        raise ValueError(f"{what}: no node has the attribute {label!r} (label)")
    return from_arrays(X, y, graph, node_ids=ids, feature_names=names, name=name)


def from_networkx(graph: Any, features: Union[None, str, Sequence[str]] = None, label: Optional[str] = None,
                  name: Optional[str] = None) -> Dataset:
    """A dataset from a ``networkx`` graph.

    The attribute ``weight`` of edges is kept, and so are the directions of a DiGraph. The attribute ``relation`` of
    edges is their kind; in a MultiGraph or MultiDiGraph without it their keys are, if all keys are texts.

    Parameters
    ----------
    graph : networkx.Graph
    features : str or list of str, optional
        Attributes of the nodes: numbers, or vectors of numbers. None: features are made from the graph.
    label : str, optional
        The attribute with the class. Nodes without it have no label.
    name : str, optional

    Returns
    -------
    Dataset
        Its nodes are those of ``graph.nodes``, in this order, called by their names.

    Examples
    --------
    >>> import networkx as nx
    >>> from gprgnn import from_networkx
    >>> data = from_networkx(nx.karate_club_graph(), label="club")
    >>> data.n_nodes, data.n_edges, data.class_names
    (34, 78, ['Mr. Hi', 'Officer'])
    """
    rows = [dict(attributes) for _, attributes in graph.nodes(data=True)]
    return _from_attributes(rows, list(graph.nodes), graph, features, label, "from_networkx", name)


def to_networkx(data: Dataset) -> Any:
    import networkx

    relations = data._kinds(False)
    graph = networkx.Graph(name=data.name) if len(relations) == 1 else networkx.MultiGraph(name=data.name)
    ids: Sequence[Any] = data._own_ids() or range(data.n_nodes)
    X, labels = _dense(data.X), _labels(data)
    for i, node in enumerate(ids):
        attributes = {} if labels[i] is None else {"label": labels[i]}
        if X.shape[1]:
            attributes["x"] = X[i]
        graph.add_node(node, **attributes)
    for kind, matrix in relations.items():
        pairs, weights = _once(matrix)
        own: Dict[str, Any] = {"key": kind} if len(relations) > 1 else {}
        for place, (a, b) in enumerate(pairs.T):
            graph.add_edge(ids[a], ids[b], **(own if weights is None else {**own, "weight": float(weights[place])}))
    return graph


def _once(matrix: Any) -> Any:
    """The edges of a symmetric matrix, each once, and their weights; None: all 1."""
    source = np.repeat(np.arange(matrix.shape[0], dtype=np.int32), np.diff(matrix.indptr))
    once = source < matrix.indices
    weights = None if np.all(matrix.data == 1) else matrix.data[once]
    return np.stack([source[once], matrix.indices[once]]), weights


def from_igraph(graph: Any, features: Union[None, str, Sequence[str]] = None, label: Optional[str] = None,
                name: Optional[str] = None) -> Dataset:
    """A dataset from an ``igraph`` graph; features and label are attributes of its vertices.

    Parameters and result are those of :func:`from_networkx`. Nodes are called by the attribute ``name``.
    """
    rows = [vertex.attributes() for vertex in graph.vs]
    ids = graph.vs["name"] if "name" in graph.vs.attributes() else range(graph.vcount())
    return _from_attributes(rows, list(ids), graph, features, label, "from_igraph", name)


def to_igraph(data: Dataset) -> Any:
    import igraph

    found = {kind: _once(matrix) for kind, matrix in data._kinds(False).items()}
    every = np.concatenate([pairs for pairs, _ in found.values()], axis=1)
    graph = igraph.Graph(n=data.n_nodes, edges=every.T.tolist(), directed=False)
    if any(weights is not None for _, weights in found.values()):
        graph.es["weight"] = [float(w) for pairs, weights in found.values()
                              for w in (np.ones(pairs.shape[1]) if weights is None else weights)]
    if len(found) > 1:
        graph.es["relation"] = [kind for kind, (pairs, _) in found.items() for _ in range(pairs.shape[1])]
    if data._own_ids():
        graph.vs["name"] = data.node_ids
    graph.vs["label"] = _labels(data)
    if data.n_features:
        graph.vs["x"] = list(_dense(data.X))
    return graph


def from_pyg(data: Any, name: Optional[str] = None) -> Dataset:
    """A dataset from a ``torch_geometric.data.Data``: ``x``, ``y``, ``edge_index`` and ``edge_weight``.

    A ``HeteroData`` with one type of nodes gives kinds of edges, its types of edges.

    Its masks are not part of a dataset: give them to ``fit`` as ``train_mask`` and so on. Labels below 0 are none.
    """
    nodes = data
    if hasattr(data, "node_types") and hasattr(data, "edge_types"):
        hetero_arrays(data, None)  # says what is wrong
        nodes = data[data.node_types[0]]
    elif getattr(data, "edge_index", None) is None:
        raise TypeError(f"from_pyg needs a Data with an edge_index, not {type(data).__name__}")
    x, y = getattr(nodes, "x", None), getattr(nodes, "y", None)
    if x is None and getattr(nodes, "num_nodes", None) is None:
        raise ValueError("from_pyg: the Data has neither x nor num_nodes: the number of nodes is not known")
    labels = None if y is None else to_numpy(y).reshape(-1)
    return from_arrays(None if x is None else _plain_features(x), labels, data, name=name)


def _plain_features(x: Any) -> Any:
    """A torch tensor, dense or sparse, as numpy or scipy."""
    layout = str(getattr(x, "layout", ""))
    if "sparse" not in layout:
        return to_numpy(x)
    from scipy.sparse import csr_matrix

    x = x.detach().cpu().to_sparse_csr()
    return csr_matrix((x.values().numpy(), x.col_indices().numpy(), x.crow_indices().numpy()), shape=tuple(x.shape))


def to_pyg(data: Dataset) -> Any:
    import torch
    from torch_geometric.data import Data

    pairs, weights = data.edges()
    both = np.concatenate([pairs, pairs[::-1]], axis=1).astype(np.int64)
    result = Data(x=torch.from_numpy(np.array(_dense(data.X), dtype=np.float32)), edge_index=torch.from_numpy(both),
                  y=torch.from_numpy(data.y.astype(np.int64)), num_nodes=data.n_nodes)
    if weights is not None:
        result.edge_weight = torch.from_numpy(np.concatenate([weights, weights]))
    return result


def to_pandas(data: Dataset) -> Tuple[Any, Any]:
    import pandas

    ids = np.asarray(data._own_ids() or range(data.n_nodes))
    parts = []
    for kind, matrix in data._kinds(False).items():
        pairs, weights = _once(matrix)
        part = pandas.DataFrame({"source": ids[pairs[0]], "target": ids[pairs[1]]})
        if kind:
            part["relation"] = kind
        if weights is not None:
            part["weight"] = weights
        parts.append(part)
    edges = parts[0] if len(parts) == 1 else pandas.concat(parts, ignore_index=True)
    if "weight" in edges:
        edges["weight"] = edges["weight"].fillna(np.float32(1))
    names = data.feature_names or [f"x{i}" for i in range(data.n_features)]
    nodes = pandas.DataFrame(_dense(data.X), columns=names)
    nodes.insert(0, "id" if "id" not in names else "node id", ids)
    if data.n_classes:
        nodes["label" if "label" not in names else "node label"] = _labels(data)
    return edges, nodes
