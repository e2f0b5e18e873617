"""DataFrames as they are, and nodes by their ids."""
import datetime
import pickle
import re
import warnings

import numpy as np
import pytest

import gprgnn
from gprgnn import GPRGNNClassifier, MLPNodeClassifier, from_arrays, from_networkx, load, read_tables
from gprgnn._dataset import Dataset

pandas = pytest.importorskip("pandas")
QUICK = {"epochs": 15, "n_jobs": 1, "label_input": "no", "label_counts": "no", "smooth": "no", "refit": "no"}


@pytest.fixture(scope="module")
def people(small):
    """A table of nodes of all kinds, with ids; its edges; its labels."""
    random = np.random.RandomState(5)
    nodes = small.nodes
    ids = np.array([f"user{i}" for i in random.permutation(nodes)])
    X = pandas.DataFrame({
        "age": random.normal(40 + 9 * small.y, 9), "income": random.normal(3e4 + 9e3 * small.y, 1e4),
        "city": np.array(["Ulm", "Bonn", 'Köln, "Altstadt"\nSüd'])[(small.y + (random.rand(nodes) < 0.2)) % 3],
        "postcode": np.array(["01069", "53111", "89073"])[random.randint(0, 3, nodes)],
        "member": random.rand(nodes) < 0.2 + 0.2 * small.y,
        "since": pandas.Timestamp("2021-03-01") + pandas.to_timedelta(random.randint(0, 900, nodes), unit="D"),
        "group": pandas.Categorical(random.randint(0, 3, nodes)),
        "children": pandas.array(random.randint(0, 4, nodes), dtype="Int64")}, index=ids)
    X.loc[ids[3], "age"] = np.nan
    X.loc[ids[5], "city"] = None
    X.loc[ids[7], "since"] = pandas.NaT
    X.loc[ids[9], "children"] = pandas.NA
    ends = np.unique(np.sort(small.edges[:, small.edges[0] != small.edges[1]], axis=0), axis=1)
    edges = pandas.DataFrame({"source": ids[ends[0]], "target": ids[ends[1]]})
    return X, edges, pandas.Series(np.array(["x", "y", "z"])[small.y], index=ids)


@pytest.fixture(scope="module")
def trained(people):
    X, edges, y = people
    return GPRGNNClassifier(**QUICK).fit(X, y, graph=edges)


def kinds(model):
    columns = Dataset(model._data_handle).columns
    return {column["name"]: column["kind"] for column in columns if column["role"] == "feature"}


def test_kinds_of_columns(people, trained):
    X, edges, y = people
    assert kinds(trained) == {"age": "number", "income": "number", "city": "category", "postcode": "category",
                              "member": "category", "since": "date", "group": "category", "children": "number"}
    assert trained.n_features_in_ == 8 and trained.feature_names_in_.tolist() == list(X.columns)
    assert "postcode=01069" in trained.model_.feature_names and "age (missing)" in trained.model_.feature_names


def test_the_same_as_read_tables(people, trained):
    X, edges, y = people
    tables = read_tables(edges, X.reset_index(names="id").assign(kind=y.to_numpy()), label="kind")
    data = Dataset(trained._data_handle)
    assert np.array_equal(data.X, tables.X) if isinstance(data.X, np.ndarray) else (data.X != tables.X).nnz == 0
    assert data.feature_names == tables.feature_names and data.node_ids == tables.node_ids
    same = GPRGNNClassifier(**QUICK).fit(tables)
    assert same.predict_proba().tobytes() == trained.predict_proba().tobytes()
    # A model of tables reads DataFrames, too, also where its edges had weights.
    assert same.predict_proba(X, graph=edges).tobytes() == trained.predict_proba().tobytes()
    weighted = read_tables(edges.assign(weight=2.0), X.reset_index(names="id").assign(kind=y.to_numpy()), label="kind")
    assert GPRGNNClassifier(**QUICK).fit(weighted).predict_proba(X, graph=edges.assign(weight=2.0)).shape == (200, 3)


def test_the_index_has_the_ids_in_read_tables_too(people):
    X, edges, y = people
    ids = list(y.index)
    nodes = X.assign(kind=y)
    for table in (nodes, nodes.rename_axis("user"), nodes.rename_axis("user").reset_index(),
                  nodes.reset_index(names="user").sample(frac=1, random_state=0)):  # numbers of rows are no ids
        data = read_tables(edges, table, label="kind")
        assert sorted(data.node_ids) == sorted(ids) and data.n_features == 22
        assert [data.class_names[label] for label in data.y] == y.loc[data.node_ids].tolist()
    named = nodes.assign(age=range(len(nodes))).rename_axis("user")
    numbers = pandas.DataFrame({"source": [0], "target": [1]})
    assert read_tables(numbers, named, label="kind", id="age").node_ids == [str(i) for i in range(len(nodes))]
    assert read_tables(edges, named, label="kind", id="user").node_ids == ids


def test_new_frames_are_read_as_those_of_the_training(people, trained, tmp_path):
    X, edges, y = people
    expected = trained.predict_proba()
    trained.save(tmp_path / "model")
    for model in (trained, pickle.loads(pickle.dumps(trained)), load(tmp_path / "model")):
        assert model.predict_proba(X[list(X.columns[::-1])], graph=edges).tobytes() == expected.tobytes()
    few = X.iloc[:50].copy()
    few["city"] = few["city"].fillna("Atlantis")  # a value that the training had not
    inside = edges[edges["source"].isin(few.index) & edges["target"].isin(few.index)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert trained.predict(few, graph=inside).shape == (50,)
    for wrong in (X.drop(columns="city"), X.rename(columns={"city": "town"})):
        with pytest.raises(ValueError, match="the DataFrame X lacks a column that the model was trained on: 'city'"):
            trained.predict(wrong, graph=edges)
    with pytest.raises(ValueError, match="give a DataFrame with the columns of the training"):
        trained.predict(np.zeros((200, 8)), graph=edges)
    numbers = GPRGNNClassifier(**QUICK).fit(X[["income"]], y, graph=edges)
    with pytest.raises(ValueError, match="'income' of X.*trained on numbers alone"):
        numbers.predict(X[["income"]].where(X["income"] > 3e4), graph=edges)


def test_frames_of_polars(people, trained):
    polars = pytest.importorskip("polars")
    X, edges, y = people
    rows = {name: [None if value is pandas.NaT or value is pandas.NA or value != value else value
                   for value in X[name].tolist()] for name in X.columns}
    rows["since"] = [None if day is None else day.to_pydatetime() for day in rows["since"]]
    X2 = polars.DataFrame(rows).with_columns(polars.col("group").cast(polars.String).cast(polars.Categorical))
    places = {one: row for row, one in enumerate(X.index)}
    edges2 = polars.DataFrame({"source": edges["source"].map(places).tolist(),
                               "target": edges["target"].map(places).tolist()})
    model = GPRGNNClassifier(**QUICK).fit(X2, y.tolist(), graph=edges2)
    assert model.feature_names_in_.tolist() == list(X.columns) and kinds(model) == kinds(trained)
    assert model.predict_proba().tobytes() == trained.predict_proba().tobytes()
    assert model.predict_proba(X2, graph=edges2).tobytes() == trained.predict_proba().tobytes()
    numbers = X2.select("income", polars.col("children").fill_null(0))
    plain = GPRGNNClassifier(**QUICK).fit(numbers, y.to_numpy(), graph=edges2)
    assert plain.feature_names_in_.tolist() == ["income", "children"] and plain.model_.plan is None
    array = GPRGNNClassifier(**QUICK).fit(numbers.to_numpy(), y.to_numpy(), graph=edges2)
    assert plain.predict_proba().tobytes() == array.predict_proba().tobytes()
    with pytest.raises(ValueError, match="column 'l' of X is of type Struct"):
        GPRGNNClassifier().fit(polars.DataFrame({"l": [{"a": 1}, {"a": 2}]}), [0, 1], graph=None)
    with pytest.raises(TypeError, match=r"X is a LazyFrame.*X.collect\(\)"):
        GPRGNNClassifier().fit(X2.lazy(), y.tolist(), graph=edges2)
    read = read_tables(edges2, X2.with_columns(polars.Series("id", range(200))), label="city", id="id")
    assert read.n_nodes == 200 and read.n_classes == 3


def test_cells_that_are_hard_to_write():
    cells = ["a,b", 'say "hi"', "two\nlines", " blank ", "NA", "nan", "1e5", "", None]
    dates = [datetime.date(2024, 1, 31), None, datetime.date(1999, 12, 31)] * 3
    hours = pandas.to_datetime(["2024-05-01 13:45", None, "2024-05-01 09:00"] * 3)
    X = pandas.DataFrame({"text": cells, "day": dates, "hour": hours, "zone": hours.tz_localize("Europe/Berlin"),
                          "object": [1, 2.5, None] * 3, "empty": [None] * 9, "late": pandas.to_timedelta(range(9), "h"),
                          "float": np.float32([0.1, 1e-30, 3e38] * 3), "1": range(9), "a,b": list("xyxyxyxyx")})
    data = from_arrays(X, None, graph=None)
    found = dict(zip(data.feature_names, np.asarray(data.X.todense() if hasattr(data.X, "todense") else data.X).T))
    values = [name[5:] for name in data.feature_names if name.startswith("text=")]
    assert set(values) >= {"a,b", 'say "hi"', "two\nlines", "NA", "nan", "1e5"}
    assert found["float"].tobytes() == X["float"].to_numpy().tobytes()
    assert found["day"][0] == 19753 and found["late"][2] == 7200 and "hour (day sin)" in found
    assert np.array_equal(found["hour (day sin)"], found["zone (day sin)"])  # as the clock shows it
    assert {"a,b=x", "a,b=y", "object (missing)", "1"} <= set(found)
    with pytest.raises(ValueError, match="'text' of X has a value of type dict"):
        from_arrays(pandas.DataFrame({"text": [{}, {}]}), None, graph=None)
    with pytest.raises(ValueError, match="two columns of X are called 'a'"):
        from_arrays(pandas.DataFrame([["x", "y"]] * 3, columns=["a", "a"]), None, graph=None)


@pytest.mark.parametrize("cells, names", [
    (pandas.array([True, None, False] * 3, dtype="boolean"), ["c=False", "c=True"]),
    (pandas.array(["a", None, "b"] * 3, dtype="string"), ["c=a", "c=b"]),
    (pandas.array([1.5, None, 3] * 3, dtype="Float64"), ["c", "c (missing)"]),
    (np.array([True, False, pandas.NA] * 3, object), ["c=False", "c=True"]),
    (np.array([1, pandas.NA, 2.5] * 3, object), ["c", "c (missing)"]),
    (pandas.PeriodIndex(["2020-01", None, "2021-07"] * 3, freq="M"), ["c", "c (missing)"]),
    (pandas.Categorical([1, None, 3] * 3), ["c=1", "c=3"])])
def test_missing_values_of_all_types(cells, names):
    """What compares with pandas.NA is neither true nor false."""
    data = from_arrays(pandas.DataFrame({"c": cells, "x": np.arange(9.0)}), None, graph=None)
    found = [name for name in data.feature_names if name != "x" and " sin" not in name and " cos" not in name]
    assert found == names


def test_numbers_are_the_array(people):
    """The same bits, whatever the types of the columns."""
    X, edges, y = people
    numbers = pandas.DataFrame({"a": X["income"], "b": np.arange(200), "c": np.float32(X["income"]) / 3,
                                "d": pandas.array(range(200), dtype="Int64")})
    model = GPRGNNClassifier(**QUICK).fit(numbers, y, graph=edges)
    places = pandas.Series(range(200), index=X.index)
    array = GPRGNNClassifier(**QUICK).fit(numbers.to_numpy(np.float64), y.to_numpy(), edges.map(places.get).to_numpy())
    assert model.predict_proba().tobytes() == array.predict_proba().tobytes()
    assert model.model_.plan is None


def test_errors_show_no_temporary_file(people):
    X, edges, y = people
    nodes = X.reset_index(names="id")
    with pytest.raises(ValueError) as error:
        GPRGNNClassifier(**QUICK).fit(X.assign(age=[1.0] * 4 + [np.inf] * 196), y, graph=edges)
    assert "the DataFrame X, row 4: column 'age' is 'inf'" in str(error.value)
    with pytest.raises(ValueError) as error:  # a cell of two lines is before it
        read_tables(edges, nodes.assign(age=[1.0] * 150 + [np.inf] * 50), label="city")
    assert "the DataFrame nodes, row 150:" in str(error.value) and "gprgnn-" not in str(error.value)
    with pytest.raises(ValueError, match="the DataFrame nodes: no column 'kind'"):
        read_tables(edges, nodes, label="kind")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        data = read_tables(pandas.concat([edges, edges.assign(target="nobody")]), nodes, label="city", unknown="skip")
        results = GPRGNNClassifier(**QUICK).fit(data).results()
    said = str([str(one.message) for one in seen]) + str(dict(results))
    assert "the DataFrame nodes" in said and "/tmp" not in said and ".csv" not in said


def said_of(call):
    """The warnings of a call, as one text; and its error, if there is one."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            call()
        except ValueError as error:
            return "\n".join([*(str(one.message) for one in seen), str(error)])
    return "\n".join(str(one.message) for one in seen)


def test_messages_speak_of_the_frame(people, trained):
    """Of its rows from 0, not of lines of a file; and `fit` has none of the options of read_tables."""
    X, edges, y = people
    odd = X.assign(cust_id=np.arange(200) + 7000, note=[f"n{i} {i}" for i in range(200)],
                   day=[f"{i % 12 + 1}/{i % 12 + 1}/2020" for i in range(200)])
    odd["note"] = odd["note"].where(np.arange(200) > 4)
    said = said_of(lambda: GPRGNNClassifier(epochs=1).fit(odd, y, graph=edges))
    assert "column 'cust_id' is an id" in said and "X.set_index takes it as the ids of the nodes" in said
    assert "as rows (row 5: 'n5 5')" in said and "as a column of lists of words" in said
    assert "row 0: column 'day' is '1/1/2020'" in said and "convert it to make it dates" in said
    wrong = odd.assign(age=[1.0] * 4 + [np.inf] * 196)
    said += said_of(lambda: GPRGNNClassifier(epochs=1).fit(wrong, y, graph=edges))
    assert "row 4: column 'age' is 'inf'" in said
    assert not re.search("`|line [0-9]|lines [0-9]", said), said
    nodes = X.reset_index(names="id")
    new = X.assign(city=X["city"].where(np.arange(200) != 9, "Atlantis"))
    assert "(row 9: 'Atlantis')" in said_of(lambda: trained.predict(new, graph=edges))
    twice = nodes.assign(id=[*nodes["id"][:7], nodes["id"][3], *nodes["id"][8:]])
    assert "row 7: the id" in (said := said_of(lambda: read_tables(edges, twice))) and "row 3 has it too" in said
    named = edges.columns[0]
    one, two = (pandas.concat([edges[:3], *[edges[:1].assign(**{named: "nobody"})] * count]) for count in (2, 4))
    assert "row 3: node 'nobody'" in (said := said_of(lambda: read_tables(one, nodes))) and "so in row 4;" in said
    assert "3 more edges are so: rows 4, 5, ..." in said_of(lambda: read_tables(two, nodes))


def test_columns_that_tell_the_label(people):
    """In a DataFrame of `fit`, as in the tables of the program."""
    X, edges, y = people
    polars = pytest.importorskip("polars")
    codes = pandas.Series(pandas.factorize(y)[0], index=y.index)
    half = y.where(np.arange(200) % 2 == 0)
    numbers = pandas.DataFrame({"noise": np.arange(200.0) % 17, "code": 1.5 * codes}, index=X.index)
    places = pandas.Series(range(200), index=X.index)
    graph = edges.map(places.get).to_numpy()
    quick = {"epochs": 1, "label_input": "no", "label_counts": "no", "smooth": "no"}
    for kind, frame, labels in (("code", numbers, y), ("code", numbers, half), ("again", X.assign(again=y), y),
                                ("again", X.assign(again=y.where(y != y.iloc[0])), y),
                                ("code", polars.DataFrame(numbers.to_dict("list")), y.to_numpy())):
        own = edges if hasattr(frame, "iloc") else graph
        said = said_of(lambda: GPRGNNClassifier(**quick).fit(frame, labels, graph=own))
        assert re.findall("column '(.*)' tells the label exactly: each of its 3 values", said) == [kind]
    data = GPRGNNClassifier(data=(numbers, edges), **quick)
    assert "'code' tells the label exactly" in said_of(lambda: data.fit(np.arange(200), y.to_numpy()))
    lists = numbers[["noise"]].assign(tags=[[f"t{one}"] for one in codes])
    assert "tells the label" not in said_of(lambda: GPRGNNClassifier(**quick).fit(lists, y, graph=edges))
    other = numbers.assign(code=np.where(np.arange(200) == np.argmax(codes == 1), 0, numbers["code"]))
    assert "tells the label" not in said_of(lambda: GPRGNNClassifier(**quick).fit(other, y, graph=edges))
    assert "tells the label" not in said_of(lambda: GPRGNNClassifier(**quick).fit(
        numbers.assign(code=codes + np.arange(200) / 1000), y, graph=edges))


# ---- ids ----


def test_shuffled_rows_are_aligned(people, trained):
    """The same ids in another order are the same data."""
    X, edges, y = people
    networkx = pytest.importorskip("networkx")
    expected = dict(zip(X.index, trained.predict_proba().tolist()))
    order = np.random.RandomState(0).permutation(len(X))
    masks = [pandas.Series(np.arange(200) % 4 == part, index=X.index) for part in (0, 1)]
    by_mask = GPRGNNClassifier(**QUICK).fit(X, y, edges, train_mask=masks[0], val_mask=masks[1])
    graph = networkx.from_pandas_edgelist(edges.sample(frac=1, random_state=1))
    for labels in (y, y.iloc[::-1], y.to_dict()):
        model = GPRGNNClassifier(**QUICK).fit(X, labels, graph, train_mask=masks[0].iloc[order], val_mask=masks[1])
        assert model.predict_proba().tobytes() == by_mask.predict_proba().tobytes()
    moved = trained.predict_proba(X.iloc[order], graph=graph)
    assert np.allclose(moved, [expected[one] for one in X.index[order]], atol=1e-5)
    # A matrix has no ids: that of the training does not fit rows in another order, one that was moved with them does.
    A = Dataset(trained._data_handle).graph
    with pytest.raises(ValueError, match="in another order than in the training.*leave graph out"):
        trained.predict_proba(X.iloc[order], graph=A)
    assert np.allclose(trained.predict_proba(X.iloc[order], graph=A[order][:, order]), moved, atol=1e-5)
    # Without a graph it is that of the training: found by the ids.
    assert np.array_equal(trained.predict_proba(X.iloc[order]), trained.predict_proba()[order])
    assert trained.score(X.iloc[order], y) == trained.score(X, y) == trained.score(X, y.iloc[order], mask=list(X.index))
    names = GPRGNNClassifier(**QUICK).fit(X, y, edges, train_mask=list(masks[0][masks[0]].index),
                                          val_mask=masks[1][masks[1]].index)
    assert names.predict_proba().tobytes() == by_mask.predict_proba().tobytes()
    weights = pandas.Series(np.arange(200.0), index=X.index)
    one, two = (GPRGNNClassifier(**QUICK).fit(X, y, edges, sample_weight=w) for w in (weights, weights.iloc[order]))
    assert one.predict_proba().tobytes() == two.predict_proba().tobytes()


def test_labels_that_are_known(people):
    X, edges, y = people
    model = GPRGNNClassifier(**{**QUICK, "label_input": "yes"}).fit(X, y, graph=edges)
    known = y.where(model.train_mask_)
    expected = model.predict_proba(known_labels=known.tolist())
    assert np.array_equal(model.predict_proba(known_labels=known.iloc[::-1]), expected)
    assert np.array_equal(model.predict_proba(X, graph=edges, known_labels=known.to_dict()), expected)


def test_ids_of_numbers(small):
    """Rows that were moved have their old numbers as ids."""
    X, y = pandas.DataFrame(small.X), pandas.Series(small.y)
    edges = pandas.DataFrame(small.edges.T, columns=["source", "target"])
    masks = {"train_mask": pandas.Series(np.arange(200) % 2 == 0), "val_mask": pandas.Series(np.arange(200) % 4 == 1)}
    expected = GPRGNNClassifier(**QUICK).fit(X, y, small.A, **masks)
    moved = X.sample(frac=1, random_state=1)
    with pytest.raises(ValueError, match=r"rows of X were moved.*X.sort_index\(\)"):
        GPRGNNClassifier(**QUICK).fit(moved, y, small.A)
    with pytest.raises(ValueError, match="rows or ids"):
        GPRGNNClassifier(**QUICK).fit(moved, y, edges, train_mask=[0, 1, 2])
    found = GPRGNNClassifier(**QUICK).fit(moved, y, edges, **masks)
    assert np.mean(found.predict() == expected.predict()[moved.index]) > 0.9
    assert np.array_equal(expected.predict_proba(moved), expected.predict_proba()[moved.index])
    # The rest of a split: ids that are no numbers of rows.
    rest = X.iloc[100:]
    assert expected.predict(rest, graph=edges[(edges >= 100).all(axis=1)]).shape == (100,)
    # networkx keeps nodes in the order in which it met them: whose rows they are must be said.
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph(small.edges[:, ::-1].T.tolist())
    for rows in (small.X, X):
        with pytest.raises(ValueError, match=r"if row i of X is the node i, graph=networkx.to_pandas_edgelist\(graph"):
            GPRGNNClassifier(**QUICK).fit(rows, y, graph)
    by_number = GPRGNNClassifier(**QUICK).fit(small.X, small.y, networkx.to_pandas_edgelist(graph), **masks)
    assert by_number.predict_proba().tobytes() == expected.predict_proba().tobytes()
    # Labels alone that were moved, and labels that are only numbered.
    same = GPRGNNClassifier(**QUICK).fit(X, y.sample(frac=1, random_state=2), small.A, **masks)
    assert same.predict_proba().tobytes() == expected.predict_proba().tobytes()
    named = X.set_index(pandas.Index([f"n{i}" for i in range(200)]))
    also = GPRGNNClassifier(**QUICK).fit(named, y, small.A, **masks)
    assert also.predict_proba().tobytes() == expected.predict_proba().tobytes()


def test_ids_that_do_not_fit(people):
    X, edges, y = people
    model = GPRGNNClassifier(**QUICK)
    with pytest.raises(ValueError, match="'user1' twice"):
        model.fit(X.set_index(pandas.Index(["user1"] * 200)), y.to_numpy(), graph=None)
    with pytest.raises(ValueError, match="indexes of X and y differ"):
        model.fit(X, y.rename(lambda one: one + "!"), edges)
    with pytest.raises(ValueError, match="an edge has the node 'user7x', which is not .*did you mean 'user7'"):
        model.fit(X, y, edges.assign(source="user7x"))
    with pytest.raises(ValueError, match="an edge has the node 7, of type int, and .* ids such as 'user"):
        model.fit(X, y, edges.assign(source=7))
    with pytest.raises(ValueError, match=r"edges are between names, such as 'user.*set_index"):
        model.fit(X[["income"]].to_numpy(), y, edges)
    with pytest.raises(ValueError, match="column 'since' beside its first two: call it 'weight'"):
        model.fit(X, y, edges.rename(columns={"source": "a", "target": "b"}).assign(since=3))
    with pytest.raises(ValueError, match="train_mask has 'user1x', which is not in the index of X"):
        model.fit(X, y, edges, train_mask=["user1x"])
    with pytest.raises(ValueError, match="y is a dict by ids, and X has no ids"):
        model.fit(np.eye(3), {"a": 1}, graph=None)


def test_graph_without_features(small):
    networkx = pytest.importorskip("networkx")
    igraph = pytest.importorskip("igraph")
    club = networkx.relabel_nodes(networkx.karate_club_graph(), lambda i: f"p{33 - i}")
    label = {one: club.nodes[one]["club"] for one in club}
    with pytest.raises(ValueError, match=r"give y by these names.*dict\(zip\(graph.nodes, y\)\)"):
        GPRGNNClassifier(**QUICK).fit(None, list(label.values()), graph=club)
    model = GPRGNNClassifier(**QUICK).fit(None, dict(reversed(label.items())), graph=club)
    assert model.score() == model.score(y=label) and model.explain("p7")["node"] == "p7"
    data = from_networkx(club, label="club")
    assert data.node_ids[0] == "p33" and data.node_ids == [str(one) for one in club]
    X = pandas.DataFrame(np.arange(68.0).reshape(34, 2), index=sorted(club))
    g = igraph.Graph.from_networkx(club)
    g.vs["name"] = list(club)
    one, two = (Dataset(GPRGNNClassifier(**QUICK).fit(X, label, graph)._data_handle) for graph in (g, club))
    assert (one.graph != two.graph).nnz == 0 and one.node_ids == sorted(club)


def test_explain_by_id(people, trained):
    X, edges, y = people
    place = X.index.get_loc("user7")
    assert trained.explain("user7") == trained.explain(place)
    with pytest.raises(ValueError, match="no node has the id 'user7x': did you mean 'user7"):
        trained.explain("user7x")
    data = from_arrays(X, y, edges)
    assert data.find("user7") == place and trained.explain("user7", data=data) == trained.explain("user7")
    plain = from_arrays(np.eye(3), [0, 1, 0], graph=None)
    assert plain.node_ids == ["0", "1", "2"] and plain.find("2") == 2


# ---- what was forgotten, or is no class ----


def test_other_rows_beside_the_graph_of_the_training(small):
    """Rows without ids beside a graph that nobody gave again: they may be of other nodes."""
    X = np.asarray(small.X)
    model = GPRGNNClassifier(**QUICK).fit(X, small.y, graph=small.edges)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(X)
        model.predict(X + 1, graph=small.edges)
        model.predict()
    with pytest.warns(gprgnn.GprgnnWarning, match="X has other values than in the training, and no graph is given"):
        model.predict(X + 1)


def test_forgotten_graph(small):
    from sklearn.model_selection import cross_val_score

    with pytest.raises(ValueError, match=r"none is given: fit\(X, y, graph=...\).*data=\(X, graph\).*graph=None"):
        GPRGNNClassifier(**QUICK).fit(small.X, small.y)
    with pytest.raises(ValueError, match="none is given"):
        cross_val_score(GPRGNNClassifier(**QUICK), small.X, small.y, error_score="raise")
    with pytest.raises(ValueError, match="no graph is given"):
        from_arrays(small.X, small.y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        asked = GPRGNNClassifier(**QUICK).fit(small.X, small.y, graph=None)
        MLPNodeClassifier(epochs=5).fit(small.X, small.y)
    assert Dataset(asked._data_handle).n_edges == 0


def test_labels_of_numbers(small):
    prices = np.arange(200) * 1000
    for y in (prices / 7, prices, prices.astype(float), pandas.Series(prices)):
        with pytest.raises(ValueError, match=r"Unknown label type: continuous.*pandas.qcut\(y, 5, labels=False\)"):
            GPRGNNClassifier(**QUICK).fit(small.X, y, small.A)
    with pytest.raises(ValueError, match="200 values of 200 labelled nodes"):
        from_arrays(small.X, prices, small.A)
    bins = pandas.qcut(prices, 5, labels=False)
    assert GPRGNNClassifier(**QUICK).fit(small.X, bins, small.A).classes_.tolist() == [0, 1, 2, 3, 4]
    many = np.arange(200) // 4  # 50 classes
    model = GPRGNNClassifier(**{**QUICK, "epochs": 2}).fit(small.X, many, small.A, train_mask=range(200))
    assert len(model.classes_) == 50


def test_masked_arrays(small):
    hidden = np.arange(200) % 5 == 0
    y = np.ma.masked_array(small.y, hidden)
    model = GPRGNNClassifier(**QUICK).fit(small.X, y, small.A)
    same = GPRGNNClassifier(**QUICK).fit(small.X, np.where(hidden, -1, small.y), small.A)
    assert model.predict_proba().tobytes() == same.predict_proba().tobytes()
    X = np.ma.masked_array(small.X, small.X > 2)
    with pytest.raises(ValueError, match=r"X is a masked array with masked entries.*\.filled\(0\)"):
        GPRGNNClassifier(**QUICK).fit(X, small.y, small.A)
    dense = small.A.toarray()
    with pytest.raises(ValueError, match="graph is a masked array with masked entries"):
        GPRGNNClassifier(**QUICK).fit(small.X, small.y, np.ma.masked_array(dense, dense > 0))
    ones = np.ma.masked_array(np.ones(small.edges.shape[1]), small.edges[0] == 3)
    for what, given in {"sample_weight": np.ma.masked_array(np.ones(200), hidden), "edge_weight": ones}.items():
        with pytest.raises(ValueError, match=f"{what} is a masked array with masked entries"):
            GPRGNNClassifier(**QUICK).fit(small.X, small.y, small.edges, **{what: given})
    whole = GPRGNNClassifier(**QUICK).fit(np.ma.masked_array(small.X), small.y, small.A)
    assert whole.predict_proba().shape == (200, 3)


@pytest.mark.parametrize("params, words", [
    ({"hidden": "64"}, "hidden must be an int, within .*; not the str '64'"),
    ({"hidden": [64]}, r"hidden must be an int.*not the list \[64\]"),
    ({"hidden": 8.5}, "hidden must be an int"), ({"epochs": True}, "epochs must be an int"),
    ({"lr": "0.1"}, "lr must be a number.*not the str"), ({"dropout": None}, "dropout must be a number"),
    ({"normalize": 3}, r"normalize must be one of auto\|row\|column\|normal\|none; not the int 3"),
    ({"split": 0.5}, "split must be a text"), ({"verbose": "x"}, "verbose")])
def test_types_of_options(small, params, words):
    for error in (ValueError, TypeError) if "verbose" not in params else (TypeError,):
        with pytest.raises(error, match=words):
            GPRGNNClassifier(**params).fit(small.X, small.y, small.A)


def test_numpy_numbers_are_options(small):
    model = GPRGNNClassifier(**{**QUICK, "hidden": np.int64(8), "lr": np.float32(0.5), "epochs": np.uint8(3)})
    assert model.fit(small.X, small.y, small.A).n_iter_ == 3


def test_data_keeps_what_the_dataset_knows(people):
    """The plan, the scaling, the ids and the weights of nodes; labels outside the fold are hidden."""
    from sklearn.base import clone

    X, edges, y = people
    data = read_tables(edges, X.reset_index(names="id").assign(kind=y.to_numpy(), heavy=1.0), label="kind",
                       sample_weight="heavy")
    nodes, half = np.arange(200), np.arange(200) % 2 == 0
    model = clone(GPRGNNClassifier(data=data, **QUICK)).fit(nodes[half], data.y[half])
    made = Dataset(model._data_handle)
    assert model.data is data and made.node_ids == data.node_ids and made.columns == data.columns
    assert np.shares_memory(made.graph.indices, data.graph.indices)
    assert (made.y[~half] == -1).all() and np.array_equal(made.y[half], data.y[half])
    assert made.node_weights is not None and model.explain("user7")["node"] == "user7"
    assert model.model_.plan is not None
    # The same training by masks of the dataset: the same features with the same scaling.
    parts = {"train_mask": model.train_mask_, "val_mask": model.val_mask_}
    whole = GPRGNNClassifier(**QUICK).fit(data, **parts)
    assert whole.predict_proba().tobytes() == model.predict_proba(nodes).tobytes()
    again = pickle.loads(pickle.dumps(model))
    assert again.predict_proba(nodes).tobytes() == model.predict_proba(nodes).tobytes()
    from sklearn.model_selection import GridSearchCV, cross_val_predict

    scaled = cross_val_predict(GPRGNNClassifier(data=data, normalize="column", **QUICK), nodes, data.y, cv=2)
    assert np.array_equal(cross_val_predict(GPRGNNClassifier(data=data, **QUICK), nodes, data.y, cv=2), scaled)
    search = GridSearchCV(GPRGNNClassifier(data=data, **QUICK), {"normalize": ["auto", "column"]}, cv=2)
    assert len(set(search.fit(nodes, data.y).cv_results_["mean_test_score"])) == 1
    pair = GPRGNNClassifier(data=(X, edges), **QUICK).fit(nodes[half], data.y[half])
    assert kinds(pair) == {name: kind for name, kind in kinds(model).items()}


@pytest.mark.parametrize("use", [{"label_input": "yes"}, {"label_counts": "yes"}, {"smooth": "yes"}])
def test_hidden_labels_stay_hidden(small, use):
    """Labels of a Dataset outside the fold are neither an input nor a reason to stop."""
    nodes, half = np.arange(200), np.arange(200) % 2 == 0
    found = []
    for others in (small.y, (small.y + 1) % 3):
        data = from_arrays(small.X, np.where(half, small.y, others), small.A)
        model = GPRGNNClassifier(data=data, **{**QUICK, **use}).fit(nodes[half], small.y[half])
        found.append(model.predict_proba(nodes).tobytes())
    assert found[0] == found[1]


def test_columns_of_lists(people):
    """Lists, tuples, sets and arrays of pandas and polars are bags of words."""
    X, edges, y = people
    tags = [["red", "d\u00e9", 'q"1'][: 1 + row % 3] if row % 5 else None for row in range(len(X))]
    frame = X[["income"]].assign(tags=tags)
    model = GPRGNNClassifier(**QUICK).fit(frame, y, graph=edges)
    column = {one["name"]: one for one in Dataset(model._data_handle).columns}["tags"]
    assert column["kind"] == "words" and column["features"] == 3
    assert column["missing"] == sum(one is None for one in tags)
    expected = model.predict_proba(frame, graph=edges)
    for kind in (tuple, set, np.asarray):
        same = X[["income"]].assign(tags=[None if one is None else kind(one) for one in tags])
        assert model.predict_proba(same, graph=edges).tobytes() == expected.tobytes()
    for vector in ([0.5, 1.25], (np.float32(0.5),), np.asarray([1, 0.5])):  # no words
        with pytest.raises(ValueError, match="'tags' of X has lists of numbers.*: make a column of each number"):
            GPRGNNClassifier(**QUICK).fit(X[["income"]].assign(tags=[vector] * len(X)), y, graph=edges)
    nodes = X[["income"]].assign(kind=y, tags=[[row + 0.5, 1.25] for row in range(len(X))])
    assert read_tables(edges, nodes, label="kind", drop="tags").feature_names == ["income"]
    other = X[["income"]].assign(tags=[["unheard"]] * len(X))
    assert model.predict_proba(other, graph=edges).tobytes() != expected.tobytes()
    polars = pytest.importorskip("polars")
    places = {name: row for row, name in enumerate(X.index)}
    numbers = pandas.DataFrame({name: edges[name].map(places) for name in ("source", "target")})
    same = polars.DataFrame({"income": frame["income"].tolist(), "tags": tags})
    assert np.array_equal(model.predict_proba(same, graph=numbers), expected)
    with pytest.raises(ValueError, match="has lists of numbers"):
        model.predict_proba(same.with_columns(tags=polars.Series([[0.5]] * len(X))), graph=numbers)
    empty = GPRGNNClassifier(**QUICK).fit(X[["income"]].assign(tags=[[] for _ in range(len(X))]), y, graph=edges)
    assert {one["name"]: one["role"] for one in Dataset(empty._data_handle).columns}["tags"] == "dropped"


def test_times(people):
    """read_tables(time=...): the oldest train, the newest test; other rules of `split` contradict it."""
    X, edges, y = people
    nodes = X[["income"]].assign(day=pandas.date_range("2024-01-01", periods=len(X)), label=y)
    nodes.index.name = "person"
    data = read_tables(edges, nodes, label="label", time="day")
    assert [column["role"] for column in data.columns if column["name"] == "day"] == ["split"]
    model = GPRGNNClassifier(**QUICK).fit(data)
    train, val, test = (np.flatnonzero(mask) for mask in (model.train_mask_, model.val_mask_, model.test_mask_))
    assert train.max() < val.min() and val.max() < test.min()
    assert [len(part) for part in (train, val, test)] == [120, 40, 40]
    shares = GPRGNNClassifier(split="80/10/10", **QUICK).fit(data)
    assert np.flatnonzero(shares.train_mask_).tolist() == list(range(160))
    with pytest.raises(ValueError, match="the split is by the column"):
        GPRGNNClassifier(split="sparse", **QUICK).fit(data)
    given = GPRGNNClassifier(**QUICK).fit(data, train_mask=np.arange(200) % 2 == 0)  # masks are the caller's
    assert given.train_mask_.sum() == 100


def test_numbers_for_people(people):
    """Texts with marks between thousands and currencies are numbers, and texts of digits are categories."""
    X, edges, y = people
    frame = pandas.DataFrame({"price": [f"${value:,.2f}" for value in X["income"]],
                              "visits": [f"{int(value):,}" for value in 40 * X["income"]],
                              "code": X["postcode"]}, index=X.index)
    model = GPRGNNClassifier(**QUICK).fit(frame, y, graph=edges)
    assert kinds(model) == {"price": "number", "visits": "number", "code": "category"}
