"""The features X as arrays for the library: dense float32, or CSR. Arrays of the right type are not copied."""
from __future__ import annotations

from typing import Any, List, NamedTuple, Optional

import numpy as np

from ._frame import is_frame
from ._graph import float32, same_width, to_csr, to_numpy


class FeatureArrays(NamedTuple):
    """Either dense, or CSR (indptr, indices, values; values None: all 1)."""

    nodes: int
    columns: int
    dense: Optional[np.ndarray] = None
    indptr: Optional[np.ndarray] = None
    indices: Optional[np.ndarray] = None
    values: Optional[np.ndarray] = None
    names: Optional[List[str]] = None  # of the columns


def feature_arrays(X: Any) -> FeatureArrays:
    """The arrays of X.

    X is an array-like of shape (nodes, features), a scipy sparse matrix, a DataFrame, or a torch tensor.
    """
    if hasattr(X, "tocsr"):
        return _from_sparse(X)
    if is_frame(X):
        return _from_frame(X)
    if hasattr(X, "collect_schema"):
        raise TypeError("X is a LazyFrame, which has no rows yet: give X.collect()")
    return _from_array(X)


def identity(nodes: int) -> FeatureArrays:
    """One feature per node: what there is to learn from where X is None."""
    return FeatureArrays(nodes, nodes, indptr=np.arange(nodes + 1, dtype=np.int32),
                         indices=np.arange(nodes, dtype=np.int32))


def _check_shape(shape: Any) -> None:
    nodes, columns = shape
    if nodes == 0:
        raise ValueError(f"Found array with 0 sample(s) (shape={tuple(shape)}) while a minimum of 1 is required.")
    if columns == 0:
        raise ValueError(f"Found array with 0 feature(s) (shape={tuple(shape)}) while a minimum of 1 is required.")


def _check_finite(array: np.ndarray, names: Optional[List[str]] = None) -> None:
    # The sum is not finite if an entry is not; one pass without an array of flags.
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(np.sum(array, dtype=np.float64)) or np.isfinite(array).all():
            return
    missing = np.isnan(array).any()
    kind = "NaN" if missing else "infinity, or a number that is too large for float32"
    where = ""
    if array.ndim == 2:
        row, column = np.argwhere(~np.isfinite(array))[0].tolist()
        where = f" (row {row}, column {column if names is None else repr(names[column])})"
    raise ValueError(f"Input X contains {kind}{where}: every feature must be a finite number"
                     + ("; missing values of a DataFrame are filled by `fit`" if missing else ""))


def _from_array(X: Any, names: Optional[List[str]] = None) -> FeatureArrays:
    array = to_numpy(X, "X")
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported: X must have real numbers")
    if array.ndim != 2:
        found = "scalar" if array.ndim == 0 else f"{array.ndim}D"
        raise ValueError(f"Expected 2D array, got {found} array instead: X has one row per node and one column per "
                         "feature. Reshape your data with array.reshape(-1, 1) if it has a single feature.")
    _check_shape(array.shape)
    if array.dtype.kind not in "biuf":
        try:
            with np.errstate(over="ignore", invalid="ignore"):
                array = array.astype(np.float32)
        except (TypeError, ValueError) as error:
            raise type(error)(f"X must have numbers: {error}") from error
    dense = float32(array, "X")
    _check_finite(dense, names)
    return FeatureArrays(dense.shape[0], dense.shape[1], dense=dense, names=names)


def _from_sparse(X: Any) -> FeatureArrays:
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead: X has one row per node")
    if X.dtype.kind == "c":
        raise ValueError("Complex data not supported: X must have real numbers")
    _check_shape(X.shape)
    csr = to_csr(X)
    indptr, indices = same_width(csr.indptr, csr.indices)
    values = float32(csr.data, "X")
    if values.shape != indices.shape:
        raise ValueError(f"X has {values.size} values for {indices.size} entries: data and indices must be of one "
                         "length")
    _check_finite(values)
    return FeatureArrays(int(X.shape[0]), int(X.shape[1]), indptr=indptr, indices=indices, values=values)


def _from_frame(X: Any) -> FeatureArrays:
    names = text_names(list(X.columns))
    if is_sparse_frame(X):
        return _from_sparse(X.sparse.to_coo().tocsr())._replace(names=names)
    array = X.to_numpy()
    # Columns of nullable types are objects together.
    return _from_array(X.to_numpy(dtype=np.float64) if array.dtype == object else array, names)


def is_sparse_frame(X: Any) -> bool:
    """A DataFrame of pandas whose columns are all sparse."""
    return len(X.columns) > 0 and hasattr(X, "sparse") and all(hasattr(kind, "fill_value") for kind in X.dtypes)


def text_names(names: List[Any]) -> Optional[List[str]]:
    """The names of columns if all are text, as scikit-learn wants it; else None."""
    kinds = {type(name).__name__ for name in names}
    if kinds == {"str"}:
        return names
    if "str" in kinds:
        raise TypeError("Feature names are only supported if all input features have string names, but your input has "
                        f"{sorted(kinds)} as feature name / column name types. Convert them with X.columns = "
                        "X.columns.astype(str).")
    return None
