"""One estimator class per model of the library, made from its table of options."""
from __future__ import annotations

import ctypes
import textwrap
from typing import Any, Dict, List, Type

from . import _header as h
from ._context import call, lib, text
from ._estimator import NodeClassifier
from ._model import TrainedModel
from ._options import Option, options_of
from ._protocol import initializer
from ._regressor import NodeRegressor

# Names that are not the word in capitals. MLPClassifier is one of scikit-learn.
_CLASS_NAMES = {"mlp": "MLPNodeClassifier", "cheby": "ChebyClassifier", "jknet": "JKNetClassifier",
                "geomgcn": "GeomGCNClassifier", "gprdeep": "GPRDeepClassifier", "trees": "TreesClassifier",
                "stack": "StackClassifier", "auto": "AutoClassifier"}
_ABOUT = {
    "gprgnn": "GPR-GNN: a network on the features, then a graph filter whose weights are learned.\n\n"
              "The filter adapts to graphs whose neighbours are alike and to graphs whose neighbours differ.",
    "appnp": "APPNP: a network on the features, then personalised PageRank with fixed weights.",
    "mlp": "A network on the features alone: what the graph adds is seen by comparison.",
    "sgc": "SGC: features averaged over K steps, then one linear layer.",
    "gcn": "GCN: two layers, each averages over the neighbours.",
    "sage": "GraphSAGE: two layers, each with weights of its own for a node and for its neighbours.",
    "cheby": "ChebNet: two layers with Chebyshev polynomials of the graph's Laplacian.",
    "gat": "GAT: two layers that weigh neighbours by attention.",
    "jknet": "JK-Net: GCN layers, combined by an LSTM with attention.",
    "geomgcn": "Geom-GCN: aggregates over neighbours in the graph and in a latent space.",
    "gprdeep": "GPR blocks: a deep network with residuals, each block with graph filters whose weights are learned.",
    "trees": "Boosted trees on columns of a node and of its neighbours, known labels among them, and of the graph.\n\n"
             "fit needs libxgboost (Debian: libxgboost0); what is fitted does not.",
    "stack": "A GPR-GNN, then boosted trees that go on from its scores.\n\n"
             "What the trees learn from is out of fold. fit needs libxgboost (Debian: libxgboost0); what is fitted "
             "does not.",
    "auto": "Several models with several settings, each trained on the same split: the validation nodes choose.\n\n"
            "`result_.choice` says what was chosen and by how much, `model_.name` which model it is. Each fit chooses "
            "for itself.",
}
_FITTED = """
Attributes
----------
classes_ : numpy.ndarray
    The classes, sorted.
n_features_in_ : int
feature_names_in_ : numpy.ndarray of str
    Where X is a DataFrame with names.
gamma_ : numpy.ndarray
    The weights of the graph filter, for a model that has one with the same K + 1 weights for all classes and edges.
filters_ : list of dict
    The parts of any filter: "relation", "direction", "basis", "loops", "gamma".
history_ : dict
    Curves of the best run: "train_loss", "val_loss", "val_accuracy", ...
runs_ : list of dict
    One per run: seed, epochs, best_epoch, losses, accuracies in percent.
best_epoch_, n_iter_ : int
    The epoch whose weights were kept; how many there were.
train_mask_, val_mask_, test_mask_ : numpy.ndarray of bool
    The split of the best run.
result_ : TrainingResult
model_ : TrainedModel
"""
_CLASSES_LINES = """classes_ : numpy.ndarray
    The classes, sorted.
"""
_NUMBER_EXAMPLE = """
Examples
--------
>>> import numpy as np
>>> from gprgnn import {name}
>>> ring = np.array([np.arange(60), (np.arange(60) + 1) % 60])
>>> y = 100 + 20 * np.sin(np.arange(60) / 5)
>>> X = np.eye(60, dtype=np.float32)
>>> model = {name}(epochs=30{more}).fit(X, y, graph=ring)
>>> model.predict(X, graph=ring).shape
(60,)
"""
_EXAMPLE = """
Examples
--------
>>> import numpy as np
>>> from gprgnn import {name}
>>> ring = np.array([np.arange(60), (np.arange(60) + 1) % 60])
>>> y = np.where(np.arange(60) < 30, "left", "right")
>>> X = np.eye(60, dtype=np.float32)
>>> model = {name}(epochs=30{more}).fit(X, y, graph=ring)
>>> model.predict(X, graph=ring).shape, model.classes_.tolist()
((60,), ['left', 'right'])
"""


def _models() -> List[str]:
    """The words of the models, from the range of the option `model`."""
    for index in range(lib.gpr_param_count()):
        info = h.gpr_param_info(struct_size=ctypes.sizeof(h.gpr_param_info))
        call(lib.gpr_param_describe, index, ctypes.byref(info))
        if info.name == b"model":
            return (text(info.range) or "").split("|")
    raise ImportError("gprgnn: the library has no option `model`")


def _kind(option: Option) -> str:
    """The type of a parameter, in words."""
    own = {"init": "str or list of float", "class_weight": "str, dict or None", "n_jobs": "int or None",
           "random_state": "int, RandomState, Generator or None", "preset": "str, path or None"}
    if option.name in own:
        return own[option.name]
    if {"yes", "no"} <= set(option.range.split("|")):
        return "str or bool"
    return {"int": "int", "real": "float", "choice": "str", "text": "str"}.get(option.type, option.type)


def parameter_docs(options: List[Option]) -> str:
    """The section of a docstring."""
    lines = ["Parameters", "----------"]
    for option in options:
        lines.append(f"{option.name} : {_kind(option)}, default={option.default!r}")
        words = option.help + "."
        if not words.startswith(tuple(f"{word}:" for word in option.range.split("|"))):
            words = words[:1].upper() + words[1:]
        if option.range:
            words += f" Allowed: {option.range}."
        lines += textwrap.wrap(words, 100, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)


def _regressor(word: str) -> Type[NodeRegressor]:
    """The same model of a number."""
    name = _CLASS_NAMES.get(word, f"{word.upper()}Classifier").replace("Classifier", "Regressor")
    options = options_of(word, numbers=True)
    more = ", embedding='poincare'" if word == "geomgcn" else ""
    doc = "\n".join([_ABOUT.get(word, f"The model {word}."), "", "It tells a number of each node.", "",
                     parameter_docs(options), _FITTED.replace(_CLASSES_LINES, ""),
                     _NUMBER_EXAMPLE.format(name=name, more=more).lstrip("\n")])
    content: Dict[str, Any] = {"__doc__": doc, "__module__": "gprgnn", "_word": word, "_options": options,
                               "__init__": initializer(name, options)}
    return type(name, (NodeRegressor,), content)


def _make(word: str) -> Type[NodeClassifier]:
    name = _CLASS_NAMES.get(word, f"{word.upper()}Classifier")
    options = options_of(word)
    more = ", embedding='poincare'" if word == "geomgcn" else ""
    about = _ABOUT.get(word, f"The model {word}.")
    doc = "\n".join([about, "", parameter_docs(options), _FITTED, _EXAMPLE.format(name=name, more=more).lstrip("\n")])
    content: Dict[str, Any] = {"__doc__": doc, "__module__": "gprgnn", "_word": word, "_options": options,
                               "__init__": initializer(name, options)}
    return type(name, (NodeClassifier,), content)


CLASSES: Dict[str, Type[NodeClassifier]] = {word: _make(word) for word in _models()}
# Trees and the choice among models are of classes so far.
REGRESSORS: Dict[str, Type[NodeRegressor]] = {word: _regressor(word) for word in CLASSES
                                              if word not in ("auto", "trees", "stack")}
_MADE: List[Type[Any]] = [*CLASSES.values(), *REGRESSORS.values()]
globals().update({made.__name__: made for made in _MADE})
__all__ = [made.__name__ for made in _MADE] + ["load"]


def load(path: Any) -> Any:
    """The fitted estimator of a model file, of the class of its model.

    Parameters
    ----------
    path : str or path
        A file that `save` or the program has written, or a run folder.

    Returns
    -------
    estimator
    """
    trained = TrainedModel.load(path)
    if trained.name not in CLASSES:
        raise ValueError(f"the file has a model of the kind {trained.name}, which this version does not know")
    if lib.gpr_model_task(trained.handle) == b"number":
        return REGRESSORS[trained.name]._of_model(trained)
    return CLASSES[trained.name]._of_model(trained)
