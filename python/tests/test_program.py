"""Python and the program: the same seed gives the same bytes, and model files go both ways."""
import csv
import subprocess

import numpy as np
import pytest

import gprgnn
from gprgnn import GPRGNNClassifier, csbm
from gprgnn._models import CLASSES


def run(program, *args, cwd):
    return subprocess.run([program, *map(str, args)], check=True, cwd=cwd, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A dataset, and its file in both formats."""
    made = csbm(phi=0.5, n=300, f=30, seed=4)
    folder = tmp_path_factory.mktemp("data")
    made.save(folder / "data.npz")
    made.save(folder / "data.gpr")
    return made, folder


def train_flags(params):
    return [part for word, value in params.items() for part in (f"--{word}", value)]


@pytest.mark.parametrize("word", sorted(CLASSES))
def test_weights_of_the_program(program, data, tmp_path, word):
    made, folder = data
    more = {"embedding": "poincare"} if word == "geomgcn" else {}
    run(program, "train", folder / "data.npz", *train_flags({"model": word, "epochs": 25, "seed": 6, **more}), "--out",
        tmp_path / "run", cwd=tmp_path)
    expected = (tmp_path / "run" / "model.safetensors").read_bytes()
    # Arrays do not say that they were drawn; a file does.
    plain = {"smooth": "no", "normalize": "none", "refit": "no",
             **({} if word in ("trees", "stack") else {"label_counts": "no"}),
             **({} if word in ("mlp", "trees", "stack") else {"label_input": "no"})}
    model = CLASSES[word](epochs=25, random_state=6, **plain, **more).fit(made.X, made.y, made.graph)
    ours = model.model_
    theirs = gprgnn.load(tmp_path / "run").model_
    assert ours.weights.keys() == theirs.weights.keys()
    for name, weight in ours.weights.items():
        assert weight.tobytes() == theirs.weights[name].tobytes(), name
    # As a Dataset, with its name, also the file is the same.
    whole = CLASSES[word](epochs=25, random_state=6, **more).fit(gprgnn.load_dataset(folder / "data.npz"))
    assert whole.model_.to_bytes() == expected


@pytest.mark.parametrize("params", [
    {"runs": 3, "K": 5, "alpha": 0.3}, {"init": "0.5,0.25,0.25", "K": 2}, {"split": "50/25/25", "normalize": "column"},
    {"metric": "accuracy", "calibrate": "yes"}, {"label-input": "yes"}, {"smooth": "yes", "weight-decay": 0.01},
    {"refit": "yes", "class-weight": "balanced", "patience": 5}])
def test_options_of_the_program(program, data, tmp_path, params):
    _, folder = data
    run(program, "train", folder / "data.gpr", *train_flags({"epochs": 20, **params}), "--out", tmp_path / "run",
        cwd=tmp_path)
    ours = {word.replace("-", "_"): value for word, value in params.items()}
    model = GPRGNNClassifier(epochs=20, **ours).fit(gprgnn.load_dataset(folder / "data.gpr"))
    model.save(tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == (tmp_path / "run" / "model.safetensors").read_bytes()


def predictions(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns = [name for name in rows[0] if name.startswith("p") and name not in ("part", "predicted")]
    return [row["class"] for row in rows], np.array([[float(row[name]) for name in columns] for row in rows])


def test_predictions_of_the_program(program, data, tmp_path):
    """Train in Python, predict with the program; and the reverse."""
    made, folder = data
    model = GPRGNNClassifier(epochs=20).fit(made.X, made.y, made.graph)
    model.save(tmp_path / "model.safetensors")
    run(program, "predict", tmp_path / "model.safetensors", folder / "data.npz", "--proba", "--output",
        tmp_path / "p.csv", cwd=tmp_path)
    classes, proba = predictions(tmp_path / "p.csv")
    assert [int(name) for name in classes] == model.predict(made.X, made.graph).tolist()
    assert np.array_equal(proba.astype(np.float32), model.predict_proba(made.X, made.graph))
    loaded = gprgnn.load(tmp_path / "model.safetensors")
    assert loaded.predict_proba(made.X, made.graph).tobytes() == model.predict_proba().tobytes()


def test_names_travel(program, small, tmp_path):
    """Names of classes and features are the model file's, for tables too."""
    pandas = pytest.importorskip("pandas")
    names = np.array(["cat", "dog", "eel"])[small.y]
    edges = np.unique(np.sort(small.edges, axis=0), axis=1).T
    X = pandas.DataFrame(small.X, columns=[f"f{i}" for i in range(small.X.shape[1])])
    model = GPRGNNClassifier(epochs=20).fit(X, names, pandas.DataFrame(edges, columns=["a", "b"]))
    model.save(tmp_path / "model")
    table = X.copy()
    table.insert(0, "id", np.arange(small.nodes))
    table.to_csv(tmp_path / "nodes.csv", index=False)
    pandas.DataFrame(edges, columns=["source", "target"]).to_csv(tmp_path / "edges.csv", index=False)
    run(program, "predict", tmp_path / "model", "--edges", "edges.csv", "--nodes", "nodes.csv", "--output",
        tmp_path / "p.csv", cwd=tmp_path)
    assert predictions(tmp_path / "p.csv")[0] == model.predict().tolist()
