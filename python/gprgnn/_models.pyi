"""The types of the estimators. Written by python/stubs.py: change the table of options, then run that."""
import os
from typing import Any, Callable, Dict, List, Literal, Optional, Sequence, Type, Union

import numpy as np

from ._estimator import NodeClassifier
from ._options import Option
from ._regressor import NodeRegressor
from ._training import Progress

_Path = Union[str, "os.PathLike[str]"]
_Callback = Callable[[Progress], Any]
_RandomState = Union[None, int, np.random.RandomState, np.random.Generator]

CLASSES: Dict[str, Type[NodeClassifier]]
REGRESSORS: Dict[str, Type[NodeRegressor]]

def load(path: _Path) -> Any: ...
def parameter_docs(options: List[Option]) -> str: ...

class GPRGNNClassifier(NodeClassifier):
    hidden: int
    K: int
    init: Union[str, Sequence[float], np.ndarray]
    alpha: float
    dropout: float
    dprate: float
    layers: int
    relations: str
    direction: str
    basis: str
    gamma: Literal["shared", "columns"]
    loops: Union[bool, Literal["yes", "no"]]
    order: Literal["network-first", "filter-first"]
    state: Literal["float32", "bfloat16"]
    label_input: Union[bool, Literal["auto", "no", "yes"]]
    label_share: float
    label_counts: Union[bool, Literal["auto", "no", "yes"]]
    lr: float
    weight_decay: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    batch: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    class_weight: Union[None, str, Dict[Any, float]]
    calibrate: Union[bool, Literal["auto", "no", "yes"]]
    refit: Union[bool, Literal["auto", "no", "yes"]]
    smooth: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    reorder: str
    hops_file: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        hidden: int = ...,
        K: int = ...,
        init: Union[str, Sequence[float], np.ndarray] = ...,
        alpha: float = ...,
        dropout: float = ...,
        dprate: float = ...,
        layers: int = ...,
        relations: str = ...,
        direction: str = ...,
        basis: str = ...,
        gamma: Literal["shared", "columns"] = ...,
        loops: Union[bool, Literal["yes", "no"]] = ...,
        order: Literal["network-first", "filter-first"] = ...,
        state: Literal["float32", "bfloat16"] = ...,
        label_input: Union[bool, Literal["auto", "no", "yes"]] = ...,
        label_share: float = ...,
        label_counts: Union[bool, Literal["auto", "no", "yes"]] = ...,
        lr: float = ...,
        weight_decay: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        batch: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        class_weight: Union[None, str, Dict[Any, float]] = ...,
        calibrate: Union[bool, Literal["auto", "no", "yes"]] = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        smooth: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        reorder: str = ...,
        hops_file: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class APPNPClassifier(NodeClassifier):
    hidden: int
    K: int
    alpha: float
    dropout: float
    layers: int
    state: Literal["float32", "bfloat16"]
    label_input: Union[bool, Literal["auto", "no", "yes"]]
    label_share: float
    label_counts: Union[bool, Literal["auto", "no", "yes"]]
    lr: float
    weight_decay: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    class_weight: Union[None, str, Dict[Any, float]]
    calibrate: Union[bool, Literal["auto", "no", "yes"]]
    refit: Union[bool, Literal["auto", "no", "yes"]]
    smooth: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    reorder: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        hidden: int = ...,
        K: int = ...,
        alpha: float = ...,
        dropout: float = ...,
        layers: int = ...,
        state: Literal["float32", "bfloat16"] = ...,
        label_input: Union[bool, Literal["auto", "no", "yes"]] = ...,
        label_share: float = ...,
        label_counts: Union[bool, Literal["auto", "no", "yes"]] = ...,
        lr: float = ...,
        weight_decay: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        class_weight: Union[None, str, Dict[Any, float]] = ...,
        calibrate: Union[bool, Literal["auto", "no", "yes"]] = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        smooth: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        reorder: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class MLPNodeClassifier(NodeClassifier):
    hidden: int
    dropout: float
    layers: int
    label_counts: Union[bool, Literal["auto", "no", "yes"]]
    lr: float
    weight_decay: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    class_weight: Union[None, str, Dict[Any, float]]
    calibrate: Union[bool, Literal["auto", "no", "yes"]]
    refit: Union[bool, Literal["auto", "no", "yes"]]
    smooth: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    reorder: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        hidden: int = ...,
        dropout: float = ...,
        layers: int = ...,
        label_counts: Union[bool, Literal["auto", "no", "yes"]] = ...,
        lr: float = ...,
        weight_decay: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        class_weight: Union[None, str, Dict[Any, float]] = ...,
        calibrate: Union[bool, Literal["auto", "no", "yes"]] = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        smooth: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        reorder: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class SGCClassifier(NodeClassifier):
    K: int
    state: Literal["float32", "bfloat16"]
    label_input: Union[bool, Literal["auto", "no", "yes"]]
    label_share: float
    label_counts: Union[bool, Literal["auto", "no", "yes"]]
    lr: float
    weight_decay: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    class_weight: Union[None, str, Dict[Any, float]]
    calibrate: Union[bool, Literal["auto", "no", "yes"]]
    refit: Union[bool, Literal["auto", "no", "yes"]]
    smooth: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    reorder: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        K: int = ...,
        state: Literal["float32", "bfloat16"] = ...,
        label_input: Union[bool, Literal["auto", "no", "yes"]] = ...,
        label_share: float = ...,
        label_counts: Union[bool, Literal["auto", "no", "yes"]] = ...,
        lr: float = ...,
        weight_decay: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        class_weight: Union[None, str, Dict[Any, float]] = ...,
        calibrate: Union[bool, Literal["auto", "no", "yes"]] = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        smooth: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        reorder: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class GCNClassifier(NodeClassifier):
    hidden: int
    dropout: float
    label_input: Union[bool, Literal["auto", "no", "yes"]]
    label_share: float
    label_counts: Union[bool, Literal["auto", "no", "yes"]]
    lr: float
    weight_decay: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    class_weight: Union[None, str, Dict[Any, float]]
    calibrate: Union[bool, Literal["auto", "no", "yes"]]
    refit: Union[bool, Literal["auto", "no", "yes"]]
    smooth: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    reorder: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        hidden: int = ...,
        dropout: float = ...,
        label_input: Union[bool, Literal["auto", "no", "yes"]] = ...,
        label_share: float = ...,
        label_counts: Union[bool, Literal["auto", "no", "yes"]] = ...,
        lr: float = ...,
        weight_decay: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        class_weight: Union[None, str, Dict[Any, float]] = ...,
        calibrate: Union[bool, Literal["auto", "no", "yes"]] = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        smooth: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        reorder: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class SAGEClassifier(NodeClassifier):
    hidden: int
    dropout: float
    label_input: Union[bool, Literal["auto", "no", "yes"]]
    label_share: float
    label_counts: Union[bool, Literal["auto", "no", "yes"]]
    lr: float
    weight_decay: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    class_weight: Union[None, str, Dict[Any, float]]
    calibrate: Union[bool, Literal["auto", "no", "yes"]]
    refit: Union[bool, Literal["auto", "no", "yes"]]
    smooth: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    reorder: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        hidden: int = ...,
        dropout: float = ...,
        label_input: Union[bool, Literal["auto", "no", "yes"]] = ...,
        label_share: float = ...,
        label_counts: Union[bool, Literal["auto", "no", "yes"]] = ...,
        lr: float = ...,
        weight_decay: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        class_weight: Union[None, str, Dict[Any, float]] = ...,
        calibrate: Union[bool, Literal["auto", "no", "yes"]] = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        smooth: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        reorder: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class ChebyClassifier(NodeClassifier):
    hidden: int
    dropout: float
    label_input: Union[bool, Literal["auto", "no", "yes"]]
    label_share: float
    label_counts: Union[bool, Literal["auto", "no", "yes"]]
    lr: float
    weight_decay: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    class_weight: Union[None, str, Dict[Any, float]]
    calibrate: Union[bool, Literal["auto", "no", "yes"]]
    refit: Union[bool, Literal["auto", "no", "yes"]]
    smooth: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    reorder: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        hidden: int = ...,
        dropout: float = ...,
        label_input: Union[bool, Literal["auto", "no", "yes"]] = ...,
        label_share: float = ...,
        label_counts: Union[bool, Literal["auto", "no", "yes"]] = ...,
        lr: float = ...,
        weight_decay: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        class_weight: Union[None, str, Dict[Any, float]] = ...,
        calibrate: Union[bool, Literal["auto", "no", "yes"]] = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        smooth: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        reorder: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class GATClassifier(NodeClassifier):
    hidden: int
    heads: int
    output_heads: int
    slope: float
    dropout: float
    label_input: Union[bool, Literal["auto", "no", "yes"]]
    label_share: float
    label_counts: Union[bool, Literal["auto", "no", "yes"]]
    lr: float
    weight_decay: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    class_weight: Union[None, str, Dict[Any, float]]
    calibrate: Union[bool, Literal["auto", "no", "yes"]]
    refit: Union[bool, Literal["auto", "no", "yes"]]
    smooth: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    reorder: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        hidden: int = ...,
        heads: int = ...,
        output_heads: int = ...,
        slope: float = ...,
        dropout: float = ...,
        label_input: Union[bool, Literal["auto", "no", "yes"]] = ...,
        label_share: float = ...,
        label_counts: Union[bool, Literal["auto", "no", "yes"]] = ...,
        lr: float = ...,
        weight_decay: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        class_weight: Union[None, str, Dict[Any, float]] = ...,
        calibrate: Union[bool, Literal["auto", "no", "yes"]] = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        smooth: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        reorder: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class JKNetClassifier(NodeClassifier):
    hidden: int
    jk_layers: int
    dropout: float
    label_input: Union[bool, Literal["auto", "no", "yes"]]
    label_share: float
    label_counts: Union[bool, Literal["auto", "no", "yes"]]
    lr: float
    weight_decay: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    class_weight: Union[None, str, Dict[Any, float]]
    calibrate: Union[bool, Literal["auto", "no", "yes"]]
    refit: Union[bool, Literal["auto", "no", "yes"]]
    smooth: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    reorder: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        hidden: int = ...,
        jk_layers: int = ...,
        dropout: float = ...,
        label_input: Union[bool, Literal["auto", "no", "yes"]] = ...,
        label_share: float = ...,
        label_counts: Union[bool, Literal["auto", "no", "yes"]] = ...,
        lr: float = ...,
        weight_decay: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        class_weight: Union[None, str, Dict[Any, float]] = ...,
        calibrate: Union[bool, Literal["auto", "no", "yes"]] = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        smooth: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        reorder: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class GeomGCNClassifier(NodeClassifier):
    hidden: int
    dropout: float
    embedding: _Path
    label_input: Union[bool, Literal["auto", "no", "yes"]]
    label_share: float
    label_counts: Union[bool, Literal["auto", "no", "yes"]]
    lr: float
    weight_decay: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    class_weight: Union[None, str, Dict[Any, float]]
    calibrate: Union[bool, Literal["auto", "no", "yes"]]
    refit: Union[bool, Literal["auto", "no", "yes"]]
    smooth: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        hidden: int = ...,
        dropout: float = ...,
        embedding: _Path = ...,
        label_input: Union[bool, Literal["auto", "no", "yes"]] = ...,
        label_share: float = ...,
        label_counts: Union[bool, Literal["auto", "no", "yes"]] = ...,
        lr: float = ...,
        weight_decay: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        class_weight: Union[None, str, Dict[Any, float]] = ...,
        calibrate: Union[bool, Literal["auto", "no", "yes"]] = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        smooth: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class GPRDeepClassifier(NodeClassifier):
    hidden: int
    K: int
    dropout: float
    dprate: float
    layers: int
    norm: Literal["batch", "layer", "none"]
    residual: Union[bool, Literal["yes", "no"]]
    relations: str
    direction: str
    basis: str
    gamma: Literal["shared", "columns"]
    loops: Union[bool, Literal["yes", "no"]]
    label_input: Union[bool, Literal["auto", "no", "yes"]]
    label_share: float
    label_counts: Union[bool, Literal["auto", "no", "yes"]]
    lr: float
    weight_decay: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    class_weight: Union[None, str, Dict[Any, float]]
    calibrate: Union[bool, Literal["auto", "no", "yes"]]
    refit: Union[bool, Literal["auto", "no", "yes"]]
    smooth: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    reorder: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        hidden: int = ...,
        K: int = ...,
        dropout: float = ...,
        dprate: float = ...,
        layers: int = ...,
        norm: Literal["batch", "layer", "none"] = ...,
        residual: Union[bool, Literal["yes", "no"]] = ...,
        relations: str = ...,
        direction: str = ...,
        basis: str = ...,
        gamma: Literal["shared", "columns"] = ...,
        loops: Union[bool, Literal["yes", "no"]] = ...,
        label_input: Union[bool, Literal["auto", "no", "yes"]] = ...,
        label_share: float = ...,
        label_counts: Union[bool, Literal["auto", "no", "yes"]] = ...,
        lr: float = ...,
        weight_decay: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        class_weight: Union[None, str, Dict[Any, float]] = ...,
        calibrate: Union[bool, Literal["auto", "no", "yes"]] = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        smooth: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        reorder: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class TreesClassifier(NodeClassifier):
    relations: str
    label_counts: Union[bool, Literal["auto", "no", "yes"]]
    depth: int
    most_columns: int
    lr: float
    weight_decay: float
    row_share: float
    column_share: float
    leaf_weight: float
    epochs: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    class_weight: Union[None, str, Dict[Any, float]]
    calibrate: Union[bool, Literal["auto", "no", "yes"]]
    refit: Union[bool, Literal["auto", "no", "yes"]]
    smooth: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    reorder: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        relations: str = ...,
        label_counts: Union[bool, Literal["auto", "no", "yes"]] = ...,
        depth: int = ...,
        most_columns: int = ...,
        lr: float = ...,
        weight_decay: float = ...,
        row_share: float = ...,
        column_share: float = ...,
        leaf_weight: float = ...,
        epochs: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        class_weight: Union[None, str, Dict[Any, float]] = ...,
        calibrate: Union[bool, Literal["auto", "no", "yes"]] = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        smooth: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        reorder: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class StackClassifier(NodeClassifier):
    K: int
    dropout: float
    dprate: float
    relations: str
    label_input: Union[bool, Literal["auto", "no", "yes"]]
    label_share: float
    label_counts: Union[bool, Literal["auto", "no", "yes"]]
    depth: int
    most_columns: int
    lr: float
    weight_decay: float
    row_share: float
    column_share: float
    leaf_weight: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    class_weight: Union[None, str, Dict[Any, float]]
    calibrate: Union[bool, Literal["auto", "no", "yes"]]
    refit: Union[bool, Literal["auto", "no", "yes"]]
    smooth: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    reorder: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        K: int = ...,
        dropout: float = ...,
        dprate: float = ...,
        relations: str = ...,
        label_input: Union[bool, Literal["auto", "no", "yes"]] = ...,
        label_share: float = ...,
        label_counts: Union[bool, Literal["auto", "no", "yes"]] = ...,
        depth: int = ...,
        most_columns: int = ...,
        lr: float = ...,
        weight_decay: float = ...,
        row_share: float = ...,
        column_share: float = ...,
        leaf_weight: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        class_weight: Union[None, str, Dict[Any, float]] = ...,
        calibrate: Union[bool, Literal["auto", "no", "yes"]] = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        smooth: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        reorder: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class AutoClassifier(NodeClassifier):
    candidates: str
    budget: str
    hidden: int
    K: int
    init: Union[str, Sequence[float], np.ndarray]
    alpha: float
    dropout: float
    dprate: float
    layers: int
    norm: Literal["batch", "layer", "none"]
    residual: Union[bool, Literal["yes", "no"]]
    relations: str
    direction: str
    basis: str
    gamma: Literal["shared", "columns"]
    loops: Union[bool, Literal["yes", "no"]]
    order: Literal["network-first", "filter-first"]
    state: Literal["float32", "bfloat16"]
    label_input: Union[bool, Literal["auto", "no", "yes"]]
    label_share: float
    label_counts: Union[bool, Literal["auto", "no", "yes"]]
    depth: int
    most_columns: int
    lr: float
    weight_decay: float
    row_share: float
    column_share: float
    leaf_weight: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    batch: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    class_weight: Union[None, str, Dict[Any, float]]
    calibrate: Union[bool, Literal["auto", "no", "yes"]]
    refit: Union[bool, Literal["auto", "no", "yes"]]
    smooth: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    reorder: str
    hops_file: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        candidates: str = ...,
        budget: str = ...,
        hidden: int = ...,
        K: int = ...,
        init: Union[str, Sequence[float], np.ndarray] = ...,
        alpha: float = ...,
        dropout: float = ...,
        dprate: float = ...,
        layers: int = ...,
        norm: Literal["batch", "layer", "none"] = ...,
        residual: Union[bool, Literal["yes", "no"]] = ...,
        relations: str = ...,
        direction: str = ...,
        basis: str = ...,
        gamma: Literal["shared", "columns"] = ...,
        loops: Union[bool, Literal["yes", "no"]] = ...,
        order: Literal["network-first", "filter-first"] = ...,
        state: Literal["float32", "bfloat16"] = ...,
        label_input: Union[bool, Literal["auto", "no", "yes"]] = ...,
        label_share: float = ...,
        label_counts: Union[bool, Literal["auto", "no", "yes"]] = ...,
        depth: int = ...,
        most_columns: int = ...,
        lr: float = ...,
        weight_decay: float = ...,
        row_share: float = ...,
        column_share: float = ...,
        leaf_weight: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        batch: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        class_weight: Union[None, str, Dict[Any, float]] = ...,
        calibrate: Union[bool, Literal["auto", "no", "yes"]] = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        smooth: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        reorder: str = ...,
        hops_file: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class GPRGNNRegressor(NodeRegressor):
    hidden: int
    K: int
    init: Union[str, Sequence[float], np.ndarray]
    alpha: float
    dropout: float
    dprate: float
    layers: int
    relations: str
    direction: str
    basis: str
    gamma: Literal["shared", "columns"]
    loops: Union[bool, Literal["yes", "no"]]
    order: Literal["network-first", "filter-first"]
    state: Literal["float32", "bfloat16"]
    lr: float
    weight_decay: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    batch: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    loss: str
    refit: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    reorder: str
    hops_file: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        hidden: int = ...,
        K: int = ...,
        init: Union[str, Sequence[float], np.ndarray] = ...,
        alpha: float = ...,
        dropout: float = ...,
        dprate: float = ...,
        layers: int = ...,
        relations: str = ...,
        direction: str = ...,
        basis: str = ...,
        gamma: Literal["shared", "columns"] = ...,
        loops: Union[bool, Literal["yes", "no"]] = ...,
        order: Literal["network-first", "filter-first"] = ...,
        state: Literal["float32", "bfloat16"] = ...,
        lr: float = ...,
        weight_decay: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        batch: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        loss: str = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        reorder: str = ...,
        hops_file: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class APPNPRegressor(NodeRegressor):
    hidden: int
    K: int
    alpha: float
    dropout: float
    layers: int
    state: Literal["float32", "bfloat16"]
    lr: float
    weight_decay: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    loss: str
    refit: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    reorder: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        hidden: int = ...,
        K: int = ...,
        alpha: float = ...,
        dropout: float = ...,
        layers: int = ...,
        state: Literal["float32", "bfloat16"] = ...,
        lr: float = ...,
        weight_decay: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        loss: str = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        reorder: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class MLPNodeRegressor(NodeRegressor):
    hidden: int
    dropout: float
    layers: int
    lr: float
    weight_decay: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    loss: str
    refit: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    reorder: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        hidden: int = ...,
        dropout: float = ...,
        layers: int = ...,
        lr: float = ...,
        weight_decay: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        loss: str = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        reorder: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class SGCRegressor(NodeRegressor):
    K: int
    state: Literal["float32", "bfloat16"]
    lr: float
    weight_decay: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    loss: str
    refit: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    reorder: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        K: int = ...,
        state: Literal["float32", "bfloat16"] = ...,
        lr: float = ...,
        weight_decay: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        loss: str = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        reorder: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class GCNRegressor(NodeRegressor):
    hidden: int
    dropout: float
    lr: float
    weight_decay: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    loss: str
    refit: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    reorder: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        hidden: int = ...,
        dropout: float = ...,
        lr: float = ...,
        weight_decay: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        loss: str = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        reorder: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class SAGERegressor(NodeRegressor):
    hidden: int
    dropout: float
    lr: float
    weight_decay: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    loss: str
    refit: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    reorder: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        hidden: int = ...,
        dropout: float = ...,
        lr: float = ...,
        weight_decay: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        loss: str = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        reorder: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class ChebyRegressor(NodeRegressor):
    hidden: int
    dropout: float
    lr: float
    weight_decay: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    loss: str
    refit: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    reorder: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        hidden: int = ...,
        dropout: float = ...,
        lr: float = ...,
        weight_decay: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        loss: str = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        reorder: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class GATRegressor(NodeRegressor):
    hidden: int
    heads: int
    output_heads: int
    slope: float
    dropout: float
    lr: float
    weight_decay: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    loss: str
    refit: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    reorder: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        hidden: int = ...,
        heads: int = ...,
        output_heads: int = ...,
        slope: float = ...,
        dropout: float = ...,
        lr: float = ...,
        weight_decay: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        loss: str = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        reorder: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class JKNetRegressor(NodeRegressor):
    hidden: int
    jk_layers: int
    dropout: float
    lr: float
    weight_decay: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    loss: str
    refit: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    reorder: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        hidden: int = ...,
        jk_layers: int = ...,
        dropout: float = ...,
        lr: float = ...,
        weight_decay: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        loss: str = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        reorder: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class GeomGCNRegressor(NodeRegressor):
    hidden: int
    dropout: float
    embedding: _Path
    lr: float
    weight_decay: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    loss: str
    refit: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        hidden: int = ...,
        dropout: float = ...,
        embedding: _Path = ...,
        lr: float = ...,
        weight_decay: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        loss: str = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

class GPRDeepRegressor(NodeRegressor):
    hidden: int
    K: int
    dropout: float
    dprate: float
    layers: int
    norm: Literal["batch", "layer", "none"]
    residual: Union[bool, Literal["yes", "no"]]
    relations: str
    direction: str
    basis: str
    gamma: Literal["shared", "columns"]
    loops: Union[bool, Literal["yes", "no"]]
    lr: float
    weight_decay: float
    optimizer: Literal["adam", "adamw"]
    epochs: int
    stopping: Literal["program", "paper", "none"]
    patience: int
    metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"]
    loss: str
    refit: Union[bool, Literal["auto", "no", "yes"]]
    split: _Path
    normalize: Literal["auto", "row", "column", "normal", "none"]
    random_state: _RandomState
    runs: int
    n_jobs: Optional[int]
    device: str
    reorder: str
    predictions: Literal["all", "none"]
    preset: Optional[_Path]
    data: Any
    callback: Union[None, _Callback, Sequence[_Callback]]
    progress: bool
    verbose: int
    def __init__(
        self,
        *,
        hidden: int = ...,
        K: int = ...,
        dropout: float = ...,
        dprate: float = ...,
        layers: int = ...,
        norm: Literal["batch", "layer", "none"] = ...,
        residual: Union[bool, Literal["yes", "no"]] = ...,
        relations: str = ...,
        direction: str = ...,
        basis: str = ...,
        gamma: Literal["shared", "columns"] = ...,
        loops: Union[bool, Literal["yes", "no"]] = ...,
        lr: float = ...,
        weight_decay: float = ...,
        optimizer: Literal["adam", "adamw"] = ...,
        epochs: int = ...,
        stopping: Literal["program", "paper", "none"] = ...,
        patience: int = ...,
        metric: Literal["loss", "accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "auc", "average_precision", "r2", "rmse", "mae"] = ...,
        loss: str = ...,
        refit: Union[bool, Literal["auto", "no", "yes"]] = ...,
        split: _Path = ...,
        normalize: Literal["auto", "row", "column", "normal", "none"] = ...,
        random_state: _RandomState = ...,
        runs: int = ...,
        n_jobs: Optional[int] = ...,
        device: str = ...,
        reorder: str = ...,
        predictions: Literal["all", "none"] = ...,
        preset: Optional[_Path] = ...,
        data: Any = ...,
        callback: Union[None, _Callback, Sequence[_Callback]] = ...,
        progress: bool = ...,
        verbose: int = ...,
    ) -> None: ...

__all__ = [
    "GPRGNNClassifier",
    "APPNPClassifier",
    "MLPNodeClassifier",
    "SGCClassifier",
    "GCNClassifier",
    "SAGEClassifier",
    "ChebyClassifier",
    "GATClassifier",
    "JKNetClassifier",
    "GeomGCNClassifier",
    "GPRDeepClassifier",
    "TreesClassifier",
    "StackClassifier",
    "AutoClassifier",
    "GPRGNNRegressor",
    "APPNPRegressor",
    "MLPNodeRegressor",
    "SGCRegressor",
    "GCNRegressor",
    "SAGERegressor",
    "ChebyRegressor",
    "GATRegressor",
    "JKNetRegressor",
    "GeomGCNRegressor",
    "GPRDeepRegressor",
    "load",
]
