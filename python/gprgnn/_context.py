"""Calls of the library: contexts, handles, errors, log lines and interruptions.

A context is for one call, or for several calls of one thread. What a call made (a Handle) keeps its context alive, and
is freed before it.
"""
from __future__ import annotations

import ctypes
import logging
import os
import signal
import sys
import threading
import warnings
import weakref
from typing import Any, Callable, List, Optional, Tuple

from . import _header as h
from ._errors import GprgnnError, GprgnnWarning, error_of
from ._library import lib

logger = logging.getLogger("gprgnn")
logger.addHandler(logging.NullHandler())

_LEVELS = {h.GPR_LOG_NOTICE: logging.INFO, h.GPR_LOG_WARNING: logging.WARNING, h.GPR_LOG_INFO: logging.INFO,
           h.GPR_LOG_DEBUG: logging.DEBUG}
_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def text(value: Optional[bytes]) -> Optional[str]:
    """A text of the library; bytes of names that are not UTF-8 become U+FFFD."""
    return None if value is None else value.decode("utf-8", "replace")


def utf8(value: Any, what: str) -> bytes:
    """A text for the library: a str, bytes or a path."""
    value = os.fspath(value) if hasattr(value, "__fspath__") else value
    if isinstance(value, str):
        try:
            value = value.encode("utf-8")
        except UnicodeEncodeError:
            value = os.fsencode(value)  # a path whose bytes are not UTF-8
    if not isinstance(value, bytes):
        raise TypeError(f"{what} must be a str or a path, not {type(value).__name__}")
    if b"\0" in value:
        raise ValueError(f"{what} contains a NUL character")
    return value


def last_error() -> str:
    return text(lib.gpr_last_error()) or ""


def warn(message: str) -> None:
    """Warns at the line of the caller's code that called into the package."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, GprgnnWarning, stacklevel=level)


def call(function: Any, *args: Any) -> int:
    """Calls a function that returns a gpr_status. An error is raised; a note (above 0) is returned."""
    status: int = function(*args)
    if status < 0:
        raise error_of(status, last_error())
    return status


def _free(free: Any, pointer: Any, keep_alive: Any, process: int) -> None:
    # A forked child has copies of the handles. It does not free them: the threads of their context are not there.
    if process == os.getpid():
        free(pointer)


class Handle:
    """A pointer of the library that is freed with this object. ctypes accepts it where the pointer is expected."""

    __slots__ = ("_as_parameter_", "context", "_finalizer", "__weakref__")

    def __init__(self, context: Optional["Context"], pointer: Any, free: Any, base: Optional["Handle"] = None) -> None:
        self._as_parameter_ = pointer
        self.context = context
        # The finalizer holds the context, so that the context ends later; and the handle that this one borrows from.
        self._finalizer = weakref.finalize(self, _free, free, pointer, (context, base), os.getpid())

    def close(self) -> None:
        """Frees it now. It must not be used afterwards."""
        self._finalizer()


class Context:
    """A gpr_ctx with its log and progress.

    Parameters
    ----------
    threads : int
        0: one per CPU.
    device : str, optional
        "cpu", "cuda", "cuda:N" or "auto".
    progress : callable, optional
        Gets a gpr_progress after every epoch; a true result stops the call. What it raises is raised by `run`.
    quiet : bool
        No warnings that only say what an option has done.
    verbose : int
        1: also print the library's lines to stderr; 2: all of them. Warnings are never printed: Python does that.
    """

    def __init__(self, threads: int = 1, device: Optional[str] = None,
                 progress: Optional[Callable[[Any], Any]] = None, quiet: bool = False, verbose: int = 0) -> None:
        self._stop = False
        self._error: Optional[BaseException] = None
        self._warnings: List[str] = []
        self._progress = progress
        self._verbose = verbose
        self.expected_warnings: Tuple[str, ...] = ()  # parts of those that tell the user nothing new
        self.rename: Callable[[str], str] = str  # of texts of the library: what it calls a file may be a DataFrame
        # A callback that holds self would keep the context alive for ever.
        this = weakref.ref(self)

        def log(user: Any, level: int, line: bytes) -> None:
            context = this()
            if context is not None:
                context._log(level, line)

        def report(user: Any, progress: Any) -> int:
            context = this()
            return context._report(progress) if context is not None else 1

        self._callbacks = (h.gpr_log_fn(log), h.gpr_progress_fn(report))
        options = h.gpr_ctx_options(struct_size=ctypes.sizeof(h.gpr_ctx_options), threads=threads, quiet=int(quiet))
        options.log, options.progress = self._callbacks
        options.device = utf8(device, "device") if device is not None else None
        pointer = ctypes.POINTER(h.gpr_ctx)()
        call(lib.gpr_ctx_new, ctypes.byref(pointer), ctypes.byref(options))
        self._as_parameter_ = pointer
        self._finalizer = weakref.finalize(self, _free, lib.gpr_ctx_free, pointer, self._callbacks, os.getpid())

    def _log(self, level: int, line: bytes) -> None:
        message = self.rename(text(line) or "")
        try:
            logger.log(_LEVELS.get(level, logging.DEBUG), "%s", message)
            if self._verbose and level != h.GPR_LOG_WARNING \
                    and (level == h.GPR_LOG_NOTICE or level <= h.GPR_LOG_WARNING + self._verbose):
                print(message, file=sys.stderr)
        except BaseException as error:  # of a handler of the user
            self._keep(error)
        if level == h.GPR_LOG_WARNING:
            self._warnings.append(message)

    def _keep(self, error: BaseException) -> None:
        if self._error is None:
            self._error = error
        self._stop = True

    def _report(self, progress: Any) -> int:
        if not self._stop and self._progress is not None:
            try:
                if self._progress(progress[0]):
                    self._stop = True
            except BaseException as error:
                self._keep(error)
        return int(self._stop)

    def stop(self) -> None:
        """Asks the call that runs to end."""
        self._stop = True

    def rest(self) -> None:
        """What was made here keeps this context alive, but need not keep its threads and the callback's objects."""
        self._progress = None
        lib.gpr_ctx_set_threads(self, 1)

    def call(self, function: Any, *args: Any) -> int:
        """`function(ctx, *args)`. Errors are raised, warnings of the library become Python's, notes are returned."""
        self._stop, self._error = False, None
        status: int = function(self, *args)
        return self._finish(status, last_error() if status < 0 else "")

    def run(self, function: Any, *args: Any) -> int:
        """Like `call`, for what takes long: Ctrl-C stops it.

        Python handles signals in its main thread only, between two of its own instructions. So the main thread waits,
        and another one makes the call. After an interruption `interrupted` has the exception, and the status is
        returned if the call has a result nevertheless: the caller keeps that, and raises `interrupted`.
        """
        self._stop, self._error = False, None
        if threading.current_thread() is not threading.main_thread():
            return self.call(function, *args)
        outcome: List[Any] = []
        done = threading.Event()

        def work() -> None:
            try:
                status = function(self, *args)
                outcome.extend((status, last_error() if status < 0 else ""))
            except BaseException as error:
                outcome.append(error)
            finally:
                done.set()

        thread = threading.Thread(target=work, name="gprgnn")
        before = self._hold_interrupt()
        try:
            try:
                thread.start()
            except RuntimeError:  # no more threads, or the interpreter is about to end
                return self.call(function, *args)
            while not done.is_set():
                try:
                    done.wait()
                except BaseException as error:  # of another signal's handler
                    self._keep(error)
            thread.join()
        finally:
            if before is not None:
                signal.signal(signal.SIGINT, before)
        if isinstance(outcome[0], BaseException):
            raise outcome[0]
        return self._finish(*outcome)

    def _hold_interrupt(self) -> Any:
        """Until the returned handler is put back, what Ctrl-C raises is kept. Raised at any place, it could leave the
        call running and nobody waiting for it. None: there is no handler to call."""
        before = signal.getsignal(signal.SIGINT)
        if not callable(before):
            return None

        def handle(number: int, frame: Any) -> None:
            try:
                before(number, frame)
            except BaseException as error:
                self._keep(error)

        signal.signal(signal.SIGINT, handle)
        return before

    @property
    def interrupted(self) -> Optional[BaseException]:
        """What a callback or Ctrl-C raised during the last call."""
        return self._error

    def _finish(self, status: int, message: str) -> int:
        kept, self._warnings = self._warnings, []
        for line in kept:
            if not any(words in line for words in self.expected_warnings):
                warn(line)
        if status < 0:
            raise self._error or error_of(status, self.rename(message))
        return status

    def make(self, kind: Any, free: Any, function: Any, *args: Any, base: Optional[Handle] = None) -> Handle:
        """`function(ctx, &pointer, *args)` as a Handle.

        kind: the struct that is made, such as gpr_params. base: what it borrows from.
        """
        pointer = ctypes.POINTER(kind)()
        try:
            self.call(function, ctypes.byref(pointer), *args)
        finally:  # a warning may be an exception: what was made is freed then
            made = Handle(self, pointer, free, base)
        return made


__all__ = ["Context", "Handle", "GprgnnError", "call", "lib", "text", "utf8", "warn", "logger"]
