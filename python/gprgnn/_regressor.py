"""The estimators of numbers: what a regressor has in place of classes and probabilities."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._checks import weights_of_nodes
from ._context import Handle, warn
from ._dataset import Dataset
from ._estimator import NodeEstimator
from ._ids import aligned
from ._labels import encode_numbers, mask_of
from ._results import Mean


class NodeRegressor(NodeEstimator):
    """Base of the regressors: a number of each node of a graph."""

    _estimator_type = "regressor"
    _numbers = True

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import RegressorTags

        tags = super().__sklearn_tags__()
        tags.estimator_type, tags.classifier_tags, tags.regressor_tags = "regressor", None, RegressorTags()
        return tags

    def predict(self, X: Any = None, graph: Any = None, *, edge_weight: Any = None) -> np.ndarray:
        """The number of each node.

        Parameters
        ----------
        X : array-like of shape (nodes, features), or Dataset, optional
            As for `fit`; None: the data of the training. With the parameter `data`: numbers of nodes.
        graph : object, optional
            The graph of these nodes, as for `fit`. None: that of the training, if X has as many rows.
        edge_weight : array-like of shape (edges,), optional
            As for `fit`.

        Returns
        -------
        numpy.ndarray of shape (nodes,)
            float32, in the unit of y.
        """
        found, rows, *_ = self._predict(X, graph, edge_weight, None, False, proba=True)
        numbers: np.ndarray = found.proba[:, 0]
        return numbers if rows is None else numbers[rows]

    def score(self, X: Any = None, y: Any = None, graph: Any = None, *, mask: Any = None, sample_weight: Any = None,
              edge_weight: Any = None) -> float:
        """The coefficient of determination R2 of the predictions: 1 is perfect, telling the mean gives 0.

        Without arguments these are all nodes of the training's data whose number is known: those that the model was
        trained on, too. For an honest score ask for ``model.mean("test_r2")``, or give ``mask=model.test_mask_``.

        Parameters
        ----------
        X, graph, edge_weight
            As for `predict`.
        y : array-like of shape (nodes,)
            The true numbers; NaN: not known. None: those of the Dataset X, or of the training.
        mask : array-like, optional
            Booleans or numbers of nodes: only these count.
        sample_weight : array-like of shape (nodes,), optional

        Returns
        -------
        float
        """
        found, rows, ids, handle = self._predict(X, graph, edge_weight, None, False, proba=True)
        told = found.proba[:, 0] if rows is None else found.proba[rows, 0]
        own = self._fitted_data() if X is None else getattr(X, "_handle", None)
        truth = _targets_of(own) if y is None and own is not None else \
            encode_numbers(aligned(y, ids, "y"), len(told), empty=True)
        counted = ~np.isnan(truth)
        if mask is not None:
            counted &= mask_of(aligned(mask, ids, "mask"), len(truth), "mask", ids)
        if not counted.any():
            raise ValueError("no node to judge: of none the number is known" + ("" if mask is None else " and in mask"))
        learned = self._has_learned(handle)
        if mask is not None and (learned if rows is None else learned[rows])[counted].any():
            warn("the model was trained once more on all labelled nodes (refit), and some of these are among them: the "
                 "score is no test. mean('test_r2') is that of the model before; refit='no' keeps that model")
        weights = weights_of_nodes(aligned(sample_weight, ids, "sample_weight"), None, np.where(counted, 0, -1),
                                   np.zeros(1))
        weight = (np.ones(len(truth)) if weights is None else weights.astype(np.float64))[counted]
        y_true, y_told = truth[counted].astype(np.float64), told[counted].astype(np.float64)
        spread = float(np.sum(weight * (y_true - np.average(y_true, weights=weight)) ** 2))
        rest = float(np.sum(weight * (y_true - y_told) ** 2))
        return 1 - rest / spread if spread > 0 else float(rest == 0)

    def mean(self, what: str = "test_r2") -> Mean:
        """The mean of a number over all runs: "test_r2", "test_rmse", "test_mae", "val_loss", "best_epoch" and so on.

        Parameters
        ----------
        what : str

        Returns
        -------
        Mean
        """
        return super().mean(what)


def _targets_of(data: Handle) -> np.ndarray:
    numbers = Dataset(data).targets
    if numbers is None:
        raise ValueError("the dataset has classes, not numbers: give y")
    return numbers
