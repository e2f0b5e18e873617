"""The types of read_tables. Written by python/stubs.py: change the table of options, then run that."""
from typing import Any, Literal, Optional, Sequence, Union

from ._dataset import Dataset

def read_tables(
    edges: Any,
    nodes: Any = ...,
    label: Optional[str] = ...,
    *,
    sample_weight: Optional[str] = ...,
    default_features: Optional[str] = ...,
    model: Any = ...,
    relation: Optional[str] = ...,
    source: Optional[str] = ...,
    target: Optional[str] = ...,
    weight: Optional[str] = ...,
    duplicates: Optional[Literal["max", "sum", "first", "count"]] = ...,
    unknown: Optional[Literal["error", "skip"]] = ...,
    id: Optional[str] = ...,
    task: Optional[Literal["auto", "classes", "number"]] = ...,
    drop: Union[None, str, Sequence[str]] = ...,
    categorical: Union[None, str, Sequence[str]] = ...,
    numeric: Union[None, str, Sequence[str]] = ...,
    date: Union[None, str, Sequence[str]] = ...,
    words: Union[None, str, Sequence[str]] = ...,
    max_values: Optional[int] = ...,
    fill: Any = ...,
    split_column: Optional[str] = ...,
    time: Optional[str] = ...,
    val_from: Any = ...,
    test_from: Any = ...,
    features: Any = ...,
    labels: Any = ...,
    delimiter: Optional[Literal["auto", "comma", "tab", "semicolon", "space"]] = ...,
    header: Union[None, bool, str] = ...,
    encoding: Optional[Literal["utf-8", "latin1", "utf-16"]] = ...,
    memory: Optional[int] = ...,
) -> Dataset: ...
