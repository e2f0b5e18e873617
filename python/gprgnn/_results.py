"""What a fitted estimator tells about itself: scores with intervals, explanations, figures, the report.

The estimators inherit ResultMixin. It needs three methods of them: `_fitted_model()`, `_fitted_result()` and
`_fitted_data()` give the handles of the library; the last two None where a model was loaded from a file.
"""
from __future__ import annotations

import ctypes
import math
import os
from typing import Any, Dict, Iterator, List, NamedTuple, Optional

import numpy as np

from . import _header as h
from ._arrays import borrow
from ._checks import whole
from ._context import Context, Handle, call, lib, text, utf8
from ._dataset import Dataset

# Modules that only some calls need are imported there: `import gprgnn` takes a tenth of a second less.

_PARTS = {"train": h.GPR_TRAIN, "val": h.GPR_VAL, "test": h.GPR_TEST}


class Mean(NamedTuple):
    """The mean over the runs, their standard deviation, and half the width of the 95 % confidence interval."""

    mean: float
    sd: float
    ci95: float

    def __str__(self) -> str:
        return f"{self.mean:.2f} ± {self.ci95:.2f}" if self.sd else f"{self.mean:.2f}"


class Findings(Dict[str, Any]):
    """A dict of results that prints as a short list; the long parts are there under their keys."""

    def __repr__(self) -> str:
        lines = []
        for key, value in self.items():
            if isinstance(value, float):
                shown = f"{value:.6g}"
            elif isinstance(value, (list, dict)):
                shown = f"({len(value)} entries)" if value else "(none)"
            else:
                shown = str(value)
            lines.append(f"{key:<22} {shown}")
        return "\n".join(lines)


def _findings(found: Any) -> Findings:
    """A JSON text of the library."""
    import json

    return Findings(json.loads((found.value or b"{}").decode("utf-8", "replace")))


def _part(part: str) -> int:
    if part not in _PARTS:
        raise ValueError(f"part is {part!r}: it must be 'train', 'val' or 'test'")
    return _PARTS[part]


def _data_handle(data: Any) -> Optional[Handle]:
    if data is None:
        return None
    if not isinstance(data, Dataset):
        raise TypeError(f"data must be a Dataset, not {type(data).__name__}: make one with gprgnn.from_arrays")
    return data._handle


class ResultMixin:
    """Results of a training, for the estimators."""

    def _fitted_model(self) -> Handle:
        raise NotImplementedError

    def _fitted_result(self) -> Optional[Handle]:
        raise NotImplementedError

    def _fitted_data(self) -> Optional[Handle]:
        raise NotImplementedError

    # ---- handles ----

    def _result(self, what: str) -> Handle:
        self._fitted_model()  # says so if it is not fitted
        result = self._fitted_result()
        if result is None:
            raise ValueError(f"{what} needs the training of this model, and the model was loaded from a file or a "
                             "pickle: fit it, or read the run folder that its training wrote")
        return result

    def _data(self, data: Any, what: str) -> Handle:
        self._fitted_model()
        handle = _data_handle(data) or self._fitted_data()
        if handle is None:
            raise ValueError(f"{what} needs data, and the model was loaded from a file or a pickle: give data=, a "
                             "Dataset")
        return handle

    def _run_number(self, run: Optional[int], result: Handle) -> int:
        runs = int(lib.gpr_result_runs(result))
        if run is None:
            return int(lib.gpr_result_best_run(result))
        return whole(run, "run", high=runs - 1)

    # ---- numbers ----

    def mean(self, what: str = "test_accuracy") -> Mean:
        """The mean of a number over all runs, with its interval.

        Parameters
        ----------
        what : str
            "test_accuracy" (in percent), "val_loss", "test_macro_f1", "test_roc_auc", "best_epoch", "ms_per_epoch", or
            any other number that a run has. A wrong word is a ValueError that names the nearest one.

        Returns
        -------
        Mean
            (mean, sd, ci95); sd and ci95 are 0 for a single run.
        """
        values = [ctypes.c_double() for _ in range(3)]
        call(lib.gpr_result_mean, self._result("mean"), utf8(what, "what"), *(ctypes.byref(v) for v in values))
        return Mean(*(v.value for v in values))

    def metrics(self, part: str = "test", run: Optional[int] = None) -> Dict[str, float]:
        """All measures of one run on a part of its split, 0 to 1: accuracy, macro_f1, roc_auc and so on; of numbers
        r2, rmse, mae, median_error.

        Parameters
        ----------
        part : {"train", "val", "test"}
        run : int, optional
            By default the run whose model this is.
        """
        metrics = self._metrics("metrics", part, run)
        found: Dict[str, float] = {}
        index = 0
        while (word := lib.gpr_metrics_word(metrics, index)) is not None:
            value = ctypes.c_double()
            call(lib.gpr_metrics_value, metrics, word, ctypes.byref(value))
            found[text(word) or ""] = value.value
            index += 1
        return found

    def _metrics(self, what: str, part: str, run: Optional[int]) -> Any:
        result = self._result(what)
        metrics = lib.gpr_result_metrics(result, self._run_number(run, result), _part(part))
        if not metrics:
            raise ValueError(f"{what}: the split has no {part} nodes")
        return metrics

    def confusion_matrix(self, part: str = "test", run: Optional[int] = None) -> np.ndarray:
        """How many nodes of class i (row) were predicted as class j (column), in the order of ``classes_``.

        Parameters
        ----------
        part : {"train", "val", "test"}
        run : int, optional
            By default the run whose model this is.
        """
        result = self._result("confusion_matrix")
        metrics = self._metrics("confusion_matrix", part, run)
        classes = ctypes.c_int64()
        counts = lib.gpr_metrics_confusion(metrics, ctypes.byref(classes))
        if not counts:
            raise ValueError("confusion_matrix: there are more than 256 classes")
        return borrow(counts, (classes.value, classes.value), result).copy()

    def results(self) -> Dict[str, Any]:
        """Everything about the training, as in the program's result.json."""
        result = self._result("results")
        found = ctypes.c_char_p()
        Context(threads=1, quiet=True).call(lib.gpr_result_json, result, ctypes.byref(found))
        return _findings(found)

    def cautions(self) -> List[str]:
        """What a reader of the results must know, such as that the model predicts one class only. Usually empty."""
        result = self._result("cautions")
        found: List[str] = []
        while (sentence := lib.gpr_result_caution(result, len(found))) is not None:
            found.append(text(sentence) or "")
        return found

    def to_frame(self, what: str = "runs") -> Any:
        """A pandas DataFrame.

        Parameters
        ----------
        what : {"runs", "history", "gamma"}
            One row per run; or one row per run and epoch, with losses and accuracies; or one row per run, with the
            weights of the filter.
        """
        import pandas

        result = self._result("to_frame")
        runs = range(int(lib.gpr_result_runs(result)))
        if what == "runs":
            per_run = self.results()["per_run"]
            return pandas.DataFrame([{key: value for key, value in run.items() if not isinstance(value, (list, dict))}
                                     for run in per_run])
        if what == "gamma":
            if any(run.get("filters") for run in self.results()["per_run"]):
                return pandas.DataFrame([row for run in runs for row in self._filter_rows(run)])
            return pandas.DataFrame([self._gamma(run) for run in runs]).rename_axis("run")
        if what == "history":
            each = [pandas.DataFrame(self._history(run)).rename_axis("epoch").assign(run=run) for run in runs]
            return pandas.concat([frame.reset_index() for frame in each], ignore_index=True)
        raise ValueError(f"what is {what!r}: it must be 'runs', 'history' or 'gamma'")

    def _history(self, run: int) -> Dict[str, np.ndarray]:
        result = self._result("history")
        found = {}
        for word in ("train_loss", "val_loss", "test_loss", "train_accuracy", "val_accuracy", "test_accuracy"):
            values, count = ctypes.POINTER(ctypes.c_double)(), ctypes.c_int64()
            call(lib.gpr_result_history, result, run, word.encode(), ctypes.byref(values), ctypes.byref(count))
            found[word] = borrow(values, count.value, result)
        return found

    def _filter_rows(self, run: int) -> Iterator[Dict[str, Any]]:
        """The rows of gamma.csv of a run whose filter has several relations, directions or columns."""
        for part in self.results()["per_run"][run]["filters"]:
            for k, gamma in enumerate(part["gamma"]):
                for place, value in enumerate(gamma if isinstance(gamma, list) else [gamma]):
                    yield {"run": run, "relation": part["relation"], "direction": part["direction"],
                           "class": place if isinstance(gamma, list) else None, "k": k, "gamma": value}

    def _gamma(self, run: Optional[int] = None) -> np.ndarray:
        """The filter of a run, or of the model; empty if it has none."""
        if run is None:
            count = ctypes.c_int64()
            model = self._fitted_model()
            values = lib.gpr_model_gamma(model, ctypes.byref(count))
            return borrow(values, count.value, model) if values else np.empty(0, dtype=np.float32)
        result = self._result("gamma")
        info = h.gpr_run_info(struct_size=ctypes.sizeof(h.gpr_run_info))
        call(lib.gpr_result_run, result, run, ctypes.byref(info))
        return borrow(info.gamma, info.gamma_count, result) if info.gamma else np.empty(0, dtype=np.float32)

    # ---- explanations ----

    def inspect(self, data: Optional[Dataset] = None) -> Dict[str, Any]:
        """What the model's filter does: low-pass or high-pass, its response, the spectrum of the graph, smoothing.

        Parameters
        ----------
        data : Dataset, optional
            By default the data of the training; without any, the filter alone.
        """
        handle = _data_handle(data) or self._fitted_data()
        result = self._fitted_result() if data is None else None
        split = lib.gpr_result_split(result) if result is not None else None
        context = Context(threads=0, quiet=True)
        made = context.make(h.gpr_inspection, lib.gpr_inspection_free, lib.gpr_inspection_new, self._fitted_model(),
                            handle, split)
        return self._json(context, lib.gpr_inspection_json, made)

    def explain(self, node: Any, data: Optional[Dataset] = None, top: int = 10,
                class_: Optional[int] = None) -> Dict[str, Any]:
        """Why a node got its class: exact shares of hops, of other nodes and of the node's own columns.

        A score of gprgnn, appnp and sgc is a sum over nodes and hops. That of gprdeep is none: it has gradient times
        input, which is not exact ("method"). That of trees is a sum over their columns: exact shares (SHAP). Other
        models have neither (ValueError).

        Parameters
        ----------
        node : int or str
            Its number, or its id where the data has ids.
        data : Dataset, optional
            By default the data of the training.
        top : int
            How many nodes and columns to list.
        class_ : int, optional
            The number of the class whose score is explained (its place in ``classes_``); by default the predicted one.

        Returns
        -------
        dict
            "predicted", "probability", "score", "hops", "nodes", "columns" and so on (docs/explain.md).
        """
        handle = self._data(data, "explain")
        nodes = int(lib.gpr_dataset_nodes(handle))
        context = Context(threads=0, quiet=True)
        if isinstance(node, str):
            found = ctypes.c_int64()
            context.call(lib.gpr_dataset_find_node, ctypes.byref(found), handle, utf8(node, "node"))
            number = found.value
        else:
            number = whole(node, "node", high=nodes - 1)
        last = int(lib.gpr_model_classes(self._fitted_model())) - 1
        options = h.gpr_explain_options(struct_size=ctypes.sizeof(h.gpr_explain_options), top=whole(top, "top", 1),
                                        class_id=-1 if class_ is None else whole(class_, "class_", high=last))
        asked = (ctypes.c_int64 * 1)(number)
        made = context.make(h.gpr_explanation, lib.gpr_explanation_free, lib.gpr_explanation_new, self._fitted_model(),
                            handle, asked, 1, ctypes.byref(options))
        everything = self._json(context, lib.gpr_explanation_json, made)
        explained = Findings(everything["explained"][0])
        explained["gamma"] = everything["gamma"]
        return explained

    def importance(self, data: Optional[Dataset] = None, most: int = 50, repeats: int = 5,
                   seed: int = 0) -> Dict[str, Any]:
        """Which columns of the features matter: how much worse the model gets if the values of a column are shuffled.

        Parameters
        ----------
        data : Dataset, optional
            By default the data of the training; then the test nodes are judged, else all labelled nodes.
        most : int
            Try at most so many columns.
        repeats : int
        seed : int
        """
        handle = self._data(data, "importance")
        result = self._fitted_result() if data is None else None
        split = lib.gpr_result_split(result) if result is not None else None
        context = Context(threads=0, quiet=True)
        options = h.gpr_importance_options(struct_size=ctypes.sizeof(h.gpr_importance_options),
                                           most=whole(most, "most", 1), repeats=whole(repeats, "repeats", 1),
                                           seed=whole(seed, "seed"))
        made = context.make(h.gpr_importance, lib.gpr_importance_free, lib.gpr_importance_new, self._fitted_model(),
                            handle, split, ctypes.byref(options))
        return self._json(context, lib.gpr_importance_json, made)

    @staticmethod
    def _json(context: Context, function: Any, handle: Handle) -> Findings:
        found = ctypes.c_char_p()
        context.call(function, handle, ctypes.byref(found))
        return _findings(found)

    # ---- files and pages ----

    def save_run(self, folder: Any) -> None:
        """Writes the run folder of the program: model, settings, history, predictions, split, results, report.html.

        ``gprgnn inspect``, ``explain``, ``compare`` and ``predict`` read it.
        """
        Context(threads=1, quiet=True).call(
            lib.gpr_result_save, self._result("save_run"), self._fitted_model(), self._data(None, "save_run"),
            utf8(folder, "folder"))

    def report(self, path: Any = "report.html") -> str:
        """Writes the program's report, one HTML page with everything in it, and returns its path."""
        import shutil
        import tempfile

        target = os.path.abspath(os.fsdecode(path))
        with tempfile.TemporaryDirectory() as folder:
            self.save_run(os.path.join(folder, "run"))
            shutil.copyfile(os.path.join(folder, "run", "report.html"), target)
        return target

    def summary(self) -> str:
        """The results in a few lines of text."""
        result = self._fitted_result()
        name = type(self).__name__
        if result is None:
            return f"{name}: a model of {lib.gpr_model_features(self._fitted_model())} features and " \
                   f"{lib.gpr_model_classes(self._fitted_model())} classes, from a file"
        runs = int(lib.gpr_result_runs(result))
        lines = [f"{name}: {runs} run{'s' if runs > 1 else ''}, {float(lib.gpr_result_seconds(result)):.2f} s"]
        word = text(lib.gpr_result_headline(result)) or "accuracy"
        if word != "accuracy":  # the metric that fits the data comes first
            mean = self.mean(f"test_{word}")
            shown = f"{mean.mean:.3f} ± {mean.ci95:.3f}" if mean.sd else f"{mean.mean:.3f}"
            lines.append(f"  test {word.replace('_', ' ')}: {shown}")
        for part in ("train", "val", "test"):
            mean = self.mean(f"{part}_accuracy")
            if not math.isnan(mean.mean):
                lines.append(f"  {part + ' accuracy':<16} {mean} %")
        lines.append(f"  {'best epoch':<16} {self.mean('best_epoch').mean:.0f} of {self.mean('epochs').mean:.0f}")
        gamma = self._gamma()
        if gamma.size:
            lines.append(f"  {'gamma':<16} " + " ".join(f"{value:.3f}" for value in gamma))
        lines += [f"  note: {sentence}" for sentence in self.cautions()]
        return "\n".join(lines)

    def _figures(self) -> List[str]:
        """SVG figures of the filter and of the curves of the best run."""
        from ._svg import bars, curves

        figures: List[str] = []
        gamma = self._gamma()
        if gamma.size:
            figures.append(bars(gamma.tolist(), "weights of the hops (γ)", "hop k"))
        result = self._fitted_result()
        if result is not None:
            run = int(lib.gpr_result_best_run(result))
            info = h.gpr_run_info(struct_size=ctypes.sizeof(h.gpr_run_info))
            call(lib.gpr_result_run, result, run, ctypes.byref(info))
            history = self._history(run)
            for what in ("loss", "accuracy"):
                series = [(part, history[f"{part}_{what}"]) for part in ("train", "val", "test")]
                figures.append(curves(series, what if what == "loss" else "accuracy, %", "epoch",
                                      mark=float(info.best_epoch)))
        return [figure for figure in figures if figure]

    def _repr_html_(self) -> str:
        """For notebooks: the summary, the filter and the curves."""
        import html

        try:
            body = html.escape(self.summary())
        except Exception:  # not fitted: its settings
            return f"<pre>{html.escape(repr(self))}</pre>"
        return f"<div><pre>{body}</pre><div>{''.join(self._figures())}</div></div>"
