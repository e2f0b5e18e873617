"""The same data and seed through every door: tables and .npz with the program, arrays in C; arrays, DataFrames and
datasets here."""
import csv
import os
import pathlib
import shutil
import subprocess
import warnings

import numpy as np
import pytest

from gprgnn import GPRGNNClassifier, load_dataset, read_tables

pandas = pytest.importorskip("pandas")
sparse = pytest.importorskip("scipy.sparse")
SEED, EPOCHS, NODES = 3, 60, 400


class Data:
    """Six columns of numbers, two of them large; classes by words; ids that are no numbers. directed: edges say so."""

    def __init__(self, positives, directed=False):
        random = np.random.RandomState(7)
        self.y = (np.arange(NODES) < positives * NODES).astype(int)
        random.shuffle(self.y)
        X = random.normal(size=(NODES, 6)) + 0.8 * self.y[:, None]
        X[:, 1] = 1e6 + 3e5 * X[:, 1]
        X[:, 4] = 5e3 * X[:, 4]
        self.X = X.astype(np.float32)
        ends = random.randint(0, NODES, (2, 12 * NODES))
        ends = ends[:, ends[0] != ends[1]]
        alike = self.y[ends[0]] == self.y[ends[1]]
        keep = alike | (random.rand(ends.shape[1]) < 0.25)
        self.edges = np.unique(np.sort(ends[:, keep], axis=0), axis=1)
        if directed:
            self.edges = self._directed(random)
        self.labels = np.array(["no", "yes"])[self.y]
        self.ids = np.array([f"p{i:03}" for i in range(NODES)])
        self.A = sparse.coo_matrix((np.ones(self.edges.shape[1], np.float32), self.edges), (NODES, NODES)).tocsr()
        self.frame = pandas.DataFrame(self.X, columns=[f"c{i}" for i in range(6)], index=self.ids)
        self.edge_frame = pandas.DataFrame(self.ids[self.edges.T], columns=["source", "target"])
        self.nodes_frame = self.frame.reset_index(names="id").assign(kind=self.labels)

    def _directed(self, random):
        """Nodes point to famous ones of their class, those of the other class point to them; some edges go back."""
        famous = [np.flatnonzero(self.y == one)[:8] for one in (0, 1)]
        pairs = [pair for node, own in enumerate(self.y) for k in range(6) for pair in (
            (node, random.choice(famous[own])), (random.choice(famous[1 - own]), node))]
        edges = np.array([pair for pair in pairs if pair[0] != pair[1]]).T
        edges = np.hstack([edges, edges[::-1, random.rand(edges.shape[1]) < 0.2]])
        return np.unique(edges, axis=1)

    def write(self, folder):
        self.nodes_frame.to_csv(folder / "nodes.csv", index=False)
        self.edge_frame.to_csv(folder / "edges.csv", index=False)
        X = sparse.csr_matrix(self.X)
        np.savez(folder / "data.npz", adj_data=self.A.data, adj_indices=self.A.indices, adj_indptr=self.A.indptr,
                 adj_shape=self.A.shape, attr_data=X.data, attr_indices=X.indices, attr_indptr=X.indptr,
                 attr_shape=X.shape, labels=self.y)


def by_program(program, folder, name, options, chosen, *data):
    """The probabilities of all nodes, from the predictions of the training's run folder."""
    flags = [part for word, value in options.items() for part in ("--" + word.replace("_", "-"), value)]
    said = subprocess.run([program, "train", *data, "--seed", str(SEED), "--epochs", str(EPOCHS), *flags, "--out",
                           name],
                          check=True, cwd=folder, capture_output=True, text=True).stderr
    # what nobody asked for is said once
    assert said.count(chosen) == (not options)
    assert said.count("features: columns scaled to mean 0") == (not options)
    with open(folder / name / "predictions.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns = [word for word in rows[0] if word.startswith("p") and word not in ("part", "predicted")]
    return np.array([[float(row[word]) for word in columns] for row in rows], np.float32)


@pytest.fixture(scope="module")
def c_program(tmp_path_factory):
    """A program in C that trains on arrays, built against this library; None: there is no compiler, or no header."""
    here = pathlib.Path(__file__).resolve().parent
    compiler, library, header = shutil.which("cc"), os.environ.get("GPRGNN_LIBRARY"), here.parents[1] / "include"
    if not (compiler and library and header.is_dir()):
        return None
    made = tmp_path_factory.mktemp("c") / "arrays_door"
    subprocess.run([compiler, "-std=c11", "-Wall", "-Werror", here / "arrays_door.c", "-I", header, library,
                    f"-Wl,-rpath,{pathlib.Path(library).resolve().parent}", "-o", made], check=True)
    return made


def by_c(program, data, options):
    options = {"seed": SEED, "epochs": EPOCHS, **options}
    words = [str(part) for word, value in options.items() for part in (word.replace("_", "-"), value)]
    arrays = (data.X, data.edges.astype(np.int64), data.y.astype(np.int32))
    made = subprocess.run([program, *map(str, data.X.shape), str(data.edges.shape[1]), *words], check=True,
                          input=b"".join(array.tobytes() for array in arrays), stdout=subprocess.PIPE)
    return np.frombuffer(made.stdout, np.float32).reshape(NODES, 2)


@pytest.mark.parametrize("positives", [0.5, 0.05])
def test_every_door(program, c_program, tmp_path, positives):
    """Nobody says anything: one set of defaults."""
    through_every_door(program, c_program, tmp_path, positives, {})


@pytest.mark.parametrize("positives", [0.5, 0.05])
def test_every_door_with_directions(program, c_program, tmp_path, positives):
    """Edges that say directions say so through every door, not in tables only."""
    models = through_every_door(program, c_program, tmp_path, positives, {}, directed=True)
    assert {model.model_.option("direction") for model in models} == {"both"}


@pytest.mark.parametrize("positives", [0.5, 0.05])
def test_every_door_with_options(program, c_program, tmp_path, positives):
    through_every_door(program, c_program, tmp_path, positives,
                       {"split": "60/20/20", "normalize": "column", "label_input": "no", "label_counts": "no",
                        "smooth": "no", "refit": "no", "calibrate": "no"})


def test_a_model_of_frames_reads_tables(program, tmp_path):
    """How edges were given to `fit` is not how tables are to be read: names of columns, delimiters, weights."""
    data = Data(0.5)
    edges = data.edge_frame.rename(columns={"source": "payer", "target": "payee"})
    edges["weight"] = np.random.RandomState(2).randint(1, 9, len(edges))
    table = data.frame.assign(town=np.array(["Ulm", "Bonn"])[np.arange(NODES) % 2]).rename_axis("person")
    model = GPRGNNClassifier(random_state=SEED, epochs=20, label_counts="yes", label_input="no").fit(
        table, pandas.Series(data.labels, index=data.ids), graph=edges)
    model.save(tmp_path / "model.safetensors")
    expected = model.predict_proba()
    for separator in (",", ";"):
        edges.to_csv(tmp_path / "links.csv", index=False, sep=separator)
        table.to_csv(tmp_path / "people.csv", sep=separator)
        subprocess.run([program, "predict", "model.safetensors", "--edges", "links.csv", "--nodes", "people.csv",
                        "--proba", "-o", "found.csv"], check=True, cwd=tmp_path, capture_output=True)
        found = pandas.read_csv(tmp_path / "found.csv", index_col="node").loc[data.ids, ["p_no", "p_yes"]]
        assert np.abs(found.to_numpy() - expected).max() < 1e-5
    for nodes in (table, table.reset_index(), tmp_path / "people.csv"):
        assert np.abs(model.predict_proba(read_tables(edges, nodes, model=model)) - expected).max() < 1e-5


def through_every_door(program, c_program, tmp_path, positives, options, directed=False):
    data = Data(positives, directed)
    data.write(tmp_path)
    tables = ["--edges", "edges.csv", "--nodes", "nodes.csv", "--label", "kind"]
    chosen = "label use and --direction are chosen by the validation nodes: 4 trainings" if directed else \
        "label use is chosen by the validation nodes: 3 trainings"
    subprocess.run([program, "convert", *tables, "data.gpr"], check=True, cwd=tmp_path, capture_output=True)
    probabilities = {
        "program, tables": by_program(program, tmp_path, "tables", options, chosen, *tables),
        "program, gpr": by_program(program, tmp_path, "gpr", options, chosen, "data.gpr"),
        "program, npz": by_program(program, tmp_path, "npz", options, chosen, "data.npz")}
    if c_program is not None:
        probabilities["C, arrays"] = by_c(c_program, data, options)
    read = read_tables(data.edge_frame, data.nodes_frame, label="kind")
    shuffled = data.edge_frame.sample(frac=1, random_state=0)
    doors = {"arrays": (data.X, data.y, data.A), "arrays, edges": (data.X.tolist(), data.labels, data.edges),
             "DataFrame": (data.frame, pandas.Series(data.labels, index=data.ids)[::-1], shuffled),
             "read_tables": (read,), "tables": (read_tables(tmp_path / "edges.csv", tmp_path / "nodes.csv", "kind"),),
             "npz": (load_dataset(tmp_path / "data.npz"),)}
    models = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for door, arguments in doors.items():
            models[door] = GPRGNNClassifier(random_state=SEED, epochs=EPOCHS, **options).fit(*arguments)
            probabilities[door] = models[door].predict_proba()
    expected = probabilities["program, tables"]
    for door, found in probabilities.items():
        assert found.tobytes() == expected.tobytes(), f"{door} differs by {np.abs(found - expected).max()}"
    for door, model in models.items():  # the test has both classes, and the model tells them apart
        assert set(data.y[model.test_mask_]) == {0, 1} and model.metrics()["roc_auc"] > 0.9, door
    return list(models.values())
