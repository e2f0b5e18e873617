"""read_tables: its parameters are the library's options of the data."""
from __future__ import annotations

import ctypes
import inspect
import os
import re
import textwrap
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np

from . import _header as h
from ._context import call, lib, text
from ._dataset import Dataset
from ._frame import Column, is_frame, kinds_of
from ._ids import index_of, own_ids
from ._options import Option, unknown_parameter
from ._read import Tables, open_with

# Of load_dataset alone, or said by `edges` itself.
_LEFT_OUT = ("data_dir", "format", "no_map", "edges", "edge_weight")


def data_options() -> List[Option]:
    """The parameters that come from the table, in its order. type: what a value is, such as "FILE" or "COLUMNS"."""
    found = []
    for index in range(lib.gpr_data_option_count()):
        info = h.gpr_param_info(struct_size=ctypes.sizeof(h.gpr_param_info))
        call(lib.gpr_data_option_describe, index, ctypes.byref(info))
        name = info.name.decode().replace("-", "_")
        if name not in _LEFT_OUT:
            found.append(Option(name, info.name.decode(), text(info.value) or "", None, info.range.decode(),
                                info.help.decode()))
    return found


OPTIONS = data_options()


def _joined(value: Union[None, str, Sequence[str]], word: str) -> Optional[str]:
    """Names of columns as the library takes them: separated by commas."""
    if value is None or isinstance(value, str):
        return value
    columns = [str(column) for column in value]
    wrong = [column for column in columns if "," in column]
    if wrong:
        raise ValueError(f"{word}: the column {wrong[0]!r} has a comma in its name: rename it, or give its number")
    return ",".join(columns)


def _plain(option: Option, value: Any) -> Any:
    """A value as open_with takes it."""
    if option.type == "COLUMNS":
        return _joined(value, option.name)
    if isinstance(value, bool) and {"yes", "no"} <= set(option.range.split("|")):
        return "yes" if value else "no"
    return str(value) if value is not None and option.type in ("X", "RULE") else value


def _asked_kinds(nodes: List[Column], given: Dict[str, Any]) -> Dict[str, Optional[str]]:
    """The options `categorical` and `words`: what was given, and columns of a DataFrame whose type says so."""
    after = [option.name for option in OPTIONS].index("nodes")  # the options of nodes come after it
    named = [given[option.name] for option in OPTIONS[after:] if option.type in ("COLUMN", "COLUMNS")]
    words = ",".join(value for value in [*named, given["sample_weight"]] if value is not None)
    taken = {word.strip().lower() for word in words.split(",")}
    columns = [column._replace(kind="text") if column.name.lower() in taken or str(number) in taken
               or (number == 1 and given["id"] is None) else column
               for number, column in enumerate(nodes, 1)]
    found = kinds_of(columns, [column.name for column in columns])
    return {name: ",".join(word for word in (given[name], getattr(found, name)) if word) or None
            for name in ("categorical", "words")}


def _with_ids(table: Any, given: Any) -> Any:
    """A table whose index has the ids of the nodes, with them as its first column. given: the option `id`.

    An index without a name that has numbers is no more than the numbers of rows, some of which may be left out.
    """
    if not is_frame(table) or own_ids(index_of(table)) is None or table.index.nlevels > 1:
        return table
    name, names = table.index.name, list(map(str, table.columns))
    if name is None and table.index.dtype.kind in "iuf" or str("id" if name is None else name) in names or \
            given is not None and str(given) != str(name):
        return table
    found = table.copy(deep=False)
    found.insert(0, "id" if name is None else name, table.index)
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


def _factor(table: Any, value: Any) -> float:
    if not _is_number(value):
        raise TypeError(f"edges[{table!r}] is a {type(value).__name__}: all values are tables, {{name: table}}, or all "
                        "are factors of weights, {table: number}")
    return float(value)


def _kind(name: Any) -> str:
    """The name of a kind of edges, which is a part of what the library gets."""
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9_.-]{1,31}", name):
        raise ValueError(f"edges: {name!r} is no name of a kind of edges: give up to 31 letters, digits, '_', '-' and "
                         "'.'")
    return name


def read_tables(edges: Any, nodes: Any = None, label: Optional[str] = None, *, sample_weight: Optional[str] = None,
                default_features: Optional[str] = "auto", model: Any = None, **options: Any) -> Dataset:
    """A dataset from a table of edges and a table of nodes.

    Tables are paths (csv, tsv, plain or gzip) or DataFrames of pandas or polars. Columns of the nodes become features:
    numbers are scaled, categories become one feature per value, dates numbers; missing values are filled.
    `Dataset.columns` says what became of each. docs/files.md has the details. The ids of the nodes are in the first
    column, in the column `id`, or in the index of a DataFrame that has a name (`table.set_index("user")`) or texts.

    Parameters
    ----------
    edges : path, DataFrame, a list of them, or a dict
        One row per edge: two ids, and optionally a weight. {name: table}: kinds of edges, each with weights of its own
        in a filter. {table: number}: factors of the weights.
    sample_weight : str, optional
        The column of `nodes` that says how much a node counts in a training.
    default_features : str or None
        Features that are made from the graph where there are none. None: it stays without.
    model : estimator, optional
        A fitted estimator that will predict on this data: the tables are read as in its training.
    {options}

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
    names = list(inspect.signature(read_tables).parameters)
    for name in options:
        if name not in names:
            raise TypeError(unknown_parameter("read_tables", name, names).replace("estimator ", ""))
    factors: Optional[List[float]] = None
    kinds: Optional[List[str]] = None
    if isinstance(edges, Mapping) and edges and not any(_is_number(value) for value in edges.values()):
        kinds, several = [_kind(name) for name in edges], list(edges.values())
    elif isinstance(edges, Mapping):
        factors = [_factor(table, factor) for table, factor in edges.items()]
        several = list(edges)
    elif isinstance(edges, (list, tuple)):
        several = list(edges)
    else:
        several = [edges]
    if not several or several[0] is None:
        raise ValueError("edges: give at least one table")
    options.update(nodes=nodes, label=label)
    with Tables() as tables:
        paths = [tables.path(table, f"edges{i if i else ''}") for i, table in enumerate(several)]
        if kinds is not None:
            paths = [name.encode() + b"=" + os.fsencode(path) for name, path in zip(kinds, paths)]
        for name in ("nodes", "labels"):
            options[name] = tables.path(_with_ids(options.get(name), options.get("id")), name)
        given = {option.name: _plain(option, options.get(option.name)) for option in OPTIONS}
        given["sample_weight"] = sample_weight
        if tables.are_written:  # not as the files of a model's training may have been
            for name, usual in (("delimiter", "auto"), ("header", "auto"), ("encoding", "utf-8")):
                given[name] = given[name] or usual
        if model is None:
            given.update(_asked_kinds(tables.columns("nodes"), given))
        return open_with(tables, edges=paths[0], more_edges=paths[1:], edge_weights=factors, **given,
                         **_as_in_training(model, default_features))


def _as_in_training(model: Any, default_features: Optional[str]) -> Dict[str, Any]:
    """Options that read new tables as those of a model's training."""
    if model is None:
        return {"default_features": default_features}
    handle = model._fitted_model() if hasattr(model, "_fitted_model") else None
    if handle is None:
        raise TypeError(f"model must be a fitted estimator of gprgnn, not {type(model).__name__}")
    made = text(lib.gpr_model_made_features(handle))
    return {"plan": lib.gpr_model_plan(handle), "default_features": made}


def type_of(option: Option) -> str:
    """The type of a parameter, for the stub."""
    if option.type == "COLUMNS":
        return "Union[None, str, Sequence[str]]"
    if {"yes", "no"} <= set(option.range.split("|")):
        return "Union[None, bool, str]"
    if option.range and "FILE" not in option.range:
        return "Optional[Literal[" + ", ".join(f'"{word}"' for word in option.range.split("|")) + "]]"
    texts, numbers = ("COLUMN", "TEXT"), ("N", "SIZE")
    return "Optional[str]" if option.type in texts else "Optional[int]" if option.type in numbers else "Any"


def _describe() -> None:
    """Gives read_tables the parameters of the table: in its signature, and in its docstring."""
    own = inspect.signature(read_tables)
    more = [inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=None)
            for option in OPTIONS if option.name not in own.parameters]
    first = [parameter for parameter in own.parameters.values() if parameter.name != "options"]
    read_tables.__signature__ = own.replace(parameters=[*first, *more])  # type: ignore[attr-defined]
    lines = []
    for option in OPTIONS:
        kind = {"COLUMN": "str", "COLUMNS": "str or list of str", "N": "int", "SIZE": "int", "X": "str, number or date",
                "FILE": "path or DataFrame", "RULE": "str or float"}.get(option.type, "str")
        if option.range and "FILE" not in option.range:
            kind = "{" + option.range.replace("|", ", ") + "}"
        lines.append(f"{option.name} : {kind}, optional")
        words = re.sub("`[a-z-]+`", lambda found: found.group().replace("-", "_"), option.help)
        lines += textwrap.wrap(f"{words[:1].upper()}{words[1:]}.", 100, initial_indent="    ", subsequent_indent="    ",
                               break_on_hyphens=False)
    read_tables.__doc__ = (read_tables.__doc__ or "").replace("{options}", ("\n" + 4 * " ").join(lines))


_describe()
