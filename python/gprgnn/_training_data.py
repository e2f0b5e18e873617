"""A gpr_dataset from arrays of the caller."""
from __future__ import annotations

import ctypes
from typing import Any, List, Optional

import numpy as np

from . import _header as h
from ._context import Context, Handle, lib
from ._features import FeatureArrays
from ._graph import GraphArrays


def _pointer(array: Optional[np.ndarray], kind: Any) -> Any:
    return None if array is None else array.ctypes.data_as(ctypes.POINTER(kind))


def _text(name: str) -> bytes:
    # A NUL would end the name; bytes that are not UTF-8 come from file names only.
    return name.encode("utf-8", "replace").replace(b"\0", b" ")


def _texts(names: Optional[List[str]]) -> Any:
    return None if names is None else (ctypes.c_char_p * len(names))(*map(_text, names))


def new_dataset(context: Context, features: FeatureArrays, graph: GraphArrays, labels: Optional[np.ndarray] = None,
                classes: int = 0, class_names: Optional[List[str]] = None,
                node_weights: Optional[np.ndarray] = None, node_ids: Optional[List[str]] = None,
                name: str = "data", targets: Optional[np.ndarray] = None) -> Handle:
    """The library copies the arrays once; nothing is copied before that."""
    kept: List[Any] = []  # arrays that must live until the call
    desc = _description(kept, features, graph, labels, classes, class_names, node_weights, node_ids)
    desc.targets = _pointer(targets, ctypes.c_float)
    desc.name = _text(name)
    return context.make(h.gpr_dataset, lib.gpr_dataset_free, lib.gpr_dataset_new, ctypes.byref(desc))


def derive(context: Context, base: Handle, graph: Optional[GraphArrays] = None, labels: Optional[np.ndarray] = None,
           classes: int = 0, class_names: Optional[List[str]] = None, node_weights: Optional[np.ndarray] = None,
           keep_ids: bool = True, name: Optional[str] = None, targets: Optional[np.ndarray] = None) -> Handle:
    """The dataset `base` with what is given here in place of its own; it borrows all else, and keeps `base` alive."""
    kept: List[Any] = []
    none = FeatureArrays(int(lib.gpr_dataset_nodes(base)), 0)
    desc = _description(kept, none, graph or GraphArrays(), labels, classes, class_names, node_weights, None)
    desc.targets = _pointer(targets, ctypes.c_float)
    desc.name = None if name is None else _text(name)
    return context.make(h.gpr_dataset, lib.gpr_dataset_free, lib.gpr_dataset_derive, base, ctypes.byref(desc),
                        int(keep_ids), base=base)


def _description(kept: List[Any], features: FeatureArrays, graph: GraphArrays, labels: Optional[np.ndarray],
                 classes: int, class_names: Optional[List[str]], node_weights: Optional[np.ndarray],
                 node_ids: Optional[List[str]]) -> Any:
    """The gpr_dataset_desc of these arrays; `kept` gets those that were converted."""
    desc = h.gpr_dataset_desc(struct_size=ctypes.sizeof(h.gpr_dataset_desc), nodes=features.nodes,
                              features=features.columns, classes=classes)
    # The library has one width for the indices of graph and features.
    csr = [array for array in (graph.indptr, features.indptr) if array is not None]
    wide = any(array.dtype == np.int64 for array in csr)
    kind = np.int64 if wide else np.int32
    desc.index_bits = (64 if wide else 32) if csr else 0

    def address(array: Optional[np.ndarray], to: Any = None) -> Optional[int]:
        if array is None:
            return None
        array = array if to is None else np.ascontiguousarray(array, to)
        kept.append(array)
        return int(array.ctypes.data)

    if graph.indptr is not None and graph.indices is not None:
        desc.adj_indptr, desc.adj_indices = address(graph.indptr, kind), address(graph.indices, kind)
        desc.adj_indptr_length, desc.adj_indices_length = len(graph.indptr), len(graph.indices)
        desc.adj_values = _pointer(graph.weights, ctypes.c_float)
    elif graph.source is not None:
        desc.edges = len(graph.source)
        desc.src, desc.dst = _pointer(graph.source, ctypes.c_int64), _pointer(graph.target, ctypes.c_int64)
        desc.weights = _pointer(graph.weights, ctypes.c_float)
    if graph.kinds is not None:
        desc.relation_count, desc.relation_names = len(graph.kinds), _texts(graph.kinds)
        desc.edge_relation = _pointer(graph.kind, ctypes.c_int32)
    if features.dense is not None:
        desc.dense = _pointer(features.dense, ctypes.c_float)
    elif features.indptr is not None and features.indices is not None:
        desc.feature_indptr, desc.feature_indices = address(features.indptr, kind), address(features.indices, kind)
        desc.indptr_length, desc.indices_length = len(features.indptr), len(features.indices)
        desc.values = _pointer(features.values, ctypes.c_float)
    desc.labels = _pointer(labels, ctypes.c_int32)
    desc.node_weights = _pointer(node_weights, ctypes.c_float)
    desc.class_names, desc.feature_names = _texts(class_names), _texts(features.names)
    desc.node_ids = _texts(node_ids)
    kept += [features, graph, labels, node_weights]
    return desc
