"""Several kinds of edges, and directions: from every kind of graph, through every door."""
import pickle
import warnings

import numpy as np
import pytest

from gprgnn import (GPRDeepClassifier, GPRGNNClassifier, MLPNodeClassifier, from_arrays, from_networkx, from_pyg,
                    load_dataset, read_tables)

sparse = pytest.importorskip("scipy.sparse")
NODES = 120
FEW = {"epochs": 30, "random_state": 1, "n_jobs": 1, "label_input": "no", "label_counts": "no", "smooth": "no"}


class World:
    """Who pays each other is of one class, who shares a device is not; both are directed and without duplicates."""

    def __init__(self):
        random = np.random.default_rng(1)
        self.y = np.arange(NODES) % 2
        self.X = random.normal(size=(NODES, 3))
        self.X[::3, 0] += 2 * self.y[::3] - 1
        self.pay = self._pairs(random, 0)
        self.device = self._pairs(random, 1)
        self.A, self.B = self.matrix(self.pay), self.matrix(self.device)
        self.graph = {"pay": self.A, "device": self.B}

    @staticmethod
    def _pairs(random, apart):
        pairs = [(i, (i + apart + 2 * int(k)) % NODES) for i in range(NODES) for k in random.integers(1, 50, 3)]
        return np.unique(np.array(pairs).T, axis=1)

    @staticmethod
    def matrix(pairs):
        return sparse.coo_matrix((np.ones(pairs.shape[1]), pairs), (NODES, NODES)).tocsr()

    def fit(self, graph, X=None, **more):
        return GPRGNNClassifier(**{**FEW, **more}).fit(self.X if X is None else X, self.y, graph)

    def bytes(self, graph, X=None, **more):
        return self.fit(graph, X, **more).model_.to_bytes()


@pytest.fixture(scope="module")
def world():
    return World()


@pytest.fixture(scope="module")
def fitted(world):
    return world.fit(world.graph)


@pytest.mark.parametrize("form", [
    lambda w: {"pay": w.pay, "device": w.device}, lambda w: {"device": w.device.T, "pay": w.pay},
    lambda w: {"pay": w.A.toarray(), "device": w.B.tocoo()}, lambda w: {"pay": w.A.tocsc(), "device": w.B.toarray()}])
def test_arrays(world, fitted, form):
    assert world.bytes(form(world)) == fitted.model_.to_bytes()
    assert fitted.model_.option("relations") == "device,pay"


def test_it_is_more_than_the_union(world, fitted):
    """The filter with relations sees the classes, and the union does not."""
    assert fitted.score(world.X, world.y, world.graph) > world.fit(world.A + world.B).score() + 0.1


def test_frames_and_ids(world, fitted):
    pandas = pytest.importorskip("pandas")
    ids = [f"p{i}" for i in range(NODES)]
    X = pandas.DataFrame(world.X, index=ids)
    names = np.asarray(ids)
    graph = {"pay": pandas.DataFrame({"from": names[world.pay[0]], "to": names[world.pay[1]]}),
             "device": pandas.DataFrame({"from": names[world.device[0]], "to": names[world.device[1]]})}
    model = world.fit(graph, X)
    assert np.array_equal(model.predict_proba(), fitted.predict_proba())
    turned = X.iloc[::-1]  # by ids, whatever the order of the rows
    assert np.allclose(model.predict_proba(turned, graph), fitted.predict_proba()[::-1], atol=1e-5)
    assert np.array_equal(model.predict_proba(turned), fitted.predict_proba()[::-1])
    graph["pay"].iloc[0, 0] = "nobody"
    with pytest.raises(ValueError, match=r"graph\['pay'\]: an edge has the node 'nobody'"):
        world.fit(graph, X)


def test_networkx(world, fitted):
    networkx = pytest.importorskip("networkx")
    expected = fitted.model_.to_bytes()
    keys, attributes = networkx.MultiDiGraph(), networkx.MultiDiGraph()
    for graph in keys, attributes:
        graph.add_nodes_from(range(NODES))
    for name, pairs in (("pay", world.pay), ("device", world.device)):
        for source, target in pairs.T.tolist():
            keys.add_edge(source, target, key=name)
            attributes.add_edge(source, target, relation=name)
    assert world.bytes(keys) == expected
    assert world.bytes(attributes) == expected
    one = {name: keys.edge_subgraph([edge for edge in keys.edges(keys=True) if edge[2] == name])
           for name in world.graph}
    data = from_arrays(None, None, one, features=None)  # X is None: the nodes of all kinds
    assert data.n_nodes == NODES and set(data.relations) == {"pay", "device"}
    attributes.add_edge(0, 1)
    with pytest.raises(ValueError, match="'relation' of edge .* is None"):
        world.fit(attributes)
    numbered = networkx.MultiDiGraph(keys.edges())  # keys 0, 1, ...: parallel edges are one
    numbered.add_nodes_from(range(NODES))
    assert from_networkx(numbered).relations.keys() == {""}


def test_directions(world):
    networkx, igraph = pytest.importorskip("networkx"), pytest.importorskip("igraph")
    expected = world.bytes(world.A, direction="both")
    directed = networkx.DiGraph()
    directed.add_nodes_from(range(NODES))
    directed.add_edges_from(world.pay.T.tolist())
    assert world.bytes(directed, direction="both") == expected
    assert world.bytes(world.pay, direction="both") == expected
    assert world.bytes(igraph.Graph(NODES, world.pay.T.tolist(), directed=True), direction="both") == expected
    assert world.bytes(world.A.T.tocsr(), direction="both") != expected
    along = world.fit(world.A, direction="along")
    against = world.fit(world.A.T.tocsr(), direction="against")
    assert np.array_equal(along.predict_proba(), against.predict_proba())
    undirected = directed.to_undirected()
    for graph in (undirected, networkx.MultiGraph(undirected), world.A + world.A.T,
                  igraph.Graph(NODES, world.pay.T.tolist(), directed=False)):
        with pytest.raises(ValueError, match="direction"):
            world.fit(graph, direction="along")
    data = from_networkx(networkx.MultiGraph([(0, 1, {"weight": 2}), (0, 1, {"weight": 3}), (1, 2), (2, 2)]))
    info = data.info()
    assert (info["edges"], info["duplicates"], info["self_loops"]) == (2, 1, 1)
    assert data.graph[0, 1] == data.graph[1, 0] == 3
    assert (data.relations[""] != data.graph).nnz == 0


def test_igraph(world, fitted):
    igraph = pytest.importorskip("igraph")
    graph = igraph.Graph(NODES, np.concatenate([world.pay, world.device], axis=1).T.tolist(), directed=True)
    graph.es["relation"] = ["pay"] * world.pay.shape[1] + ["device"] * world.device.shape[1]
    assert world.bytes(graph) == fitted.model_.to_bytes()


class Store:
    def __init__(self, **more):
        self.__dict__.update(more)


class Hetero:
    """As much of PyG's HeteroData as is looked at."""

    def __init__(self, nodes, edges):
        self._stores = {**nodes, **edges}
        self.node_types, self.edge_types = list(nodes), list(edges)

    def __getitem__(self, key):
        return self._stores[key]


def test_hetero_data(world, fitted):
    user = Store(x=world.X, y=world.y, num_nodes=NODES)
    edges = {("user", "pay", "user"): Store(edge_index=world.pay),
             ("user", "device", "user"): Store(edge_index=world.device)}
    assert world.bytes(Hetero({"user": user}, edges)) == fitted.model_.to_bytes()
    data = from_pyg(Hetero({"user": user}, edges))
    assert (data.n_nodes, data.n_features, list(data.relations)) == (NODES, 3, ["device", "pay"])
    with pytest.raises(ValueError, match="types of nodes 'user', 'shop'"):
        from_pyg(Hetero({"user": user, "shop": user}, edges))
    edges[("user", "pay", "shop")] = edges[("user", "pay", "user")]
    with pytest.raises(ValueError, match="two types of edges called 'pay'"):
        from_pyg(Hetero({"user": user}, edges))


def test_dataset(world, fitted, tmp_path):
    data = from_arrays(world.X, world.y, world.graph)
    assert repr(data).endswith("kinds of edges: device, pay")
    assert "device, pay" in data._repr_html_()
    assert (data.relations["pay"] != world.A).nnz == (data.relations["device"] != world.B).nnz == 0
    assert (data.graph != data.graph.T).nnz == 0
    measures = data.info()["relations"]
    assert [(one["name"], one["has_directions"]) for one in measures] == [("device", True), ("pay", True)]
    assert measures[0]["edge_homophily"] < 0.1 and measures[1]["edge_homophily"] > 0.9
    assert world.bytes(data.relations) == fitted.model_.to_bytes()
    assert GPRGNNClassifier(**FEW).fit(data).model_.to_bytes() == fitted.model_.to_bytes()
    again = pickle.loads(pickle.dumps(data))
    for name in ("a.gpr", "a.npz"):
        data.save(tmp_path / name)
        read = load_dataset(tmp_path / name)
        for one in (again, read):
            assert one.info()["fingerprint"] == data.info()["fingerprint"]
            assert all((one.relations[kind] != data.relations[kind]).nnz == 0 for kind in data.relations)
    plain = from_arrays(world.X, world.y, world.A + world.A.T)
    assert list(plain.relations) == [""] and plain.info()["relations"] == [] and "kinds" not in repr(plain)


def test_other_packages(world):
    data = from_arrays(world.X, world.y, {"pay": world.A * 2, "device": world.B + world.B.T})
    networkx, pandas = pytest.importorskip("networkx"), pytest.importorskip("pandas")
    graph = data.to_networkx()
    assert isinstance(graph, networkx.MultiGraph)
    back = from_networkx(graph, features="x", label="label")
    symmetric = data._kinds(False)
    assert all((back.relations[kind] != symmetric[kind]).nnz == 0 for kind in symmetric)
    edges, _ = data.to_pandas()
    assert isinstance(edges, pandas.DataFrame) and list(edges.columns) == ["source", "target", "relation", "weight"]
    assert edges.groupby("relation")["weight"].min().to_dict() == {"device": 1, "pay": 2}
    igraph = pytest.importorskip("igraph")
    assert isinstance(data.to_igraph(), igraph.Graph)
    assert sorted(set(data.to_igraph().es["relation"])) == ["device", "pay"]


def test_predictions(world, fitted):
    """With the same kinds of edges: by what is kept, after a pickle, and given again in another order."""
    expected = fitted.predict_proba()
    turned = {"device": world.B, "pay": world.A}
    assert np.array_equal(fitted.predict_proba(world.X, turned), expected)
    assert np.array_equal(fitted.predict_proba(world.X), expected)
    restored = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(restored.predict_proba(world.X, turned), expected)
    both = world.fit(world.graph, direction="both")
    assert np.array_equal(both.predict_proba(world.X), both.predict_proba())


@pytest.mark.parametrize("use", ["label_input", "label_counts", "smooth"])
@pytest.mark.parametrize("kind, options", [(GPRGNNClassifier, {}), (GPRGNNClassifier, {"direction": "both"}),
                                           (GPRDeepClassifier, {}), (MLPNodeClassifier, {})])
def test_labels_are_remembered(world, kind, options, use):
    """The data of the training is known again without its directions too, where the model does not use them."""
    if kind is MLPNodeClassifier and use == "label_input":
        return
    unused = {word: "no" for word in ("label_input", "label_counts", "smooth")
              if (kind, word) != (MLPNodeClassifier, "label_input")}
    model = kind(epochs=20, random_state=1, **{**unused, **options, use: "yes"}).fit(world.X, world.y, world.graph)
    expected = model.predict_proba()
    undirected = {name: matrix.maximum(matrix.T) for name, matrix in world.graph.items()}
    graphs = [None, world.graph] + ([] if options else [undirected])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for graph in graphs:
            assert np.array_equal(model.predict_proba(world.X, graph), expected)


@pytest.mark.parametrize("graph, message", [
    (lambda w: {"pay": w.A}, "the relation 'device' is missing"),
    (lambda w: w.A, "the relation 'device' is missing: the data has one kind of edges"),
    (lambda w: {"pay": w.A, "phone": w.B}, "the relation 'device' is missing: the data has pay, phone"),
    (lambda w: {**w.graph, "x": w.A}, "the model has no relation 'x' of the data"),
    (lambda w: {"pay": w.A, "device": w.B + w.B.T}, "the edges of the relation device of the data have no direction")])
def test_other_relations(world, graph, message):
    model = world.fit(world.graph, direction="both")
    data = from_arrays(world.X, world.y, graph(world))
    for call in (lambda: model.predict(world.X, graph(world)), lambda: model.predict_proba(world.X, graph(world)),
                 lambda: model.predict(data), lambda: model.explain(0, data), lambda: model.inspect(data),
                 lambda: model.importance(data)):
        with pytest.raises(ValueError, match=message):
            call()


def test_model_of_one_kind(world):
    model = world.fit(world.A)
    with pytest.raises(ValueError, match="the data has the relations device, pay, and the model was trained on one"):
        model.predict(world.X, world.graph)


@pytest.mark.parametrize("graph, error, message", [
    ({}, ValueError, "an empty dict"), ({1: None}, TypeError, "1 is no name"),
    ({"a": None}, TypeError, r"graph\['a'\] is a NoneType"), ({"a": {}}, TypeError, r"graph\['a'\] is a dict"),
    ({"a": [[0.5], [1]], "b": [[0], [1]]}, ValueError, r"graph\['a'\]: nodes of edges must be whole numbers"),
    ({"a": [[0], [1]], "b c": [[0], [1]]}, ValueError, "the name of relation 1 is 'b c'"),
    ({"a": [[0], [1]], "b": [[0], [1]], "": [[0], [1]]}, ValueError, "the name of relation 2 is ''"),
    ({"a": [[0], [1]], "x\0y": [[0], [1]]}, ValueError, "the name of relation 1 is 'x y'"),
    ({"a": np.ones((3, 4))}, ValueError, r"graph\['a'\]: graph has the shape"),
    ({f"r{i}": [[0], [1]] for i in range(65)}, ValueError, "relation_count is 65")])
def test_wrong_graphs(world, graph, error, message):
    with pytest.raises(error, match=message):
        world.fit(graph)


def test_wrong_nodes(world):
    with pytest.raises(ValueError, match=r"graph\['b'\]: the graph has 50 nodes"):
        world.fit({"a": world.A, "b": world.B[:50, :50]})
    with pytest.raises(ValueError, match=r"graph\['a'\] has 50 nodes, and graph\['b'\] 120"):
        from_arrays(None, None, {"a": world.A[:50, :50], "b": world.B})
    with pytest.raises(ValueError, match=r"graph\['b'\]: an edge has the node 500"):
        world.fit({"a": world.A, "b": [[0, 500], [1, 2]]})
    with pytest.raises(ValueError, match="edge_weight is for one list of edges"):
        GPRGNNClassifier(**FEW).fit(world.X, world.y, world.graph, edge_weight=[1, 2])


def test_cross_validation(world):
    model_selection = pytest.importorskip("sklearn.model_selection")
    clone = pytest.importorskip("sklearn.base").clone
    model = GPRGNNClassifier(data=(world.X, world.graph), **FEW)
    scores = model_selection.cross_val_score(clone(model), np.arange(NODES), world.y, cv=3)
    assert scores.min() > 0.6
    other = model_selection.cross_val_score(
        GPRGNNClassifier(data=from_arrays(world.X, None, world.graph), **FEW), np.arange(NODES), world.y, cv=3)
    assert np.array_equal(scores, other)


def test_tables(world, tmp_path):
    """A dict of tables: by name kinds of edges, by number factors of their weights."""
    pandas = pytest.importorskip("pandas")
    nodes = pandas.DataFrame({"id": np.arange(NODES), "x": world.X[:, 0], "team": np.where(world.y, "red", "blue")})
    frames = {name: pandas.DataFrame(pairs.T, columns=["from", "to"])
              for name, pairs in (("pay", world.pay), ("device", world.device))}
    paths = {name: tmp_path / f"{name}.csv" for name in frames}
    for name, frame in frames.items():
        frame.to_csv(paths[name], index=False)
    prints = []
    for edges in (frames, paths, {"pay": str(paths["pay"]), "device": frames["device"]},
                  [f"{name}={path}" for name, path in paths.items()]):
        data = read_tables(edges, nodes, label="team")
        assert list(data.relations) == ["device", "pay"]
        prints.append(data.info()["fingerprint"])
    assert len(set(prints)) == 1
    factors = read_tables({paths["pay"]: 2, paths["device"]: 3.0}, nodes, label="team")
    assert list(factors.relations) == [""] and set(np.unique(factors.graph.data)) == {2, 3}
    model = GPRGNNClassifier(**FEW).fit(data)
    fresh = read_tables(paths, nodes, model=model)
    assert np.array_equal(model.predict(fresh), model.predict())
    with pytest.raises(ValueError, match="the relation 'device' is missing"):
        model.predict(read_tables({"pay": paths["pay"], "phone": paths["device"]}, nodes, model=model))
    with pytest.raises(TypeError, match=r"edges\['b'\] is a PosixPath"):
        read_tables({"a": 2, "b": paths["pay"]}, nodes)
    with pytest.raises(ValueError, match="'b c' is no name of a kind of edges"):
        read_tables({"a": paths["pay"], "b c": paths["device"]}, nodes)
