"""The estimator: fit, predict and their kin, for all models."""
from __future__ import annotations

from typing import Any, ClassVar, Dict, List, Optional, Type, TypeVar

import numpy as np

from . import _header as h
from ._checks import check_feature_count, check_feature_names, node_numbers, weights_of_nodes
from ._context import Context, Handle, lib
from ._dataset import Dataset
from ._graph import GraphArrays, graph_arrays
from ._input import TrainingInput, arrays_of, arrays_of_data, training_input
from ._labels import labels_as, mask_of, named_classes
from ._model import TrainedModel
from ._options import model_options, new_params, thread_count
from ._protocol import Estimator, not_fitted
from ._results import ResultMixin
from ._routing import Routed
from ._training import TrainingResult, _Bar, train, watcher
from ._training_data import new_dataset

_Self = TypeVar("_Self", bound="NodeClassifier")


class NodeClassifier(ResultMixin, Routed, Estimator):
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

    def fit(self: _Self, X: Any = None, y: Any = None, graph: Any = None, *, train_mask: Any = None,
            val_mask: Any = None, test_mask: Any = None, sample_weight: Any = None, edge_weight: Any = None) -> _Self:
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
        given = training_input(context, self, X, y, graph, masks, sample_weight, edge_weight)
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

    def _keep_fit(self, given: TrainingInput, model: Handle, result: Handle, status: int) -> None:
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

    # ---- prediction ----

    def predict(self, X: Any = None, graph: Any = None, *, edge_weight: Any = None,
                known_labels: Any = None) -> np.ndarray:
        """The class of each node.

        Parameters
        ----------
        X : array-like of shape (nodes, features), or Dataset, optional
            As for `fit`; None: the data of the training. With the parameter `data`: numbers of nodes.
        graph : object, optional
            The graph of these nodes, as for `fit`. None: that of the training, if X has as many rows.
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
                handle = new_dataset(context, *arrays_of_data(self.data))
            if X is not None:
                rows = node_numbers(X, lib.gpr_dataset_nodes(handle))
        elif hasattr(X, "_handle") and graph is None:
            handle = X._handle
        elif X is not None or graph is not None:
            handle = self._new_data(context, X, graph, edge_weight)
        elif handle is None:
            raise ValueError("the model comes from a file or a pickle, without the data of its training: give X and "
                             "graph")
        nodes = lib.gpr_dataset_nodes(handle)
        known = None if known_labels is None else labels_as(known_labels, self.classes_, nodes)
        return trained.predict(context, handle, known_labels=known, **what), rows

    def _new_data(self, context: Context, X: Any, graph: Any, edge_weight: Any) -> Handle:
        features, edges = arrays_of(X, graph, edge_weight)
        if graph is None and self._had_edges:
            edges = self._edges_of_training(features.nodes)
        known = getattr(self, "feature_names_in_", None)
        check_feature_names(type(self).__name__, features.names, None if known is None else known.tolist())
        check_feature_count(type(self).__name__, features.columns, self.n_features_in_)
        return new_dataset(context, features._replace(names=None), edges)

    def _edges_of_training(self, nodes: int) -> GraphArrays:
        """The graph for an X without one: that of the training, where it has as many nodes."""
        own = self._fitted_data()
        if own is None or lib.gpr_dataset_nodes(own) != nodes:
            raise ValueError("the model was trained with a graph" + (
                "" if own is None else f" of {lib.gpr_dataset_nodes(own)} nodes, and X has {nodes} rows")
                + ": give the graph of these nodes too, graph=...; a graph without edges is numpy.empty((2, 0), int)")
        return graph_arrays(Dataset(own).graph, nodes)

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
            raise ValueError(f"the file has a model of the kind {trained.name}, and {cls.__name__} is for {cls._word}: "
                             "use gprgnn.load")
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
