"""The library's table of options as parameters of the estimators.

A new row of the table is a new parameter by itself. A few words have another name in Python, because scikit-learn has
one for them; see RENAMED.
"""
from __future__ import annotations

import ctypes
import difflib
import numbers
import os
from typing import Any, Dict, List, NamedTuple, Optional

import numpy as np

from . import _header as h
from ._context import Context, Handle, call, lib, text, utf8

RENAMED = {"seed": "random_state", "threads": "n_jobs"}
# `model` is the class itself, and `sample-weight` an argument of fit.
LEFT_OUT = ("model", "sample-weight")
# What classifiers or regressors have not.
OF_NUMBERS = ("loss",)
OF_CLASSES = ("class-weight", "label-input", "label-share", "label-counts", "calibrate", "smooth")


class WrongParameter(ValueError, TypeError):
    """A parameter of a wrong type; scikit-learn's InvalidParameterError is of both kinds too."""


class Option(NamedTuple):
    """One parameter of an estimator."""

    name: str  # in Python
    word: Optional[str]  # of the library; None: the package's own
    type: str  # "int", "real", "choice", "text"; for docs
    default: Any
    range: str
    help: str


# What the estimators have beside the table.
OWN = [
    Option("preset", None, "str", None, "paper, filters or a file of `gprgnn search`",
           "settings for the options that have their default value"),
    Option("data", None, "object", None, "a Dataset or (X, graph)",
           "the nodes' features and graph: fit and predict then get numbers of nodes, as cross-validation needs it"),
    Option("callback", None, "callable or list", None, "",
           "gets a Progress after every epoch; a true result ends the training, and the best model so far is kept"),
    Option("progress", None, "bool", False, "", "show a progress bar (by tqdm, if it is there)"),
    Option("verbose", None, "int", 0, "[0, 2]", "1: print what the library reports; 2: all of it"),
]

_RANDOM_STATE = "also None: another seed each time, or a numpy RandomState or Generator, which draws one"
_N_JOBS = ("number of threads; None: one per CPU, or fewer where $OMP_NUM_THREADS says so, as joblib does in its "
           "workers (so it is with scikit-learn's own estimators that compute in threads, such as "
           "HistGradientBoostingClassifier); 1: one; -1: one per CPU, -2: one less. The result is the same for any "
           "number")
# Types of parameters: what is accepted, in words.
_EXPECTED = {"int": "an int", "real": "a number", "choice": "one of", "text": "a text"}


def default_value(kind: str, value: str) -> Any:
    """The text of a default as a Python value."""
    if kind == "int":
        return int(value)
    if kind == "real":
        return float(value)
    return None if value == "none" else value


def options_of(model: str, numbers: bool = False) -> List[Option]:
    """The parameters of the classifier of this model, or of the regressor, in the order of the table."""
    found = []
    other = OF_CLASSES if numbers else OF_NUMBERS
    for index in range(lib.gpr_param_count()):
        info = h.gpr_param_info(struct_size=ctypes.sizeof(h.gpr_param_info))
        call(lib.gpr_param_describe, index, ctypes.byref(info))
        word = info.name.decode()
        if word in LEFT_OUT or word in other or not lib.gpr_param_applies(index, model.encode()):
            continue
        name = RENAMED.get(word, word.replace("-", "_"))
        kind = info.type.decode()
        default = default_value(kind, lib.gpr_param_default(index, model.encode()).decode())
        help_text, bounds = info.help.decode(), info.range.decode()
        if name == "n_jobs":
            default, help_text, bounds = None, _N_JOBS, ""
        elif name == "random_state":
            help_text = f"{help_text}; {_RANDOM_STATE}"
        elif word == "class-weight":
            help_text += "; also a dict {class: weight}"
        elif word == "split":
            help_text += ". Masks of fit take its place; with the parameter data, auto is 80/20/0"
        found.append(Option(name, word, kind, default, bounds, help_text))
    return found + OWN


def thread_count(n_jobs: Any) -> int:
    """n_jobs, as scikit-learn has it, as a number of threads."""
    if n_jobs is None:
        limit = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()  # "4,2": 2 are for nested loops
        return min(int(limit), 1024) if limit.isdigit() else 0
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, numbers.Integral):
        raise TypeError(f"n_jobs must be an int or None, not {type(n_jobs).__name__}")
    jobs = int(n_jobs)
    if jobs == 0:
        raise ValueError("n_jobs is 0: it must be None, 1 or more, or negative (-1: one thread per CPU)")
    if jobs > 0:
        return min(jobs, 1024)
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(available + 1 + jobs, 1)


def seed_of(random_state: Any) -> int:
    """random_state as a seed of the library."""
    if random_state is None:
        return int(np.random.mtrand._rand.randint(1, 2**31 - 1))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(1, 2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(1, 2**31 - 1))
    if isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool) and int(random_state) >= 0:
        return int(random_state)
    raise ValueError(f"{random_state!r} cannot be used to seed: random_state must be None, an int of 0 or more, or a "
                     "numpy RandomState or Generator")


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:  # of a damaged object
        return ""
    return text if len(text) <= 60 else text[:57] + "..."


def as_text(option: Option, value: Any) -> str:
    """A parameter's value as the library's text. WrongParameter: it is of another type."""
    is_bool = isinstance(value, (bool, np.bool_))
    if option.type == "int":
        if isinstance(value, numbers.Integral) and not is_bool:
            return str(int(value))
    elif option.type == "real":
        if isinstance(value, numbers.Real) and not is_bool:
            return repr(float(value))
    elif value is None:
        return "none"
    elif isinstance(value, str):
        return value
    elif is_bool and {"yes", "no"} <= set(option.range.split("|")):
        return "yes" if value else "no"
    elif option.type == "text" and hasattr(value, "__fspath__"):
        return os.fsdecode(os.fspath(value))
    elif "list of" in option.range and isinstance(value, (list, tuple, np.ndarray)) and np.asarray(value).ndim == 1:
        return ",".join(repr(float(number)) for number in value)
    more = option.range if option.type in ("choice", "text") else f"within {option.range}"
    expected = f"{_EXPECTED[option.type]}, {more}".replace("one of,", "one of")
    raise WrongParameter(f"{option.name} must be {expected}; not the {type(value).__name__} {_shown(value)}")


def is_default(option: Option, value: Any) -> bool:
    if isinstance(value, (str, numbers.Number)) and not isinstance(value, bool):
        return bool(value == option.default)
    return value is option.default


def unknown_parameter(owner: str, name: str, known: List[str]) -> str:
    """The sentence for a wrong name."""
    near = difflib.get_close_matches(name, known, 1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"Invalid parameter {name!r} for estimator {owner}.{hint} Valid parameters are: {known!r}."


def new_params(context: Context, model: str, options: List[Option], values: Dict[str, Any], data: Handle,
               preset: Any = None, sample_weight: Optional[str] = None, split: Optional[str] = None) -> Handle:
    """The options of a training.

    Values that are the default are not set, so that a preset may decide. split: takes the place of that option.
    sample_weight: the value of the option of that name, where nodes have weights.
    """
    params = context.make(h.gpr_params, lib.gpr_params_free, lib.gpr_params_new)
    call(lib.gpr_params_set, params, b"model", model.encode())
    for option in options:
        value = values[option.name]
        if option.word in (None, "threads", "device"):
            continue
        if option.word == "seed":
            call(lib.gpr_params_set, params, b"seed", str(seed_of(value)).encode())
        elif option.word == "class-weight" and isinstance(value, dict):
            pass  # they are part of the weights of nodes
        elif option.word == "split" and split is not None:
            call(lib.gpr_params_set, params, b"split", split.encode())
        elif not is_default(option, value):
            call(lib.gpr_params_set, params, option.word.encode(), utf8(as_text(option, value), option.name))
    if sample_weight is not None:
        call(lib.gpr_params_set, params, b"sample-weight", sample_weight.encode())
    if preset is not None:
        context.call(lambda ctx: lib.gpr_params_preset(params, utf8(preset, "preset"), data))
    call(lib.gpr_params_check, params)
    return params


def model_options(model: Any) -> Dict[str, Any]:
    """The parameters that a trained model was made with, for one that comes from a file."""
    found: Dict[str, Any] = {}
    for option in options_of(text(lib.gpr_model_name(model)) or ""):
        value = lib.gpr_model_param(model, option.word.encode()) if option.word else None
        if value is not None:
            found[option.name] = default_value(option.type, value.decode("utf-8", "replace"))
    return found
