"""Data from files, from the catalogue of public datasets, and from the cSBM generator."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from . import _header as h
from ._checks import whole
from ._context import Context, Handle, call, lib, text, utf8
from ._dataset import Dataset

_INTEGERS = ("model_features", "memory", "no_map", "max_values")


def _open(function: Any, *args: Any) -> Dataset:
    """`function(ctx, &dataset, *args)`; Ctrl-C stops it."""
    context = Context(threads=0)
    pointer = ctypes.POINTER(h.gpr_dataset)()
    context.run(function, ctypes.byref(pointer), *args)
    data = Dataset(Handle(context, pointer, lib.gpr_dataset_free))
    if context.interrupted is not None:
        raise context.interrupted
    return data


def open_with(**words: Any) -> Dataset:
    """gpr_dataset_open_with. Words are the fields of gpr_open_options; None: not given."""
    options = h.gpr_open_options(struct_size=ctypes.sizeof(h.gpr_open_options))
    keep: List[Any] = []  # what the fields point to
    more = words.pop("more_edges", None)
    if more:
        paths = (ctypes.c_char_p * len(more))(*(utf8(path, "edges") for path in more))
        keep.append(paths)
        options.more_edges, options.more_count = paths, len(more)
    factors = words.pop("edge_weights", None)
    if factors:
        numbers = (ctypes.c_double * len(factors))(*factors)
        keep.append(numbers)
        options.edge_weights = numbers
    plan = words.pop("plan", None)
    if plan:
        options.plan = plan
    for word, value in words.items():
        if value is not None:
            setattr(options, word, whole(value, word) if word in _INTEGERS else utf8(value, word))
    return _open(lib.gpr_dataset_open_with, ctypes.byref(options))


def load_dataset(name: Any, *, data_dir: Any = None, format: Optional[str] = None, fetch: bool = False,
                 features: Optional[str] = None, mmap: bool = True) -> Dataset:
    """A dataset by its name or its file, as the program takes it.

    Parameters
    ----------
    name : str or path
        A public dataset ("cora"; :func:`datasets` lists them), a file (.npz, .gpr, .mtx, an edge list), a folder, the
        common beginning of several files ("planetoid/ind.cora"), or "csbm:phi=-0.5,n=5000". Names are looked up in
        `data_dir`, then in $GPRGNN_DATA, then in the user's cache folder.
    data_dir : str or path, optional
    format : str, optional
        "gpr", "npz", "planetoid", "geom-gcn", "ogb", "edges" or "mtx". By default the files tell.
    fetch : bool
        Download a public dataset that is not there. Its files are compared with their known checksums.
    features : str, optional
        Features that are made from the graph where the data has none: "auto", "identity", "degree", "spectral:64".
    mmap : bool
        A .gpr file is mapped: it opens at once at any size, and must not change meanwhile. False: it is read into
        memory.

    Returns
    -------
    Dataset

    Raises
    ------
    FileNotFoundError
        There is no such dataset or file; the message says where it was looked for.
    ValueError
        The file is damaged, or of an unknown format.

    Examples
    --------
    >>> from gprgnn import load_dataset
    >>> load_dataset("csbm:phi=-0.5,n=300,f=20")
    Dataset 'csbm(phi=-0.5)': 300 nodes, ... edges, 20 features, 2 classes
    """
    words = {"data": name, "data_dir": data_dir, "format": format, "default_features": features, "no_map": not mmap}
    try:
        return open_with(**words)
    except FileNotFoundError:
        if not fetch:
            raise
    fetch_dataset(name, data_dir=data_dir)
    return open_with(**words)


def with_features(data: Dataset, kind: str) -> Dataset:
    """The same dataset with features that are made from its graph."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "data.gpr")
        data.save(path)
        return open_with(data=path, default_features=kind, no_map=True)


def _joined(value: Union[None, str, Sequence[str]], word: str) -> Optional[str]:
    """Names of columns as the library takes them: separated by commas."""
    if value is None or isinstance(value, str):
        return value
    columns = [str(column) for column in value]
    wrong = [column for column in columns if "," in column]
    if wrong:
        raise ValueError(f"{word}: the column {wrong[0]!r} has a comma in its name: rename it, or give its number")
    return ",".join(columns)


class _Tables:
    """Paths of tables. A DataFrame is written to a temporary file, which lives as long as this is open."""

    def __enter__(self) -> "_Tables":
        self._folder: Any = None
        return self

    def __exit__(self, *exception: Any) -> None:
        if self._folder is not None:
            self._folder.cleanup()

    def path(self, table: Any, name: str) -> Any:
        """name: for messages about it."""
        if table is None or isinstance(table, (str, bytes, os.PathLike)):
            return table
        if not hasattr(table, "to_csv"):
            raise TypeError(f"{name} must be a path or a pandas DataFrame, not {type(table).__name__}")
        if self._folder is None:
            import tempfile

            self._folder = tempfile.TemporaryDirectory(prefix="gprgnn-")
        path = os.path.join(self._folder.name, f"{name}.csv")
        table.to_csv(path, index=False)
        return path


def read_tables(edges: Any, nodes: Any = None, label: Optional[str] = None, *, id: Optional[str] = None,
                source: Optional[str] = None, target: Optional[str] = None, weight: Optional[str] = None,
                drop: Union[None, str, Sequence[str]] = None, categorical: Union[None, str, Sequence[str]] = None,
                numeric: Union[None, str, Sequence[str]] = None, date: Union[None, str, Sequence[str]] = None,
                max_values: Optional[int] = None, fill: Union[None, str, float] = None,
                features: Any = None, labels: Any = None, sample_weight: Optional[str] = None,
                split_column: Optional[str] = None, val_from: Any = None, test_from: Any = None,
                duplicates: Optional[str] = None, unknown: Optional[str] = None, delimiter: Optional[str] = None,
                header: Optional[bool] = None, encoding: Optional[str] = None, memory: Optional[int] = None,
                default_features: Optional[str] = "auto", model: Any = None) -> Dataset:
    """A dataset from a table of edges and a table of nodes.

    Tables are paths (csv, tsv, plain or gzip) or pandas DataFrames. Columns of the nodes become features: numbers are
    scaled, categories become one feature per value, dates numbers; missing values are filled. `Dataset.columns` says
    what became of each. docs/files.md has the details.

    Parameters
    ----------
    edges : path, DataFrame, a list of them, or a dict {table: factor of its weights}
        One row per edge: two ids, and optionally a weight.
    nodes : path or DataFrame, optional
        One row per node: its id, features, label.
    label : str, optional
        The column of `nodes` (or of `labels`) with the labels. Cells without a value: the node has no label.
    id : str, optional
        The column of `nodes` with the ids; by default the first.
    source, target, weight : str, optional
        Columns of `edges`. weight="none": no weights.
    drop, categorical, numeric, date : str or list of str, optional
        Columns of `nodes` that are left out, or are of this kind whatever they look like.
    max_values : int, optional
        Most values of a category; the others are one. By default 1000.
    fill : {"median", "mean", "zero"} or float, optional
        For missing values.
    features : path or str, optional
        A file with one row per node (.npy, .npz, .svm, table), or "auto", "identity", "degree", "spectral:64": made
        from the graph.
    labels : path, optional
        A file with the labels: .npy or a table.
    sample_weight : str, optional
        The column of `nodes` that says how much a node counts in a training.
    split_column : str, optional
        The column of `nodes` with train, val, test or nothing; or with dates or numbers, and then `val_from` and
        `test_from` say where validation and test begin.
    duplicates : {"max", "sum", "first", "count"}, optional
        The weight of edges that are there several times.
    unknown : {"error", "skip"}, optional
        Edges with ids that `nodes` lacks.
    delimiter : {"comma", "tab", "semicolon", "space"}, optional
    header : bool, optional
    encoding : {"utf-8", "latin1", "utf-16"}, optional
    memory : int, optional
        Most bytes that reading may take.
    default_features : str or None
        Features that are made from the graph where there are none. None: it stays without.
    model : estimator, optional
        A fitted estimator that will predict on this data: the tables are read as in its training.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> import pandas as pd
    >>> from gprgnn import read_tables
    >>> edges = pd.DataFrame({"from": ["a", "b", "c"], "to": ["b", "c", "a"]})
    >>> nodes = pd.DataFrame({"id": ["a", "b", "c"], "age": [31, 45, 22], "city": ["Ulm", "Bonn", "Ulm"],
    ...                       "kind": ["x", "y", None]})
    >>> data = read_tables(edges, nodes, label="kind")
    >>> data.y, data.class_names, data.node_ids
    (array([ 0,  1, -1], dtype=int32), ['x', 'y'], ['a', 'b', 'c'])
    >>> [(column["name"], column["role"], column["kind"]) for column in data.columns]
    [('id', 'id', ...), ('age', 'feature', 'number'), ('city', 'feature', 'category'), ('kind', 'label', ...)]
    """
    factors: Optional[List[float]] = None
    if isinstance(edges, Mapping):
        factors = [float(factor) for factor in edges.values()]
        several = list(edges)
    elif isinstance(edges, (list, tuple)):
        several = list(edges)
    else:
        several = [edges]
    if not several or several[0] is None:
        raise ValueError("edges: give at least one table")
    with _Tables() as tables:
        paths = [tables.path(table, f"edges{i if i else ''}") for i, table in enumerate(several)]
        return open_with(
            edges=paths[0], more_edges=paths[1:], edge_weights=factors, nodes=tables.path(nodes, "nodes"), label=label,
            id=id, source=source, target=target, weight=weight, drop=_joined(drop, "drop"),
            categorical=_joined(categorical, "categorical"), numeric=_joined(numeric, "numeric"),
            date=_joined(date, "date"), max_values=max_values, fill=None if fill is None else str(fill),
            features=features, labels=tables.path(labels, "labels"), sample_weight=sample_weight,
            split_column=split_column, val_from=None if val_from is None else str(val_from),
            test_from=None if test_from is None else str(test_from), duplicates=duplicates, unknown=unknown,
            delimiter=delimiter, header=None if header is None else "yes" if header else "no", encoding=encoding,
            memory=memory, **_as_in_training(model, default_features))


def _as_in_training(model: Any, default_features: Optional[str]) -> Dict[str, Any]:
    """Options that read new tables as those of a model's training."""
    if model is None:
        return {"default_features": default_features}
    handle = model._fitted_model() if hasattr(model, "_fitted_model") else None
    if handle is None:
        raise TypeError(f"model must be a fitted estimator of gprgnn, not {type(model).__name__}")
    made = text(lib.gpr_model_made_features(handle))
    return {"plan": lib.gpr_model_plan(handle), "default_features": made}


def csbm(phi: float = 0.0, n: int = 5000, f: int = 2000, d: float = 5.0, epsilon: float = 3.25,
         seed: int = 0) -> Dataset:
    """A synthetic graph of two classes: the contextual stochastic block model.

    Parameters
    ----------
    phi : float
        -1: the graph alone tells the classes, and neighbours differ (heterophily); 0: the features alone do; 1: the
        graph alone does, and neighbours are alike (homophily).
    n, f : int
        Numbers of nodes and of features.
    d : float
        Mean degree.
    epsilon : float
        How far the classes are beyond the limit where they could not be told apart.
    seed : int
        The same numbers give the same graph.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> from gprgnn import csbm
    >>> csbm(phi=-0.5, n=300, f=20, seed=3).info()["edge_homophily"] < 0.5
    True
    """
    options = h.gpr_csbm_options()
    lib.gpr_csbm_options_init(ctypes.byref(options), ctypes.sizeof(options))
    options.phi, options.nodes, options.features = float(phi), whole(n, "n"), whole(f, "f")
    options.degree, options.epsilon, options.seed = float(d), float(epsilon), whole(seed, "seed", high=2**64 - 1)
    return _open(lib.gpr_dataset_csbm, ctypes.byref(options))


def datasets() -> List[Dict[str, Any]]:
    """The public datasets that :func:`fetch_dataset` can download: name, source, licence, note, files, bytes.

    Examples
    --------
    >>> from gprgnn import datasets
    >>> "cora" in [entry["name"] for entry in datasets()]
    True
    """
    found = []
    for index in range(lib.gpr_fetch_count()):
        entry = h.gpr_fetch_info(struct_size=ctypes.sizeof(h.gpr_fetch_info))
        call(lib.gpr_fetch_describe, index, ctypes.byref(entry))
        fields = {field[0]: getattr(entry, field[0]) for field in entry._fields_[1:]}
        found.append({word: text(value) if isinstance(value, bytes) else value for word, value in fields.items()})
    return found


def fetch_dataset(name: str, *, data_dir: Any = None, mirror: Optional[str] = None, force: bool = False,
                  accept: bool = False, retries: Optional[int] = None, timeout: Optional[int] = None,
                  progress: Any = None) -> int:
    """Downloads a public dataset; :func:`load_dataset` then finds it by its name.

    Parameters
    ----------
    name : str
        See :func:`datasets`.
    data_dir : str or path, optional
        Where to; by default the user's cache folder.
    mirror : str, optional
        Take the files from this address.
    force : bool
        Also download files that are there and correct.
    accept : bool
        Where a dataset is known by its content only, take also another content.
    retries, timeout : int, optional
        Further attempts; seconds without data that count as a stall.
    progress : callable, optional
        Gets (path of the file, bytes so far, bytes in all or 0).

    Returns
    -------
    int
        How many bytes were received; 0: all files were there.

    Raises
    ------
    ConnectionError
        No server could be reached, or its answer was wrong.
    """
    options = h.gpr_fetch_options()
    lib.gpr_fetch_options_init(ctypes.byref(options), ctypes.sizeof(options))
    options.data_dir = None if data_dir is None else utf8(data_dir, "data_dir")
    options.mirror = None if mirror is None else utf8(mirror, "mirror")
    options.force, options.accept = int(force), int(accept)
    if retries is not None:
        options.retries = whole(retries, "retries", high=1000)
    if timeout is not None:
        options.timeout = whole(timeout, "timeout", 1, 10**6)
    context = Context(threads=1)

    def report(user: Any, at: Any) -> int:
        if progress is not None:
            try:
                progress(text(at[0].path), at[0].bytes, at[0].total)
            except BaseException as error:
                context._keep(error)
        return int(context._stop)

    callback = h.gpr_fetch_progress_fn(report)
    options.progress = callback
    result = h.gpr_fetch_result(struct_size=ctypes.sizeof(h.gpr_fetch_result))
    context.run(lib.gpr_fetch, ctypes.byref(result), utf8(name, "name"), ctypes.byref(options))
    if context.interrupted is not None:
        raise context.interrupted
    return int(result.bytes)
