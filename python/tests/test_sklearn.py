"""The estimators among scikit-learn's tools."""
import subprocess
import sys
import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn")
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV, PredefinedSplit, StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_checks
from sklearn.utils.validation import check_is_fitted

import gprgnn
from gprgnn import GPRGNNClassifier, MLPNodeClassifier
from gprgnn._models import CLASSES
from gprgnn._options import thread_count

# The checks of scikit-learn that cannot hold, and why.
CANNOT_HOLD = {
    "check_classifiers_classes": "it uses -1 as a class: here that is a node without a label, as in "
                                 "sklearn.semi_supervised",
    "check_sample_weight_equivalence_on_dense_data": "a node that is repeated may be in two parts of the random split",
    "check_sample_weight_equivalence_on_sparse_data": "as for dense data",
    "check_class_weight_classifiers": "class weights are in the training loss alone: validation nodes choose the epoch "
                                      "without them, so a weight of 1000 does not make all nodes of one class",
}


def _without_graph(word):
    """The checks of scikit-learn know no graph: as estimators that always ask for none by name."""
    class WithoutGraph(CLASSES[word]):
        def fit(self, X=None, y=None, graph=None, sample_weight=None):
            return super().fit(X, y, graph, sample_weight=sample_weight)

    WithoutGraph.__name__ = WithoutGraph.__qualname__ = f"WithoutGraph{word}"
    globals()[WithoutGraph.__name__] = WithoutGraph  # for pickle
    return WithoutGraph


@pytest.mark.parametrize("word", sorted(CLASSES))
def test_checks_of_scikit_learn(word):
    small = {"sgc": {}, "geomgcn": {"hidden": 8, "embedding": "poincare"}, "gat": {"heads": 2},
             "jknet": {"jk_layers": 1}, "trees": {"depth": 3}, "stack": {"K": 2}}
    # Of one node a model that uses known labels says something else than of all: it knows the labels of the training.
    one = {"label_counts": "no", "smooth": "no", **({} if word in ("mlp", "trees") else {"label_input": "no"})}
    model = _without_graph(word)(epochs=60, n_jobs=1, **one, **small.get(word, {"hidden": 16}))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if not hasattr(estimator_checks, "EstimatorCheckFailedWarning"):
            pytest.skip("needs scikit-learn 1.6 or newer")
        found = estimator_checks.check_estimator(model, on_fail=None)
    assert len(found) > 40
    failed = {check["check_name"]: check["exception"] for check in found if check["status"] == "failed"}
    assert set(failed) <= set(CANNOT_HOLD), failed


def test_clone_and_tags():
    model = GPRGNNClassifier(K=3, random_state=5)
    copy = clone(model)
    assert copy is not model and copy.get_params() == model.get_params()
    assert is_classifier(model)
    with pytest.raises(NotFittedError):
        model.predict()
    with pytest.raises(NotFittedError):
        check_is_fitted(model)


def test_grid_search_over_K_and_alpha(small):
    search = GridSearchCV(GPRGNNClassifier(data=(small.X, small.A), epochs=30, n_jobs=1),
                          {"K": [1, 4], "alpha": [0.1, 0.9]}, cv=3)
    nodes = np.arange(small.nodes)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        search.fit(nodes, small.y)
    assert search.best_score_ > 0.8 and set(search.best_params_) == {"K", "alpha"}
    assert search.predict(nodes[:5]).shape == (5,)
    assert search.best_estimator_.predict_proba(nodes).shape == (small.nodes, 3)


def test_cross_validation_with_node_masks(small):
    """A split of masks: train on the nodes of one, judge on those of the other, on one graph."""
    train = np.arange(small.nodes) % 4 != 0
    model = GPRGNNClassifier(data=(small.X, small.A), epochs=40, n_jobs=1)
    nodes = np.arange(small.nodes)
    masks = [(np.flatnonzero(train), np.flatnonzero(~train)), (np.flatnonzero(~train), np.flatnonzero(train))]
    scores = cross_val_score(model, nodes, small.y, cv=masks)
    assert scores.shape == (2,) and scores.min() > 0.7
    assert np.array_equal(cross_val_score(model, nodes, small.y, cv=[(train, ~train), (~train, train)]), scores)
    assert cross_val_score(model, nodes, small.y, cv=PredefinedSplit(np.where(train, -1, 0))).shape == (1,)
    by_hand = clone(model).fit(nodes[train], small.y[train])
    assert by_hand.score(nodes[~train], small.y[~train]) == scores[0]
    assert not by_hand.train_mask_[~train].any() and not by_hand.val_mask_[~train].any()
    assert not by_hand.test_mask_.any()


def test_no_label_leaks_into_the_fold(small):
    """Labels of the nodes that are judged change nothing."""
    nodes = np.arange(small.nodes)
    model = GPRGNNClassifier(data=(small.X, small.A), epochs=20, n_jobs=1, label_input="yes")
    folds = list(StratifiedKFold(4).split(nodes, small.y))
    predicted = cross_val_predict(model, nodes, small.y, cv=folds)
    for train, test in folds:
        own = clone(model).fit(nodes[train], small.y[train])
        assert np.array_equal(own.predict(nodes[test]), predicted[test])


def test_dataset_as_data(small):
    data = gprgnn.csbm(phi=0.5, n=200, f=10, seed=3)
    scores = cross_val_score(GPRGNNClassifier(data=data, epochs=30, n_jobs=1), np.arange(200), data.y, cv=2)
    assert scores.mean() > 0.5
    assert clone(GPRGNNClassifier(data=data)).data is data  # nothing is copied for a fold


def test_wrong_data(small):
    nodes = np.arange(small.nodes)
    for data in (3, (small.X,), small.X):
        with pytest.raises(TypeError, match="parameter data"):
            GPRGNNClassifier(data=data).fit(nodes, small.y)
    model = GPRGNNClassifier(data=(small.X, small.A), epochs=3)
    for wrong in (small.X, nodes + 1, nodes - 1, nodes / 2, []):
        with pytest.raises(ValueError, match="node"):
            model.fit(wrong, small.y)
    with pytest.raises(ValueError, match="graph is given twice"):
        model.fit(nodes, small.y, small.A)


def test_pipeline_with_scaled_features(small):
    X = small.X * np.float32(100) + 5
    pipe = make_pipeline(StandardScaler(), GPRGNNClassifier(epochs=40, n_jobs=1))
    pipe.fit(X, small.y, gprgnnclassifier__graph=small.A)
    scaled = StandardScaler().fit_transform(X)
    direct = GPRGNNClassifier(epochs=40, n_jobs=1).fit(scaled, small.y, small.A)
    assert np.array_equal(pipe.predict(X, graph=small.A), direct.predict())
    assert make_pipeline(StandardScaler(), MLPNodeClassifier(epochs=40)).fit(X, small.y).score(X, small.y) > 0.6


def test_metadata_routing(small):
    import inspect

    import sklearn
    from gprgnn._routing import ARGUMENTS

    for method, arguments in ARGUMENTS.items():
        taken = list(inspect.signature(getattr(GPRGNNClassifier, method)).parameters)
        assert set(arguments) == set(taken) - {"self", "X", "y"}, method
    expected = GPRGNNClassifier(epochs=10, n_jobs=1).fit(StandardScaler().fit_transform(small.X), small.y, small.A)
    with sklearn.config_context(enable_metadata_routing=True):
        model = GPRGNNClassifier(epochs=10, n_jobs=1).set_fit_request(graph=True).set_predict_request(graph=True)
        pipe = make_pipeline(StandardScaler(), clone(model)).fit(small.X, small.y, graph=small.A)
        assert np.array_equal(pipe.predict(small.X, graph=small.A), expected.predict())
        with pytest.raises(ValueError, match="graph"):
            make_pipeline(StandardScaler(), GPRGNNClassifier(epochs=10)).fit(small.X, small.y, graph=small.A)
        alone = make_pipeline(StandardScaler(), MLPNodeClassifier(epochs=10)).fit(small.X, small.y)
        assert alone.score(small.X, small.y) > 0.4
        search = GridSearchCV(GPRGNNClassifier(data=(small.X, small.A), epochs=10), {"K": [1, 2]}, cv=2)
        assert search.fit(np.arange(small.nodes), small.y).best_score_ > 0.5
        with pytest.raises(TypeError, match="no argument 'grph'"):
            model.set_fit_request(grph=True)


def test_grid_search_in_two_processes(small):
    pytest.importorskip("joblib")
    search = GridSearchCV(GPRGNNClassifier(data=(small.X, small.A), epochs=20, n_jobs=1), {"K": [1, 3]}, cv=2, n_jobs=2)
    search.fit(np.arange(small.nodes), small.y)
    alone = GridSearchCV(GPRGNNClassifier(data=(small.X, small.A), epochs=20, n_jobs=1), {"K": [1, 3]}, cv=2)
    alone.fit(np.arange(small.nodes), small.y)
    assert np.array_equal(search.cv_results_["mean_test_score"], alone.cv_results_["mean_test_score"])


def fit(small, seed):
    return GPRGNNClassifier(epochs=20, n_jobs=1, random_state=seed).fit(small.X, small.y, small.A)


def test_joblib(small):
    """In the processes of the test above, which exist already."""
    joblib = pytest.importorskip("joblib")
    made = joblib.Parallel(n_jobs=2)(joblib.delayed(fit)(small, seed) for seed in (1, 2))
    assert [model.model_.to_bytes() for model in made] == [fit(small, seed).model_.to_bytes() for seed in (1, 2)]


def threads_of_a_worker():
    return thread_count(None)


def test_threads_of_workers(monkeypatch):
    """None: all CPUs, but in a worker of joblib its share of them."""
    joblib = pytest.importorskip("joblib")
    found = joblib.Parallel(n_jobs=2)(joblib.delayed(threads_of_a_worker)() for _ in range(2))
    assert found == [max(joblib.cpu_count() // 2, 1)] * 2
    for limit, threads in (("3", 3), ("2,4", 2), ("", 0), ("many", 0)):
        monkeypatch.setenv("OMP_NUM_THREADS", limit)
        assert thread_count(None) == threads
    assert thread_count(1) == 1 and thread_count(-1) >= 1


def test_probabilities_suit_the_metrics(small):
    model = GPRGNNClassifier(epochs=20, n_jobs=1, label_input="no", label_counts="no", smooth="no", refit="no",
                             calibrate="no").fit(small.X, small.y, small.A)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = log_loss(small.y[model.val_mask_], model.predict_proba()[model.val_mask_])
    assert found == pytest.approx(model.runs_[0]["val_loss"], rel=1e-5)


def test_works_without_scikit_learn(small):
    """All but numpy and the standard library is hidden."""
    code = """
import sys
class Hide:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("sklearn", "scipy", "pandas", "networkx", "igraph", "joblib", "tqdm", "torch"):
            raise ImportError(name)
sys.meta_path.insert(0, Hide())
import copy, pickle
import numpy as np
from gprgnn import GPRGNNClassifier, NotFittedError
y = np.arange(60) // 30
ring = np.array([np.arange(60), (np.arange(60) + 1) % 60])
model = GPRGNNClassifier(epochs=10, progress=True)
try:
    model.predict()
except NotFittedError:
    pass
model.fit(np.eye(60), y, graph=ring)
assert (pickle.loads(pickle.dumps(model)).predict(np.eye(60), ring) == model.predict()).all()
print(repr(copy.deepcopy(model)), model.score(y=y) > 0.5)
"""
    found = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    assert found.stdout == "GPRGNNClassifier(epochs=10, progress=True) True\n"
