"""What a training learns from: arrays, a Dataset, or the labels of some nodes of data that the estimator has."""
from __future__ import annotations

from typing import Any, List, NamedTuple, Optional, Tuple

import numpy as np

from ._checks import node_numbers, weights_of_nodes
from ._context import Context, Handle, lib
from ._dataset import Dataset
from ._features import FeatureArrays, feature_arrays, identity, is_sparse_frame, text_names
from ._arrow import as_frame
from ._frame import is_frame, only_numbers, warn_of_leaks
from ._graph import GraphArrays, graph_arrays
from ._ids import aligned, index_of, texts
from ._labels import class_names, encode_labels, encode_numbers, named_classes, parts_of
from ._read import read_frame
from ._training_data import derive, new_dataset

# Whoever gives masks without a test, or the nodes of a fold, knows it.
_NO_TEST = ("split: test is empty: accuracy", "split: validation is empty; test is empty: accuracy")

Masks = Tuple[Any, Any, Any]  # train, val, test


class _NotGiven:
    """The default of an argument where None says something."""

    def __repr__(self) -> str:
        return "<not given>"


NOT_GIVEN = _NotGiven()


class TrainingInput(NamedTuple):
    """A gpr_dataset and what belongs to it."""

    handle: Handle
    classes: np.ndarray
    features: int
    names: Optional[List[str]]  # of the features, or of the columns that they were made from
    weights: Optional[str]  # nodes have weights: the value of the option sample-weight
    parts: Optional[List[np.ndarray]]  # by masks
    split: Optional[str]  # in place of the option
    ids: Any  # of the nodes: a pandas.Index or a list; None: numbers


class Nodes(NamedTuple):
    """What is known about each node: arrays, or a dataset of the library that has the features."""

    nodes: int
    columns: int
    names: Optional[List[str]]
    ids: Any
    arrays: Optional[FeatureArrays] = None
    base: Optional[Handle] = None
    keep_ids: bool = True  # those of base
    own_name: bool = True  # base has a name

    def dataset(self, context: Context, graph: Optional[GraphArrays], labels: Optional[np.ndarray] = None,
                classes: int = 0, names: Optional[List[str]] = None, weights: Optional[np.ndarray] = None,
                name: str = "data", targets: Optional[np.ndarray] = None) -> Handle:
        """The gpr_dataset. graph: None: that of base."""
        if self.base is not None:
            return derive(context, self.base, graph, labels, classes, names, weights, self.keep_ids,
                          None if self.own_name else name, targets)
        assert self.arrays is not None and graph is not None
        return new_dataset(context, self.arrays, graph, labels, classes, names, weights, texts(self.ids), name,
                           targets)


class _IdsOf:
    """The ids of a Dataset as a sequence. Its texts are made when somebody looks: there may be many."""

    def __init__(self, data: Dataset) -> None:
        self._data = data

    def __len__(self) -> int:
        return self._data.n_nodes

    def __getitem__(self, place: Any) -> Any:
        return self._data.node_ids[place]

    def __iter__(self) -> Any:
        return iter(self._data.node_ids)


def nodes_of(X: Any, plan: Any = None) -> Nodes:
    """X is a Dataset, a DataFrame or an array-like. plan: that of a model, which reads a DataFrame."""
    X = as_frame(X, "X")
    if hasattr(X, "_handle"):
        return Nodes(X.n_nodes, X.n_features, X.feature_names, _IdsOf(X), base=X._handle)
    if not is_frame(X):
        if plan:
            raise ValueError("the model was trained on a table, and reads the columns of X by their names: give a "
                             "DataFrame with the columns of the training, or a Dataset of read_tables(..., "
                             "model=model)")
        found = feature_arrays(X)
        return Nodes(found.nodes, found.columns, found.names, None, found)
    ids = getattr(X, "index", None)
    if not plan and (is_sparse_frame(X) or only_numbers(X)):
        found = feature_arrays(X)
        return Nodes(found.nodes, found.columns, found.names, ids, found)
    if len(X) == 0 or len(X.columns) == 0:
        feature_arrays(np.empty((len(X), len(X.columns))))  # says what is wrong
    names = text_names(list(X.columns))
    own = None if ids is None else texts(ids)
    return Nodes(len(X), len(X.columns), names or [str(name) for name in X.columns], ids,
                 base=read_frame(X, own, plan), keep_ids=own is not None, own_name=False)


def same_features(one: Any, other: Any) -> bool:
    """Whether two datasets of as many nodes have the same features, of which one may be sparse."""
    a, b = Dataset(one).X, Dataset(other).X
    if a.shape != b.shape or isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return np.array_equal(a, b)
    return bool((a != b).sum() == 0)


def inputs_of(X: Any, graph: Any, edge_weight: Any = None, plan: Any = None) -> Tuple[Nodes, Optional[GraphArrays]]:
    """Nodes and graph of one call. X None: one feature per node of the graph. The graph of a Dataset is its own."""
    if X is None:
        edges = graph_arrays(graph, None, edge_weight)
        if edges.nodes is None:
            raise ValueError("X is None, and the graph does not tell how many nodes there are: give X, or a graph as a "
                             "matrix")
        return Nodes(edges.nodes, edges.nodes, None, edges.ids, identity(edges.nodes)), edges
    nodes = nodes_of(X, plan)
    if not hasattr(X, "_handle"):
        return nodes, graph_arrays(graph, nodes.nodes, edge_weight, nodes.ids)
    if graph is not None:
        raise ValueError("graph is given twice: the dataset has one")
    return nodes, None


def inputs_of_data(data: Any, plan: Any = None) -> Tuple[Nodes, Optional[GraphArrays]]:
    """Of the parameter `data`: a Dataset or a pair."""
    if hasattr(data, "_handle"):
        return inputs_of(data, None)
    if not isinstance(data, (tuple, list)) or len(data) != 2:
        raise TypeError("the parameter data must be a Dataset or a pair (X, graph)")
    return inputs_of(as_frame(data[0], "X"), data[1], plan=plan)


class Target(NamedTuple):
    """What y says: labels and classes, or numbers."""

    labels: np.ndarray  # of numbers: 0, or -1 where it is not known
    classes: np.ndarray
    targets: Optional[np.ndarray]

    def of_nodes(self, nodes: int, chosen: np.ndarray) -> "Target":
        """The same where it is y of these nodes: those of all others are not known."""
        labels, targets = np.full(nodes, -1, np.int32), None
        labels[chosen] = self.labels
        if self.targets is not None:
            targets = np.full(nodes, np.nan, np.float32)
            targets[chosen] = self.targets
        return Target(labels, self.classes, targets)

    def dataset(self, context: Context, nodes: Nodes, edges: Optional[GraphArrays],
                weights: Optional[np.ndarray]) -> Handle:
        """The gpr_dataset of nodes, edges and this."""
        if self.targets is not None:
            return nodes.dataset(context, edges, weights=weights, targets=self.targets)
        return nodes.dataset(context, edges, self.labels, len(self.classes), class_names(self.classes), weights)


def _target(estimator: Any, y: Any, nodes: int) -> Target:
    if not estimator._numbers:
        return Target(*encode_labels(y, nodes, training=True), None)
    numbers = encode_numbers(y, nodes)
    if np.count_nonzero(~np.isnan(numbers)) == 1:
        raise ValueError("y has the number of one node: 1 sample is too few to learn from")
    return Target(np.where(np.isnan(numbers), -1, 0).astype(np.int32), np.zeros(1), numbers)


def training_input(context: Context, estimator: Any, X: Any, y: Any, graph: Any, masks: Masks, sample_weight: Any,
                   edge_weight: Any) -> TrainingInput:
    """The arguments of `fit` as data of the library."""
    X = as_frame(X, "X")
    if masks[0] is not None and masks[2] is None:
        context.expected_warnings += _NO_TEST
    if estimator.data is not None:
        return _of_nodes(context, estimator, X, y, graph, masks, sample_weight)
    if hasattr(X, "_handle") and y is None and graph in (None, NOT_GIVEN):
        return _of_dataset(estimator, X, masks, sample_weight)
    if graph is NOT_GIVEN and not hasattr(X, "_handle") and estimator._word != "mlp":
        raise ValueError(f"{type(estimator).__name__} learns from a graph, and none is given: fit(X, y, graph=...). In "
                         "scikit-learn's cross-validation, give it to the estimator, data=(X, graph), and the numbers "
                         "of the nodes in place of X. graph=None says that there are no edges")
    graph = None if graph is NOT_GIVEN else graph
    if graph is None and not hasattr(X, "_handle"):
        context.expected_warnings += ("the graph has no edges",)
    nodes, edges = inputs_of(X, graph, edge_weight)
    if X is None and nodes.ids is not None and index_of(y) is None and y is not None:
        raise ValueError(f"the nodes of the graph have names, such as {list(nodes.ids)[0]!r}: give y by these names, "
                         "as a dict {node: class} or a pandas Series; if y is in the order of graph.nodes, "
                         "dict(zip(graph.nodes, y))")
    target = _target(estimator, aligned(y, nodes.ids, "y"), nodes.nodes)
    if is_frame(X) and target.targets is None:
        warn_of_leaks(X, target.labels)
    weights = weights_of_nodes(aligned(sample_weight, nodes.ids, "sample_weight"), estimator.class_weight,
                               target.labels, target.classes)
    handle = target.dataset(context, nodes, edges, weights)
    return TrainingInput(handle, target.classes, nodes.columns, nodes.names, _weight_option(handle),
                         parts_of(nodes.nodes, masks, nodes.ids), None, nodes.ids)


def _weight_option(data: Handle) -> Optional[str]:
    """The value of the option sample-weight, where nodes have weights."""
    made = Dataset(data)
    if made.node_weights is None:
        return None
    return next((column["name"] for column in made.columns if column["role"] == "weight"), "sample_weight")


def _of_dataset(estimator: Any, data: Any, masks: Masks, sample_weight: Any) -> TrainingInput:
    """A Dataset as it is: the training is the program's own, bit for bit."""
    handle: Handle = data._handle
    count = lib.gpr_dataset_classes(handle)
    if estimator._numbers and data.targets is None:
        raise ValueError("the dataset has no numbers: give y, or open it with task='number'")
    if not estimator._numbers and data.targets is not None:
        raise ValueError("the dataset has numbers, not classes: use a regressor, such as GPRGNNRegressor")
    if count < 1 and not estimator._numbers:
        raise ValueError("the dataset has no labels: give y")
    if sample_weight is not None or isinstance(estimator.class_weight, dict):
        raise ValueError("sample_weight and a dict of class weights need labels: fit(data, y, sample_weight=...)")
    classes = np.zeros(1) if estimator._numbers else named_classes(data.class_names or [None] * count)
    ids = _IdsOf(data)
    return TrainingInput(handle, classes, data.n_features, data.feature_names, _weight_option(handle),
                         parts_of(data.n_nodes, masks, ids), None, ids)


def _of_nodes(context: Context, estimator: Any, nodes: Any, y: Any, graph: Any, masks: Masks,
              sample_weight: Any) -> TrainingInput:
    """With the parameter `data`: labels of some of its nodes. Those of all others are hidden."""
    if graph is not None and graph is not NOT_GIVEN:
        raise ValueError("graph is given twice: the parameter data has one")
    context.expected_warnings += _NO_TEST + ("nodes have no label",)
    given, edges = inputs_of_data(estimator.data)
    chosen = node_numbers(nodes, given.nodes)
    own = _target(estimator, aligned(y, index_of(nodes), "y"), len(chosen))
    target = own.of_nodes(given.nodes, chosen)
    if not hasattr(estimator.data, "_handle") and target.targets is None:
        table = as_frame(estimator.data[0], "X")
        if is_frame(table):
            warn_of_leaks(table, target.labels)
    weights = weights_of_nodes(aligned(sample_weight, index_of(nodes), "sample_weight"), estimator.class_weight,
                               own.labels, own.classes)
    if weights is not None:
        few, weights = weights, np.zeros(given.nodes, np.float32)
        weights[chosen] = few
    handle = target.dataset(context, given, edges, weights)
    # Whoever gives some nodes tests on others: none of these is kept for a test.
    automatic = estimator.split == "auto" and estimator.preset is None
    return TrainingInput(handle, target.classes, given.columns, given.names, _weight_option(handle),
                         parts_of(given.nodes, masks, given.ids), "80/20/0" if automatic else None, given.ids)
