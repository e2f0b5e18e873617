"""Names of nodes: what has them (an index, the nodes of a graph, a dict) is put into the order of the rows of X.

Ids are a pandas Index, or a list. An index 0 .. n - 1 in order is no more than the numbers of the rows.
"""
from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any, Dict, List, Optional

import numpy as np


def index_of(values: Any) -> Any:
    """The index of a pandas object, or the keys of a dict; None: it has none."""
    if isinstance(values, Mapping):
        return list(values)
    return values.index if hasattr(values, "iloc") and hasattr(values, "index") else None


def is_counted(ids: Any) -> bool:
    """Whether they are 0 .. n - 1 in order: numbers of rows."""
    if getattr(ids, "step", None) == 1 and getattr(ids, "start", None) == 0:
        return True  # a RangeIndex
    array = np.asarray(ids) if len(ids) else np.empty(0, int)
    return bool(array.dtype.kind in "iu" and array.ndim == 1 and np.array_equal(array, np.arange(len(array))))


def own_ids(ids: Any) -> Any:
    """The same, or None where they are only numbers of rows."""
    return None if ids is None or is_counted(ids) else ids


def is_shuffled(ids: Any) -> bool:
    """Whether they are the numbers 0 .. n - 1 in another order: rows that were moved."""
    array = np.asarray(ids)
    if array.dtype.kind not in "iu" or array.ndim != 1 or is_counted(ids):
        return False
    return bool(np.array_equal(np.sort(array), np.arange(len(array))))


def check_unique(ids: Any, what: str) -> None:
    seen = set()
    if len(set(ids)) == len(ids):
        return
    for one in ids:
        if one in seen:
            raise ValueError(f"{what} has {one!r} twice: an id names one node. Where rows are only numbered, "
                             "X.reset_index(drop=True) says so")
        seen.add(one)


def texts(ids: Any) -> Optional[List[str]]:
    """Ids for the library; None: numbers only."""
    if own_ids(ids) is None:
        return None
    check_unique(ids, "the index of X")
    found = [str(one) for one in ids]
    check_unique(found, "the index of X, as text,")
    return found


def places(ids: Any, wanted: Any) -> np.ndarray:
    """(len(wanted)) the row of each; -1: there is none of that id."""
    if hasattr(ids, "get_indexer"):
        if not ids.is_unique:
            check_unique(ids, "the index of X")
        return np.asarray(ids.get_indexer(wanted), np.int64)
    rows: Dict[Any, int] = {one: row for row, one in enumerate(ids)}
    return np.fromiter((rows.get(one, -1) for one in wanted), np.int64, len(wanted))


def unknown_id(one: Any, ids: Any) -> str:
    """What to say about an id that X lacks."""
    one, first = (each.item() if isinstance(each, np.generic) else each for each in (one, ids[0]))
    if isinstance(one, str) != isinstance(first, str):
        return (f"{one!r}, of type {type(one).__name__}, and the index of X has ids such as {first!r}, of type "
                f"{type(first).__name__}: give both as one type")
    near = difflib.get_close_matches(one, [str(other) for other in ids[:10000]], 1) if isinstance(one, str) else []
    return f"{one!r}, which is not in the index of X" + (f": did you mean {near[0]!r}?" if near else "")


def _are_equal(one: Any, other: Any) -> bool:
    if hasattr(one, "equals") and hasattr(other, "equals"):
        return bool(one.equals(other))
    return len(one) == len(other) and all(a == b for a, b in zip(one, other))


def aligned(values: Any, ids: Any, what: str) -> Any:
    """`values`, one per node, in the order of X's rows.

    By id where both have ids. A side without, such as an array or rows that are only numbered, is taken as it comes.
    """
    own = index_of(values)
    if own is None:
        return values
    if isinstance(values, Mapping):
        if ids is None:
            raise ValueError(f"{what} is a dict by ids, and X has no ids: give X as a DataFrame whose index has them")
        values = list(values.values())
    if ids is None or _are_equal(own, ids):
        return values
    rows = places(own, ids) if len(set(own)) == len(own) else None
    if rows is not None and len(own) == len(ids) and (rows >= 0).all():
        return values.iloc[rows] if hasattr(values, "iloc") else [values[row] for row in rows]
    if hasattr(values, "iloc") and (is_counted(own) or is_counted(ids)):
        return values
    check_unique(own, f"the index of {what}")
    missing = [one for one in ids if one not in set(own)] if rows is None else \
        [one for one, row in zip(ids, rows) if row < 0]
    if missing:
        raise ValueError(f"the indexes of X and {what} differ: {missing[0]!r} of X is not in that of {what}. One value "
                         "per node is expected, by the same ids (no label: None or NaN)")
    more = next(one for one in own if places(ids, [one])[0] < 0)
    raise ValueError(f"the indexes of X and {what} differ: {more!r} of {what} is not in that of X")
