"""Datasets: from files, tables, the generator and other packages, and back."""
import gc
import http.server
import os
import pickle
import sys
import threading

import numpy as np
import pytest

import gprgnn
from gprgnn import GprgnnWarning, csbm, datasets, from_arrays, load_dataset, read_tables


@pytest.fixture(scope="module")
def data():
    return csbm(phi=-0.5, n=120, f=8, seed=3)


@pytest.fixture
def tables(tmp_path):
    """Edges and nodes as files, with a category, a missing value, a date and a weight."""
    (tmp_path / "edges.csv").write_text("from,to,w\na,b,2\nb,c,1\nc,a,1\nd,a,3\n")
    (tmp_path / "nodes.csv").write_text("id,age,city,since,kind,part\n"
                                        "a,30,Ulm,2020-01-01,x,train\nb,,Bonn,2021-01-01,y,train\n"
                                        "c,41,Ulm,2022-01-01,x,val\nd,50,Kiel,2023-01-01,,test\n")
    return tmp_path


def same(first, second):
    return first.info()["fingerprint"] == second.info()["fingerprint"]


def test_sizes_and_arrays(data):
    assert (data.n_nodes, data.n_features, data.n_classes) == (120, 8, 2)
    assert data.X.shape == (120, 8) and data.X.dtype == np.float32
    assert data.y.dtype == np.int32 and set(np.unique(data.y)) == {0, 1}
    dense = data.graph.toarray()
    assert np.array_equal(dense, dense.T) and dense.trace() == 0
    assert dense.sum() == 2 * data.n_edges
    pairs, weights = data.edges()
    assert pairs.shape == (2, data.n_edges) and weights is None
    assert (pairs[0] < pairs[1]).all() and dense[pairs[0], pairs[1]].all()


def test_arrays_are_views_that_outlive_the_dataset():
    own = csbm(phi=0.5, n=300, f=20, seed=1)
    X, y, indices = own.X, own.y, own.graph.indices
    sums = X.sum(), y.sum(), indices.sum()
    for array in (X, y, indices):
        assert not array.flags.owndata and not array.flags.writeable
    with pytest.raises(ValueError):
        X[0, 0] = 1
    del own
    gc.collect()
    csbm(phi=0.5, n=300, f=20, seed=2)  # would take the memory, were it free
    assert (X.sum(), y.sum(), indices.sum()) == sums


def test_sparse_features_stay_sparse():
    X = np.zeros((6, 10), dtype=np.float32)
    X[np.arange(6), np.arange(6)] = 2
    own = from_arrays(X, [0, 1, 0, 1, 0, 1], graph=[[0, 1, 2], [1, 2, 3]])
    assert own.X.format == "csr" and own.X.nnz == 6 and np.array_equal(own.X.toarray(), X)
    assert (own.X @ np.ones(10)).tolist() == [2] * 6


def test_without_scipy(monkeypatch, data):
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)  # its import fails
    own = csbm(phi=-0.5, n=120, f=8, seed=3)
    assert type(own.graph).__name__ == "CSR" and own.graph.shape == (120, 120)
    assert np.array_equal(own.graph.toarray(), data.graph.toarray())
    again = from_arrays(own.X, own.y, own.graph)
    assert same(again, data)


def test_info(data):
    info = data.info()
    assert info["nodes"] == 120 and info["class_sizes"] == [60, 60] and info["name"] == data.name
    assert info["edge_homophily"] == pytest.approx(
        np.mean(data.y[data.edges()[0][0]] == data.y[data.edges()[0][1]]))
    assert data.class_edges().sum() == 2 * data.n_edges
    info["nodes"] = 0
    assert data.info()["nodes"] == 120  # a copy
    assert "120 nodes" in repr(data) and "<table>" in data._repr_html_()


def test_hostile_names_are_escaped():
    own = from_arrays(np.eye(3), ["<b>", "x", "x"], graph=[[0], [1]], name="<script>alert(1)</script>")
    assert "<script>" not in own._repr_html_() and "&lt;script&gt;" in own._repr_html_()


def test_splits(data):
    train, val, test = data.split("60/20/20", seed=5)
    assert (train.sum(), val.sum(), test.sum()) == (72, 24, 24)
    assert not (train & val).any() and not (val & test).any() and not (train & test).any()
    assert np.array_equal(train, data.split("60/20/20", seed=5).train)
    assert not np.array_equal(train, data.split("60/20/20", seed=6).train)
    assert not np.array_equal(train, data.split("60/20/20", seed=5, run=1).train)
    with pytest.raises(ValueError, match="60/20/30"):
        data.split("60/20/30")
    with pytest.raises(ValueError, match="seed"):
        data.split(seed=-1)
    with pytest.raises(FileNotFoundError):
        data.split("nowhere/split.npz")


@pytest.mark.parametrize("ending", [".gpr", ".npz"])
def test_save_and_load(data, tmp_path, ending):
    path = tmp_path / f"graph{ending}"
    data.save(path)
    assert same(load_dataset(path), data) and same(load_dataset(path, mmap=False), data)
    data.save(tmp_path / "other", format=ending[1:])
    assert same(load_dataset(tmp_path / "other"), data)
    with pytest.raises(OSError):
        data.save(tmp_path / "no" / "folder" / f"x{ending}")


def test_pickle(data, tables):
    assert same(pickle.loads(pickle.dumps(data)), data)
    table = read_tables(tables / "edges.csv", tables / "nodes.csv", label="kind")
    again = pickle.loads(pickle.dumps(table))
    assert same(again, table) and again.class_names == ["x", "y"] and again.node_ids == table.node_ids


def test_load_by_name_and_its_errors(tmp_path):
    assert load_dataset("csbm:n=50,f=4").n_nodes == 50
    with pytest.raises(FileNotFoundError, match="did you mean 'cora'"):
        load_dataset("coraa", data_dir=tmp_path)
    (tmp_path / "bad.npz").write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(ValueError, match="bad.npz"):
        load_dataset(tmp_path / "bad.npz")
    with pytest.raises(ValueError):
        load_dataset("csbm:phi=7")
    with pytest.raises(TypeError, match="data must be"):
        load_dataset(7)
    with pytest.raises(ValueError, match="NUL"):
        load_dataset("co\0ra")


def test_catalogue(tmp_path):
    names = [entry["name"] for entry in datasets()]
    assert "cora" in names and all(entry["licence"] for entry in datasets())
    with pytest.raises((FileNotFoundError, ValueError), match="cora"):
        gprgnn.fetch_dataset("coraa")
    with pytest.raises(ConnectionError):
        gprgnn.fetch_dataset("cora", mirror="http://127.0.0.1:9", data_dir=tmp_path, retries=0, timeout=1)


@pytest.fixture
def mirror():
    """A web server with the public datasets of this machine."""
    folder = os.environ.get("GPRGNN_DATA", "")
    if not os.path.exists(os.path.join(folder, "planetoid", "ind.cora.x")):
        pytest.skip("cora is not in $GPRGNN_DATA")

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args):
            super().__init__(*args, directory=folder)

        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_fetch(mirror, tmp_path, monkeypatch):
    monkeypatch.delenv("GPRGNN_DATA", raising=False)
    seen = []
    received = gprgnn.fetch_dataset("cora", mirror=mirror, data_dir=tmp_path, progress=lambda *at: seen.append(at))
    assert received > 100_000 and all(path.startswith("planetoid/") for path, _, _ in seen)
    assert load_dataset("cora", data_dir=tmp_path).n_nodes == 2708
    assert gprgnn.fetch_dataset("cora", mirror=mirror, data_dir=tmp_path) == 0  # all is there
    with pytest.raises(ZeroDivisionError):
        gprgnn.fetch_dataset("cora", mirror=mirror, data_dir=tmp_path, force=True, progress=lambda *at: 1 / 0)


def test_csbm_words():
    assert csbm(0.5, n=60, f=5, seed=1).n_nodes == 60
    assert same(csbm(0.5, n=60, f=5, seed=1), load_dataset("csbm:phi=0.5,n=60,f=5,seed=1"))
    with pytest.raises(ValueError, match="phi"):
        csbm(phi=2)
    with pytest.raises(ValueError, match="n is -1"):
        csbm(n=-1)
    with pytest.raises(TypeError, match="whole number"):
        csbm(n=10.5)
    with pytest.raises((MemoryError, ValueError)):
        csbm(n=2**62)


def test_tables(tables):
    own = read_tables(tables / "edges.csv", tables / "nodes.csv", label="kind", drop=["part"], source="from",
                      target="to")
    assert own.node_ids == ["a", "b", "c", "d"] and own.class_names == ["x", "y"]
    assert own.y.tolist() == [0, 1, 0, -1] and own.n_edges == 4
    assert sorted(own.edges()[1].tolist()) == [1, 1, 2, 3]
    kinds = {column["name"]: (column["role"], column["kind"]) for column in own.columns}
    assert kinds["age"] == ("feature", "number") and kinds["city"] == ("feature", "category")
    assert kinds["since"] == ("feature", "date") and kinds["part"][0] == "dropped" and kinds["kind"][0] == "label"
    assert any(name.startswith("city=") for name in own.feature_names)
    assert own.find("c") == 2
    with pytest.raises(ValueError, match="'e'"):
        own.find("e")


def test_tables_of_pandas_are_read_alike(tables):
    pandas = pytest.importorskip("pandas")
    edges, nodes = pandas.read_csv(tables / "edges.csv"), pandas.read_csv(tables / "nodes.csv")
    for words in ({}, {"categorical": ["age"]}, {"fill": 3.5}, {"drop": "city,since"}, {"weight": "none"}):
        from_files = read_tables(tables / "edges.csv", tables / "nodes.csv", label="kind", **words)
        assert same(read_tables(edges, nodes, label="kind", **words), from_files)


def test_table_options(tables):
    edges, nodes = tables / "edges.csv", tables / "nodes.csv"
    own = read_tables(edges, nodes, label="kind", split_column="part")
    assert own.split("column").val.tolist() == [False, False, True, False]
    dated = read_tables(edges, nodes, label="kind", split_column="since", val_from="2022-01-01", test_from="2023-01-01")
    assert dated.split("column").train.tolist() == [True, True, False, False]
    two = read_tables([edges, edges], nodes, label="kind", duplicates="sum")
    assert sorted(two.edges()[1].tolist()) == [2, 2, 4, 6]
    scaled = read_tables({edges: 10}, nodes, label="kind")
    assert sorted(scaled.edges()[1].tolist()) == [10, 10, 20, 30]
    (tables / "trust.csv").write_text("id,x,kind,trust\na,1,u,1\nb,2,v,0.5\nc,3,u,2\nd,4,v,0\n")
    weighted = read_tables(edges, tables / "trust.csv", label="kind", sample_weight="trust")
    assert weighted.node_weights.tolist() == [1, 0.5, 2, 0] and weighted.n_features == 1
    with pytest.raises(ValueError, match="sample-weight '' is not a number"):
        read_tables(edges, nodes, label="kind", sample_weight="age")
    made = read_tables(edges, features="degree")
    assert made.n_features > 0 and made.n_classes == 0
    assert read_tables(edges, default_features=None).n_features == 0


def test_table_errors(tables):
    edges, nodes = tables / "edges.csv", tables / "nodes.csv"
    with pytest.raises(ValueError, match="kindd"):
        read_tables(edges, nodes, label="kindd")
    with pytest.raises(FileNotFoundError, match="nowhere"):
        read_tables(tables / "nowhere.csv")
    with pytest.raises(TypeError, match="nodes must be a path"):
        read_tables(edges, 5)
    with pytest.raises(ValueError, match="comma"):
        read_tables(edges, nodes, drop=["a,b"])
    with pytest.raises(ValueError, match="at least one table"):
        read_tables([])
    with pytest.raises(TypeError, match="fitted estimator"):
        read_tables(edges, nodes, model=3)
    (tables / "more.csv").write_text("from,to\na,zz\n")
    with pytest.raises(ValueError, match="zz"):
        read_tables(tables / "more.csv", nodes, label="kind")
    assert read_tables([edges, tables / "more.csv"], nodes, label="kind", unknown="skip").n_edges == 4


def test_tables_of_a_model(tmp_path):
    """The model says how tables are read: files as in its training, DataFrames as they are."""
    pandas = pytest.importorskip("pandas")
    ids = [f"n{i * 7 % 40}" for i in range(40)]
    nodes = pandas.DataFrame({"x": [i % 5 for i in range(40)], "key": ids, "kind": ["uv"[i % 2] for i in range(40)]})
    edges = pandas.DataFrame({"day": range(80), "payer": ids * 2, "payee": [ids[(i * 3 + 2) % 40] for i in range(80)]})
    nodes.to_csv(tmp_path / "nodes.csv", sep=";", index=False)
    edges.to_csv(tmp_path / "edges.csv", sep=";", index=False)
    data = read_tables(tmp_path / "edges.csv", tmp_path / "nodes.csv", label="kind", id="key", source="payer",
                       target="payee", delimiter="semicolon")
    model = gprgnn.GPRGNNClassifier(epochs=5, label_input="no", label_counts="no", smooth="no").fit(data)
    again = read_tables(tmp_path / "edges.csv", tmp_path / "nodes.csv", model=model)
    assert np.array_equal(model.predict_proba(again), model.predict_proba())
    assert np.array_equal(model.predict_proba(read_tables(edges, nodes, model=model)), model.predict_proba())
    with pytest.raises(ValueError, match="no column 'payer'.*the model asks for it"):
        read_tables(edges.rename(columns={"payer": "p"}), nodes, model=model)


def test_networkx_and_back(data):
    networkx = pytest.importorskip("networkx")
    graph = data.to_networkx()
    assert graph.number_of_edges() == data.n_edges and graph.nodes[5]["label"] == data.y[5]
    assert same(gprgnn.from_networkx(graph, "x", "label"), data)
    weighted = networkx.Graph()
    weighted.add_edge("u", "v", weight=2.5)
    weighted.add_node("w", age=3)
    weighted.nodes["u"]["age"], weighted.nodes["v"]["age"] = 1, 2
    own = gprgnn.from_networkx(weighted, ["age"])
    assert own.node_ids == ["u", "v", "w"] and own.edges()[1].tolist() == [2.5] and own.feature_names == ["age"]
    assert own.to_networkx()["u"]["v"]["weight"] == 2.5
    with pytest.raises(ValueError, match="'colour'"):
        gprgnn.from_networkx(weighted, "colour")
    with pytest.raises(ValueError, match="no node has the attribute 'kind'"):
        gprgnn.from_networkx(weighted, "age", label="kind")


def test_igraph_and_back(data):
    pytest.importorskip("igraph")
    graph = data.to_igraph()
    assert graph.ecount() == data.n_edges
    assert same(gprgnn.from_igraph(graph, "x", "label"), data)


def test_pandas_and_back(data):
    pytest.importorskip("pandas")
    edges, nodes = data.to_pandas()
    assert list(edges) == ["source", "target"] and len(edges) == data.n_edges
    again = from_arrays(nodes.drop(columns=["id", "label"]), nodes["label"], graph=edges)
    assert same(again, data) and again.feature_names[0] == "x0"


def test_pyg_like(data):
    """The fields of PyG's Data. The package itself is too large for these tests; bench/python uses it."""
    class Data:
        pass

    pairs, _ = data.edges()
    pyg = Data()
    pyg.x, pyg.y, pyg.num_nodes = data.X, data.y, data.n_nodes
    pyg.edge_index = np.concatenate([pairs, pairs[::-1]], axis=1)
    assert same(gprgnn.from_pyg(pyg), data)
    with pytest.raises(TypeError, match="edge_index"):
        gprgnn.from_pyg(data)


def test_from_arrays(data):
    assert same(from_arrays(data.X, data.y, data.graph), data)
    assert same(from_arrays(np.array(data.X, dtype=np.float64), data.y.tolist(), data.edges()[0]), data)
    named = from_arrays(data.X, np.array(["no", "yes"])[data.y], data.graph, node_ids=[f"n{i}" for i in range(120)],
                        feature_names=[f"c{i}" for i in range(8)], sample_weight=np.ones(120), name="mine")
    assert named.class_names == ["no", "yes"] and named.node_ids[7] == "n7" and named.feature_names[1] == "c1"
    assert named.name == "mine" and named.node_weights.sum() == 120
    with pytest.warns(GprgnnWarning, match="no features"):
        assert from_arrays(None, data.y, data.graph).n_features > 0
    assert from_arrays(None, data.y, data.graph, features=None).n_features == 0
    with pytest.raises(ValueError, match="node_ids has 2"):
        from_arrays(data.X, data.y, data.graph, node_ids=["a", "b"])
    with pytest.raises(ValueError, match="number of nodes is not known"):
        from_arrays()
    with pytest.raises(ValueError, match="sample_weight"):
        from_arrays(data.X, data.y, data.graph, sample_weight=[1, 2])
    with pytest.raises(ValueError):
        from_arrays(np.eye(3), [0, 1, 0], [[0, 1], [1, 3]])


def test_one_dataset_for_many_threads(data):
    found, failed = [], []

    def work():
        try:
            found.append((data.info()["fingerprint"], data.split("60/20/20", seed=1).train.sum(), data.X.sum()))
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed and len(set(found)) == 1 and len(found) == 4
