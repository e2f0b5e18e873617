"""What a fitted estimator tells: scores, explanations, frames, pages."""
import math
import pickle
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from gprgnn import GCNClassifier, GPRGNNClassifier, csbm, from_arrays, load


@pytest.fixture(scope="module")
def data():
    return csbm(phi=-0.5, n=150, f=10, seed=3)


@pytest.fixture(scope="module")
def model(data):
    return GPRGNNClassifier(epochs=40, runs=3, K=4, split="60/20/20").fit(data)


def test_means(model):
    mean, sd, ci95 = model.mean()
    tests = [run["test_accuracy"] for run in model.runs_]
    assert mean == pytest.approx(np.mean(tests)) and sd == pytest.approx(np.std(tests, ddof=1))
    assert ci95 == pytest.approx(4.3026527 * sd / math.sqrt(3))  # Student's t with two degrees of freedom
    assert str(model.mean()) == f"{mean:.2f} ± {ci95:.2f}"
    assert model.mean("best_epoch").mean == pytest.approx(np.mean([run["best_epoch"] for run in model.runs_]))
    with pytest.raises(ValueError, match="test_accuracy"):
        model.mean("test_acuracy")


def test_metrics_and_confusion(model, data):
    best = model.result_.best_run
    predicted, test = model.predict(), model.test_mask_
    expected = np.zeros((2, 2), int)
    np.add.at(expected, (data.y[test], predicted[test]), 1)
    assert np.array_equal(model.confusion_matrix(), expected)
    assert model.metrics()["accuracy"] == pytest.approx(expected.trace() / expected.sum())
    assert model.metrics("val", run=1)["accuracy"] == pytest.approx(model.runs_[1]["val_accuracy"] / 100)
    assert np.array_equal(model.confusion_matrix(run=best), expected)
    assert model.confusion_matrix("train").sum() == model.train_mask_.sum()
    with pytest.raises(ValueError, match="part is 'all'"):
        model.metrics("all")
    with pytest.raises(ValueError, match="at most 2"):
        model.confusion_matrix(run=3)


def test_metrics_are_scikit_learns(model, data):
    metrics = pytest.importorskip("sklearn.metrics")
    test, found = model.test_mask_, model.metrics()
    proba = model.predict_proba()[test].astype(float)
    proba /= proba.sum(axis=1, keepdims=True)  # float32 sums to 1 up to its last digit
    assert found["macro_f1"] == pytest.approx(metrics.f1_score(data.y[test], proba.argmax(1), average="macro"))
    assert found["log_loss"] == pytest.approx(metrics.log_loss(data.y[test], proba), abs=1e-5)


def test_frames(model):
    pandas = pytest.importorskip("pandas")
    runs = model.to_frame()
    assert isinstance(runs, pandas.DataFrame) and len(runs) == 3
    assert runs["test_accuracy"].tolist() == pytest.approx([run["test_accuracy"] for run in model.runs_])
    history = model.to_frame("history")
    assert set(history["run"]) == {0, 1, 2}
    of_best = history[history["run"] == model.result_.best_run]
    assert np.array_equal(of_best["val_loss"], model.history_["val_loss"])
    gamma = model.to_frame("gamma")
    assert gamma.shape == (3, 5) and np.array_equal(gamma.loc[model.result_.best_run], model.gamma_)
    with pytest.raises(ValueError, match="'runs', 'history' or 'gamma'"):
        model.to_frame("epochs")


def test_inspect(model, data):
    found = model.inspect()
    assert found["nodes"] == 150 and found["training_data"] is True and found["on_training_nodes"] is True
    assert found["gamma"] == pytest.approx(model.gamma_.tolist())
    at = np.asarray(found["lambda"])
    assert found["response"] == pytest.approx(np.polyval(model.gamma_[::-1].astype(float), at).tolist(), abs=1e-6)
    other = model.inspect(csbm(phi=-0.5, n=150, f=10, seed=4))
    assert other["training_data"] is False
    assert "filter" in repr(found)


def test_explain(model, data):
    found = model.explain(5, top=3)
    scores = model.predict_proba()[5]
    assert found["node"] == 5 and found["predicted"] == scores.argmax()
    assert found["probability"] == pytest.approx(scores.max(), abs=1e-5)
    assert sum(found["hops"]) == pytest.approx(found["score"], abs=1e-4)
    assert len(found["nodes"]) == 3 and len(found["columns"]) == 3
    assert model.explain(5, class_=1 - found["predicted"])["class"] == 1 - found["predicted"]
    for wrong in (-1, 150, 2**70):
        with pytest.raises(ValueError, match="at most 149|0 or more"):
            model.explain(wrong)
    with pytest.raises(ValueError, match="top is 0"):
        model.explain(5, top=0)
    with pytest.raises(TypeError, match="must be a Dataset"):
        model.explain(5, data=data.X)


def test_explain_by_id(data):
    named = from_arrays(data.X, data.y, data.graph, node_ids=[f"n{i}" for i in range(150)])
    model = GPRGNNClassifier(epochs=10, K=3).fit(named)
    assert model.explain("n7")["node"] == model.explain(7)["node"] == "n7"
    with pytest.raises(ValueError, match="n77777"):
        model.explain("n77777")
    with pytest.raises(ValueError, match="gcn"):
        GCNClassifier(epochs=2).fit(named).explain(0)


def test_importance(model):
    found = model.importance(most=4, repeats=2)
    assert len(found["columns"]) == 4
    with pytest.raises(ValueError, match="repeats is 0"):
        model.importance(repeats=0)


def test_files_and_pages(model, data, tmp_path):
    model.save_run(tmp_path / "run")
    assert (tmp_path / "run" / "result.json").exists()
    assert np.array_equal(load(tmp_path / "run" / "model.safetensors").predict(data), model.predict())
    path = model.report(tmp_path / "page.html")
    assert path == str(tmp_path / "page.html") and "<html" in (tmp_path / "page.html").read_text()[:200]
    with pytest.raises(OSError):
        model.report(tmp_path / "no" / "page.html")


def test_summary(model):
    text = model.summary()
    assert "3 runs" in text and f"{model.mean().mean:.2f} ±" in text and "gamma" in text
    assert "from a file" in pickle.loads(pickle.dumps(model)).summary()


def figures(page):
    """The SVG figures of a page, parsed: they must be well formed."""
    parts = page.split("<svg")[1:]
    return [ElementTree.fromstring("<svg" + part.split("</svg>")[0] + "</svg>") for part in parts]


def test_html(model):
    page = model._repr_html_()
    assert len(figures(page)) == 3 and "3 runs" in page
    bars = [element for element in figures(page)[0].iter() if element.tag.endswith("rect")]
    assert len(bars) == 5
    assert "nan" not in page.lower().replace("nan_", "")
    assert GPRGNNClassifier(K=3)._repr_html_() == "<pre>GPRGNNClassifier(K=3)</pre>"
    gcn = GCNClassifier(epochs=3).fit(csbm(phi=0.5, n=80, f=5))
    assert len(figures(gcn._repr_html_())) == 2  # it has no filter
    loaded = pickle.loads(pickle.dumps(model))
    assert len(figures(loaded._repr_html_())) == 1  # the filter


def test_loaded_models_say_what_they_lack(model, data):
    loaded = pickle.loads(pickle.dumps(model))
    for call in (loaded.mean, loaded.confusion_matrix, loaded.results, loaded.to_frame, loaded.cautions,
                 lambda: loaded.report("x.html")):
        with pytest.raises(ValueError, match="loaded from a file or a pickle"):
            call()
    with pytest.raises(ValueError, match="give data="):
        loaded.explain(0)
    assert loaded.explain(5, data=data)["score"] == pytest.approx(model.explain(5)["score"])
    assert loaded.inspect()["gamma"] == model.inspect()["gamma"]


def test_not_fitted():
    for call in ("mean", "metrics", "confusion_matrix", "results", "inspect", "summary", "to_frame"):
        with pytest.raises(ValueError, match="not fitted"):
            getattr(GPRGNNClassifier(), call)()
    with pytest.raises(ValueError, match="not fitted"):
        GPRGNNClassifier().explain(0)


def test_parts_that_are_empty():
    data = csbm(phi=0.5, n=60, f=5, seed=1)
    model = GPRGNNClassifier(epochs=3).fit(data, train_mask=np.arange(30))
    with pytest.raises(ValueError, match="no test nodes"):
        model.metrics()
    assert math.isnan(model.mean("test_accuracy").mean) and "test accuracy" not in model.summary()
    assert "nan" not in model.summary() and "nan" not in repr(model.result_)
    assert len(figures(model._repr_html_())) == 3


def test_headline_of_a_rare_class():
    data = csbm(phi=0.5, n=300, f=5, seed=1)
    y = (np.arange(300) % 10 == 0).astype(int)
    model = GPRGNNClassifier(epochs=3, split="60/20/20").fit(data.X, y, graph=data.graph)
    lines = model.summary().splitlines()
    assert lines[1] == f"  test average precision: {model.mean('test_average_precision').mean:.3f}"
    assert any(line.startswith("  test accuracy") for line in lines)
    headline = model.results()["headline"]
    assert headline["metric"] == "average_precision" and headline["largest_class"] == 0.9
