"""A graph with features and labels, as the library holds it."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np

from . import _header as h
from ._arrays import borrow, csr, names
from ._checks import whole
from ._context import Context, Handle, lib, text, utf8

_PARTS = {"train": h.GPR_TRAIN, "val": h.GPR_VAL, "test": h.GPR_TEST}


class Split(NamedTuple):
    """Which nodes train, validate and test: three boolean masks, one value per node."""

    train: np.ndarray
    val: np.ndarray
    test: np.ndarray


class Dataset:
    """A graph with features and labels.

    Made by :func:`load_dataset`, :func:`read_tables`, :func:`csbm`, :func:`from_networkx` and the like. An estimator
    takes it whole, ``model.fit(data)``, or in parts, ``model.fit(data.X, data.y, graph=data.graph)``. It never changes.
    Its arrays are those of the library, read-only and without a copy.

    Attributes
    ----------
    name : str
    n_nodes, n_edges, n_features, n_classes : int
        Edges are undirected and count once; loops do not count.
    X : ndarray of float32 or scipy.sparse.csr_matrix, shape (n_nodes, n_features)
        The features, as they are in the data. Without scipy, sparse ones are a tuple (data, indices, indptr, shape).
    y : ndarray of int32, shape (n_nodes,)
        The classes; -1: no label.
    graph : scipy.sparse.csr_matrix, shape (n_nodes, n_nodes)
        The adjacency matrix, symmetric. Without scipy a tuple, as for X.
    relations : dict of str to scipy.sparse.csr_matrix
        The same of each kind of edges, with its directions: an entry is an edge from its row to its column. Edges of
        only one kind are called "". ``graph=data.relations`` gives them all to a model.
    class_names, feature_names : list of str or None
        None: they have no names, only numbers.
    node_ids : list of str
        What the nodes are called; "0", "1", ... where they have only numbers.

    Examples
    --------
    >>> from gprgnn import csbm
    >>> data = csbm(phi=0.5, n=200, f=10, seed=1)
    >>> data
    Dataset 'csbm(phi=0.5)': 200 nodes, ... edges, 10 features, 2 classes
    >>> data.X.shape, data.y[:4], data.graph.shape
    ((200, 10), array([...], dtype=int32), (200, 200))
    """

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self._kept: Dict[str, Any] = {}

    # ---- what it is ----

    @property
    def _context(self) -> Context:
        # A context is for one thread at a time, and a dataset for many.
        return Context(threads=1, quiet=True)

    @property
    def n_nodes(self) -> int:
        return int(lib.gpr_dataset_nodes(self._handle))

    @property
    def n_edges(self) -> int:
        return int(lib.gpr_dataset_edges(self._handle))

    @property
    def n_features(self) -> int:
        return int(lib.gpr_dataset_features(self._handle))

    @property
    def n_classes(self) -> int:
        return int(lib.gpr_dataset_classes(self._handle))

    @property
    def name(self) -> str:
        return text(self._arrays().name) or ""

    def _arrays(self) -> Any:
        if "arrays" not in self._kept:
            arrays = h.gpr_arrays_info(struct_size=ctypes.sizeof(h.gpr_arrays_info))
            self._context.call(lib.gpr_dataset_arrays, self._handle, ctypes.byref(arrays))
            self._kept["arrays"] = arrays
        return self._kept["arrays"]

    def _keep(self, word: str, make: Any) -> Any:
        if word not in self._kept:
            self._kept[word] = make()
        return self._kept[word]

    @property
    def X(self) -> Any:
        return self._keep("X", self._features)

    def _features(self) -> Any:
        a = self._arrays()
        shape = (a.nodes, a.features)
        if a.dense or a.features == 0:
            return borrow(a.dense, shape, self._handle)
        indptr = borrow(a.feature_indptr, a.nodes + 1, self._handle)
        entries = int(indptr[-1])
        return csr(borrow(a.feature_values, entries, self._handle),
                   borrow(a.feature_indices, entries, self._handle), indptr, shape)

    @property
    def y(self) -> np.ndarray:
        labels: np.ndarray = self._keep("y", lambda: borrow(self._arrays().labels, self.n_nodes, self._handle))
        return labels

    @property
    def targets(self) -> Optional[np.ndarray]:
        """(nodes) The numbers to tell; NaN: not known. None: labels are classes."""
        if not self._arrays().targets:
            return None
        numbers: np.ndarray = self._keep("targets",
                                         lambda: borrow(self._arrays().targets, self.n_nodes, self._handle))
        return numbers

    @property
    def graph(self) -> Any:
        return self._keep("graph", self._adjacency)

    def _adjacency(self) -> Any:
        a = self._arrays()
        indptr = borrow(a.adj_indptr, a.nodes + 1, self._handle)
        arcs = int(indptr[-1])
        weights = borrow(a.adj_values, arcs, self._handle) if a.adj_values else None
        return csr(weights, borrow(a.adj_indices, arcs, self._handle), indptr, (a.nodes, a.nodes))

    @property
    def relations(self) -> Dict[str, Any]:
        return dict(self._keep("relations", lambda: self._kinds(True)))

    def _kinds(self, directed: bool) -> Dict[str, Any]:
        """The matrix of each kind of edges; directed: with entries only where an edge goes from row to column."""
        found: Dict[str, Any] = {}
        while True:
            a = h.gpr_relation_arrays(struct_size=ctypes.sizeof(h.gpr_relation_arrays))
            self._context.call(lib.gpr_dataset_relation_arrays, self._handle, len(found), ctypes.byref(a))
            if a.name is None:
                return found
            indptr = borrow(a.adj_indptr, self.n_nodes + 1, self._handle)
            arcs = int(indptr[-1])
            indices = borrow(a.adj_indices, arcs, self._handle)
            weights = borrow(a.adj_values, arcs, self._handle) if a.adj_values else None
            if a.sides and directed:
                along = borrow(a.sides, arcs, self._handle) & 1 > 0
                weights = borrow(a.along, arcs, self._handle)[along] if a.along else None
                indptr = np.concatenate([[0], np.cumsum(along)])[indptr]
                indices = indices[along]
            found[text(a.name) or ""] = csr(weights, indices, indptr, (self.n_nodes, self.n_nodes))

    @property
    def node_weights(self) -> Optional[np.ndarray]:
        """How much each node counts in a training (``sample_weight`` of :func:`read_tables`); None: all alike."""
        a = self._arrays()
        return borrow(a.node_weights, a.nodes, self._handle) if a.node_weights else None

    @property
    def class_names(self) -> Optional[List[str]]:
        return self._names("class_names", lib.gpr_dataset_class_name, self.n_classes)

    @property
    def node_ids(self) -> List[str]:
        return self._own_ids() or [str(node) for node in range(self.n_nodes)]

    def _own_ids(self) -> Optional[List[str]]:
        """The same; None where nodes have only numbers."""
        return self._names("node_ids", lib.gpr_dataset_node_id, self.n_nodes)

    @property
    def feature_names(self) -> Optional[List[str]]:
        return self._names("feature_names", lib.gpr_dataset_feature_name, self.n_features)

    def _names(self, word: str, of: Any, count: int) -> Optional[List[str]]:
        found: Optional[List[str]] = self._keep(word, lambda: names(of, self._handle, count))
        return found

    def edges(self) -> Tuple[np.ndarray, Optional[np.ndarray]]:
        """The edges as an array of shape (2, n_edges), each once, and their weights (None: all 1).

        Examples
        --------
        >>> from gprgnn import csbm
        >>> pairs, weights = csbm(phi=0.5, n=100, f=5, seed=1).edges()
        >>> pairs.shape[0], weights is None
        (2, True)
        """
        a = self._arrays()
        indptr = borrow(a.adj_indptr, a.nodes + 1, self._handle)
        target = borrow(a.adj_indices, int(indptr[-1]), self._handle)
        source = np.repeat(np.arange(a.nodes, dtype=np.int32), np.diff(indptr))
        once = source < target
        weights = borrow(a.adj_values, len(target), self._handle)[once] if a.adj_values else None
        return np.stack([source[once], target[once]]), weights

    def find(self, node_id: Any) -> int:
        """The number of the node with this id. ValueError, with the nearest id, if there is none."""
        found = ctypes.c_int64()
        self._context.call(lib.gpr_dataset_find_node, ctypes.byref(found), self._handle,
                           utf8(str(node_id), "the id of the node"))
        return found.value

    # ---- measures ----

    def info(self) -> Dict[str, Any]:
        """Sizes and measures: homophily, degrees, components, fingerprint (docs/measures.md explains them).

        Examples
        --------
        >>> from gprgnn import csbm
        >>> info = csbm(phi=-0.5, n=500, f=20, seed=1).info()
        >>> info["nodes"], info["class_sizes"], info["edge_homophily"] < 0.5
        (500, [250, 250], True)
        """
        return dict(self._keep("info", self._measure))

    def _measure(self) -> Dict[str, Any]:
        raw = h.gpr_dataset_info(struct_size=ctypes.sizeof(h.gpr_dataset_info))
        context = self._context
        context.call(lib.gpr_dataset_describe, self._handle, ctypes.byref(raw))
        measures: Dict[str, Any] = {}
        for field in (field[0] for field in raw._fields_[1:]):
            value = getattr(raw, field)
            if isinstance(value, bytes):
                value = text(value)
            elif isinstance(value, ctypes.Array):
                value = list(value)
            elif field in ("sparse_features", "weighted"):
                value = bool(value)
            measures[field] = value
        sizes = (ctypes.c_int64 * max(self.n_classes, 1))()
        context.call(lib.gpr_dataset_class_sizes, self._handle, sizes)
        measures["class_sizes"] = list(sizes[:self.n_classes])
        measures["relations"] = self._measure_relations()
        return measures

    def _measure_relations(self) -> List[Dict[str, Any]]:
        """Of each kind of edges; empty: they are of one kind."""
        found: List[Dict[str, Any]] = []
        while True:
            raw = h.gpr_relation_measures(struct_size=ctypes.sizeof(h.gpr_relation_measures))
            self._context.call(lib.gpr_dataset_describe_relation, self._handle, len(found), ctypes.byref(raw))
            if not raw.name:
                return found
            one = {field[0]: getattr(raw, field[0]) for field in raw._fields_[1:]}
            one.update(name=text(raw.name), weighted=bool(raw.weighted), has_directions=bool(raw.has_directions))
            found.append(one)

    def class_edges(self) -> np.ndarray:
        """How many neighbours of class j the nodes of class i have, as an array (n_classes, n_classes)."""
        counts = np.zeros((self.n_classes, self.n_classes), dtype=np.int64)
        if counts.size:
            self._context.call(lib.gpr_dataset_class_edges, self._handle,
                               counts.ctypes.data_as(ctypes.POINTER(ctypes.c_int64)))
        return counts

    def check(self) -> None:
        """Warns (GprgnnWarning) of everything in the data that may be a mistake."""
        Context(threads=1).call(lib.gpr_dataset_check, self._handle)

    def faults(self) -> List[str]:
        """What is known about this public graph, such as wrong labels; usually an empty list."""
        found: List[str] = []
        context = self._context
        while True:
            fault = h.gpr_fault_info(struct_size=ctypes.sizeof(h.gpr_fault_info))
            context.call(lib.gpr_dataset_known_fault, self._handle, len(found), ctypes.byref(fault))
            if fault.text is None:
                return found
            found.append(text(fault.text) or "")

    @property
    def columns(self) -> List[Dict[str, Any]]:
        """What became of each column of the table of nodes; empty for data that is not from a table."""
        found = []
        for number in range(lib.gpr_dataset_column_count(self._handle)):
            column = h.gpr_column_info(struct_size=ctypes.sizeof(h.gpr_column_info))
            if lib.gpr_dataset_column(self._handle, number, ctypes.byref(column)) < 0:
                break
            found.append({field[0]: text(value) if isinstance(value := getattr(column, field[0]), bytes) else value
                          for field in column._fields_[1:]})
        return found

    # ---- splits and files ----

    def split(self, name: str = "auto", seed: int = 0, run: int = 0) -> Split:
        """A split as three masks.

        Parameters
        ----------
        name : str
            "sparse", "dense", fractions such as "60/20/20", "planetoid", "column" (of the table of nodes), the path of
            a file with a split, or "auto": as a training chooses it.
        seed, run : int
            The same numbers give the same split, as ``gprgnn train --seed``.

        Examples
        --------
        >>> from gprgnn import csbm
        >>> train, val, test = csbm(phi=0.5, n=200, f=10, seed=1).split("60/20/20")
        >>> print(train.sum(), val.sum(), test.sum(), (train & test).any())
        120 40 40 False
        """
        handle = self._make_split(name, seed, run)
        count = ctypes.c_int64()
        parts = borrow(lib.gpr_split_parts(handle, ctypes.byref(count)), self.n_nodes, handle)
        return Split(*(parts == part for part in _PARTS.values()))

    def _make_split(self, name: str, seed: int, run: int) -> Handle:
        return Context(threads=1).make(h.gpr_split, lib.gpr_split_free, lib.gpr_split_new, self._handle,
                                       utf8(name, "the name of the split"), whole(seed, "seed", high=2**64 - 1),
                                       whole(run, "run"))

    def save(self, path: Any, format: Optional[str] = None) -> None:
        """Writes ``.gpr``, which opens at once at any size, or ``.npz``; whole or not at all.

        Parameters
        ----------
        path : str or path
        format : {"gpr", "npz"}, optional
            By default the ending of the path says which.
        """
        self._context.call(lib.gpr_dataset_save_as, self._handle, utf8(path, "path"),
                           None if format is None else utf8(format, "format"))

    def __deepcopy__(self, memo: Any) -> "Dataset":
        """Itself: a dataset never changes. So scikit-learn's clone copies no arrays."""
        return self

    def __reduce__(self) -> Any:
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "data.gpr")
            self.save(path)
            with open(path, "rb") as file:
                return _from_bytes, (file.read(),)

    # ---- conversions ----

    def to_networkx(self) -> Any:
        """A ``networkx.Graph``, or with kinds of edges a ``MultiGraph`` whose keys they are.

        Nodes are called by their ids, and have the attributes ``x`` and ``label``.
        """
        from ._convert import to_networkx
        return to_networkx(self)

    def to_igraph(self) -> Any:
        """An ``igraph.Graph`` with the attributes ``name``, ``x`` and ``label`` of vertices; of edges ``relation``."""
        from ._convert import to_igraph
        return to_igraph(self)

    def to_pyg(self) -> Any:
        """A ``torch_geometric.data.Data``, with both directions of every edge; kinds of edges are united."""
        from ._convert import to_pyg
        return to_pyg(self)

    def to_pandas(self) -> Any:
        """Two DataFrames: the edges (source, target, relation, weight) and the nodes (id, features, label)."""
        from ._convert import to_pandas
        return to_pandas(self)

    def __repr__(self) -> str:
        return (f"Dataset {self.name!r}: {self.n_nodes} nodes, {self.n_edges} edges, {self.n_features} features, "
                f"{self.n_classes} classes" + self._kinds_in_words())

    def _kinds_in_words(self) -> str:
        names = list(self.relations)
        return f", kinds of edges: {', '.join(names)}" if len(names) > 1 else ""

    def _repr_html_(self) -> str:
        import html

        info = self.info()
        rows = [("nodes", info["nodes"]), ("edges", info["edges"]), ("features", info["features"]),
                ("classes", info["classes"]), ("labelled nodes", info["labelled"]),
                ("edge homophily", f"{info['edge_homophily']:.3f}"),
                ("adjusted homophily", f"{info['adjusted_homophily']:.3f}"),
                ("mean degree", f"{info['mean_degree']:.2f}"), ("components", info["components"])]
        if info["relations"]:
            rows.insert(2, ("kinds of edges", html.escape(", ".join(one["name"] for one in info["relations"]))))
        body = "".join(f"<tr><th style='text-align:left'>{label}</th><td>{value}</td></tr>" for label, value in rows)
        return f"<table><caption>{html.escape(info['name'] or '')}</caption>{body}</table>"


def _from_bytes(content: bytes) -> Dataset:
    """The dataset of a .gpr file in memory."""
    import tempfile

    from ._read import open_with

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "data.gpr")
        with open(path, "wb") as file:
            file.write(content)
        return open_with(data=path, no_map=True)
