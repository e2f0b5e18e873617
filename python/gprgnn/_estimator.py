"""The estimator: fit, predict and their kin, for all models."""
from __future__ import annotations

import ctypes
from typing import Any, ClassVar, Dict, List, Optional, Type, TypeVar

import numpy as np

from . import _header as h
from ._arrow import as_frame
from ._checks import check_feature_count, check_feature_names, node_numbers, weights_of_nodes, whole
from ._context import Context, Handle, lib, warn
from ._dataset import Dataset
from ._graph import GraphArrays, graph_arrays, has_ids
from ._features import is_sparse_frame
from ._frame import column, is_frame, only_numbers
from ._ids import aligned, index_of, own_ids, places
from ._input import NOT_GIVEN, TrainingInput, inputs_of, inputs_of_data, nodes_of, same_features, training_input
from ._labels import labels_as, mask_of, named_classes
from ._model import TrainedModel
from ._options import model_options, new_params, thread_count
from ._protocol import Estimator, not_fitted
from ._results import ResultMixin
from ._routing import Routed
from ._training import TrainingResult, _Bar, train, watcher

_Self = TypeVar("_Self", bound="NodeEstimator")


class NodeEstimator(ResultMixin, Routed, Estimator):
    """Base of the estimators: fit, and what is learned of the nodes of a graph."""

    _word: ClassVar[str] = ""  # the library's name of the model
    _numbers: ClassVar[bool] = False  # it tells a number, not a class

    # Parameters that all models have and this class looks at.
    data: Any
    callback: Any
    progress: Any
    preset: Any
    split: Any
    class_weight: Any = None

    # ---- training ----

    def fit(self: _Self, X: Any = None, y: Any = None, graph: Any = NOT_GIVEN, *, train_mask: Any = None,
            val_mask: Any = None, test_mask: Any = None, sample_weight: Any = None, edge_weight: Any = None) -> _Self:
        """Trains the model.

        Without a word about it, a part of the nodes is kept for the test (the parameter `split`), and three models are
        trained: the validation nodes choose whether known labels of neighbours help (`label_input`, `label_counts`,
        `smooth`). ``label_input="no", label_counts="no", smooth="no"`` trains one.

        The fitted estimator keeps the library's copy of the data, for predictions without X and for explanations. A
        pickle does not have it.

        Parameters
        ----------
        X : array-like, scipy sparse matrix or DataFrame of shape (nodes, features), or Dataset
            One row per node. float32 and CSR are not copied. A DataFrame of pandas or polars may have categories,
            texts, dates, booleans and missing values: they become features as by :func:`read_tables`. Its index has the
            ids of the nodes, unless it is 0, 1, 2, ... None: one feature per node, which tells nodes apart and nothing
            else. A Dataset brings graph and labels along. With the parameter `data`: the numbers of the nodes that y is
            for.
        y : array-like of shape (nodes,), Series or dict
            The class of each node: whole numbers or texts. -1, NaN, None and masked entries are nodes without a label.
            A Series is put into the order of X by its index; so is a dict by ids.
        graph : object
            A scipy sparse matrix, an edge_index of shape (2, edges) or (edges, 2), a dense matrix, a DataFrame of edges
            (its columns source, target and weight, or the first two), a networkx or igraph graph, a PyG Data, or a dict
            {name: graph} of kinds of edges. Edges become undirected, unless the parameter `direction` says else. Nodes
            are found by the ids of X where both have ids, else they are numbers of rows. None: a graph without edges;
            that must be asked for, except of a model that uses no graph.
        train_mask, val_mask, test_mask : array-like, optional
            Booleans of shape (nodes,), or numbers or ids of nodes; they take the place of the option `split`. With
            shape (nodes, runs) each run has its own. Without val_mask nothing ends the training early.
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
        verbose = whole(params["verbose"] or 0, "verbose", high=2)
        return Context(thread_count(params["n_jobs"]), params["device"], progress, verbose=verbose)

    def _keep_fit(self, given: TrainingInput, model: Handle, result: Handle, status: int) -> None:
        self._trained = TrainedModel(model)
        self._result_handle: Optional[Handle] = result
        self._data_handle: Optional[Handle] = given.handle
        self._had_edges = lib.gpr_dataset_edges(given.handle) > 0
        self._ids = given.ids
        self.result_: TrainingResult = TrainingResult(result, status)
        if not self._numbers:
            self.classes_ = given.classes
        self.n_features_in_ = given.features
        if given.names is not None:
            self.feature_names_in_ = np.asarray(given.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    # ---- prediction ----

    def predict(self, X: Any = None, graph: Any = None, *, edge_weight: Any = None) -> np.ndarray:
        raise NotImplementedError

    def fit_predict(self, X: Any = None, y: Any = None, graph: Any = NOT_GIVEN, **fit_params: Any) -> np.ndarray:
        """Trains, and predicts every node of the same graph.

        Parameters
        ----------
        X, y, graph, **fit_params
            As for `fit`.

        Returns
        -------
        numpy.ndarray of shape (nodes,)
        """
        if graph is not NOT_GIVEN:
            fit_params["graph"] = graph
        self.fit(X, y, **fit_params)
        return self.predict(X if self.data is not None else None)

    def _predict(self, X: Any, graph: Any, edge_weight: Any, known_labels: Any, adapt_prior: bool = False,
                 **what: bool) -> Any:
        """(prediction for all nodes, the rows that were asked for or None, the ids of what is returned, the data)."""
        trained = self._require_fit()
        context, rows, handle, ids = self._new_context(), None, self._fitted_data(), getattr(self, "_ids", None)
        if getattr(self, "data", None) is not None:
            if graph is not None:
                raise ValueError("graph is given twice: the parameter data has one")
            if handle is None:
                given, edges = inputs_of_data(self.data, trained.plan)
                handle, ids = given.dataset(context, edges), given.ids
            if X is not None:
                rows = node_numbers(X, lib.gpr_dataset_nodes(handle))
        elif hasattr(X, "_handle") and graph is None:
            handle, ids = X._handle, nodes_of(X).ids
        elif X is not None or graph is not None:
            nodes, edges, rows = self._new_data(X, graph, edge_weight)
            handle, ids = nodes.dataset(context, edges), nodes.ids
            if graph is not None and not has_ids(graph):
                self._check_order(handle, ids)
            elif graph is None and self._had_edges and own_ids(ids) is None \
                    and not same_features(self._fitted_data(), handle):
                warn("X has other values than in the training, and no graph is given: its rows are taken for the nodes "
                     "of the training, in their order. If they are other nodes, give their graph: graph=...")
        elif handle is None:
            raise ValueError("the model comes from a file or a pickle, without the data of its training: give X and "
                             "graph")
        count = lib.gpr_dataset_nodes(handle)
        known = None if known_labels is None else \
            labels_as(aligned(known_labels, ids, "known_labels"), self.classes_, count)
        found = trained.predict(context, handle, known_labels=known, adapt_prior=adapt_prior, **what)
        return found, rows, ids if rows is None else index_of(X), handle

    def _has_learned(self, data: Handle) -> np.ndarray:
        """(nodes) whether a model that was trained once more has seen the label of the node in that."""
        own, nodes = self._fitted_data(), lib.gpr_dataset_nodes(data)
        if not lib.gpr_model_refit_nodes(self._fitted_model()):
            return np.zeros(nodes, bool)
        if own is not None and lib.gpr_dataset_nodes(own) == nodes and (own is data or same_features(own, data)):
            labels: np.ndarray = self._require_fit().labels(self._new_context(), own)
            known: np.ndarray = labels != -1
            return known
        learned = np.zeros(nodes, np.uint8)
        self._new_context().call(lib.gpr_model_learned_nodes, self._fitted_model(), data,
                                 learned.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8)))
        return learned.astype(bool)

    def _new_data(self, X: Any, graph: Any, edge_weight: Any) -> Any:
        """(nodes, graph, rows): the rows of X among the nodes; None: it has their order."""
        plan, rows = self._require_fit().plan, None
        X = as_frame(X, "X")
        if plan is None and is_frame(X) and not is_sparse_frame(X):
            self._check_numbers(X)
        if graph is None and self._had_edges and X is not None:
            X, rows = self._in_order_of_training(X)
            nodes = nodes_of(X, plan)
            edges: Any = self._edges_of_training(nodes.nodes)
        else:
            nodes, edges = inputs_of(X, graph, edge_weight, plan)
        if plan is None:  # else the library looks for the columns by their names
            known = getattr(self, "feature_names_in_", None)
            check_feature_names(type(self).__name__, nodes.names, None if known is None else known.tolist())
            check_feature_count(type(self).__name__, nodes.columns, self.n_features_in_)
            if nodes.arrays is not None:
                nodes = nodes._replace(arrays=nodes.arrays._replace(names=None))
        return nodes, edges, rows

    @staticmethod
    def _check_numbers(X: Any) -> None:
        """A model that was trained on numbers alone has no plan for anything else."""
        if only_numbers(X):
            return
        for number, name in enumerate(X.columns):
            one = column(X, number)
            frame = one.to_frame()
            if not only_numbers(frame):
                raise ValueError(f"the column {name!r} of X has values that are no numbers, or missing ones, and the "
                                 "model was trained on numbers alone: fill them, or train on a DataFrame that has "
                                 "such columns")

    def _in_order_of_training(self, X: Any) -> Any:
        """(X, rows): where X has the nodes of the training in another order, X in that order, and its rows there."""
        own, ids = getattr(self, "_ids", None), index_of(X)
        if own is None or ids is None or len(own) != len(ids) or list(own) == list(ids):
            return X, None
        order = places(ids, list(own))
        if (order >= 0).all():
            return X.iloc[order], np.argsort(order)
        if own_ids(own) is None or own_ids(ids) is None:
            return X, None
        missing = list(own)[int(np.argmax(order < 0))]
        raise ValueError(f"X has other nodes than the training ({missing!r} is not in its index): give the graph of "
                         "these nodes too, graph=...")

    def _check_order(self, handle: Handle, ids: Any) -> None:
        """Rows that were moved beside the graph of the training, which knows its nodes by numbers only."""
        own: Any = getattr(self, "_ids", None)
        data = self._fitted_data()
        if data is None or own_ids(own) is None or own_ids(ids) is None or len(own) != len(ids) \
                or list(own) == list(ids) or (places(ids, list(own)) < 0).any():
            return
        one, other = Dataset(data).graph, Dataset(handle).graph
        if np.array_equal(one.indptr, other.indptr) and np.array_equal(one.indices, other.indices):
            raise ValueError("the rows of X are in another order than in the training, and this graph is that of the "
                             "training, whose nodes have numbers only: leave graph out, and X is put into its order")

    def _edges_of_training(self, nodes: int) -> GraphArrays:
        """The graph for an X without one: that of the training, where it has as many nodes."""
        own = self._fitted_data()
        if own is None or lib.gpr_dataset_nodes(own) != nodes:
            raise ValueError("the model was trained with a graph" + (
                "" if own is None else f" of {lib.gpr_dataset_nodes(own)} nodes, and X has {nodes} rows")
                + ": give the graph of these nodes too, graph=...; a graph without edges is numpy.empty((2, 0), int)")
        along = self._require_fit().option("direction") not in (None, "undirected")
        return graph_arrays(Dataset(own)._kinds(along), nodes)

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
        model = self._require_fit()
        gamma = model.gamma
        if gamma is None and model.filters:
            raise AttributeError("the filter has weights for several relations, directions, classes or blocks: use "
                                 "filters_")
        if gamma is None:
            raise AttributeError(f"{type(self).__name__} has no graph filter")
        return gamma

    @property
    def filters_(self) -> List[Dict[str, Any]]:
        """The parts of the graph filter: "relation" (None: all edges), "direction", "basis", "loops", "gamma".

        gamma has K + 1 numbers, or where each class has its own the shape (K + 1, classes). The filter is the sum of
        all parts; gamma_0, which they share where P_0 is 1, is that of the first. A model with a filter in each block
        has "block", from 1, too; gamma is then of all columns or of each, and gamma_0 is 0.
        """
        return self._require_fit().filters

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
        own = [option.name for option in cls._options]
        estimator = cls(**{name: value for name, value in model_options(trained.handle).items() if name in own})
        estimator._trained = trained
        estimator._had_edges = cls._word != "mlp"
        if not cls._numbers:
            estimator.classes_ = named_classes(trained.class_names)
        estimator.n_features_in_ = trained.features
        names = trained.feature_names
        if names is not None:
            estimator.feature_names_in_ = np.asarray(names, dtype=object)
        return estimator

    def __getstate__(self) -> Dict[str, Any]:
        left_out = ("_result_handle", "_data_handle", "_ids")
        state = {name: value for name, value in self.__dict__.items() if name not in left_out}
        if "_trained" in state:
            state["_trained"] = state["_trained"].to_bytes()
        return state

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "_trained" in state:
            self._trained = TrainedModel.from_bytes(state["_trained"])


class NodeClassifier(NodeEstimator):
    """Base of the classifiers: a class of each node of a graph."""

    def predict(self, X: Any = None, graph: Any = None, *, edge_weight: Any = None,
                known_labels: Any = None, adapt_prior: bool = False) -> np.ndarray:
        """The class of each node.

        Parameters
        ----------
        X : array-like of shape (nodes, features), or Dataset, optional
            As for `fit`; None: the data of the training. With the parameter `data`: numbers of nodes. A DataFrame is
            read as that of the training: the same columns, by name, with their kinds, values and scales.
        graph : object, optional
            The graph of these nodes, as for `fit`. None: that of the training, if X has as many rows (by their ids,
            where there are some).
        edge_weight : array-like of shape (edges,), optional
            As for `fit`.
        known_labels : array-like of shape (nodes,), Series or dict by ids, optional
            For a model that was trained with `label_input` or `smooth`: labels that it may use; -1, NaN and None: not
            known.
        adapt_prior : bool
            Classes are more or less frequent among these nodes than in the training: how frequent they are is estimated
            from the probabilities, which are corrected for it.

        Returns
        -------
        numpy.ndarray of shape (nodes,)
        """
        found, rows, *_ = self._predict(X, graph, edge_weight, known_labels, adapt_prior, classes=True)
        numbers: np.ndarray = found.classes
        chosen: np.ndarray = self.classes_[numbers if rows is None else numbers[rows]]
        return chosen

    def predict_proba(self, X: Any = None, graph: Any = None, *, edge_weight: Any = None,
                      known_labels: Any = None, adapt_prior: bool = False) -> np.ndarray:
        """The probability of each class.

        Parameters
        ----------
        X, graph, edge_weight, known_labels, adapt_prior
            As for `predict`.

        Returns
        -------
        numpy.ndarray of shape (nodes, classes)
            float32; columns in the order of ``classes_``.
        """
        found, rows, *_ = self._predict(X, graph, edge_weight, known_labels, adapt_prior, proba=True)
        proba: np.ndarray = found.proba
        return proba if rows is None else proba[rows]

    def predict_log_proba(self, X: Any = None, graph: Any = None, *, edge_weight: Any = None,
                          known_labels: Any = None, adapt_prior: bool = False) -> np.ndarray:
        """The logarithm of the probability of each class.

        Parameters
        ----------
        X, graph, edge_weight, known_labels, adapt_prior
            As for `predict`.

        Returns
        -------
        numpy.ndarray of shape (nodes, classes)
        """
        with np.errstate(divide="ignore"):
            logarithm: np.ndarray = np.log(self.predict_proba(X, graph, edge_weight=edge_weight,
                                                              known_labels=known_labels, adapt_prior=adapt_prior))
        return logarithm

    def decision_function(self, X: Any = None, graph: Any = None, *, edge_weight: Any = None,
                          known_labels: Any = None, adapt_prior: bool = False) -> np.ndarray:
        """The scores before softmax.

        Parameters
        ----------
        X, graph, edge_weight, known_labels, adapt_prior
            As for `predict`.

        Returns
        -------
        numpy.ndarray of shape (nodes, classes)
            For two classes of shape (nodes,): the second class's score minus the first one's.
        """
        found, rows, *_ = self._predict(X, graph, edge_weight, known_labels, adapt_prior, logits=True)
        logits: np.ndarray = found.logits if rows is None else found.logits[rows]
        return logits[:, 1] - logits[:, 0] if len(self.classes_) == 2 else logits

    def score(self, X: Any = None, y: Any = None, graph: Any = None, *, mask: Any = None, sample_weight: Any = None,
              edge_weight: Any = None, known_labels: Any = None, adapt_prior: bool = False) -> float:
        """The share of nodes whose class is predicted right, of all that have a label.

        Without arguments these are all labelled nodes of the training's data: those that the model was trained on, too.
        For an honest score ask for ``model.mean("test_accuracy")``, or give nodes that it has not seen,
        ``mask=model.test_mask_``. Where some nodes have no label, the parameter `refit` trains the model once more, on
        all labelled nodes: then a warning says that it has seen those of the mask.

        Parameters
        ----------
        X, graph, edge_weight, known_labels, adapt_prior
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
        found, rows, ids, handle = self._predict(X, graph, edge_weight, known_labels, adapt_prior, classes=True)
        predicted = found.classes if rows is None else found.classes[rows]
        own = self._fitted_data() if X is None else getattr(X, "_handle", None)
        if y is None and own is not None:
            labels = self._require_fit().labels(self._new_context(), own)
        else:
            labels = labels_as(aligned(y, ids, "y"), self.classes_, len(predicted))
        counted = labels != -1
        if mask is not None:
            counted &= mask_of(aligned(mask, ids, "mask"), len(labels), "mask", ids)
        if not counted.any():
            raise ValueError("no node to judge: none has a label" + ("" if mask is None else " and is in mask"))
        learned = self._has_learned(handle)
        if mask is not None and (learned if rows is None else learned[rows])[counted].any():
            warn("the model was trained once more on all labelled nodes (refit), and some of these are among them: the "
                 "score is no test. mean('test_accuracy') is that of the model before; refit='no' keeps that model")
        weights = weights_of_nodes(aligned(sample_weight, ids, "sample_weight"), None, labels, self.classes_)
        weights = np.ones(len(labels)) if weights is None else weights.astype(np.float64)
        return float(np.average(predicted[counted] == labels[counted], weights=weights[counted]))
