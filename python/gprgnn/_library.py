"""Finds and opens libgprgnn, and declares its functions.

Looked for, in this order: the file that $GPRGNN_LIBRARY names, the one inside the package, the system's.
"""
from __future__ import annotations

import ctypes
import ctypes.util
import os
import sys
from typing import Any, Iterator, List

from . import _header as h

_NAMES = {"darwin": ["libgprgnn.dylib"], "win32": ["gprgnn.dll", "libgprgnn.dll"]}.get(
    sys.platform, ["libgprgnn.so", f"libgprgnn.so.{h.GPR_VERSION_MAJOR}"])
_FOLDER = os.path.dirname(os.path.abspath(__file__))


def _candidates() -> Iterator[str]:
    """Paths and names to try. A library that the user names is the only one."""
    named = os.environ.get("GPRGNN_LIBRARY")
    if named:
        yield named
        return
    for folder in ("lib", "lib64", "."):
        for name in _NAMES:
            path = os.path.normpath(os.path.join(_FOLDER, folder, name))
            if os.path.exists(path):
                yield path
    yield from _NAMES


def _declare(library: ctypes.CDLL) -> None:
    for name, (result, arguments) in h.FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments


def _open() -> ctypes.CDLL:
    failures: List[str] = []
    for candidate in _candidates():
        try:
            library = ctypes.CDLL(candidate)
            _declare(library)
        except OSError as error:
            failures.append(f"  {candidate}: {error}")
            continue
        except AttributeError as error:
            failures.append(f"  {candidate}: it is an older version ({error})")
            continue
        version = library.gpr_version().decode()
        if version != h.GPR_VERSION_STRING:
            failures.append(f"  {candidate}: it is version {version}, and this package needs {h.GPR_VERSION_STRING}")
            continue
        return library
    raise ImportError("gprgnn: cannot open its C library. Tried:\n" + "\n".join(failures) + "\nInstall the package "
                      "with pip, or build the library with make and set GPRGNN_LIBRARY to the path of libgprgnn.so.")


lib: Any = _open()
