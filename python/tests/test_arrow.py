"""Tables through the Arrow C stream interface: of packages that are here, and of a producer that misbehaves."""
import ctypes
import sys

import numpy as np
import pytest

import gprgnn
from gprgnn import GPRGNNClassifier, read_tables
from gprgnn import _arrow as arrow

pandas = pytest.importorskip("pandas")
QUICK = {"epochs": 15, "n_jobs": 1, "label_input": "no", "label_counts": "no", "smooth": "no", "refit": "no"}


# ---- a producer: columns as (format, buffers, children, null count), in batches ----

class Column:
    """Struct members of a column; buffers are bytes or None."""

    def __init__(self, name, code, buffers, rows, children=(), nulls=0, dictionary=None, offset=0):
        self.name, self.code, self.buffers, self.rows = name, code, buffers, rows
        self.children, self.nulls, self.dictionary, self.offset = list(children), nulls, dictionary, offset


class Stream:
    """What gives `__arrow_c_stream__` and no more. fails: the batch before which get_next fails; -1: the schema."""

    def __init__(self, batches, fails=None):
        self.batches, self.fails = batches, fails
        self.released = {"schema": 0, "array": 0, "stream": 0}
        self.given = {"schema": 0, "array": 0, "stream": 0}
        self._keep = []

    def _schema(self, out, column):
        out.format, out.name = column.code.encode(), column.name.encode()
        out.n_children = len(column.children)
        if column.children:
            out.children = self._pointers(arrow._Schema, column.children, self._schema)
        if column.dictionary is not None:
            out.dictionary = self._pointers(arrow._Schema, [column.dictionary], self._schema)[0]

    def _array(self, out, column):
        out.length, out.null_count, out.offset = column.rows, column.nulls, column.offset
        buffers = [None if one is None else ctypes.create_string_buffer(one, len(one) + 1) for one in column.buffers]
        pointers = (ctypes.c_void_p * max(len(buffers), 1))(*(one and ctypes.addressof(one) for one in buffers))
        self._keep += [buffers, pointers]
        out.n_buffers, out.buffers = len(buffers), pointers
        out.n_children = len(column.children)
        if column.children:
            out.children = self._pointers(arrow._Array, column.children, self._array)
        if column.dictionary is not None:
            out.dictionary = self._pointers(arrow._Array, [column.dictionary], self._array)[0]

    def _pointers(self, kind, members, fill):
        structs = [kind() for _ in members]
        for struct, member in zip(structs, members):
            fill(struct, member)
        pointers = (ctypes.POINTER(kind) * len(structs))(*(ctypes.pointer(struct) for struct in structs))
        self._keep += [structs, pointers]
        return pointers

    def _release(self, what, kind):
        def release(pointer):
            self.released[what] += 1
            pointer[0].release = type(pointer[0].release)()

        made = ctypes.CFUNCTYPE(None, ctypes.POINTER(kind))(release)
        self._keep.append(made)
        return made

    def __arrow_c_stream__(self, requested_schema=None):
        todo = list(self.batches)

        def get_schema(stream, out):
            if self.fails == -1:
                return 5
            self._schema(out[0], self.batches[0])
            out[0].release = self._release("schema", arrow._Schema)
            self.given["schema"] += 1
            return 0

        def get_next(stream, out):
            if self.fails is not None and len(self.batches) - len(todo) == self.fails:
                return 5
            if todo:
                self._array(out[0], todo.pop(0))
                out[0].release = self._release("array", arrow._Array)
                self.given["array"] += 1
            return 0

        fields = dict(arrow._Stream._fields_)
        stream = arrow._Stream(fields["get_schema"](get_schema), fields["get_next"](get_next),
                               fields["get_last_error"](lambda stream: b"the disk is gone"),
                               self._release("stream", arrow._Stream))
        self.given["stream"] += 1
        self._keep.append(stream)
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ctypes.addressof(stream), b"arrow_array_stream", None)


def table(columns, **more):
    return Column("", "+s", [None], columns[0].rows, columns, **more)


def numbers(name, values, code="l", kind=np.int64, **more):
    return Column(name, code, [None, np.asarray(values, kind).tobytes()], len(values), **more)


def read(stream):
    frame = arrow.read_arrow(stream, "X")
    assert stream.released == stream.given and stream.given["stream"] == 1
    return frame


def test_each_is_released_once_and_offsets_count():
    texts = Column("t", "u", [b"\x0d", np.array([0, 1, 1, 4, 5], np.int32).tobytes(), b"abbbc"], 4, nulls=1)
    bits = Column("b", "b", [b"\x07", b"\x05"], 4, nulls=1)
    stream = Stream([table([numbers("n", [7, 8, 9, 10]), texts, bits]),
                     Column("", "+s", [None], 2, [numbers("n", [1, 2, 3, 4, 5], offset=1), texts, bits], offset=1)])
    stream.batches[1].children[0].rows = 4
    frame = read(stream)
    assert frame.columns == ["n", "t", "b"] and len(frame) == 6 and stream.given["array"] == 2
    lists = [one.to_list() for one in frame.get_columns()]
    assert lists[0] == [7, 8, 9, 10, 3, 4]
    assert lists[1] == ["a", None, "bbb", "c", None, "bbb"]
    assert lists[2] == [True, False, True, None, False, True]


@pytest.mark.filterwarnings("ignore:memory leak in callback")  # of a callback in Python that gives a text
@pytest.mark.parametrize("fails", [-1, 0, 1])
def test_a_stream_that_fails_says_why(fails):
    stream = Stream([table([numbers("n", [1, 2])]), table([numbers("n", [3, 4])])], fails)
    with pytest.raises(ValueError, match="X: its Arrow stream failed: the disk is gone"):
        arrow.read_arrow(stream, "X")
    assert stream.released == stream.given and stream.given["array"] == max(fails, 0)


@pytest.mark.parametrize("column, said", [
    (Column("c", "+s", [None], 1, [numbers("x", [1])]),
     r"column 'c': it has the Arrow type '\+s'.*leave the column out"),
    (Column("c", "u", [None, np.array([0, 3, 1], np.int32).tobytes(), b"abc"], 2), "'c'.*offsets .* decrease"),
    (Column("c", "l", [None, None], 2), "'c'.*a buffer .* is missing"),
    (numbers("c", [0, 5], dictionary=Column("", "u", [None, np.array([0, 1], np.int32).tobytes(), b"a"], 1)),
     "'c'.*dictionary has no value"),
    (Column("c", "+l", [None, np.array([0, 9], np.int32).tobytes()], 1, [numbers("x", [1])]), "'c'.*beyond the end"),
    (Column("c", "vu", [None, (40).to_bytes(4, "little") + bytes(12), b""], 1), "'c'.*points nowhere"),
    (numbers("c", [1], "tsu:Nowhere/Land"), "zone 'Nowhere/Land'"),
])
def test_what_cannot_be_read_is_named(column, said):
    stream = Stream([table([column])])
    with pytest.raises(ValueError, match=said):
        arrow.read_arrow(stream, "X")
    assert stream.released == stream.given


def test_batches_that_contradict_the_schema():
    short = table([numbers("n", [1, 2])])
    short.rows = 3
    for stream, said in ((Stream([short]), "has 2 rows, and the batch 3"),
                         (Stream([table([numbers("n", [1])]), table([numbers("n", [1]), numbers("m", [1])])]),
                          "a batch .* has 2 columns, and the table 1"),
                         (Stream([Column("", "l", [None, bytes(8)], 1)]), "not a table of columns")):
        with pytest.raises(ValueError, match=said):
            arrow.read_arrow(stream, "X")
        assert stream.released == stream.given


def test_a_stream_is_read_once():
    stream = Stream([table([numbers("n", [1])])])
    capsule = stream.__arrow_c_stream__()

    class Reader:
        def __arrow_c_stream__(self, requested_schema=None):
            return capsule

    assert len(arrow.read_arrow(Reader(), "X")) == 1
    with pytest.raises(ValueError, match="was read before"):
        arrow.read_arrow(Reader(), "X")
    assert stream.released["stream"] == 1


# ---- the same answer as of the DataFrame, and of its csv ----

class Wrapped:
    """A table of which nothing is known but the interface."""

    def __init__(self, frame):
        self._frame = frame

    def __arrow_c_stream__(self, requested_schema=None):
        return self._frame.__arrow_c_stream__()


@pytest.fixture(scope="module", params=["pandas", "polars", "pyarrow"])
def tables(request, small):
    """(nodes, edges) of a package, and the same as DataFrames of pandas."""
    random = np.random.RandomState(5)
    nodes = small.nodes
    frame = pandas.DataFrame({
        "id": [f"u{i}" for i in range(nodes)], "age": random.normal(40 + 9 * small.y, 9),
        "size": random.normal(size=nodes).astype(np.float32), "member": random.rand(nodes) < 0.2 + 0.2 * small.y,
        "city": np.array(["Ulm", "Bonn", 'Köln, "Altstadt"\nSüd'])[(small.y + (random.rand(nodes) < 0.2)) % 3],
        "since": pandas.Timestamp("2021-03-01") + pandas.to_timedelta(random.randint(0, 900, nodes), unit="D"),
        "children": pandas.array(random.randint(0, 4, nodes), dtype="Int64"),
        "words": [["a", "b"] if one else ["b", "c"] for one in random.rand(nodes) < 0.5],
        "kind": np.array(["x", "y", "z"])[small.y]})
    frame.loc[3, "age"] = np.nan
    frame.loc[5, "city"] = None
    frame.loc[7, "since"] = pandas.NaT
    frame.loc[9, "children"] = pandas.NA
    ends = np.unique(np.sort(small.edges[:, small.edges[0] != small.edges[1]], axis=0), axis=1)
    edges = pandas.DataFrame({"source": [f"u{i}" for i in ends[0]], "target": [f"u{i}" for i in ends[1]]})
    if request.param == "polars":
        polars = pytest.importorskip("polars")
        columns = {name: [None if one != one else one for one in frame[name]] if name == "city" else
                   frame[name].to_list() if name == "words" else frame[name].to_numpy()
                   for name in frame.columns if name not in ("children", "age")}
        made = polars.DataFrame(columns).with_columns(
            polars.Series("children", [None if one is pandas.NA else int(one) for one in frame["children"]]),
            polars.Series("age", [None if one != one else one for one in frame["age"]])).select(list(frame.columns))
        return Wrapped(made), Wrapped(polars.DataFrame(edges.to_dict("list"))), frame, edges
    pyarrow = pytest.importorskip("pyarrow")
    if request.param == "pandas":
        return Wrapped(frame), Wrapped(edges), frame, edges
    return pyarrow.Table.from_pandas(frame), pyarrow.Table.from_pandas(edges), frame, edges


def same(one, other):
    assert one.feature_names == other.feature_names and one.node_ids == other.node_ids
    assert np.array_equal(np.asarray(one.y), np.asarray(other.y))
    X, Y = (data.X if isinstance(data.X, np.ndarray) else data.X.toarray() for data in (one, other))
    assert X.tobytes() == Y.tobytes()
    assert (one.graph != other.graph).nnz == 0


def test_the_same_as_through_csv(tables, tmp_path):
    nodes, edges, frame, pairs = tables
    given = read_tables(edges, nodes, label="kind")
    same(given, read_tables(pairs, frame, label="kind"))
    on_disk = frame.assign(words=[" ".join(one) for one in frame["words"]], since=frame["since"].dt.date)
    on_disk.to_csv(tmp_path / "nodes.csv", index=False)
    pairs.to_csv(tmp_path / "edges.csv", index=False)
    same(given, read_tables(tmp_path / "edges.csv", tmp_path / "nodes.csv", label="kind", words="words",
                            categorical="member"))
    model = GPRGNNClassifier(**QUICK).fit(given)
    other = GPRGNNClassifier(**QUICK).fit(read_tables(pairs, frame, label="kind"))
    assert model.predict_proba().tobytes() == other.predict_proba().tobytes()
    new = read_tables(edges, nodes, model=model)
    assert model.predict_proba(new).tobytes() == model.predict_proba().tobytes()


def test_numbers_are_arrays(small):
    """X and graph of numbers: no table in between, and the answer of the arrays."""
    columns = [numbers(f"f{i}", small.X[:, i], "f", np.float32) for i in range(small.X.shape[1])]
    half = small.edges.shape[1] // 2
    X = Stream([table(columns)])
    graph = Stream([table([numbers("source", part[0]), numbers("target", part[1])])
                    for part in (small.edges[:, :half], small.edges[:, half:])])
    model = GPRGNNClassifier(**QUICK).fit(X, small.y, graph=graph)
    plain = GPRGNNClassifier(**QUICK).fit(small.X, small.y, graph=small.edges)
    assert model.predict_proba().tobytes() == plain.predict_proba().tobytes()
    assert list(model.feature_names_in_) == [f"f{i}" for i in range(small.X.shape[1])]
    assert model.predict_proba(X, graph=graph).tobytes() == plain.predict_proba().tobytes()
    kinds = GPRGNNClassifier(**QUICK).fit(X, small.y, graph={"a": graph, "b": small.edges})
    assert [part["relation"] for part in kinds.filters_] == ["a", "b"]


def test_duckdb(small):
    duckdb = pytest.importorskip("duckdb")
    edges = pandas.DataFrame({"source": small.edges[0], "target": small.edges[1]})
    nodes = pandas.DataFrame({"id": range(small.nodes), "a": small.X[:, 0], "b": small.X[:, 1], "kind": small.y})
    assert len(edges) and len(nodes)  # DuckDB finds them by their names
    given = read_tables(duckdb.sql("select * from edges"), duckdb.sql("select * from nodes order by id"), label="kind")
    same(given, read_tables(edges, nodes, label="kind"))


def test_nothing_is_imported(small):
    """A table of another package needs that package only."""
    code = ("import sys, gprgnn; from gprgnn import _arrow; "
            "print(sorted(name for name in ('pandas', 'polars', 'pyarrow') if name in sys.modules))")
    import subprocess

    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
    assert gprgnn.__version__
