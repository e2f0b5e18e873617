"""AutoClassifier: several models are tried, and the validation nodes choose."""
import pickle
import warnings

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV

import gprgnn
from gprgnn import AutoClassifier, GPRGNNClassifier

NODES = 240
SMALL = {"epochs": 20, "hidden": 8, "n_jobs": 1, "random_state": 1}


@pytest.fixture(scope="module")
def world():
    """Neighbours tell the class, and columns hardly."""
    random = np.random.default_rng(3)
    y = np.array(["a", "b", "c"])[np.arange(NODES) % 3]
    x = random.normal(size=(NODES, 4)) + 0.3 * np.eye(4)[np.arange(NODES) % 3]
    edges = np.array([(i, 3 * random.integers(NODES // 3) + i % 3) for i in range(NODES) for _ in range(3)]).T
    return x, y, edges


def test_the_best_is_kept(world, tmp_path):
    x, y, graph = world
    model = AutoClassifier(**SMALL).fit(x, y, graph)
    told = model.results()
    assert told["model"] == model.model_.name
    assert {one["model"] for one in told["choice"]["candidates"]} == {"gprgnn", "gprdeep", "sage"}
    best = max(told["choice"]["candidates"], key=lambda one: one["validation"])
    chosen = next(one for one in told["choice"]["candidates"] if one["candidate"] == told["choice"]["chosen"])
    assert chosen["validation"] == best["validation"] and chosen["model"] == told["model"]
    assert told["choice"]["chosen"] in model.result_.choice
    proba = model.predict_proba(x, graph)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict_proba(x, graph), proba)
    model.save(tmp_path / "kept.safetensors")
    loaded = gprgnn.load(tmp_path / "kept.safetensors")  # of the class of its model
    assert loaded._word == told["model"] and np.array_equal(loaded.predict_proba(x, graph), proba)


def test_candidates_by_name(world):
    x, y, graph = world
    one = AutoClassifier(candidates="gprgnn", label_input="no", label_counts="no", **SMALL).fit(x, y, graph)
    named = GPRGNNClassifier(label_input="no", label_counts="no", **SMALL).fit(x, y, graph)
    assert np.array_equal(one.predict_proba(x, graph), named.predict_proba(x, graph))
    assert named.results().get("choice") is None
    with pytest.raises(ValueError, match="did you mean 'sage'"):
        AutoClassifier(candidates="sagee", **SMALL).fit(x, y, graph)
    with pytest.raises(ValueError, match="no candidate has the option norm|no candidate has the option `norm`"):
        AutoClassifier(candidates="sage", norm="batch", **SMALL).fit(x, y, graph)


def test_each_fit_of_a_search_chooses(world):
    x, y, graph = world
    nodes = np.arange(NODES)
    search = GridSearchCV(AutoClassifier(data=(x, graph), candidates="gprgnn-counts,sage", **SMALL),
                          {"dropout": [0.0, 0.2]}, cv=2, error_score="raise")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search.fit(nodes, y)
    told = search.best_estimator_.results()
    assert len(told["choice"]["candidates"]) == 2 and told["config"]["dropout"] == search.best_params_["dropout"]
    assert set(search.predict(nodes[:5])) <= set(y)
