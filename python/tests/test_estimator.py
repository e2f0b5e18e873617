"""fit, predict, score and what they leave behind."""
import copy
import inspect
import os
import pickle
import re
import warnings

import numpy as np
import pytest

import gprgnn
from gprgnn import GCNClassifier, GPRGNNClassifier, GprgnnWarning, MLPNodeClassifier, NotFittedError
from gprgnn._models import CLASSES

QUICK = {"epochs": 40, "n_jobs": 1}


@pytest.fixture(scope="module")
def fitted(small):
    model = GPRGNNClassifier(K=4, label_input="no", label_counts="no", smooth="no", **QUICK)
    return model.fit(small.X, small.y, small.A)


def test_learns(small, fitted):
    assert fitted.score(small.X, small.y, small.A, mask=fitted.test_mask_) > 0.8
    assert fitted.predict(small.X, small.A).shape == (small.nodes,)
    proba = fitted.predict_proba(small.X, small.A)
    assert proba.shape == (small.nodes, 3) and np.allclose(proba.sum(axis=1), 1, atol=1e-5)
    assert np.array_equal(proba.argmax(axis=1), fitted.predict(small.X, small.A))
    assert np.allclose(fitted.predict_log_proba(small.X, small.A), np.log(proba))
    assert np.array_equal(fitted.decision_function(small.X, small.A).argmax(axis=1), proba.argmax(axis=1))


def test_what_was_learned(small, fitted):
    assert fitted.classes_.tolist() == [0, 1, 2]
    assert fitted.n_features_in_ == small.X.shape[1] and not hasattr(fitted, "feature_names_in_")
    assert fitted.gamma_.shape == (5,) and fitted.gamma_.dtype == np.float32
    assert fitted.n_iter_ == 40 and 0 < fitted.best_epoch_ <= 40
    assert len(fitted.history_["val_loss"]) == 41
    assert fitted.history_["gamma"].shape == (41, 5)
    assert np.array_equal(fitted.history_["gamma"][fitted.best_epoch_], fitted.gamma_)
    assert fitted.history_["val_loss"].argmin() == fitted.best_epoch_
    assert len(fitted.runs_) == 1 and fitted.runs_[0]["seed"] == 1
    masks = fitted.train_mask_.astype(int) + fitted.val_mask_ + fitted.test_mask_
    assert (masks == 1).all()
    assert "lin1.weight" in fitted.model_.weights
    accuracy = fitted.runs_[0]["test_accuracy"] / 100
    assert fitted.score(y=small.y, mask=fitted.test_mask_) == pytest.approx(accuracy)


@pytest.mark.parametrize("word", sorted(CLASSES))
def test_every_model_trains(small, word):
    more = {"embedding": "poincare"} if word == "geomgcn" else {}
    epochs = {"sgc": 200}.get(word, 60)
    model = CLASSES[word](epochs=epochs, n_jobs=1, **more).fit(small.X, small.y, small.A)
    assert model.score(small.X, small.y, small.A, mask=model.test_mask_) > 0.6
    has_filter = word in ("gprgnn", "appnp", "sgc")
    assert hasattr(model, "gamma_") == has_filter


def test_prediction_without_X_is_of_the_training(small, fitted):
    assert np.array_equal(fitted.predict(), fitted.predict(small.X, small.A))
    again = GPRGNNClassifier(**fitted.get_params()).fit_predict(small.X, small.y, small.A)
    assert np.array_equal(again, fitted.predict())


def test_what_was_chosen_is_said(small, caplog, capsys):
    with caplog.at_level("INFO", "gprgnn"):
        GPRGNNClassifier(epochs=3).fit(small.X, small.y, small.A)
    assert "3 trainings" in caplog.text and "columns scaled" in caplog.text and capsys.readouterr().err == ""
    GPRGNNClassifier(epochs=3, verbose=1).fit(small.X, small.y, small.A)
    assert "3 trainings" in capsys.readouterr().err


def test_other_graph(small, fitted):
    half = slice(0, small.nodes // 2)
    found = fitted.predict(small.X[half], small.A[half, half])
    assert found.shape == (small.nodes // 2,)
    assert np.mean(found == small.y[half]) > 0.7


def test_prediction_without_a_graph(small, fitted):
    """The graph of the training, where X has its nodes; else it is asked for."""
    assert np.array_equal(fitted.predict_proba(small.X), fitted.predict_proba())
    assert fitted.score(small.X, small.y, mask=fitted.test_mask_) == fitted.score(mask=fitted.test_mask_)
    A = small.A
    A.data += np.arange(A.nnz)
    weighted = GCNClassifier(**QUICK).fit(small.X, small.y, A)
    assert np.array_equal(weighted.predict_proba(small.X), weighted.predict_proba())
    with pytest.raises(ValueError, match="trained with a graph of 200 nodes, and X has 50 rows"):
        fitted.predict(small.X[:50])
    with pytest.raises(ValueError, match="trained with a graph: give the graph"):
        copy.deepcopy(fitted).predict(small.X)
    without = MLPNodeClassifier(**QUICK).fit(small.X, small.y)
    assert without.predict(small.X).shape == (small.nodes,)


def test_same_seed_same_bits_on_any_number_of_threads(small):
    one = GPRGNNClassifier(epochs=20, runs=3, n_jobs=1).fit(small.X, small.y, small.A)
    two = GPRGNNClassifier(epochs=20, runs=3, n_jobs=2).fit(small.X, small.y, small.A)
    other = GPRGNNClassifier(epochs=20, runs=3, n_jobs=2, random_state=8).fit(small.X, small.y, small.A)
    assert one.model_.to_bytes() == two.model_.to_bytes() != other.model_.to_bytes()
    assert [run["seed"] for run in other.runs_] == [8, 9, 10]


def test_random_state(small):
    def seed(state):
        return GCNClassifier(epochs=1, random_state=state).fit(small.X, small.y, small.A).runs_[0]["seed"]

    assert seed(7) == seed(np.int64(7)) == 7
    assert seed(np.random.RandomState(3)) == seed(np.random.RandomState(3))
    assert seed(np.random.default_rng(3)) == seed(np.random.default_rng(3))
    assert seed(None) != seed(None)
    with pytest.raises(ValueError, match="cannot be used to seed"):
        seed("one")
    with pytest.raises(ValueError, match="cannot be used to seed"):
        seed(-1)


@pytest.mark.parametrize("names", [["b", "a", "c"], np.array([7, 3, 5]), np.array([True, False]), [2.0, 0.0, 1.0]])
def test_kinds_of_labels(small, names):
    names = np.asarray(names)
    y = names[small.y % len(names)]
    model = GCNClassifier(**QUICK).fit(small.X, y, small.A)
    assert model.classes_.tolist() == sorted(names.tolist())
    assert model.predict(small.X, small.A).dtype == y.dtype
    assert model.score(small.X, y, small.A) > 0.6


@pytest.mark.parametrize("missing, kind", [(-1, int), (np.nan, float), (None, object), (-1, object)])
def test_nodes_without_a_label(small, missing, kind):
    y = small.y.astype(kind)
    y[::2] = missing
    model = GCNClassifier(**QUICK).fit(small.X, y, small.A)
    expected = small.y.copy()
    expected[::2] = -1
    same = GCNClassifier(**QUICK).fit(small.X, expected, small.A)
    assert model.model_.to_bytes() == same.model_.to_bytes()
    assert not model.train_mask_[::2].any() and model.train_mask_[1::2].any()
    texts = np.array(["x", "y", "z"], object)[small.y]
    texts[::2] = None
    assert GCNClassifier(**QUICK).fit(small.X, texts, small.A).classes_.tolist() == ["x", "y", "z"]


def test_masks(small):
    train, val, test = (np.arange(small.nodes) % 3 == i for i in range(3))
    model = GPRGNNClassifier(**QUICK).fit(small.X, small.y, small.A, train_mask=train, val_mask=val, test_mask=test)
    assert np.array_equal(model.train_mask_, train) and np.array_equal(model.val_mask_, val)
    numbers = GPRGNNClassifier(**QUICK).fit(small.X, small.y, small.A, train_mask=np.flatnonzero(train),
                                            val_mask=np.flatnonzero(val), test_mask=np.flatnonzero(test))
    assert numbers.model_.to_bytes() == model.model_.to_bytes()
    several = GPRGNNClassifier(**QUICK).fit(small.X, small.y, small.A, train_mask=np.stack([train, val], axis=1),
                                            val_mask=np.stack([val, train], axis=1), test_mask=test)
    assert len(several.runs_) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        repeated = GPRGNNClassifier(runs=3, **QUICK).fit(small.X, small.y, small.A, train_mask=train, val_mask=val)
        alone = GPRGNNClassifier(**QUICK).fit(small.X, small.y, small.A, train_mask=train)
    assert len(repeated.runs_) == 3
    assert alone.best_epoch_ == alone.n_iter_ == QUICK["epochs"]


def test_wrong_masks(small):
    model = GPRGNNClassifier(**QUICK)
    every = np.ones(small.nodes, bool)
    for masks, words in [({"val_mask": every}, "without train_mask"),
                         ({"train_mask": every, "val_mask": every}, "node 0 is in val_mask and in another"),
                         ({"train_mask": every[1:]}, "has the shape"),
                         ({"train_mask": [small.nodes]}, "has the node 200"),
                         ({"train_mask": [-1]}, "has the node -1"), ({"train_mask": [0.5]}, "booleans"),
                         ({"train_mask": ~every}, "train")]:
        with pytest.raises(ValueError, match=words):
            model.fit(small.X, small.y, small.A, **masks)


def test_weights_of_nodes(small):
    plain = GCNClassifier(**QUICK).fit(small.X, small.y, small.A)
    ones = GCNClassifier(**QUICK).fit(small.X, small.y, small.A, sample_weight=np.ones(small.nodes))
    assert np.array_equal(plain.predict_proba(), ones.predict_proba())
    heavy = np.where(small.y == 0, 50.0, 1.0)
    weighted = GCNClassifier(**QUICK).fit(small.X, small.y, small.A, sample_weight=heavy)
    by_class = GCNClassifier(class_weight={0: 50.0}, **QUICK).fit(small.X, small.y, small.A)
    assert np.array_equal(weighted.predict_proba(), by_class.predict_proba())
    assert weighted.predict_proba()[:, 0].mean() > plain.predict_proba()[:, 0].mean()
    rare = np.where((small.y == 0) & (np.arange(small.nodes) % 3 > 0), -1, small.y)
    balanced, plain = (GCNClassifier(class_weight=how, split="60/20/20", **QUICK).fit(small.X, rare, small.A)
                       for how in ("balanced", None))
    assert balanced.predict_proba()[:, 0].mean() > plain.predict_proba()[:, 0].mean()
    for wrong in (np.ones(3), np.ones((small.nodes, 1)), -np.ones(small.nodes), np.zeros(small.nodes),
                  np.full(small.nodes, np.nan)):
        with pytest.raises(ValueError, match="[sS]ample.weight"):
            GCNClassifier(**QUICK).fit(small.X, small.y, small.A, sample_weight=wrong)
    with pytest.raises(ValueError, match="class_weight has the class 9"):
        GCNClassifier(class_weight={9: 1.0}, **QUICK).fit(small.X, small.y, small.A)


def test_no_features(small):
    model = GPRGNNClassifier(epochs=100).fit(None, small.y, small.A)
    assert model.n_features_in_ == small.nodes
    assert model.score(y=small.y, mask=model.test_mask_) > 0.6
    with pytest.raises(ValueError, match="how many nodes"):
        GPRGNNClassifier().fit(None, small.y, small.edges)


def test_names_of_features(small):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(small.X, columns=[f"f{i}" for i in range(small.X.shape[1])])
    model = GCNClassifier(**QUICK).fit(frame, small.y, small.A)
    assert model.feature_names_in_.tolist() == list(frame.columns)
    assert np.array_equal(model.predict(frame, small.A), model.predict())
    with pytest.raises(ValueError, match="same order"):
        model.predict(frame[frame.columns[::-1]], small.A)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        model.predict(small.X, small.A)


def test_score(small, fitted):
    y = np.where(np.arange(small.nodes) < 10, small.y, -1)
    assert fitted.score(small.X, y, small.A) == np.mean(fitted.predict()[:10] == small.y[:10])
    assert fitted.score(y=np.full(small.nodes, 77)) == 0  # a class that the model does not know
    weights = (np.arange(small.nodes) == 3).astype(float)
    assert fitted.score(y=small.y, sample_weight=weights) == float(fitted.predict()[3] == small.y[3])
    with pytest.raises(ValueError, match="no node to judge"):
        fitted.score(y=small.y, mask=np.zeros(small.nodes, bool))
    with pytest.raises(ValueError, match="inconsistent numbers"):
        fitted.score(y=small.y[1:])


def test_score_of_a_dataset(small):
    """Its labels may have names: y=None takes them."""
    names = np.array(["ant", "bee", "cow"])[small.y]
    data = gprgnn.from_arrays(small.X, names, small.A)
    model = GCNClassifier(**QUICK).fit(data)
    assert model.classes_.tolist() == ["ant", "bee", "cow"]
    expected = np.mean(model.predict(data) == names)
    assert model.score(data) == model.score() == model.score(data, names) == expected
    assert model.score(mask=model.test_mask_) == pytest.approx(model.runs_[0]["test_accuracy"] / 100)


def test_score_of_a_refitted_model(small):
    """It has learned its test nodes, too: what their mask says is no test, and a warning tells."""
    y = np.where(np.arange(small.nodes) % 3 == 0, -1, small.y)
    for uses in ({}, {"label_counts": "yes"}):
        model = GPRGNNClassifier(**{**QUICK, "label_input": "no", **uses}).fit(small.X, y, small.A)
        calls = [lambda: model.score(mask=model.test_mask_), lambda: model.score(small.X, y, mask=model.val_mask_),
                 lambda: model.score(small.X, y, small.A, mask=model.test_mask_)]
        for call in calls:
            with pytest.warns(gprgnn.GprgnnWarning, match=r"trained once more on all labelled nodes \(refit\)"):
                call()
        hidden = y == -1
        plain = GPRGNNClassifier(**{**QUICK, "label_input": "no", **uses}, refit="no").fit(small.X, y, small.A)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model.score()
            model.score(small.X, small.y, small.A, mask=hidden)  # nodes that it has not seen
            assert plain.score(mask=plain.test_mask_) == pytest.approx(model.runs_[0]["test_accuracy"] / 100)
    data = gprgnn.from_arrays(small.X, None, small.A)
    folds = np.arange(small.nodes) % 2 == 0
    model = GPRGNNClassifier(data=data, **QUICK).fit(np.flatnonzero(folds), small.y[folds])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.score(np.flatnonzero(~folds), small.y[~folds])
        model.score(np.flatnonzero(~folds), small.y[~folds], mask=np.arange((~folds).sum()) < 9)
    with pytest.warns(gprgnn.GprgnnWarning, match="refit"):
        model.score(np.flatnonzero(folds), small.y[folds], mask=np.arange(folds.sum()) < 9)


def test_known_labels(small):
    model = GPRGNNClassifier(label_input="yes", **QUICK).fit(small.X, small.y, small.A)
    known = np.where(model.train_mask_, small.y, -1)
    assert np.array_equal(model.predict_proba(small.X, small.A, known_labels=known), model.predict_proba())
    few = model.predict_proba(small.X, small.A, known_labels=np.where(np.arange(small.nodes) < 3, small.y, -1))
    assert not np.array_equal(few, model.predict_proba())


@pytest.mark.parametrize("use", [{"label_input": "yes"}, {"label_counts": "yes"}, {"smooth": "yes"}])
def test_labels_are_remembered(small, use, tmp_path):
    """On the data of the training the labels of the training are used, whether or not the data comes with them."""
    y = np.where(np.arange(small.nodes) % 5 == 0, -1, small.y)
    model = GPRGNNClassifier(**use, **QUICK).fit(small.X, y, small.A)
    model.save(tmp_path / "model")
    loaded = GPRGNNClassifier.load(tmp_path / "model")
    for one in (model, pickle.loads(pickle.dumps(model)), loaded):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert np.array_equal(one.predict_proba(small.X, graph=small.A), model.predict_proba())
    with pytest.warns(UserWarning, match="uses known labels, and gets none here.*on its validation nodes accuracy was"):
        other = model.predict_proba(small.X[::-1], graph=small.A)  # rows of the same number: other nodes
    assert not np.array_equal(other[::-1], model.predict_proba())


def test_two_classes_have_one_score(small):
    y = small.y > 0
    model = GCNClassifier(**QUICK).fit(small.X, y, small.A)
    scores = model.decision_function()
    assert scores.shape == (small.nodes,)
    assert np.array_equal(scores > 0, model.predict())


def test_not_fitted(small):
    model = GPRGNNClassifier()
    for use in (model.predict, model.predict_proba, lambda: model.gamma_, lambda: model.save("x"), lambda: model.runs_):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            use()


def test_failed_fit_keeps_the_old_one(small):
    model = GCNClassifier(**QUICK).fit(small.X, small.y, small.A)
    before = model.predict()
    with pytest.raises(ValueError):
        model.set_params(hidden=0).fit(small.X, small.y, small.A)
    assert np.array_equal(model.predict(), before)


def test_wrong_options(small):
    for params, words in [({"hidden": 0}, "hidden"), ({"dropout": 1.5}, "dropout"), ({"init": [1, 2]}, "init"),
                          ({"normalize": "rows"}, "normalize"), ({"split": "60/20"}, "60/20"),
                          ({"n_jobs": 0}, "n_jobs"),
                          ({"epochs": 1.5}, "epochs"), ({"lr": float("nan")}, "lr"), ({"runs": 10**30}, "runs")]:
        with pytest.raises(ValueError, match=words):
            GPRGNNClassifier(**params).fit(small.X, small.y, small.A)
    for params in ({"hidden": object()}, {"n_jobs": "two"}, {"callback": 3}, {"device": 1}, {"preset": 3}):
        with pytest.raises(TypeError):
            GPRGNNClassifier(**params).fit(small.X, small.y, small.A)
    with pytest.raises(FileNotFoundError, match="preset"):
        GPRGNNClassifier(preset="nowhere.conf").fit(small.X, small.y, small.A)
    with pytest.raises(TypeError, match="Did you mean 'hidden'"):
        GPRGNNClassifier(hiden=3)


def test_init_may_be_a_list(small):
    gamma = [0.5, 0.3, 0.2]
    model = GPRGNNClassifier(K=2, init=gamma, epochs=5).fit(small.X, small.y, small.A)
    assert np.allclose(model.history_["gamma"][0], gamma)
    array = GPRGNNClassifier(K=2, init=np.array(gamma), epochs=5).fit(small.X, small.y, small.A)
    assert model.model_.to_bytes() == array.model_.to_bytes()


def test_preset_file(small, tmp_path):
    preset = tmp_path / "best.conf"
    preset.write_text("model = gprgnn\nhidden = 7\nK = 3\n")
    model = GPRGNNClassifier(preset=preset, K=2, epochs=5).fit(small.X, small.y, small.A)
    assert model.model_.option("hidden") == "7" and model.model_.option("K") == "2"


def test_signature_comes_from_the_table():
    for word, made in CLASSES.items():
        parameters = inspect.signature(made).parameters
        assert list(parameters) == list(made().get_params()) == [option.name for option in made._options]
        assert all(f"{name} : " in made.__doc__ for name in parameters)
        assert {"random_state", "n_jobs", "device", "epochs"} <= set(parameters)
        assert not {"seed", "threads", "model", "sample_weight"} & set(parameters)
    assert inspect.signature(GCNClassifier).parameters.get("K") is None
    assert CLASSES["sgc"]().K == 2 and CLASSES["gat"]().hidden == 8 and GPRGNNClassifier().weight_decay == 0.0005


def test_parameters_are_those_of_the_documentation():
    """docs/parameters.md is written by the program: each option is a parameter of the models that it lists."""
    page = os.path.join(os.path.dirname(gprgnn.__file__), "..", "..", "docs", "parameters.md")
    if not os.path.exists(page):
        pytest.skip("the sources are not here")
    with open(page, encoding="utf-8") as file:
        options, data = [[re.split(r"(?<!\\)\|", line) for line in part.split("\n") if line.startswith("| ")][1:]
                         for part in file.read().split("\n## ")]
    assert len(options) > 25 and len(data) > 25
    of_data = {row[1].strip().replace("-", "_") for row in data} - {"data_dir", "format", "no_map", "edge_weight"}
    own = {"sample_weight", "default_features", "model"}
    assert set(inspect.signature(gprgnn.read_tables).parameters) == of_data | own
    for _, word, kind, default, _, models, *_ in ([cell.strip() for cell in row] for row in options):
        if word in ("model", "sample-weight", "loss"):  # a loss is of regressors
            continue
        name = {"seed": "random_state", "threads": "n_jobs"}.get(word, word.replace("-", "_"))
        listed = re.sub("^all( but)?", "", models).split()
        for model, made in CLASSES.items():
            candidates = ["auto", "gprgnn", "gprdeep", "sage", "trees", "stack"]  # models.def
            tried = candidates if model == "auto" else [model]
            applies = any(one not in listed if models.startswith("all") else one in listed for one in tried)
            assert (name in made().get_params()) == applies, (word, model)
            if applies and name != "n_jobs":
                own = re.search(rf", {model} ([^,]+)", default)
                expected = own.group(1) if own else default.split(",")[0]
                value = made().get_params()[name]
                assert str("none" if value is None else value) == expected or value == float(expected), (word, model)


def test_failed_runs_are_a_warning(small):
    result = GCNClassifier(**QUICK).fit(small.X, small.y, small.A).result_
    result.failures = ["run 1: the loss is NaN"]
    with pytest.warns(GprgnnWarning, match="1 of 2 runs failed: run 1: the loss is NaN"):
        result.warn()


def test_parameters():
    model = GPRGNNClassifier(K=3)
    assert repr(model) == "GPRGNNClassifier(K=3)"
    assert model.set_params(alpha=0.5) is model and model.get_params()["alpha"] == 0.5
    with pytest.raises(ValueError, match="Did you mean 'alpha'"):
        model.set_params(alhpa=1)


def test_save_and_load(small, fitted, tmp_path):
    path = tmp_path / "model.safetensors"
    fitted.save(path)
    for loaded in (gprgnn.load(path), GPRGNNClassifier.load(str(path))):
        assert type(loaded) is GPRGNNClassifier and loaded.K == 4 and loaded.epochs == 40
        assert np.array_equal(loaded.predict_proba(small.X, small.A), fitted.predict_proba())
        assert loaded.classes_.tolist() == [0, 1, 2]
        with pytest.raises(AttributeError, match="from a file"):
            loaded.history_
        with pytest.raises(ValueError, match="give X and graph"):
            loaded.predict()
        assert loaded.fit(small.X, small.y, small.A).model_.to_bytes() == fitted.model_.to_bytes()
    with pytest.raises(ValueError, match="gprgnn.load"):
        GCNClassifier.load(path)
    with pytest.raises(FileNotFoundError):
        gprgnn.load(tmp_path / "nothing")
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(ValueError):
        gprgnn.load(path)


def test_names_of_classes_in_the_file(small, tmp_path):
    for names in (np.array(["red", "green", "blue"]), np.array([30, 10, 20])):
        model = GCNClassifier(**QUICK).fit(small.X, names[small.y], small.A)
        model.save(tmp_path / "model")
        assert np.array_equal(gprgnn.load(tmp_path / "model").predict(small.X, small.A), model.predict())


def test_warnings_are_warnings(small):
    X = small.X.copy()
    X[5] = 0
    with pytest.warns(GprgnnWarning) as caught:
        GCNClassifier(**QUICK).fit(np.abs(X), np.where(np.arange(small.nodes) < 4, small.y, -1), small.A,
                                   train_mask=np.arange(8))
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        GCNClassifier(**QUICK).fit(small.X, small.y, small.A)


def test_log_goes_to_logging(small, caplog, capfd):
    import logging

    with caplog.at_level(logging.DEBUG, logger="gprgnn"):
        GCNClassifier(**QUICK).fit(small.X, small.y, small.A)
    assert caplog.records and all(record.name == "gprgnn" for record in caplog.records)
    assert capfd.readouterr() == ("", "")
    GCNClassifier(verbose=2, **QUICK).fit(small.X, small.y, small.A)
    assert capfd.readouterr().err


def test_device(small):
    with pytest.raises(OSError):
        GCNClassifier(device="cuda:99", **QUICK).fit(small.X, small.y, small.A)
    with pytest.raises(ValueError, match="tpu"):
        GCNClassifier(device="tpu", **QUICK).fit(small.X, small.y, small.A)


def test_diverging_training(small):
    with pytest.raises(ArithmeticError, match="infinite or NaN"):
        GPRGNNClassifier(K=2, init=[3e38] * 3, normalize="none", **QUICK).fit(small.X * 100, small.y, small.A)


def test_other_base_rates():
    """Data with more nodes of a class: corrected by adapt_prior, in all that predicts."""
    random = np.random.RandomState(3)

    def sample(rate, nodes=1500):
        y = (random.rand(nodes) >= rate).astype(int)
        X = random.normal(size=(nodes, 2))
        X[np.arange(nodes), y] += 1.2
        return X.astype(np.float32), y

    X, y = sample(0.15)
    model = MLPNodeClassifier(epochs=120, n_jobs=1, lr=0.02, label_counts="no", smooth="no").fit(X, y, graph=None)
    Z, truth = sample(0.6)
    with pytest.warns(gprgnn.GprgnnWarning, match="adapt-prior"):
        before = model.predict_proba(Z, graph=None)
    after = model.predict_proba(Z, graph=None, adapt_prior=True)
    assert model.score(Z, truth, adapt_prior=True) > 0.05 + (before.argmax(1) == truth).mean()
    assert np.array_equal(model.predict(Z, adapt_prior=True), after.argmax(1))
    assert np.allclose(model.predict_log_proba(Z, adapt_prior=True), np.log(after))
    assert ((model.decision_function(Z, adapt_prior=True) > 0) == (after.argmax(1) == 1)).all()
    assert "adapt_prior" in model.get_metadata_routing().predict.requests
