"""Arrays of the library as numpy arrays, without a copy."""
from __future__ import annotations

import ctypes
import sys
from typing import Any, List, NamedTuple, Optional, Tuple

import numpy as np

_KINDS = {ctypes.c_float: "<f4", ctypes.c_double: "<f8", ctypes.c_int32: "<i4", ctypes.c_int64: "<i8",
          ctypes.c_uint8: "|u1"}
if sys.byteorder == "big":
    _KINDS = {kind: code.replace("<", ">") for kind, code in _KINDS.items()}


class _Borrowed:
    """Memory of the library for numpy, which keeps this object, and so its owner, as long as an array uses it."""

    def __init__(self, address: int, kind: str, shape: Tuple[int, ...], owner: Any) -> None:
        self.__array_interface__ = {"data": (address, True), "typestr": kind, "shape": shape, "version": 3}
        self.owner = owner


def borrow(pointer: Any, shape: Any, owner: Any) -> np.ndarray:
    """The numbers at a ctypes pointer as a read-only array that keeps `owner` alive."""
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    kind = _KINDS[pointer._type_]
    if not pointer or 0 in shape:
        return np.empty(shape, dtype=kind)
    address = ctypes.cast(pointer, ctypes.c_void_p).value
    assert address is not None
    return np.asarray(_Borrowed(address, kind, shape, owner))


class CSR(NamedTuple):
    """A sparse matrix by rows, where scipy is not installed. The names are those of scipy's csr_matrix."""

    data: np.ndarray
    indices: np.ndarray
    indptr: np.ndarray
    shape: Tuple[int, int]
    format: str = "csr"
    ndim: int = 2

    @property
    def dtype(self) -> np.dtype:
        return self.data.dtype

    def tocsr(self) -> "CSR":
        return self

    def toarray(self) -> np.ndarray:
        """The same with its zeros."""
        dense = np.zeros(self.shape, dtype=self.data.dtype)
        dense[np.repeat(np.arange(self.shape[0]), np.diff(self.indptr)), self.indices] = self.data
        return dense


def csr(data: Optional[np.ndarray], indices: np.ndarray, indptr: np.ndarray, shape: Tuple[int, int]) -> Any:
    """A scipy csr_matrix of these arrays, or a CSR without scipy. data: None: all ones."""
    if data is None:
        data = np.ones(len(indices), dtype=np.float32)
    try:
        from scipy.sparse import csr_matrix
    except ImportError:
        return CSR(data, indices, indptr, shape)

    matrix = csr_matrix(shape, dtype=data.dtype)
    # scipy wants one type for both kinds of indices. Those of the entries stay as they are.
    if len(indices) <= np.iinfo(np.int32).max:
        indptr = indptr.astype(np.int32)
    else:
        indices = indices.astype(np.int64)
    matrix.data, matrix.indices, matrix.indptr = data, indices, indptr
    matrix.has_sorted_indices = matrix.has_canonical_format = True
    return matrix


def names(of: Any, handle: Any, count: int) -> Optional[List[str]]:
    """Names by number, such as those of gpr_dataset_class_name; None if there are none."""
    if count == 0 or of(handle, 0) is None:
        return None
    return [of(handle, i).decode("utf-8", "replace") for i in range(count)]
