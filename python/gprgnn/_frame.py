"""DataFrames of pandas and polars as tables for the library.

A frame of numbers alone is an array. One with categories, dates, booleans or missing values is written as a table, and
the library makes its plan of the columns, as for a file. What a column is comes from its type, where that tells more
than the text of its cells: the text "01234" is a category, and no number.
"""
from __future__ import annotations

import csv
import json
import re
from typing import Any, Callable, Dict, List, NamedTuple, Optional

import numpy as np

from ._arrow import ArrowSeries
from ._context import warn

_ROWS = 16384  # that are text at a time
_NUMBERS = ("integer", "floating", "mixed-integer-float", "decimal")
_DATES = ("datetime64", "datetime", "date")
_GROUPS = re.compile(r"^\W*[1-9]\d{0,2}(,\d{3})+(\.\d+)?\W*$|^\W*[1-9]\d{0,2}(\.\d{3}){2,}(,\d+)?\W*$")
_LISTS = (list, tuple, set, frozenset, np.ndarray)


def is_frame(table: Any) -> bool:
    """A DataFrame of pandas or polars."""
    return hasattr(table, "columns") and (hasattr(table, "iloc") or hasattr(table, "get_columns"))


def column(table: Any, number: int) -> Any:
    """The column of that number, as a Series."""
    return table.iloc[:, number] if hasattr(table, "iloc") else table.get_columns()[number]


def only_numbers(table: Any) -> bool:
    """Whether all columns are of numbers, and every cell has one."""
    for number in range(len(table.columns)):
        series = column(table, number)
        if isinstance(series, ArrowSeries):
            if series.kind != "number" or not series.is_whole() or np.isnan(series.to_numpy()).any():
                return False
            continue
        if hasattr(table, "iloc"):
            if getattr(series.dtype, "kind", "O") not in "iuf" or bool(series.isna().any()):
                return False
        elif not (series.dtype.is_integer() or series.dtype.is_float()) or series.null_count() or \
                (series.dtype.is_float() and series.is_nan().any()):
            return False
    return True


def warn_of_leaks(table: Any, labels: np.ndarray) -> None:
    """Warns of columns whose values tell the label exactly, by the library's rule for tables. labels: -1: none."""
    known = np.flatnonzero(labels >= 0)
    classes, counts = np.unique(labels[known], return_counts=True)
    if len(known) < 20 or len(classes) < 2 or counts.min() < 5:
        return
    for number, name in enumerate(table.columns):
        values = _values_that_tell(column(table, number), labels, known, min(len(known) // 10, 1000))
        if values >= len(classes):
            warn(f"the DataFrame X: column {str(name)!r} tells the label exactly: each of its {values} values goes "
                 "with one class. If it is not known before the label, leave it out")


def _values_that_tell(series: Any, labels: np.ndarray, known: np.ndarray, most: int) -> int:
    """Different values, if each goes with one class and there are at most `most` of them; else 0."""
    told: Dict[Any, int] = {}
    cells = series.to_list()
    for row, label in zip(known.tolist(), labels[known].tolist()):
        if isinstance(cells[row], _LISTS):
            return 0
        value = None if _is_missing(cells[row]) else cells[row]  # what is missing is a value, too
        if told.setdefault(value, label) != label or len(told) > most:
            return 0
    return len(told)


class Column(NamedTuple):
    """A column as the cells of a table."""

    name: str
    kind: str  # "number", "date", "category", "words", "vectors" (lists of numbers), "text", or "numerals": texts
    # that look like numbers
    cells: Callable[[int, int], List[str]]  # of the rows [first, end); "": no value
    values: Any  # of text: a list, None for no value


def columns_of(table: Any) -> List[Column]:
    """All columns. ValueError names one that cannot be a feature."""
    return [_column(str(name), column(table, number)) for number, name in enumerate(table.columns)]


def _column(name: str, series: Any) -> Column:
    kind = _kind(name, series)
    if kind == "number":
        return Column(name, kind, _number_cells(_numbers(series)), None)
    if kind == "date":
        return Column(name, kind, _date_cells(_dates(series)), None)
    shown = _list_text if kind in ("words", "vectors") else _text
    values = [None if _is_missing(value) else shown(value) for value in series.to_list()]
    if kind == "text" and _looks_like_numbers(values):
        kind = "numerals"
    return Column(name, kind, lambda first, end: ["" if value is None else value for value in values[first:end]],
                  values)


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value).replace("\0", " ")


def _list_text(value: Any) -> str:
    """A cell of a list, as JSON; a text beside lists is one word."""
    words = [_text(word) for word in value if not _is_missing(word)] if isinstance(value, _LISTS) else [_text(value)]
    return json.dumps(sorted(words) if isinstance(value, (set, frozenset)) else words, ensure_ascii=False)


def _is_missing(value: Any) -> bool:
    # pandas.NA first: what compares with it is neither true nor false.
    if isinstance(value, _LISTS):
        return False
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value


def _kind(name: str, series: Any) -> str:
    if isinstance(series, ArrowSeries):
        return _kind_of_lists(series.to_list()) if series.kind == "lists" else series.kind
    if not hasattr(series, "iloc"):
        return _polars_kind(name, series)
    dtype = series.dtype
    code = getattr(dtype, "kind", "O")
    if hasattr(dtype, "categories") or code == "b":
        return "category"
    if code in "iufm":
        return "number"
    if code == "M" or hasattr(dtype, "freq"):  # freq: of a Period
        return "date"
    import pandas

    found = pandas.api.types.infer_dtype(series, skipna=True)
    if found in _NUMBERS or found in ("timedelta", "timedelta64"):
        return "number"
    if found in _DATES:
        return "date"
    if found == "boolean":
        return "category"
    if any(isinstance(value, _LISTS) for value in series):
        return _kind_of_lists(series)
    for value in series:
        if not _is_missing(value) and not np.isscalar(value) and not isinstance(value, bytes):
            raise ValueError(f"the column {name!r} of X has a value of type {type(value).__name__}: expected numbers, "
                             "texts, categories, lists, dates or booleans; leave the column out, or make such "
                             "columns of it")
    if code == "c" or found == "complex":
        raise ValueError(f"Complex data not supported: the column {name!r} of X")
    return "text"


def _kind_of_lists(values: Any) -> str:
    """Lists with a number that is not whole are vectors, and no words."""
    for value in values:
        for word in value if isinstance(value, _LISTS) else ():
            if isinstance(word, (float, np.floating)) and not _is_missing(word) and not float(word).is_integer():
                return "vectors"
    return "words"


def refuse_vectors(columns: List[Column]) -> None:
    """ValueError for a feature that nothing can be made of. (A column of read_tables may be left out.)"""
    for one in columns:
        if one.kind == "vectors":
            raise ValueError(f"the column {one.name!r} of X has lists of numbers, and lists are taken as words: make a "
                             "column of each number, or give X as an array of numbers")


def _polars_kind(name: str, series: Any) -> str:
    dtype = series.dtype
    word = type(dtype).__name__ if not isinstance(dtype, type) else dtype.__name__
    if word in ("Categorical", "Enum", "Boolean"):
        return "category"
    if dtype.is_numeric() or word == "Duration":
        return "number"
    if word in ("Date", "Datetime"):
        return "date"
    if word in ("List", "Array"):
        return _kind_of_lists(series.to_list())
    if word in ("String", "Utf8", "Null", "Time"):
        return "text"
    raise ValueError(f"the column {name!r} of X is of type {dtype}: expected numbers, texts, categories, lists, dates "
                     "or booleans; leave the column out, or make such columns of it")


def _numbers(series: Any) -> np.ndarray:
    """(rows) NaN: no value. Durations are in seconds."""
    if isinstance(series, ArrowSeries):
        return series.to_numpy()
    if not hasattr(series, "iloc"):
        if type(series.dtype).__name__ == "Duration":
            values = [None if value is None else value.total_seconds() for value in series.to_list()]
            return np.asarray([np.nan if value is None else value for value in values], np.float64)
        if series.null_count() or not (series.dtype.is_integer() or series.dtype.is_float()):
            return np.asarray([np.nan if value is None else float(value) for value in series.to_list()], np.float64)
        return np.asarray(series.to_numpy())
    if getattr(series.dtype, "kind", "O") == "m":
        return np.asarray(series.dt.total_seconds(), np.float64)
    if isinstance(series.dtype, np.dtype) and series.dtype.kind in "iuf":
        return np.asarray(series.to_numpy())
    if isinstance(series.dtype, np.dtype):  # objects
        return np.asarray([np.nan if _is_missing(value) else
                           value.total_seconds() if hasattr(value, "total_seconds") else float(value)
                           for value in series], np.float64)
    return np.asarray(series.to_numpy(dtype=np.float64, na_value=np.nan))


def _dates(series: Any) -> np.ndarray:
    """(rows) datetime64 to the second; NaT: no value. As the clock of their time zone shows it."""
    if isinstance(series, ArrowSeries):
        return series.to_numpy()
    if not hasattr(series, "iloc"):
        return np.asarray([None if value is None else np.datetime64(getattr(value, "replace")(tzinfo=None)
                                                                    if hasattr(value, "tzinfo") else value, "s")
                           for value in series.to_list()], "datetime64[s]")
    if hasattr(series.dtype, "freq"):
        series = series.dt.to_timestamp()
    import pandas

    if getattr(series.dtype, "kind", "O") != "M":
        series = pandas.to_datetime(series)
    if getattr(series.dt, "tz", None) is not None:
        series = series.dt.tz_localize(None)
    return np.asarray(series.to_numpy(), "datetime64[s]")


def _number_cells(values: np.ndarray) -> Callable[[int, int], List[str]]:
    if values.dtype.kind != "f":
        return lambda first, end: list(map(str, values[first:end].tolist()))
    # A float of Python prints as many digits as give its bits again.
    return lambda first, end: [repr(value) if value == value else "" for value in values[first:end].tolist()]


def _date_cells(values: np.ndarray) -> Callable[[int, int], List[str]]:
    known = values[~np.isnat(values)]
    unit = "datetime64[D]" if (known == known.astype("datetime64[D]")).all() else "datetime64[s]"
    shown: List[str] = values.astype(unit).astype(str).tolist()
    return lambda first, end: ["" if cell == "NaT" else cell for cell in shown[first:end]]


def _looks_like_numbers(values: List[Optional[str]]) -> bool:
    """Whether half of the values are texts of numbers, such as postcodes: the cells alone would make a number of it."""
    known = [value for value in values if value]
    sample = known[:: max(1, len(known) // 10000)]
    if any(_GROUPS.search(value) for value in sample):
        return False  # written for people: these are numbers
    numbers = 0
    for value in sample:
        try:
            float(value.replace(",", "."))
            numbers += 1
        except ValueError:
            pass
    return 2 * numbers > len(sample)


def _quoted(cell: str) -> str:
    if any(sign in cell for sign in ',"\n\r') or cell != cell.strip():
        return '"' + cell.replace('"', '""') + '"'
    return cell


def write_table(path: str, names: List[str], columns: List[Column], rows: int) -> None:
    """A table with a header, in UTF-8, separated by commas."""
    with open(path, "w", encoding="utf-8", errors="replace", newline="") as file:
        file.write(",".join(map(_quoted, names)) + "\n")
        for first in range(0, rows, _ROWS):
            end = min(first + _ROWS, rows)
            cells = [one.cells(first, end) if one.kind in ("number", "date") else
                     [_quoted(cell) for cell in one.cells(first, end)] for one in columns]
            file.write("\n".join(map(",".join, zip(*cells))) + "\n")


class Kinds(NamedTuple):
    """Columns by their numbers from 1, as the library takes them; None: there is none."""

    categorical: Optional[str]
    words: Optional[str]
    drop: Optional[str]


def kinds_of(columns: List[Column], names: List[str]) -> Kinds:
    """What the text of the cells would not tell. names: of all columns of the table."""
    asked: Dict[str, List[str]] = {"category": [], "words": [], "drop": []}
    for place, one in enumerate(columns):
        if one.kind == "words":
            asked["words"].append(_called(place, names))
        if one.kind not in ("category", "numerals"):
            continue
        distinct, cells = len(set(one.values) - {None}), len(one.values) - one.values.count(None)
        # As the library does with texts: names are no category.
        is_name = one.kind == "numerals" and distinct > 100 and 2 * distinct > cells
        asked["drop" if is_name else "category"].append(_called(place, names))
    return Kinds(*(",".join(asked[group]) or None for group in ("category", "words", "drop")))


def _called(place: int, names: List[str]) -> str:
    """How the library finds a column: by its number, unless another column has that for a name."""
    number = str(place + 1)
    if number not in names:
        return number
    if "," in names[place] or names.count(names[place]) > 1:
        raise ValueError(f"the column {names[place]!r} cannot be named beside the column {number!r}: rename one")
    return names[place]


def row_of_line(path: str, line: int) -> Optional[int]:
    """The row of the DataFrame, from 0, whose table has it in that line; None: the header."""
    with open(path, encoding="utf-8", newline="") as file:
        for number, _ in enumerate(reader := csv.reader(file)):
            if reader.line_num >= line:
                return number - 1 if number else None
    return None
