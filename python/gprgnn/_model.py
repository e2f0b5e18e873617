"""A trained model of the library: its weights, its file, its predictions."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np

from . import _header as h
from ._context import Context, Handle, call, lib, text, utf8


class Prediction(NamedTuple):
    """Of all nodes: class numbers, probabilities, scores before softmax; None where it was not asked for."""

    classes: Optional[np.ndarray]
    proba: Optional[np.ndarray]
    logits: Optional[np.ndarray]


class TrainedModel:
    """A model, read only. Several threads may use it at once.

    Attributes
    ----------
    handle : Handle
        The gpr_model.
    """

    def __init__(self, handle: Handle) -> None:
        self.handle = handle

    @classmethod
    def from_bytes(cls, content: bytes) -> "TrainedModel":
        """The model of a model file's bytes; they are checked."""
        context = Context()
        return cls(context.make(h.gpr_model, lib.gpr_model_free, lib.gpr_model_from_bytes, content, len(content)))

    @classmethod
    def load(cls, path: Any) -> "TrainedModel":
        """The model of a file, as `save` and the program write it, or of a run folder."""
        context, where = Context(), utf8(path, "path")
        if os.path.isdir(where):
            call(lib.gpr_run_folder_repair, where)
            where = os.path.join(where, b"model.safetensors")
        return cls(context.make(h.gpr_model, lib.gpr_model_free, lib.gpr_model_load, where))

    def save(self, path: Any) -> None:
        """Writes the model file, whole or not at all."""
        Context().call(lib.gpr_model_save, self.handle, utf8(path, "path"))

    def to_bytes(self) -> bytes:
        """The bytes of the model file."""
        context, address, size = Context(), ctypes.c_void_p(), ctypes.c_size_t()
        context.call(lib.gpr_model_to_bytes, ctypes.byref(address), ctypes.byref(size), self.handle)
        try:
            return ctypes.string_at(address, size.value)
        finally:
            lib.gpr_bytes_free(context, address)

    @property
    def name(self) -> str:
        """The word of the model: "gprgnn", "gcn", ..."""
        return text(lib.gpr_model_name(self.handle)) or ""

    @property
    def features(self) -> int:
        return int(lib.gpr_model_features(self.handle))

    @property
    def class_names(self) -> List[Optional[str]]:
        """One per class; None: it has a number only."""
        return [text(lib.gpr_model_class_name(self.handle, i)) for i in range(lib.gpr_model_classes(self.handle))]

    @property
    def feature_names(self) -> Optional[List[str]]:
        names = [text(lib.gpr_model_feature_name(self.handle, i)) for i in range(self.features)]
        return None if any(name is None for name in names) else [str(name) for name in names]

    @property
    def gamma(self) -> Optional[np.ndarray]:
        """The weights of the graph filter; None: the model has none."""
        count = ctypes.c_int64()
        values = lib.gpr_model_gamma(self.handle, ctypes.byref(count))
        return np.array(np.ctypeslib.as_array(values, (count.value,))) if values else None

    @property
    def filters(self) -> List[Dict[str, Any]]:
        """The parts of the graph filter, each a kind of edges in one direction; empty: the model has none.

        A model with a filter in each block has the parts of one block after those of another, each with its "block".
        """
        found: List[Dict[str, Any]] = []
        for index in range(lib.gpr_model_filter_count(self.handle)):
            info = h.gpr_filter_info(struct_size=ctypes.sizeof(h.gpr_filter_info))
            call(lib.gpr_model_filter, self.handle, index, ctypes.byref(info))
            gamma = np.empty((info.hops + 1, info.columns), np.float32)
            call(lib.gpr_model_filter_gamma, self.handle, index, gamma.ctypes.data_as(ctypes.POINTER(ctypes.c_float)))
            found.append({**({"block": info.block} if info.block else {}),
                          "relation": info.relation.decode() or None, "direction": info.direction.decode(),
                          "basis": info.basis.decode(), "loops": bool(info.loops),
                          "gamma": gamma if info.columns > 1 else gamma[:, 0]})
        return found

    @property
    def plan(self) -> Any:
        """How the columns of tables become features (gpr_plan); None: the model was trained on arrays."""
        return lib.gpr_model_plan(self.handle) or None

    def option(self, word: str) -> Optional[str]:
        """An option of the training by the library's word, as text."""
        return text(lib.gpr_model_param(self.handle, word.encode()))

    @property
    def weights(self) -> Dict[str, np.ndarray]:
        """All weights by name. A matrix has the shape (inputs, outputs)."""
        found: Dict[str, np.ndarray] = {}
        for index in range(lib.gpr_model_weight_count(self.handle)):
            info = h.gpr_weight_info(struct_size=ctypes.sizeof(h.gpr_weight_info))
            call(lib.gpr_model_weight, self.handle, index, ctypes.byref(info))
            shape = (info.rows, info.cols) if info.axes == 2 else (info.cols,)
            found[info.name.decode()] = np.array(np.ctypeslib.as_array(info.values, shape))
        return found

    def labels(self, context: Context, data: Handle) -> np.ndarray:
        """The labels of `data` as classes of the model; -1: none, GPR_UNKNOWN_CLASS: one that it does not know."""
        found = np.empty(lib.gpr_dataset_nodes(data), np.int32)
        context.call(lib.gpr_model_labels, self.handle, data, found.ctypes.data_as(ctypes.POINTER(ctypes.c_int32)))
        return found

    def predict(self, context: Context, data: Handle, *, classes: bool = False, proba: bool = False,
                logits: bool = False, known_labels: Optional[np.ndarray] = None,
                adapt_prior: bool = False) -> Prediction:
        """One pass over `data`. known_labels: (nodes) classes that the model gets as an input; -1: not known."""
        nodes, count = lib.gpr_dataset_nodes(data), lib.gpr_model_classes(self.handle)
        made = Prediction(np.empty(nodes, np.int32) if classes else None,
                          np.empty((nodes, count), np.float32) if proba else None,
                          np.empty((nodes, count), np.float32) if logits else None)
        options = h.gpr_predict_options(struct_size=ctypes.sizeof(h.gpr_predict_options),
                                        adapt_prior=bool(adapt_prior))
        if known_labels is not None:
            options.known_labels = known_labels.ctypes.data_as(ctypes.POINTER(ctypes.c_int32))
        kinds: Tuple[Any, ...] = (ctypes.c_int32, ctypes.c_float, ctypes.c_float)
        arrays = [None if array is None else array.ctypes.data_as(ctypes.POINTER(kind))
                  for array, kind in zip(made, kinds)]
        context.run(lib.gpr_predict_with, self.handle, data, *arrays, ctypes.byref(options))
        if context.interrupted is not None:
            raise context.interrupted
        return made
