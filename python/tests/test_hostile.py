"""Whatever a caller passes, the interpreter lives: an exception of a usual kind, or a result.

hypothesis makes shapes, types, NaN, infinity, negative and huge numbers. A crash would end the whole test run.
"""
import inspect
import os
import pickle
import warnings

import numpy as np
import pytest

pytest.importorskip("hypothesis")
sparse = pytest.importorskip("scipy.sparse")
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps

import gprgnn
from gprgnn import GCNClassifier, GPRGNNClassifier, csbm, from_arrays, load, load_dataset, read_tables

USUAL = (ValueError, TypeError, OSError, MemoryError, ArithmeticError)
EXAMPLES = os.environ.get("GPRGNN_EXAMPLES")  # how many random ones; not set: always the same few
settings.register_profile("gprgnn", max_examples=int(EXAMPLES or 60), deadline=None, derandomize=EXAMPLES is None,
                          database=None, suppress_health_check=list(HealthCheck))
settings.load_profile("gprgnn")
NODES = 8

large = [2**31 - 1, 2**31, 2**32, 2**63 - 1, 2**63, -2**63, 2**64, 10**30]
numbers = st.one_of(st.integers(-3, 12), st.sampled_from(large), st.floats(), st.sampled_from([1e300, 1e-300, -0.0]))
scalars = st.one_of(numbers, st.none(), st.booleans(), st.text(max_size=6), st.binary(max_size=4), st.just(object()),
                    st.complex_numbers(), st.lists(st.integers(-2, 9), max_size=3), st.just(b"\xff\0"), st.just("a\0b"),
                    st.just("\ud800"))
kinds = st.sampled_from(["f2", "f4", "f8", "i1", "i4", "i8", "u1", "u8", "?", "c8", "O", "U3", "M8[D]", ">f4", ">i8"])
shapes = st.one_of(st.sampled_from([(NODES,), (NODES, 3), (NODES, NODES), (2, 5), (5, 2), (2, 0), (0, 2), (), (0,)]),
                   nps.array_shapes(max_dims=3, max_side=9, min_side=0))
arrays = kinds.flatmap(lambda kind: shapes.flatmap(
    lambda shape: nps.arrays(kind, shape, elements=st.integers(-2, 9).map(np.object_) if kind == "O" else None)))
good_X = nps.arrays(np.float32, (NODES, 3), elements=st.floats(-2, 2, width=32))
good_y = nps.arrays(np.int64, NODES, elements=st.integers(-1, 2))
good_edges = nps.arrays(np.int64, (2, 6), elements=st.integers(0, NODES - 1))
wild_edges = nps.arrays(np.int64, st.sampled_from([(2, 6), (6, 2)]), elements=st.sampled_from(
    [0, 1, NODES - 1, NODES, -1, 2**31, 2**32, 2**63 - 1, -2**63]))


@st.composite
def matrices(draw, rows=NODES, columns=NODES):
    """CSR whose arrays need not fit together."""
    kind = draw(st.sampled_from([np.int32, np.int64]))
    length = draw(st.integers(0, 8))
    wild = st.sampled_from([0, 1, 3, NODES - 1, NODES, -1, 2**31 - 1, -2**31])
    matrix = sparse.csr_matrix((rows, columns), dtype=np.float32)
    matrix.indptr = draw(nps.arrays(kind, draw(st.sampled_from([rows + 1, rows, 0])), elements=wild))
    matrix.indices = draw(nps.arrays(kind, length, elements=wild))
    matrix.data = draw(nps.arrays(np.float32, draw(st.sampled_from([length, 0, length + 3]))))
    if draw(st.booleans()):
        matrix.indptr = np.minimum(np.arange(rows + 1), length).astype(kind)
    if draw(st.booleans()):
        return matrix
    if draw(st.booleans()):
        other = sparse.csc_matrix((rows, columns), dtype=np.float32)
        other.indptr, other.indices, other.data = matrix.indptr, matrix.indices, matrix.data
        return other
    other = sparse.coo_matrix(([1.0] * 3, ([0] * 3, [1] * 3)), (rows, columns))
    other.row, other.col = matrix.indptr, matrix.indices
    return other


class Fake:
    """Looks like a sparse matrix, and is not."""

    def __init__(self, **fields):
        self.__dict__.update(fields)


fakes = st.builds(lambda a, b, c, d: Fake(indptr=a, indices=b, data=c, shape=d), scalars | arrays, scalars | arrays,
                  scalars | arrays, st.sampled_from([(NODES, NODES), (3, 3), None, (2**62, 2**62)]))
things = st.one_of(arrays, scalars, matrices(), matrices(NODES, 3), fakes)
graphs = st.one_of(things, wild_edges, good_edges)


def attempt(function, *args, **kwargs):
    """The result, or None after an exception of a usual kind."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*args, **kwargs)
        except USUAL as error:
            assert str(error) or isinstance(error, MemoryError)
            return None


@given(X=things | good_X, y=things | good_y, graph=graphs)
def test_fit(X, y, graph):
    attempt(GCNClassifier(epochs=1, n_jobs=1).fit, X, y, graph)


@given(X=good_X, y=good_y, graph=graphs)
def test_fit_with_a_wild_graph(X, y, graph):
    attempt(GPRGNNClassifier(epochs=1, K=2, n_jobs=1).fit, X, y, graph)


@given(X=good_X, y=good_y, graph=good_edges, masks=st.tuples(things, things, things), weight=things, edge_weight=things)
def test_fit_with_wild_extras(X, y, graph, masks, weight, edge_weight):
    model = GCNClassifier(epochs=1, n_jobs=1)
    attempt(model.fit, X, y, graph, train_mask=masks[0], val_mask=masks[1], test_mask=masks[2])
    attempt(model.fit, X, y, graph, sample_weight=weight)
    attempt(model.fit, X, y, graph, edge_weight=edge_weight)
    weight = {"a": weight} if isinstance(weight, str) else weight
    attempt(GCNClassifier(epochs=1, class_weight=weight).fit, X, y, graph)


@given(data=things, nodes=things, y=good_y)
def test_nodes_of_wild_data(data, nodes, y):
    attempt(GCNClassifier(epochs=1, data=data).fit, nodes, y)
    attempt(GCNClassifier(epochs=1, data=(data, None)).fit, np.arange(NODES), y)
    attempt(GCNClassifier(epochs=1, data=(np.eye(NODES), data)).fit, nodes, y)


@pytest.fixture(scope="module")
def fitted():
    data = csbm(phi=0.5, n=40, f=3, seed=1)
    return GPRGNNClassifier(epochs=2, K=2, n_jobs=1).fit(data.X, data.y, data.graph)


@given(X=things | good_X, graph=graphs, known=things, more=things)
def test_predict(fitted, X, graph, known, more):
    for method in (fitted.predict, fitted.predict_proba, fitted.decision_function):
        attempt(method, X, graph)
    attempt(fitted.predict, known_labels=known)
    attempt(fitted.predict, X, graph, edge_weight=more)
    attempt(fitted.score, y=known)
    attempt(fitted.score, X, known, graph, mask=more, sample_weight=more)


WORDS = sorted(GPRGNNClassifier().get_params())
# A large valid number would only take long.
settings_of = scalars.filter(lambda value: not (isinstance(value, (int, float)) and 12 < value < 10**18))


@given(params=st.dictionaries(st.sampled_from(WORDS), settings_of, min_size=1, max_size=3))
def test_parameters(params):
    base = {"epochs": 1, "n_jobs": 1, **{name: value for name, value in params.items() if name != "verbose"}}
    attempt(GPRGNNClassifier(**base).fit, np.eye(NODES), np.arange(NODES) % 2, [[0, 1], [1, 2]])


@given(content=st.binary(max_size=60), cut=st.integers(0, 400), flip=st.integers(0, 3000))
def test_model_files(fitted, tmp_path_factory, content, cut, flip):
    path = os.path.join(str(tmp_path_factory.getbasetemp()), "wild.safetensors")
    good = bytearray(fitted.model_.to_bytes())
    damaged = good[:]
    damaged[flip % len(damaged)] ^= 1 + flip % 255
    for wrong in (content, good[:cut], bytes(damaged), bytes(good) + content):
        with open(path, "wb") as file:
            file.write(wrong)
        attempt(load, path)
        attempt(gprgnn._models.TrainedModel.from_bytes, bytes(wrong))
    state = {**fitted.__getstate__(), "_trained": content}
    attempt(GPRGNNClassifier().__setstate__, state)
    attempt(load, content)


@given(value=scalars, second=scalars)
def test_results(fitted, value, second):
    attempt(fitted.mean, value)
    attempt(fitted.metrics, value, second)
    attempt(fitted.confusion_matrix, "test", value)
    attempt(fitted.to_frame, value)
    attempt(fitted.explain, value, top=3)
    attempt(fitted.explain, 0, top=second if not isinstance(second, int) or second < 100 else 3, class_=value)
    attempt(fitted.explain, 0, data=value)
    attempt(fitted.inspect, value)
    attempt(fitted.set_params, K=value)
    fitted.set_params(K=2)


@given(X=things | good_X, y=things | good_y, graph=graphs, value=scalars)
def test_datasets(X, y, graph, value):
    made = attempt(from_arrays, X, y, graph)
    made = made if made is not None else attempt(from_arrays, X, None, graph)
    if made is None:
        return
    for use in (made.info, made.edges, made.class_edges, made.check, made.faults, made.__repr__, made._repr_html_,
                lambda: made.X, lambda: made.y, lambda: made.graph, lambda: made.split(value), lambda: made.find(value),
                lambda: made.split("60/20/20", seed=value), lambda: made.split("dense", run=value)):
        attempt(use)
    attempt(GCNClassifier(epochs=1).fit, made)
    assert pickle.loads(pickle.dumps(made)).n_nodes == made.n_nodes


@given(value=settings_of, second=settings_of)
def test_names_and_generator(value, second):
    if not (isinstance(value, (str, bytes)) and value in ("", ".", "/", b"", b".", b"/")):
        attempt(load_dataset, value)
    for word in inspect.signature(csbm).parameters:
        attempt(csbm, **{"n": 20, "f": 3, word: value})
    attempt(csbm, phi=second, n=value, f=second)
    attempt(load_dataset, "csbm:n=20,f=3", data_dir=value)


@given(edges=st.text(alphabet="01ab,\t\n\"-.e \x00é", max_size=40), nodes=st.text(alphabet="01ab,\n\"id", max_size=40),
       value=settings_of)
def test_tables(tmp_path_factory, edges, nodes, value):
    folder = tmp_path_factory.getbasetemp()
    (folder / "edges.csv").write_text(edges)
    (folder / "nodes.csv").write_text(nodes)
    attempt(read_tables, folder / "edges.csv")
    attempt(read_tables, folder / "edges.csv", folder / "nodes.csv", label="1")
    attempt(read_tables, folder / "edges.csv", folder / "nodes.csv", label=value)
    if value not in ("-", b"-"):
        attempt(read_tables, value, folder / "nodes.csv")
