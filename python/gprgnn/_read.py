"""Data from files, from the catalogue of public datasets, and from the cSBM generator."""
from __future__ import annotations

import ctypes
import os
import re
from typing import Any, Dict, List, Optional

from . import _header as h
from ._arrow import as_frame
from ._checks import whole
from ._context import Context, Handle, call, lib, text, utf8
from ._dataset import Dataset
from ._frame import Column, Kinds, columns_of, is_frame, kinds_of, refuse_vectors, row_of_line, write_table
from ._training_data import derive

def _open(function: Any, *args: Any, rename: Any = str) -> Dataset:
    """`function(ctx, &dataset, *args)`; Ctrl-C stops it. rename: of texts of the library."""
    context = Context(threads=0)
    context.rename = rename
    pointer = ctypes.POINTER(h.gpr_dataset)()
    context.run(function, ctypes.byref(pointer), *args)
    data = Dataset(Handle(context, pointer, lib.gpr_dataset_free))
    if context.interrupted is not None:
        raise context.interrupted
    return data


def open_with(tables: Optional["Tables"] = None, **words: Any) -> Dataset:
    """gpr_dataset_open_with. Words are the fields of gpr_open_options; None: not given. tables: some of them are."""
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
    kinds = {field[0]: field[1] for field in h.gpr_open_options._fields_}
    for word, value in words.items():
        if value is not None:
            setattr(options, word, utf8(value, word) if kinds[word] is ctypes.c_char_p else whole(value, word))
    if tables is None or not tables.are_written:
        return _open(lib.gpr_dataset_open_with, ctypes.byref(options))
    read = _open(lib.gpr_dataset_open_with, ctypes.byref(options), rename=tables.plain)
    # Where it was opened from is no longer there: what is derived from it knows nothing of that.
    return Dataset(derive(Context(threads=1), read._handle))


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


# What a message of the library says of lines of a file, counted from 1: rows of a DataFrame.
_LINES = (r"(?P<before>\()line(?P<s>) (?P<lines>\d+)(?=: ')", r"(?P<before>and so in )line(?P<s>) (?P<lines>\d+)",
          r"(?P<before>more edges are so: )line(?P<s>s) (?P<lines>\d+, \d+)")
# Options of `read_tables` that a message names, in words for a DataFrame that goes to `fit`.
_ADVICE = ((r"`id` (.+) takes it as the ids of the nodes, `numeric` or `categorical` \1 keeps it, `drop` \1 ends",
            "X.set_index takes it as the ids of the nodes, another name keeps it, leaving it out ends"),
           (r"`words` (.+) makes features of its words, `drop` \1 ends this warning",
            "as a column of lists of words it makes features of them; leave it out to end this warning"),
           (r"`numeric` (.+) makes it numbers", "convert it to make it numbers"),
           (r"`date` (.+) reads it as month/day/year", "convert it to make it dates"),
           (r"\(`drop` leaves the column out\)", "(or leave the column out)"),
           (r"say what it is with `numeric`, `date` or `categorical`, or leave it out with `drop`",
            "convert it to one type, or leave it out"))


class Tables:
    """Paths of tables. A DataFrame is written to a temporary file, which lives as long as this is open."""

    def __init__(self, advice: Any = ()) -> None:
        self._advice = advice

    def __enter__(self) -> "Tables":
        self._folder: Any = None
        self._shown: Dict[str, str] = {}
        self._columns: Dict[str, List[Column]] = {}
        return self

    def __exit__(self, *exception: Any) -> None:
        if self._folder is not None:
            self._folder.cleanup()

    @property
    def are_written(self) -> bool:
        """Whether one of them is a DataFrame."""
        return self._folder is not None

    def path(self, table: Any, name: str) -> Any:
        """name: for messages about it."""
        if table is None or isinstance(table, (str, bytes, os.PathLike)):
            return table
        table = as_frame(table, name)
        if not is_frame(table):
            raise TypeError(f"{name} must be a path or a table (a DataFrame, or an Arrow table of any package), not "
                            f"{type(table).__name__}")
        columns = self._columns[name] = columns_of(table)
        return self.write(name, [column.name for column in columns], columns, len(table))

    def columns(self, name: str) -> List[Column]:
        """Of a DataFrame that was written; none of a file."""
        return self._columns.get(name, [])

    def write(self, name: str, header: List[str], columns: List[Column], rows: int) -> str:
        if self._folder is None:
            import tempfile

            self._folder = tempfile.TemporaryDirectory(prefix="gprgnn-")
            os.mkdir(os.path.join(self._folder.name, "tables"))  # the dataset gets the name of this folder
        path = os.path.join(self._folder.name, "tables", f"{name}.csv")
        write_table(path, header, columns, rows)
        self._shown[path] = f"the DataFrame {name}"
        return path

    def plain(self, message: str) -> str:
        """A text of the library, which knows nothing of DataFrames: names and rows of these in place of files."""
        for path, shown in self._shown.items():
            def place(found: Any) -> str:
                row = row_of_line(path, int(found.group(1)))
                return shown + (", its columns:" if row is None else f", row {row}:")

            def rows(found: Any) -> str:
                lines = [int(line) for line in found["lines"].split(", ")]
                return f"{found['before']}row{found['s']} " + ", ".join(str(row_of_line(path, line)) for line in lines)

            if path not in message:
                continue
            message = re.sub(re.escape(path) + r":(\d+):", place, message).replace(path, shown)
            message = re.sub(r"row (\d+) has it too", lambda found: f"row {int(found[1]) - 1} has it too", message)
            for pattern in _LINES:
                message = re.sub(pattern, rows, message)
            for pattern, words in self._advice:
                message = re.sub(pattern, words, message)
        return message


def read_frame(X: Any, ids: Optional[List[str]], plan: Any = None) -> Handle:
    """A DataFrame of features as a dataset without edges: with the plan of its columns, or read by that of a model.

    ids: of its nodes; None: they are the numbers of the rows.
    """
    columns = columns_of(X)
    refuse_vectors(columns)
    names = [column.name for column in columns]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise ValueError(f"two columns of X are called {twice[0]!r}: rename one")
    own = "id" if ids is None or X.index.name is None else str(X.index.name)  # as a table for the program would have it
    id_name = next(word for word in (own, "id", *(f"id {i}" for i in range(len(names) + 1)))
                   if word.lower() not in [name.lower() for name in names])
    texts = ids if ids is not None else [str(row) for row in range(len(X))]
    header = [id_name, *names]
    everything = [Column(id_name, "text", lambda first, end: texts[first:end], texts), *columns]
    asked = Kinds(None, None, None) if plan else kinds_of(everything, header)
    with Tables(_ADVICE) as tables:
        nodes = tables.write("X", header, everything, len(X))
        edges = tables.write("edges", ["source", "target"], [], 0)
        return open_with(tables, edges=edges, nodes=nodes, id=id_name, source="source", target="target", weight="none",
                         categorical=asked.categorical, words=asked.words, drop=asked.drop, delimiter="comma",
                         header="yes", encoding="utf-8", plan=plan)._handle


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
