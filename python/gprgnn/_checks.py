"""Checks of arguments, with the words of scikit-learn where it has some."""
from __future__ import annotations

import warnings
from typing import Any, List, Optional

import numpy as np

from ._graph import float32, to_numpy


def check_feature_count(owner: str, found: int, expected: int) -> None:
    if found != expected:
        raise ValueError(f"X has {found} features, but {owner} is expecting {expected} features as input")


def check_feature_names(owner: str, found: Optional[List[str]], expected: Optional[List[str]]) -> None:
    """The names of a DataFrame's columns must be those of the training, in the same order."""
    if found is None and expected is None or found == expected:
        return
    if expected is None:
        warnings.warn(f"X has feature names, but {owner} was fitted without feature names", UserWarning, stacklevel=6)
        return
    if found is None:
        warnings.warn(f"X does not have valid feature names, but {owner} was fitted with feature names", UserWarning,
                      stacklevel=6)
        return
    message = "The feature names should match those that were passed during fit.\n"
    unseen = sorted(set(found) - set(expected))
    missing = sorted(set(expected) - set(found))
    if unseen:
        message += "Feature names unseen at fit time:\n" + _listed(unseen)
    if missing:
        message += "Feature names seen at fit time, yet now missing:\n" + _listed(missing)
    if not unseen and not missing:
        message += "Feature names must be in the same order as they were in fit.\n"
    raise ValueError(message)


def _listed(names: List[str]) -> str:
    return "".join(f"- {name}\n" for name in names[:5]) + ("- ...\n" if len(names) > 5 else "")


def whole(value: Any, what: str, low: int = 0, high: int = 2**63 - 1) -> int:
    """An int within bounds. A number of another type is accepted if it is whole."""
    try:
        number = int(value) if isinstance(value, (int, np.integer)) or float(value).is_integer() else None
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None:
        raise TypeError(f"{what} must be a whole number, not {value!r}")
    if not low <= number <= high:
        raise ValueError(f"{what} is {number}: it must be {low} or more"
                         + ("" if high >= 2**63 - 1 else f", and at most {high}"))
    return number


def node_numbers(nodes: Any, count: int) -> np.ndarray:
    """Numbers of nodes, of shape (n,) or (n, 1)."""
    array: np.ndarray = to_numpy(nodes)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.ravel()
    if array.dtype == bool and array.shape == (count,):
        return np.flatnonzero(array)
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iu":
        raise ValueError(f"with the parameter data, X has numbers of nodes, of shape (n,): not {array.dtype} of shape "
                         f"{array.shape}")
    if array.min() < 0 or array.max() >= count:
        wrong = array.min() if array.min() < 0 else array.max()
        raise ValueError(f"X has the node {wrong}: nodes are 0 to {count - 1}")
    return array.astype(np.int64)


def weights_of_nodes(sample_weight: Any, class_weight: Any, labels: np.ndarray,
                     classes: np.ndarray) -> Optional[np.ndarray]:
    """(nodes) float32: sample_weight times the weights of a dict of classes; None: all alike."""
    weights = None
    if sample_weight is not None:
        weights = float32(sample_weight, "sample_weight")
        if weights.ndim != 1:
            raise ValueError(f"Sample weights must be 1D array or scalar: sample_weight has the shape {weights.shape}")
        if weights.shape != labels.shape:
            raise ValueError(f"sample_weight.shape == {weights.shape}, expected {labels.shape}: one per node")
        if not np.isfinite(weights).all() or (weights < 0).any():
            raise ValueError("sample_weight has a value that is not a number of 0 or more")
        if not weights.any():
            raise ValueError("sample_weight: all weights are zero, so there is nothing to learn from")
    if isinstance(class_weight, dict):
        unknown = [label for label in class_weight if label not in classes.tolist()]
        if unknown:
            raise ValueError(f"class_weight has the class {unknown[0]!r}, which y has not: classes are "
                             f"{classes.tolist()}")
        factor = np.asarray([class_weight.get(label, 1.0) for label in classes.tolist()], np.float32)
        of_nodes = np.where(labels >= 0, factor[labels], 1).astype(np.float32)
        weights = of_nodes if weights is None else weights * of_nodes
    return weights
