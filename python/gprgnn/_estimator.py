"""The estimator: fit, predict and their kin, for all models."""
from __future__ import annotations

from typing import Any, ClassVar, Dict, List, NamedTuple, Optional, Tuple, Type, TypeVar

import numpy as np

from . import _header as h
from ._checks import check_feature_names, check_feature_count, node_numbers, weights_of_nodes
from ._context import Context, Handle, lib
from ._features import FeatureArrays, feature_arrays, identity
from ._graph import GraphArrays, graph_arrays
from ._labels import class_names, encode_labels, labels_as, mask_of, named_classes, parts_of
from ._model import TrainedModel
from ._options import model_options, new_params, thread_count
from ._protocol import Estimator, not_fitted
from ._results import ResultMixin
from ._training import TrainingResult, _Bar, train, watcher
from ._training_data import new_dataset


_Self = TypeVar("_Self", bound="NodeClassifier")

# Whoever gives masks without a test knows it.
_NO_TEST = ("split: test is empty: accuracy", "split: validation is empty; test is empty: accuracy")


class _Input(NamedTuple):
    """What fit learns from."""

    handle: Handle
    classes: np.ndarray
    features: int
    names: Optional[List[str]]
    weights: Optional[str]  # nodes have weights: the value of the option sample-weight
    parts: Optional[List[np.ndarray]]  # by masks
    split: Optional[str]  # in place of the option


def _weight_option(weights: Optional[np.ndarray]) -> Optional[str]:
    return None if weights is None else "sample_weight"


class NodeClassifier(ResultMixin, Estimator):
    """Base of the estimators: a classifier of the nodes of a graph."""

    _word: ClassVar[str] = ""  # the library's name of the model

    # Parameters that all models have and this class looks at.
    data: Any
    callback: Any
    progress: Any
    preset: Any
    split: Any
    class_weight: Any

    # ---- training ----

    def fit(self: _Self, X: Any = None, y: Any = None, graph: Any = None, *, train_mask: Any = None, val_mask: Any = None,
            test_mask: Any = None, sample_weight: Any = None, edge_weight: Any = None) -> _Self:
        """Trains the model.

        The fitted estimator keeps the library's copy of the data, for predictions without X and for explanations. A
        pickle does not have it.

        Parameters
        ----------
        X : array-like, scipy sparse matrix or DataFrame of shape (nodes, features), or Dataset
            One row per node. float32 and CSR are not copied. None: one feature per node, which tells nodes apart and
            nothing else. A Dataset brings graph and labels along. With the parameter `data`: the numbers of the nodes
            that y is for.
        y : array-like of shape (nodes,)
            The class of each node: whole numbers or texts. -1, NaN and None are nodes without a label.
        graph : object, optional
            A scipy sparse matrix, an edge_index of shape (2, edges) or (edges, 2), a dense matrix, a DataFrame of two
            columns (three: with weights), a networkx or igraph graph, or a PyG Data. Edges become undirected. None: a
            graph without edges.
        train_mask, val_mask, test_mask : array-like, optional
            Booleans of shape (nodes,), or numbers of nodes; they take the place of the option `split`. With shape
            (nodes, runs) each run has its own. Without val_mask nothing ends the training early.
        sample_weight : array-like of shape (nodes,), optional
            How much each node counts in the training loss.
        edge_weight : array-like of shape (edges,), optional
            Weights above 0, for a graph that is a list of edges.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            Shapes, values or options do not fit; the message says what is expected.
        KeyboardInterrupt
            After Ctrl-C. The best model so far is kept: the estimator is fitted.
        """
        bar = _Bar() if self.progress else None
        context = self._new_context(watcher(self.callback, bar))
        masks = (train_mask, val_mask, test_mask)
        given = self._training_input(context, X, y, graph, masks, sample_weight, edge_weight)
        params = new_params(context, self._word, self._options, self.get_params(), given.handle,
                            self.preset, given.weights, given.split)
        try:
            runs = int(lib.gpr_params_get(params, b"runs"))
            model, result, status = train(context, given.handle, params, given.parts, runs)
        finally:
            if bar is not None:
                bar.close()
            context.rest()
        self._keep_fit(given, model, result, status)
        if context.interrupted is not None:
            raise context.interrupted
        self.result_.warn()
        return self

    def _new_context(self, progress: Any = None) -> Context:
        params = self.get_params()
        verbose = params["verbose"]
        return Context(thread_count(params["n_jobs"]), params["device"], progress, verbose=int(verbose or 0))

    def _keep_fit(self, given: _Input, model: Handle, result: Handle, status: int) -> None:
        self._trained = TrainedModel(model)
        self._result_handle: Optional[Handle] = result
        self._data_handle: Optional[Handle] = given.handle
        self._had_edges = lib.gpr_dataset_edges(given.handle) > 0
        self.result_: TrainingResult = TrainingResult(result, status)
        self.classes_ = given.classes
        self.n_features_in_ = given.features
        if given.names is not None:
            self.feature_names_in_ = np.asarray(given.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _training_input(self, context: Context, X: Any, y: Any, graph: Any, masks: Tuple[Any, Any, Any],
                        sample_weight: Any, edge_weight: Any) -> _Input:
        if self.data is not None:
            return self._input_of_nodes(context, X, y, graph, masks, sample_weight)
        if hasattr(X, "_handle") and y is None and graph is None:
            if masks[2] is None and masks[0] is not None:
                context.expected_warnings += _NO_TEST
            return self._input_of_dataset(X, masks, sample_weight)
        if graph is None:
            context.expected_warnings += ("the graph has no edges",)
        if masks[2] is None:
            context.expected_warnings += _NO_TEST
        features, edges = self._arrays_of(X, graph, edge_weight)
        labels, classes = encode_labels(y, features.nodes)
        weights = weights_of_nodes(sample_weight, self.class_weight, labels, classes)
        handle = new_dataset(context, features, edges, labels, len(classes), class_names(classes), weights)
        parts = parts_of(features.nodes, *masks)
        return _Input(handle, classes, features.columns, features.names, _weight_option(weights), parts, None)

    def _input_of_dataset(self, data: Any, masks: Tuple[Any, Any, Any], sample_weight: Any) -> _Input:
        """A Dataset as it is: the training is the program's own, bit for bit."""
        handle: Handle = data._handle
        nodes, count = lib.gpr_dataset_nodes(handle), lib.gpr_dataset_classes(handle)
        if count < 1:
            raise ValueError("the dataset has no labels: give y")
        if sample_weight is not None or isinstance(self.class_weight, dict):
            raise ValueError("sample_weight and a dict of class weights need arrays: fit(data.X, data.y, data.graph, ...)")
        classes = named_classes(data.class_names or [None] * count)
        columns = [column["name"] for column in data.columns if column["role"] == "weight"]
        weights = (columns + ["sample_weight"])[0] if data.node_weights is not None else None
        return _Input(handle, classes, data.n_features, data.feature_names, weights, parts_of(nodes, *masks), None)

    def _input_of_nodes(self, context: Context, nodes: Any, y: Any, graph: Any, masks: Tuple[Any, Any, Any],
                        sample_weight: Any) -> _Input:
        """With the parameter `data`: labels of some of its nodes."""
        if graph is not None:
            raise ValueError("graph is given twice: the parameter data has one")
        context.expected_warnings += _NO_TEST + ("nodes have no label",)
        features, edges = self._arrays_of_data()
        chosen = node_numbers(nodes, features.nodes)
        labels, classes = encode_labels(y, len(chosen))
        every = np.full(features.nodes, -1, np.int32)
        every[chosen] = labels
        weights = weights_of_nodes(sample_weight, self.class_weight, labels, classes)
        if weights is not None:
            few, weights = weights, np.zeros(features.nodes, np.float32)
            weights[chosen] = few
        handle = new_dataset(context, features, edges, every, len(classes), class_names(classes), weights)
        parts = parts_of(features.nodes, *masks)
        # Whoever gives some nodes tests on others: none of these is kept for a test.
        automatic = self.split == "auto" and self.preset is None
        return _Input(handle, classes, features.columns, features.names, _weight_option(weights), parts,
                      "80/20/0" if automatic else None)

    def _arrays_of(self, X: Any, graph: Any, edge_weight: Any = None) -> Tuple[FeatureArrays, GraphArrays]:
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

    def _arrays_of_data(self) -> Tuple[FeatureArrays, GraphArrays]:
        data = self.data
        if hasattr(data, "_handle"):
            return self._arrays_of(data, None)
        if not isinstance(data, (tuple, list)) or len(data) != 2:
            raise TypeError("the parameter data must be a Dataset or a pair (X, graph)")
        return self._arrays_of(data[0], data[1])

    # ---- prediction ----

    def predict(self, X: Any = None, graph: Any = None, *, edge_weight: Any = None, known_labels: Any = None) -> np.ndarray:
        """The class of each node.

        Parameters
        ----------
        X : array-like of shape (nodes, features), or Dataset, optional
            As for `fit`; None: the data of the training. With the parameter `data`: numbers of nodes.
        graph : object, optional
            The graph of these nodes, as for `fit`.
        edge_weight : array-like of shape (edges,), optional
            As for `fit`.
        known_labels : array-like of shape (nodes,), optional
            For a model that was trained with `label_input` or `smooth`: labels that it may use; -1, NaN and None: not
            known.

        Returns
        -------
        numpy.ndarray of shape (nodes,)
        """
        found, rows = self._predict(X, graph, edge_weight, known_labels, classes=True)
        numbers: np.ndarray = found.classes
        chosen: np.ndarray = self.classes_[numbers if rows is None else numbers[rows]]
        return chosen

    def predict_proba(self, X: Any = None, graph: Any = None, *, edge_weight: Any = None,
                      known_labels: Any = None) -> np.ndarray:
        """The probability of each class.

        Parameters
        ----------
        X, graph, edge_weight, known_labels
            As for `predict`.

        Returns
        -------
        numpy.ndarray of shape (nodes, classes)
            float32; columns in the order of ``classes_``.
        """
        found, rows = self._predict(X, graph, edge_weight, known_labels, proba=True)
        proba: np.ndarray = found.proba
        return proba if rows is None else proba[rows]

    def predict_log_proba(self, X: Any = None, graph: Any = None, *, edge_weight: Any = None,
                          known_labels: Any = None) -> np.ndarray:
        """The logarithm of the probability of each class.

        Parameters
        ----------
        X, graph, edge_weight, known_labels
            As for `predict`.

        Returns
        -------
        numpy.ndarray of shape (nodes, classes)
        """
        with np.errstate(divide="ignore"):
            logarithm: np.ndarray = np.log(self.predict_proba(X, graph, edge_weight=edge_weight,
                                                              known_labels=known_labels))
        return logarithm

    def decision_function(self, X: Any = None, graph: Any = None, *, edge_weight: Any = None,
                          known_labels: Any = None) -> np.ndarray:
        """The scores before softmax.

        Parameters
        ----------
        X, graph, edge_weight, known_labels
            As for `predict`.

        Returns
        -------
        numpy.ndarray of shape (nodes, classes)
            For two classes of shape (nodes,): the second class's score minus the first one's.
        """
        found, rows = self._predict(X, graph, edge_weight, known_labels, logits=True)
        logits: np.ndarray = found.logits if rows is None else found.logits[rows]
        return logits[:, 1] - logits[:, 0] if len(self.classes_) == 2 else logits

    def fit_predict(self, X: Any = None, y: Any = None, graph: Any = None, **fit_params: Any) -> np.ndarray:
        """Trains, and predicts the class of every node of the same graph.

        Parameters
        ----------
        X, y, graph, **fit_params
            As for `fit`.

        Returns
        -------
        numpy.ndarray of shape (nodes,)
        """
        self.fit(X, y, graph, **fit_params)
        return self.predict(X if self.data is not None else None)

    def score(self, X: Any = None, y: Any = None, graph: Any = None, *, mask: Any = None, sample_weight: Any = None,
              edge_weight: Any = None, known_labels: Any = None) -> float:
        """The share of nodes whose class is predicted right.

        Parameters
        ----------
        X, graph, edge_weight, known_labels
            As for `predict`.
        y : array-like of shape (nodes,)
            The true classes; nodes without a label do not count. None: the labels of the Dataset X, or, where X is None
            too, those of the training.
        mask : array-like, optional
            Booleans or numbers of nodes: only these count, such as ``model.test_mask_``.
        sample_weight : array-like of shape (nodes,), optional

        Returns
        -------
        float
        """
        found, rows = self._predict(X, graph, edge_weight, known_labels, classes=True)
        predicted = found.classes if rows is None else found.classes[rows]
        own = self._fitted_data() if X is None else getattr(X, "_handle", None)
        if y is None and own is not None:
            labels = self._require_fit().labels(self._new_context(), own)
        else:
            labels = labels_as(y, self.classes_, len(predicted))
        counted = labels != -1
        if mask is not None:
            counted &= mask_of(mask, len(labels), "mask")
        if not counted.any():
            raise ValueError("no node to judge: none has a label" + ("" if mask is None else " and is in mask"))
        weights = weights_of_nodes(sample_weight, None, labels, self.classes_)
        weights = np.ones(len(labels)) if weights is None else weights.astype(np.float64)
        return float(np.average(predicted[counted] == labels[counted], weights=weights[counted]))

    def _predict(self, X: Any, graph: Any, edge_weight: Any, known_labels: Any, **what: bool) -> Any:
        """(prediction for all nodes, the rows that were asked for or None)."""
        trained = self._require_fit()
        context, rows, handle = self._new_context(), None, self._fitted_data()
        if getattr(self, "data", None) is not None:
            if graph is not None:
                raise ValueError("graph is given twice: the parameter data has one")
            if handle is None:
                handle = new_dataset(context, *self._arrays_of_data())
            if X is not None:
                rows = node_numbers(X, lib.gpr_dataset_nodes(handle))
        elif hasattr(X, "_handle") and graph is None:
            handle = X._handle
        elif X is not None or graph is not None:
            handle = self._new_data(context, X, graph, edge_weight)
        elif handle is None:
            raise ValueError("the model comes from a file or a pickle, without the data of its training: give X and graph")
        nodes = lib.gpr_dataset_nodes(handle)
        known = None if known_labels is None else labels_as(known_labels, self.classes_, nodes)
        return trained.predict(context, handle, known_labels=known, **what), rows

    def _new_data(self, context: Context, X: Any, graph: Any, edge_weight: Any) -> Handle:
        if graph is None and self._had_edges:
            raise ValueError("the model was trained with a graph: give the graph of these nodes too, graph=...; a graph "
                             "without edges is numpy.empty((2, 0), int)")
        features, edges = self._arrays_of(X, graph, edge_weight)
        known = getattr(self, "feature_names_in_", None)
        check_feature_names(type(self).__name__, features.names, None if known is None else known.tolist())
        check_feature_count(type(self).__name__, features.columns, self.n_features_in_)
        return new_dataset(context, features._replace(names=None), edges)

    # ---- what was learned ----

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_trained")

    def _require_fit(self) -> TrainedModel:
        if not hasattr(self, "_trained"):
            raise not_fitted(self)
        return self._trained

    def _fitted_model(self) -> Handle:
        return self._require_fit().handle

    def _fitted_result(self) -> Optional[Handle]:
        return getattr(self, "_result_handle", None)

    def _fitted_data(self) -> Optional[Handle]:
        return getattr(self, "_data_handle", None)

    def _require_result(self, name: str) -> TrainingResult:
        self._require_fit()
        if not hasattr(self, "result_"):
            raise AttributeError(f"{name} is part of a training, and this model comes from a file")
        return self.result_

    @property
    def model_(self) -> TrainedModel:
        """The model itself: its weights, its options."""
        return self._require_fit()

    @property
    def gamma_(self) -> np.ndarray:
        """The weights of the graph filter, learned or fixed."""
        gamma = self._require_fit().gamma
        if gamma is None:
            raise AttributeError(f"{type(self).__name__} has no graph filter")
        return gamma

    @property
    def runs_(self) -> List[Dict[str, Any]]:
        """One dict per run: seed, epochs, best_epoch, losses, accuracies in percent."""
        return self._require_result("runs_").runs

    @property
    def history_(self) -> Dict[str, np.ndarray]:
        """Curves of the best run by name; entry e is of the weights after e steps."""
        return self._require_result("history_").history()

    @property
    def best_epoch_(self) -> int:
        """The epoch whose weights the model has."""
        result = self._require_result("best_epoch_")
        return int(result.runs[result.best_run]["best_epoch"])

    @property
    def n_iter_(self) -> int:
        """Epochs that the best run trained for."""
        result = self._require_result("n_iter_")
        return int(result.runs[result.best_run]["epochs"])

    def _part(self, name: str, part: int) -> np.ndarray:
        mask: np.ndarray = self._require_result(name).parts == part
        return mask

    @property
    def train_mask_(self) -> np.ndarray:
        """Which nodes the best run trained on."""
        return self._part("train_mask_", h.GPR_TRAIN)

    @property
    def val_mask_(self) -> np.ndarray:
        """Which nodes chose the epoch."""
        return self._part("val_mask_", h.GPR_VAL)

    @property
    def test_mask_(self) -> np.ndarray:
        """Which nodes were kept for the test."""
        return self._part("test_mask_", h.GPR_TEST)

    # ---- files ----

    def save(self, path: Any) -> None:
        """Writes the model file, whole or not at all. ``gprgnn predict`` reads it too.

        Parameters
        ----------
        path : str or path
        """
        self._require_fit().save(path)

    @classmethod
    def load(cls: Type[_Self], path: Any) -> _Self:
        """The fitted estimator of a model file, from `save` or from the program.

        Parameters
        ----------
        path : str or path
            A model file, or the run folder of a training.

        Returns
        -------
        estimator
            Of this class. Classes whose names are all whole numbers become numbers again.
        """
        return cls._of_model(TrainedModel.load(path))

    @classmethod
    def _of_model(cls: Type[_Self], trained: TrainedModel) -> _Self:
        if trained.name != cls._word:
            raise ValueError(f"the file has a model of the kind {trained.name}, and {cls.__name__} is for {cls._word}: use "
                             "gprgnn.load")
        estimator = cls(**model_options(trained.handle))
        estimator._trained = trained
        estimator._had_edges = cls._word != "mlp"
        estimator.classes_ = named_classes(trained.class_names)
        estimator.n_features_in_ = trained.features
        names = trained.feature_names
        if names is not None:
            estimator.feature_names_in_ = np.asarray(names, dtype=object)
        return estimator

    def __getstate__(self) -> Dict[str, Any]:
        state = {name: value for name, value in self.__dict__.items() if name not in ("_result_handle", "_data_handle")}
        if "_trained" in state:
            state["_trained"] = state["_trained"].to_bytes()
        return state

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "_trained" in state:
            self._trained = TrainedModel.from_bytes(state["_trained"])
