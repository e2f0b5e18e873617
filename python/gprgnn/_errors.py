"""Exceptions and warnings of the package.

Every error of the library is a GprgnnError and also the built-in exception that a Python user expects, so that
``except ValueError`` and ``except FileNotFoundError`` work.
"""
from __future__ import annotations

from typing import Dict, Type

from . import _header as h


class GprgnnError(Exception):
    """Base of all errors that the library reports.

    Attributes
    ----------
    status : int
        The library's status, such as -4.
    """

    status: int = 0


class GprgnnWarning(UserWarning):
    """Something about the data or the training that is worth knowing; the result is valid."""


class GprgnnValueError(GprgnnError, ValueError):
    """A wrong argument, data that does not fit together, or a damaged file."""


class GprgnnMemoryError(GprgnnError, MemoryError):
    """An allocation failed."""


class GprgnnOSError(GprgnnError, OSError):
    """The operating system refused a file operation, or a device cannot be used."""


class GprgnnFileNotFoundError(GprgnnError, FileNotFoundError):
    """There is no file or dataset of that name."""


class GprgnnNumericError(GprgnnError, FloatingPointError):
    """Losses, weights or scores became infinite or NaN."""


class GprgnnConnectionError(GprgnnError, ConnectionError):
    """No server could be reached, or its answer was wrong."""


class GprgnnStoppedError(GprgnnError, RuntimeError):
    """A callback stopped the call before there was anything to return."""


_OF_STATUS: Dict[int, Type[GprgnnError]] = {
    h.GPR_ERROR_ARGUMENT: GprgnnValueError,
    h.GPR_ERROR_MEMORY: GprgnnMemoryError,
    h.GPR_ERROR_IO: GprgnnOSError,
    h.GPR_ERROR_FORMAT: GprgnnValueError,
    h.GPR_ERROR_MISMATCH: GprgnnValueError,
    h.GPR_ERROR_NOT_FOUND: GprgnnFileNotFoundError,
    h.GPR_ERROR_NUMERIC: GprgnnNumericError,
    h.GPR_ERROR_NETWORK: GprgnnConnectionError,
    h.GPR_ERROR_STOPPED: GprgnnStoppedError,
}


def error_of(status: int, message: str) -> GprgnnError:
    """The exception for a negative status."""
    error = _OF_STATUS.get(status, GprgnnError)(message or f"the library returned status {status}")
    error.status = status
    return error
