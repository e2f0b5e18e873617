"""What an estimator says of a filter of several relations, directions, bases and classes."""
import numpy as np
import pytest

from gprgnn import GPRGNNClassifier

NODES, HOPS = 90, 3


@pytest.fixture(scope="module")
def world():
    random = np.random.default_rng(2)
    y = np.arange(NODES) % 3
    x = random.normal(size=(NODES, 4)) + np.eye(4)[y]
    pairs = {name: np.unique(random.integers(0, NODES, (2, 300)), axis=1) for name in ("pay", "device")}
    return x, y, pairs


def fit(world, graph=None, **options):
    x, y, pairs = world
    model = GPRGNNClassifier(epochs=20, K=HOPS, random_state=1, n_jobs=1, label_input="no", label_counts="no",
                             smooth="no", **options)
    return model.fit(x, y, pairs if graph is None else graph)


def test_one_filter(world):
    model = fit(world, world[2]["pay"], basis="chebyshev")
    (part,) = model.filters_
    told = [part[word] for word in ("relation", "direction", "basis", "loops")]
    assert told == [None, "undirected", "chebyshev", True]
    assert np.array_equal(part["gamma"], model.gamma_) and part["gamma"].shape == (HOPS + 1,)
    found = model.inspect()
    assert found["response"][-1] == pytest.approx(model.gamma_.sum(), rel=1e-5)  # T_k(1) = 1


def test_several(world):
    model = fit(world, direction="both", gamma="columns")
    names = [(part["relation"], part["direction"]) for part in model.filters_]
    assert names == [("device", "along"), ("device", "against"), ("pay", "along"), ("pay", "against")]
    assert all(part["gamma"].shape == (HOPS + 1, 3) for part in model.filters_)
    assert not model.filters_[1]["gamma"][0].any() and model.filters_[0]["gamma"][0].all()
    with pytest.raises(AttributeError, match="use filters_"):
        model.gamma_
    told = model.results()
    assert told["gamma"] is None
    for part, written in zip(model.filters_, told["filters"]):
        assert np.allclose(part["gamma"], written["gamma"], rtol=1e-6)


def test_explained(world):
    model = fit(world, basis="bernstein", loops="no")
    found = model.explain(5)
    assert found["gamma"] is None and len(found["filters"]) == 2
    assert sum(part["score"] for part in found["filters"]) == pytest.approx(found["score"], abs=1e-5)
    assert sum(found["hops"]) == pytest.approx(found["score"], abs=1e-5)


def test_frame(world):
    pytest.importorskip("pandas")
    frame = fit(world, gamma="columns").to_frame("gamma")
    assert list(frame.columns) == ["run", "relation", "direction", "class", "k", "gamma"]
    assert len(frame) == 2 * 3 * (HOPS + 1)
