"""What a training learns from: arrays, a Dataset, or the labels of some nodes of data that the estimator has."""
from __future__ import annotations

from typing import Any, List, NamedTuple, Optional, Tuple

import numpy as np

from ._checks import node_numbers, weights_of_nodes
from ._context import Context, Handle, lib
from ._features import FeatureArrays, feature_arrays, identity
from ._graph import GraphArrays, graph_arrays
from ._labels import class_names, encode_labels, named_classes, parts_of
from ._training_data import new_dataset

# Whoever gives masks without a test, or the nodes of a fold, knows it.
_NO_TEST = ("split: test is empty: accuracy", "split: validation is empty; test is empty: accuracy")

Masks = Tuple[Any, Any, Any]  # train, val, test


class TrainingInput(NamedTuple):
    """A gpr_dataset and what belongs to it."""

    handle: Handle
    classes: np.ndarray
    features: int
    names: Optional[List[str]]  # of the features
    weights: Optional[str]  # nodes have weights: the value of the option sample-weight
    parts: Optional[List[np.ndarray]]  # by masks
    split: Optional[str]  # in place of the option


def training_input(context: Context, estimator: Any, X: Any, y: Any, graph: Any, masks: Masks, sample_weight: Any,
                   edge_weight: Any) -> TrainingInput:
    """The arguments of `fit` as data of the library."""
    if masks[0] is not None and masks[2] is None:
        context.expected_warnings += _NO_TEST
    if estimator.data is not None:
        return _of_nodes(context, estimator, X, y, graph, masks, sample_weight)
    if hasattr(X, "_handle") and y is None and graph is None:
        return _of_dataset(estimator, X, masks, sample_weight)
    if graph is None:
        context.expected_warnings += ("the graph has no edges",)
    features, edges = arrays_of(X, graph, edge_weight)
    labels, classes = encode_labels(y, features.nodes)
    weights = weights_of_nodes(sample_weight, estimator.class_weight, labels, classes)
    handle = new_dataset(context, features, edges, labels, len(classes), class_names(classes), weights)
    parts = parts_of(features.nodes, *masks)
    return TrainingInput(handle, classes, features.columns, features.names, _weight_option(weights), parts, None)


def _weight_option(weights: Optional[np.ndarray]) -> Optional[str]:
    return None if weights is None else "sample_weight"


def _of_dataset(estimator: Any, data: Any, masks: Masks, sample_weight: Any) -> TrainingInput:
    """A Dataset as it is: the training is the program's own, bit for bit."""
    handle: Handle = data._handle
    nodes, count = lib.gpr_dataset_nodes(handle), lib.gpr_dataset_classes(handle)
    if count < 1:
        raise ValueError("the dataset has no labels: give y")
    if sample_weight is not None or isinstance(estimator.class_weight, dict):
        raise ValueError("sample_weight and a dict of class weights need arrays: fit(data.X, data.y, data.graph, ...)")
    classes = named_classes(data.class_names or [None] * count)
    columns = [column["name"] for column in data.columns if column["role"] == "weight"]
    weights = (columns + ["sample_weight"])[0] if data.node_weights is not None else None
    return TrainingInput(handle, classes, data.n_features, data.feature_names, weights, parts_of(nodes, *masks), None)


def _of_nodes(context: Context, estimator: Any, nodes: Any, y: Any, graph: Any, masks: Masks,
              sample_weight: Any) -> TrainingInput:
    """With the parameter `data`: labels of some of its nodes."""
    if graph is not None:
        raise ValueError("graph is given twice: the parameter data has one")
    context.expected_warnings += _NO_TEST + ("nodes have no label",)
    features, edges = arrays_of_data(estimator.data)
    chosen = node_numbers(nodes, features.nodes)
    labels, classes = encode_labels(y, len(chosen))
    every = np.full(features.nodes, -1, np.int32)
    every[chosen] = labels
    weights = weights_of_nodes(sample_weight, estimator.class_weight, labels, classes)
    if weights is not None:
        few, weights = weights, np.zeros(features.nodes, np.float32)
        weights[chosen] = few
    handle = new_dataset(context, features, edges, every, len(classes), class_names(classes), weights)
    # Whoever gives some nodes tests on others: none of these is kept for a test.
    automatic = estimator.split == "auto" and estimator.preset is None
    return TrainingInput(handle, classes, features.columns, features.names, _weight_option(weights),
                         parts_of(features.nodes, *masks), "80/20/0" if automatic else None)


def arrays_of(X: Any, graph: Any, edge_weight: Any = None) -> Tuple[FeatureArrays, GraphArrays]:
    """Features and graph of one call. X: also a Dataset, or None: one feature per node of the graph."""
    if hasattr(X, "_handle"):
        if graph is not None:
            raise ValueError("graph is given twice: the dataset has one")
        features = feature_arrays(X.X)._replace(names=X.feature_names)
        return features, graph_arrays(X.graph, features.nodes)
    if X is None:
        edges = graph_arrays(graph, None, edge_weight)
        if edges.nodes is None:
            raise ValueError("X is None, and the graph does not tell how many nodes there are: give X, or a graph as a "
                             "matrix")
        return identity(edges.nodes), edges
    features = feature_arrays(X)
    return features, graph_arrays(graph, features.nodes, edge_weight, features.index)


def arrays_of_data(data: Any) -> Tuple[FeatureArrays, GraphArrays]:
    """Of the parameter `data`: a Dataset or a pair."""
    if hasattr(data, "_handle"):
        return arrays_of(data, None)
    if not isinstance(data, (tuple, list)) or len(data) != 2:
        raise TypeError("the parameter data must be a Dataset or a pair (X, graph)")
    return arrays_of(data[0], data[1])
