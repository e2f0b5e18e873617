"""Labels and masks: y becomes class numbers, masks become the parts of a split."""
from __future__ import annotations

import sys
from typing import Any, List, Optional, Tuple

import numpy as np

from . import _header as h
from ._context import warn
from ._graph import to_numpy
from ._ids import aligned, is_counted, places, unknown_id

# More classes than this are numbers, if they are also more than a twentieth of the labelled nodes.
_MOST_NUMBERS = 50
_NUMBERS = ("Unknown label type: continuous. y has numbers, {what}: a label must be a class. Make classes of them, "
            "such as by pandas.qcut(y, 5, labels=False), or tell numbers by a regressor, such as GPRGNNRegressor")


def encode_labels(y: Any, nodes: Optional[int] = None, training: bool = False) -> Tuple[np.ndarray, np.ndarray]:
    """(class number of each node or -1, classes): -1, NaN, None and masked entries are nodes without a label.

    Classes are sorted. Raises ValueError for what is no list of class labels; with `training` also for whole numbers of
    so many values that they are measurements.
    """
    if isinstance(y, np.ma.MaskedArray):
        masked, y = np.ma.getmaskarray(y), y.data.astype(object)
        y[masked] = None
    array = _flat(y, nodes)
    known = _known(array)
    values = array[known]
    if values.dtype == object:
        values = _one_type(values)
        if isinstance(y, (list, tuple)):
            values = np.asarray(values.tolist())
    if values.dtype.kind == "c":
        raise ValueError("Complex data not supported: y must have class labels")
    if values.dtype.kind == "f":
        if not np.isfinite(values).all():
            raise ValueError("Input y contains infinity: a label must be a class")
        if (values != np.floor(values)).any():
            raise ValueError(_NUMBERS.format(what="not all whole"))
    if not values.size:
        raise ValueError("y has no label: all nodes are -1, NaN or None. There is nothing to learn from; at least one "
                         "class is needed")
    classes, codes = np.unique(values, return_inverse=True)
    # as the library does with texts: 0, 1, 2, ... are the numbers of classes, other numbers a quantity
    numbered = len(classes) < values.size and np.array_equal(classes, np.arange(len(classes)))
    if training and not numbered and values.dtype.kind in "iuf" \
            and len(classes) > max(_MOST_NUMBERS, 0.05 * values.size):
        raise ValueError(_NUMBERS.format(what=f"{len(classes)} values of {values.size} labelled nodes")
                         + ". If they are names of classes, give them as texts: y.astype(str)")
    labels = np.full(array.shape[0], -1, np.int32)
    labels[known] = codes.reshape(-1)
    return labels, classes


def encode_numbers(y: Any, nodes: Optional[int] = None, empty: bool = False) -> np.ndarray:
    """(nodes) float32 from numbers; NaN, None and masked entries are nodes whose number is not known.

    Raises ValueError for what is no list of finite numbers. empty: none need be known.
    """
    if isinstance(y, np.ma.MaskedArray):
        masked, y = np.ma.getmaskarray(y), y.data.astype(object)
        y[masked] = None
    array = np.asarray(y) if isinstance(y, (list, tuple)) else y
    if getattr(array, "ndim", 1) == 2 and array.shape[1] > 1:
        raise ValueError(f"bad input shape {array.shape}: y has one number per node; fit a regressor for each "
                         "of several numbers")
    array = _flat(array, nodes)
    if array.dtype == object:
        array = np.asarray([np.nan if value is None or type(value).__name__ in ("NAType", "NaTType") else value
                            for value in array.tolist()])
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported: y must have numbers")
    if array.dtype.kind not in "iufb":
        raise ValueError(f"Unknown label type: y must have numbers, and it is of type {array.dtype}; a classifier "
                         "tells classes")
    numbers: np.ndarray = np.asarray(array, np.float64)
    if np.isinf(numbers).any():
        raise ValueError("Input y contains infinity: a number must be finite, or NaN where it is not known")
    with np.errstate(over="ignore"):
        numbers = np.ascontiguousarray(numbers, np.float32)
    if np.isinf(numbers).any():
        raise ValueError("Input y contains infinity or a value too large for float32: divide y")
    if not empty and np.isnan(numbers).all():
        raise ValueError("y has no number: all nodes are NaN or None. There is nothing to learn from")
    return numbers


def labels_as(y: Any, classes: np.ndarray, nodes: Optional[int] = None) -> np.ndarray:
    """y as numbers of known classes; -1: no label; GPR_UNKNOWN_CLASS: a class that the model does not know."""
    labels, own = encode_labels(y, nodes)
    if (own.dtype.kind in "USO") != (classes.dtype.kind in "USO"):
        raise ValueError(f"y has labels of type {own.dtype}, and the model's classes are of type {classes.dtype}")
    order = np.argsort(classes, kind="stable")  # those of a file may be in any order
    place = np.searchsorted(classes, own, sorter=order)
    place[place == len(classes)] = 0
    place = order[place]
    numbers = np.where(classes[place] == own, place, h.GPR_UNKNOWN_CLASS)
    return np.where(labels < 0, -1, numbers[labels]).astype(np.int32)


def _flat(y: Any, nodes: Optional[int]) -> np.ndarray:
    if y is None:
        raise ValueError("This estimator requires y to be passed, but the target y is None")
    if hasattr(y, "tocsr"):
        raise ValueError("y is a sparse matrix: one label per node is expected")
    # As objects: numpy would make texts of the numbers and of the NaN in a list with texts.
    array: np.ndarray = np.asarray(y, dtype=object) if isinstance(y, (list, tuple)) else to_numpy(y)
    if array.ndim == 2 and array.shape[1] == 1:
        _warn_column()
        array = array.ravel()
    if array.ndim != 1:
        raise ValueError(f"bad input shape {array.shape}: y has one label per node")
    if nodes is not None and array.shape[0] != nodes:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: y has {array.shape[0]} labels, "
                         f"and there are {nodes} nodes")
    return array


def _warn_column() -> None:
    message = "A column-vector y was passed when a 1d array was expected: use y.ravel()"
    sklearn = sys.modules.get("sklearn.exceptions")
    if sklearn is not None:
        import warnings

        warnings.warn(message, sklearn.DataConversionWarning, stacklevel=5)
    else:
        warn(message)


def _known(array: np.ndarray) -> np.ndarray:
    """(nodes) whether a node has a label."""
    known: np.ndarray = np.ones(len(array), bool)
    if array.dtype.kind in "if":
        known = array != -1
    if array.dtype.kind == "f":
        known &= ~np.isnan(array)
    if array.dtype == object:
        known = np.fromiter((not _is_missing(value) for value in array), bool, len(array))
    return known


def _is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, (float, np.floating)):
        return bool(value != value or value == -1)
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and int(value) == -1


def _one_type(values: np.ndarray) -> np.ndarray:
    """Objects as one array of a plain type."""
    kinds = {type(value) for value in values}
    if all(issubclass(kind, str) for kind in kinds):
        return values  # stays of objects: scikit-learn's classes_ keep the type of y too
    if all(issubclass(kind, (bool, np.bool_)) for kind in kinds):
        return values.astype(bool)
    if all(issubclass(kind, (int, float, np.number)) for kind in kinds):
        return np.asarray(values.tolist())
    names = ", ".join(sorted(kind.__name__ for kind in kinds))
    raise ValueError(f"Unknown label type: y has labels of the types {names}. Give whole numbers or texts")


def class_names(classes: np.ndarray) -> Optional[List[str]]:
    """Names for the library; None where classes are 0 .. n - 1."""
    if classes.dtype.kind in "iuf":
        if np.array_equal(classes, np.arange(len(classes))):
            return None
        return [str(int(label)) for label in classes.tolist()]
    return [str(label) for label in classes.tolist()]


def named_classes(names: List[Optional[str]]) -> np.ndarray:
    """classes_ of a model from a file: numbers where it has no names, or all of them are whole numbers; else texts."""
    if all(name is None for name in names):
        return np.arange(len(names))
    texts = [name if name is not None else str(i) for i, name in enumerate(names)]
    try:
        numbers = [int(name) for name in texts]
    except ValueError:
        return np.asarray(texts)
    return np.asarray(numbers) if [str(number) for number in numbers] == texts else np.asarray(texts)


def mask_of(mask: Any, nodes: int, what: str, ids: Any = None) -> np.ndarray:
    """A boolean array of (nodes) or (nodes, runs), from one, or from numbers or ids of nodes."""
    array: np.ndarray = to_numpy(mask, what)
    if array.dtype == bool and array.ndim in (1, 2):
        if array.shape[0] != nodes:
            raise ValueError(f"{what} has the shape {array.shape}: ({nodes},) is expected, one per node, or ({nodes}, "
                             "runs)")
        return array
    if ids is not None and array.size and array.ndim == 1:
        if array.dtype.kind in "OUS":
            rows = places(ids, array.tolist())
            if (rows < 0).any():
                raise ValueError(f"{what} has {unknown_id(array.tolist()[int(np.argmax(rows < 0))], ids)}")
            array = rows
        elif array.dtype != bool and getattr(getattr(ids, "dtype", None), "kind", "O") in "iu" and not is_counted(ids):
            raise ValueError(f"{what} has numbers, and so has the index of X: rows or ids? Give booleans, such as "
                             "X.index.isin(ids)")
    if array.size and (array.dtype.kind not in "iu" or array.ndim != 1):
        raise ValueError(f"{what} must be {nodes} booleans, one per node, or a list of numbers of nodes; not "
                         f"{array.dtype} of shape {array.shape}")
    if array.size and (array.min() < 0 or array.max() >= nodes):
        wrong = array.min() if array.min() < 0 else array.max()
        raise ValueError(f"{what} has the node {wrong}: nodes are 0 to {nodes - 1}")
    chosen = np.zeros(nodes, bool)
    chosen[array.astype(np.int64)] = True
    return chosen


def parts_of(nodes: int, masks: Tuple[Any, Any, Any], ids: Any = None) -> Optional[List[np.ndarray]]:
    """One array of gpr_part per run, from masks for training, validation and test; None where there are none."""
    train, val, test = (aligned(mask, ids, f"the mask of {part}")
                        for part, mask in zip(("training", "validation", "test"), masks))
    given = [(h.GPR_TRAIN, "train_mask", train), (h.GPR_VAL, "val_mask", val), (h.GPR_TEST, "test_mask", test)]
    found = [(part, what, mask_of(mask, nodes, what, ids)) for part, what, mask in given if mask is not None]
    if not found:
        return None
    if train is None:
        raise ValueError(f"{found[0][1]} is given without train_mask: which nodes are for training?")
    runs = {mask.shape[1] for _, _, mask in found if mask.ndim == 2}
    if len(runs) > 1:
        raise ValueError(f"the masks have different numbers of runs: {sorted(runs)}")
    parts = []
    for run in range(runs.pop() if runs else 1):
        part_of = np.zeros(nodes, np.uint8)
        for part, what, mask in found:
            chosen = mask[:, run] if mask.ndim == 2 else mask
            if (part_of[chosen] != h.GPR_UNUSED).any():
                node = int(np.flatnonzero(chosen & (part_of != h.GPR_UNUSED))[0])
                raise ValueError(f"node {node} is in {what} and in another mask: a node belongs to one part")
            part_of[chosen] = part
        parts.append(part_of)
    return parts
