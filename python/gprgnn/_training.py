"""One training: callbacks, the progress bar, and the result as plain Python data."""
from __future__ import annotations

import ctypes
import sys
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _header as h
from ._context import Context, Handle, call, lib, text, warn

CURVES = ("train_loss", "val_loss", "test_loss", "train_accuracy", "val_accuracy", "test_accuracy", "val_metric")


class Progress(NamedTuple):
    """What a callback gets after every epoch; losses and accuracies are of the weights after `epoch` steps."""

    run: int
    runs: int
    epoch: int
    epochs: int
    train_loss: float
    val_loss: float
    val_accuracy: float
    test_accuracy: float
    best_epoch: int
    stage: str
    share: float


def progress_of(report: Any) -> Progress:
    return Progress(report.run, report.runs, report.epoch, report.epochs, report.train_loss, report.val_loss,
                    report.val_accuracy, report.test_accuracy, report.best_epoch, text(report.stage) or "",
                    report.share)


class _Bar:
    """A progress bar over all epochs of all runs: tqdm's, or a line on stderr."""

    def __init__(self) -> None:
        self.done: Dict[int, int] = {}
        self.bar: Any = None
        self.shown = -1

    def update(self, at: Progress) -> None:
        if at.stage != "training":
            return
        self.done[at.run] = at.epoch
        total, done = at.runs * at.epochs, sum(self.done.values())
        if self.bar is None:
            self.bar = self._open(total)
        if self.bar is not False:
            self.bar.update(done - self.bar.n)
            self.bar.set_postfix(val_loss=f"{at.val_loss:.3f}", val_accuracy=f"{at.val_accuracy:.1f}", refresh=False)
        elif 20 * done // total != self.shown:
            self.shown = 20 * done // total
            sys.stderr.write(f"\r{100 * done // total:3d} %  val loss {at.val_loss:.3f}")
            sys.stderr.flush()

    @staticmethod
    def _open(total: int) -> Any:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return False
        return tqdm(total=total, unit="epoch", leave=False)

    def close(self) -> None:
        if self.bar:
            self.bar.close()
        elif self.bar is False:
            sys.stderr.write("\n")


def watcher(callback: Any, bar: Optional[_Bar]) -> Optional[Callable[[Any], bool]]:
    """The progress function of a context: the bar, then the callbacks. None: nobody looks."""
    callbacks: List[Any] = list(callback) if isinstance(callback, (list, tuple)) else [callback] if callback else []
    for one in callbacks:
        if not callable(one):
            raise TypeError(f"callback must be callable or a list of callables, not {type(one).__name__}")
    if not callbacks and bar is None:
        return None

    def watch(report: Any) -> bool:
        at = progress_of(report)
        if bar is not None:
            bar.update(at)
        return any([bool(one(at)) for one in callbacks])

    return watch


def train(context: Context, data: Handle, params: Handle, parts: Optional[Sequence[np.ndarray]],
          runs: int) -> Tuple[Handle, Handle, int]:
    """(model, result, status). parts: a split per run, in turn; None: by the option `split`."""
    function: Any = lib.gpr_train
    more: Tuple[Any, ...] = ()
    if parts is not None:
        splits = [context.make(h.gpr_split, lib.gpr_split_free, lib.gpr_split_from_parts, data,
                               part.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8)), part.size) for part in parts]
        count = runs if runs > 1 else len(splits)
        table = (ctypes.POINTER(h.gpr_split) * count)(
            *[splits[run % len(splits)]._as_parameter_ for run in range(count)])
        function, more = lib.gpr_train_splits, (table, count)
    model, result = ctypes.POINTER(h.gpr_model)(), ctypes.POINTER(h.gpr_result)()
    try:
        status = context.run(function, ctypes.byref(model), ctypes.byref(result), data, params, *more)
    finally:  # a warning may be an exception: what was made is freed then
        made = (Handle(context, model, lib.gpr_model_free), Handle(context, result, lib.gpr_result_free))
    return made[0], made[1], status


class TrainingResult:
    """What a training found, as plain data: it can be pickled.

    Attributes
    ----------
    runs : list of dict
        One per run: seed, epochs, best_epoch, losses, accuracies in percent, seconds, gamma.
    best_run : int
        The run whose model was kept.
    seconds : float
        Time of the whole training.
    parts : numpy.ndarray
        The split of the best run: 0 unused, 1 training, 2 validation, 3 test.
    stopped : bool
        A callback or Ctrl-C ended it early.
    """

    def __init__(self, result: Handle, status: int) -> None:
        self.best_run = int(lib.gpr_result_best_run(result))
        self.seconds = float(lib.gpr_result_seconds(result))
        self.stopped = status == h.GPR_STOPPED
        self.runs = [_run(result, i) for i in range(lib.gpr_result_runs(result))]
        self.failures = [_failure(result, i) for i in range(lib.gpr_result_failures(result))]
        self.choice = text(lib.gpr_result_choice(result))
        count = ctypes.c_int64()
        parts = lib.gpr_split_parts(lib.gpr_result_split(result), ctypes.byref(count))
        self.parts = np.array(np.ctypeslib.as_array(parts, (count.value,)))
        self._histories = [_history(result, i) for i in range(len(self.runs))]

    def history(self, run: Optional[int] = None) -> Dict[str, np.ndarray]:
        """Curves of a run, by default the best one: entry e is of the weights after e steps; "gamma" has such rows."""
        return self._histories[self.best_run if run is None else run]

    def warn(self) -> None:
        """A warning where something ended early or failed."""
        if self.failures:
            warn(f"{len(self.failures)} of {len(self.failures) + len(self.runs)} runs failed: {self.failures[0]}")
        if self.stopped:
            epochs = self.runs[self.best_run]["epochs"]
            warn(f"the training was stopped after {epochs} epochs: the best model so far is kept")

    def __repr__(self) -> str:
        best = self.runs[self.best_run]
        known = "".join(f"{word}={best[word]:.1f}, " for word in ("val_accuracy", "test_accuracy")
                        if best[word] == best[word])  # there may be no such nodes
        return (f"TrainingResult(runs={len(self.runs)}, best_epoch={best['best_epoch']}, {known}"
                f"seconds={self.seconds:.2f})")


def _run(result: Handle, index: int) -> Dict[str, Any]:
    info = h.gpr_run_info(struct_size=ctypes.sizeof(h.gpr_run_info))
    call(lib.gpr_result_run, result, index, ctypes.byref(info))
    found = {field[0]: getattr(info, field[0]) for field in info._fields_
             if field[0] not in ("struct_size", "gamma_count")}
    found["gamma"] = np.array(np.ctypeslib.as_array(info.gamma, (info.gamma_count,))) if info.gamma else None
    return found


def _failure(result: Handle, index: int) -> str:
    info = h.gpr_failure_info(struct_size=ctypes.sizeof(h.gpr_failure_info))
    call(lib.gpr_result_failure, result, index, ctypes.byref(info))
    return f"run {info.run}: {text(info.message)}"


def _history(result: Handle, run: int) -> Dict[str, np.ndarray]:
    curves: Dict[str, np.ndarray] = {}
    values, count = ctypes.POINTER(ctypes.c_double)(), ctypes.c_int64()
    for what in CURVES:
        call(lib.gpr_result_history, result, run, what.encode(), ctypes.byref(values), ctypes.byref(count))
        curve = np.array(np.ctypeslib.as_array(values, (count.value,)))
        if not np.isnan(curve).all():
            curves[what] = curve
    gamma, rows, stride = ctypes.POINTER(ctypes.c_float)(), ctypes.c_int64(), ctypes.c_int64()
    call(lib.gpr_result_gamma_history, result, run, ctypes.byref(gamma), ctypes.byref(rows), ctypes.byref(count),
         ctypes.byref(stride))
    if gamma:
        curves["gamma"] = np.array(np.ctypeslib.as_array(gamma, (rows.value, count.value)))
    return curves
