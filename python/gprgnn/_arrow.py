"""Tables of other packages through the Arrow C stream interface (``__arrow_c_stream__``).

pyarrow, polars, DuckDB and others give their columns as C structs, which are read here by ctypes: no package is
imported, and nothing is written to a file on the way. The structs and their rules are those of
https://arrow.apache.org/docs/format/CStreamInterface.html. A table becomes an ArrowFrame, which the rest of the
package takes as it takes a DataFrame. All values are copied, and what was lent is given back before that.
"""
from __future__ import annotations

import ctypes
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional

import numpy as np

_Pointer = ctypes.c_void_p


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


_Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", _Pointer), ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.POINTER(_Schema)), ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Schema))),
    ("private_data", _Pointer)]
_Array._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(_Pointer)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))), ("dictionary", ctypes.POINTER(_Array)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Array))), ("private_data", _Pointer)]
_Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Schema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(_Stream))),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Stream))), ("private_data", _Pointer)]

_NUMBERS = {"c": np.int8, "C": np.uint8, "s": np.int16, "S": np.uint16, "i": np.int32, "I": np.uint32, "l": np.int64,
            "L": np.uint64, "e": np.float16, "f": np.float32, "g": np.float64}
_TEXTS = {"u": np.int32, "U": np.int64, "z": np.int32, "Z": np.int64}  # and how wide an offset is
_UNITS = {"s": "s", "m": "ms", "u": "us", "n": "ns"}
_SECONDS = {"s": 1.0, "m": 1e3, "u": 1e6, "n": 1e9}  # of a unit, in a second
_KNOWN = "numbers, texts, categories, lists, dates, decimals or booleans"


class _Part(NamedTuple):
    """Some rows of a column. valid: (rows) or None: all; values: an array, or a list of Python objects."""

    values: Any
    valid: Optional[np.ndarray]


class ArrowSeries:
    """A column: `kind` as _frame.Column has it, "lists", or "numbers" where every cell has one."""

    def __init__(self, name: str, kind: str, parts: List[_Part]) -> None:
        self.name, self.kind = name, kind
        self._parts = parts

    def __len__(self) -> int:
        return sum(len(part.values) for part in self._parts)

    def is_whole(self) -> bool:
        """Whether every cell has a value."""
        return all(part.valid is None or bool(part.valid.all()) for part in self._parts)

    def to_numpy(self) -> np.ndarray:
        """Numbers, where no value is NaN; dates as datetime64, where none is NaT; else objects."""
        if self.kind == "number":
            return _joined([part.values if part.valid is None or part.valid.all() else
                            np.where(part.valid, part.values.astype(np.float64), np.nan) for part in self._parts])
        if self.kind == "date":
            return _joined([part.values if part.valid is None else
                            np.where(part.valid, part.values, np.datetime64("NaT")) for part in self._parts],
                           np.dtype("datetime64[s]"))
        cells = self.to_list()
        found = np.empty(len(cells), object)
        found[:] = cells
        return found

    def to_list(self) -> List[Any]:
        """Python objects; None: no value."""
        found: List[Any] = []
        for values, valid in self._parts:
            cells = values.tolist() if isinstance(values, np.ndarray) else values
            found += cells if valid is None else [cell if known else None
                                                  for cell, known in zip(cells, valid.tolist())]
        return found


def _joined(parts: List[np.ndarray], kind: Any = np.float64) -> np.ndarray:
    return np.concatenate(parts) if parts else np.empty(0, kind)


class ArrowFrame:
    """A table: what the package asks of a DataFrame of polars."""

    def __init__(self, columns: List[ArrowSeries]) -> None:
        self._columns = columns
        self.columns = [one.name for one in columns]

    def __len__(self) -> int:
        return len(self._columns[0]) if self._columns else 0

    def get_columns(self) -> List[ArrowSeries]:
        return self._columns

    def to_numpy(self) -> np.ndarray:
        """(rows x columns) of numbers."""
        return np.column_stack([one.to_numpy() for one in self._columns]) if self._columns else np.empty((0, 0))


# ---- reading ----

class _Source:
    """The stream of an object. Everything that it lends is released once, whatever happens."""

    def __init__(self, table: Any, what: str) -> None:
        self._what = what
        self._capsule = table.__arrow_c_stream__()  # frees the stream if nobody takes it
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        self._stream = ctypes.cast(get(self._capsule, b"arrow_array_stream"), ctypes.POINTER(_Stream))
        if not self._stream[0].release:
            raise ValueError(f"{what}: its Arrow stream was read before, and has no rows left: give a table, which can "
                             "be read again")

    def close(self) -> None:
        if self._stream[0].release:
            self._stream[0].release(self._stream)

    def _checked(self, code: int) -> None:
        if code:
            said = self._stream[0].get_last_error(self._stream)
            why = said.decode("utf-8", "replace") if said else f"error {code}"
            raise ValueError(f"{self._what}: its Arrow stream failed: {why}")

    def schema(self) -> _Schema:
        """To be released."""
        found = _Schema()
        self._checked(self._stream[0].get_schema(self._stream, ctypes.byref(found)))
        return found

    def batches(self) -> Iterator[_Array]:
        """Each is released when the next is asked for, or nobody asks any more."""
        while True:
            found = _Array()
            self._checked(self._stream[0].get_next(self._stream, ctypes.byref(found)))
            if not found.release:
                return
            try:
                yield found
            finally:
                if found.release:
                    found.release(ctypes.byref(found))


def is_arrow(table: Any) -> bool:
    return hasattr(table, "__arrow_c_stream__")


def read_arrow(table: Any, what: str) -> ArrowFrame:
    """The columns of a table. what: for messages, such as "X". ValueError names a column that cannot be read."""
    source = _Source(table, what)
    try:
        schema = source.schema()
        try:
            if (schema.format or b"") != b"+s":
                raise ValueError(f"{what} is an Arrow array of the type {_shown(schema)}, and not a table of columns")
            names = [_name(schema.children[i][0]) for i in range(schema.n_children)]
            readers = [_named(name, what, _reader, schema.children[i][0]) for i, name in enumerate(names)]
            kinds = [_kind(schema.children[i][0]) for i in range(schema.n_children)]
            parts: List[List[_Part]] = [[] for _ in names]
            for batch in source.batches():
                if batch.n_children != len(names):
                    raise ValueError(f"{what}: a batch of its Arrow stream has {batch.n_children} columns, and the "
                                     f"table {len(names)}")
                for place, read in enumerate(readers):
                    one = batch.children[place][0]
                    if one.length < batch.offset + batch.length or batch.offset < 0 or batch.length < 0:
                        raise ValueError(f"{what}: the column {names[place]!r} of its Arrow stream has {one.length} "
                                         f"rows, and the batch {batch.length}")
                    # where rows of the batch are left out at the front, so are those of its columns
                    parts[place].append(_named(names[place], what, read, one, batch.offset, batch.length))
        finally:
            if schema.release:
                schema.release(ctypes.byref(schema))
    finally:
        source.close()
    return ArrowFrame([ArrowSeries(name, kind, part) for name, kind, part in zip(names, kinds, parts)])


def as_frame(table: Any, what: str) -> Any:
    """An ArrowFrame of what has the interface and is no DataFrame that the package knows; all else as it is."""
    known = hasattr(table, "iloc") or hasattr(table, "get_columns") or hasattr(table, "_handle")
    return read_arrow(table, what) if is_arrow(table) and not known else table


_Read = Callable[[_Array, int, int], _Part]


def _named(name: str, what: str, call: Callable[..., Any], *arguments: Any) -> Any:
    """What the call gives; its ValueError names the column."""
    try:
        return call(*arguments)
    except ValueError as error:
        raise ValueError(f"{what}: the column {name!r}: {error}") from error


def _name(schema: _Schema) -> str:
    return (schema.name or b"").decode("utf-8", "replace")


def _shown(schema: _Schema) -> str:
    return repr((schema.format or b"").decode("ascii", "replace"))


def _kind(schema: _Schema) -> str:
    code = (schema.format or b"").decode("ascii", "replace")
    if schema.dictionary or code == "b":
        return "category"
    if code in _NUMBERS or code[:2] in ("d:", "tD"):
        return "number"
    if code[:2] in ("td", "ts"):
        return "date"
    return "lists" if code[:1] == "+" else "text"


def _reader(schema: _Schema) -> _Read:
    """What reads a column of that type."""
    code = (schema.format or b"").decode("ascii", "replace")
    if schema.dictionary:
        return _dictionary_reader(_index_reader(code), _reader(schema.dictionary[0]))
    if code in ("+l", "+L") or code.startswith("+w:"):
        return _list_reader(code, _reader(schema.children[0][0]))
    found = _plain_reader(code)
    if found is None:
        raise ValueError(f"it has the Arrow type {code!r}: expected {_KNOWN}; leave the column out, or make such "
                         "columns of it (a struct: a column of each field)")
    return found


def _plain_reader(code: str) -> Optional[_Read]:
    if code in _NUMBERS:
        return lambda array, first, count: _Part(_values(array, 1, _NUMBERS[code], first, count),
                                                 _valid(array, first, count))
    if code == "b":
        return lambda array, first, count: _Part(_bits(array, 1, first, count), _valid(array, first, count))
    if code in _TEXTS:
        return lambda array, first, count: _Part(_texts(array, _TEXTS[code], first, count),
                                                 _valid(array, first, count))
    if code in ("vu", "vz"):
        return lambda array, first, count: _Part(_views(array, first, count), _valid(array, first, count))
    if code == "n":
        return lambda array, first, count: _Part([None] * count, None)
    if code.startswith("d:"):
        return _decimal_reader(code)
    if code[:2] in ("td", "ts", "tD", "tt"):
        return _time_reader(code)
    return None


# ---- buffers ----

def _buffer(array: _Array, number: int, kind: Any, first: int, count: int) -> np.ndarray:
    """A copy of `count` numbers from place `first` on, counted from the offset of the array."""
    dtype = np.dtype(kind)
    if array.n_buffers <= number or count == 0:
        return np.empty(0, dtype)
    address = array.buffers[number]
    if not address:
        raise ValueError("a buffer of its Arrow array is missing")
    start = (array.offset + first) * dtype.itemsize
    return np.frombuffer(ctypes.string_at(address + start, count * dtype.itemsize), dtype)


def _values(array: _Array, number: int, kind: Any, first: int, count: int) -> np.ndarray:
    found = _buffer(array, number, kind, first, count)
    return found if len(found) == count else np.zeros(count, kind)


def _bits(array: _Array, number: int, first: int, count: int) -> np.ndarray:
    if count == 0:
        return np.empty(0, bool)
    address, start = array.buffers[number], array.offset + first
    if not address:
        raise ValueError("a buffer of its Arrow array is missing")
    octets = ctypes.string_at(address + start // 8, (start % 8 + count + 7) // 8)
    bits = np.unpackbits(np.frombuffer(octets, np.uint8), bitorder="little")
    return bits[start % 8:start % 8 + count].astype(bool)


def _valid(array: _Array, first: int, count: int) -> Optional[np.ndarray]:
    if array.null_count == 0 or array.n_buffers < 1 or not array.buffers[0]:
        return None
    return _bits(array, 0, first, count)


def _offsets(array: _Array, kind: Any, first: int, count: int) -> np.ndarray:
    """(count + 1)"""
    if count == 0:
        return np.zeros(1, np.int64)
    found = _buffer(array, 1, kind, first, count + 1).astype(np.int64)
    if found[0] < 0 or (np.diff(found) < 0).any():
        raise ValueError("the offsets of its Arrow array decrease")
    return found


def _texts(array: _Array, kind: Any, first: int, count: int) -> List[str]:
    offsets = _offsets(array, kind, first, count)
    low, size = int(offsets[0]), int(offsets[-1] - offsets[0])
    data = ctypes.string_at(array.buffers[2] + low, size) if size else b""
    ends = (offsets - low).tolist()
    return [data[a:b].decode("utf-8", "replace") for a, b in zip(ends[:-1], ends[1:])]


def _views(array: _Array, first: int, count: int) -> List[str]:
    """Views: up to 12 bytes in place, more in one of the further buffers, the last of which has their sizes."""
    rows = _buffer(array, 1, np.dtype((np.void, 16)), first, count)
    further = array.n_buffers - 3
    found = []
    for row in rows.tolist():
        size = int.from_bytes(row[:4], "little", signed=True)
        if 0 <= size <= 12:
            data = row[4:4 + size]
        else:
            number, start = (int.from_bytes(row[at:at + 4], "little", signed=True) for at in (8, 12))
            if size < 0 or not 0 <= number < further or start < 0:
                raise ValueError("a view of its Arrow array points nowhere")
            data = ctypes.string_at(array.buffers[2 + number] + start, size)
        found.append(data.decode("utf-8", "replace"))
    return found


# ---- types that are made of others ----

def _index_reader(code: str) -> _Read:
    if code not in "cCsSiIlL" or not code:
        raise ValueError(f"it is a dictionary with numbers of the Arrow type {code!r}: leave the column out")
    return lambda array, first, count: _Part(_values(array, 1, _NUMBERS[code], first, count),
                                             _valid(array, first, count))


def _dictionary_reader(numbers: _Read, words: _Read) -> _Read:
    def read(array: _Array, first: int, count: int) -> _Part:
        places, valid = numbers(array, first, count)
        dictionary = array.dictionary[0]
        every = ArrowSeries("", "text", [words(dictionary, 0, dictionary.length)]).to_list()
        asked = places if valid is None else places[valid]
        if asked.size and (asked.min() < 0 or asked.max() >= len(every)):
            raise ValueError("a number of its Arrow dictionary has no value")
        known = [True] * count if valid is None else valid.tolist()
        return _Part([every[place] if there else None for place, there in zip(places.tolist(), known)], None)

    return read


def _list_reader(code: str, of: _Read) -> _Read:
    width = int(code[3:]) if code.startswith("+w:") else 0

    def read(array: _Array, first: int, count: int) -> _Part:
        child = array.children[0][0]
        if width:
            start = array.offset + first
            offsets = np.arange(start, start + count + 1, dtype=np.int64) * width
        else:
            offsets = _offsets(array, np.int32 if code == "+l" else np.int64, first, count)
        low, size = int(offsets[0]), int(offsets[-1] - offsets[0])
        if low + size > child.length:
            raise ValueError("a list of its Arrow array goes beyond the end")
        cells = ArrowSeries("", "text", [of(child, low, size)]).to_list()
        ends = (offsets - low).tolist()
        return _Part([cells[a:b] for a, b in zip(ends[:-1], ends[1:])], _valid(array, first, count))

    return read


def _decimal_reader(code: str) -> _Read:
    fields = [int(field) for field in code[2:].split(",")]
    size, factor = (fields[2] if len(fields) > 2 else 128) // 8, 10 ** abs(fields[1])

    def read(array: _Array, first: int, count: int) -> _Part:
        rows = _values(array, 1, np.dtype((np.void, size)), first, count).tolist()
        wholes = [int.from_bytes(row, "little", signed=True) for row in rows]
        numbers = [float(one * factor) if fields[1] < 0 else one / factor for one in wholes]
        return _Part(np.asarray(numbers, np.float64), _valid(array, first, count))

    return read


def _time_reader(code: str) -> _Read:
    """Dates and times become datetime64[s] as the clock of their time zone shows it; durations are seconds."""
    kind, unit = code[:2], code[2:3]
    here = _clock(code[4:]) if kind == "ts" else None
    width = np.int32 if code == "tdD" or (kind == "tt" and unit in "sm") else np.int64

    def read(array: _Array, first: int, count: int) -> _Part:
        values, valid = _values(array, 1, width, first, count), _valid(array, first, count)
        if kind == "tD":
            return _Part(values / _SECONDS[unit], valid)
        if kind == "tt":
            day = values.astype(f"datetime64[{_UNITS[unit]}]").astype(str).tolist()
            return _Part([one.split("T")[1] for one in day], valid)
        span = "D" if code == "tdD" else "ms" if kind == "td" else _UNITS[unit]
        moments = values.astype(f"datetime64[{span}]").astype("datetime64[s]")
        if valid is not None:
            moments = np.where(valid, moments, np.datetime64(0, "s"))
        return _Part(moments if here is None else here(moments), valid)

    return read


def _clock(zone: str) -> Optional[Callable[[np.ndarray], np.ndarray]]:
    """From UTC to what the clocks of a time zone show; None: they are the same."""
    if zone in ("", "UTC", "Etc/UTC", "Z", "+00:00"):
        return None
    import datetime

    if zone[0] in "+-":
        sign, hours, minutes = (-1 if zone[0] == "-" else 1), int(zone[1:3]), int(zone[-2:])
        shift = np.timedelta64(sign * (60 * hours + minutes), "m")
        return lambda moments: np.asarray(moments + shift)
    import zoneinfo

    try:
        place = zoneinfo.ZoneInfo(zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError) as error:
        raise ValueError(f"it has times of the zone {zone!r}, which this machine does not know: install the "
                         "package tzdata, or convert the column to UTC") from error
    known: Dict[int, np.timedelta64] = {}

    def convert(moments: np.ndarray) -> np.ndarray:
        found = []
        for second in moments.astype(np.int64).tolist():
            hour = second // 900  # zones change at quarters of an hour
            if hour not in known:
                there = datetime.datetime.fromtimestamp(hour * 900, datetime.timezone.utc).astimezone(place)
                offset = there.utcoffset() or datetime.timedelta()
                known[hour] = np.timedelta64(int(offset.total_seconds()), "s")
            found.append(known[hour])
        return np.asarray(moments + np.asarray(found, "timedelta64[s]"))

    return convert
