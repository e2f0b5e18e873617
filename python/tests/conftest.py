"""What the tests share: a small graph, the built program."""
import ctypes
import os
import shutil

import numpy as np
import pytest


class SmallGraph:
    """Two hundred nodes in three classes; most neighbours are of the same class."""

    def __init__(self, nodes=200, features=12, seed=0):
        random = np.random.RandomState(seed)
        self.y = random.randint(0, 3, nodes)
        self.X = random.normal(size=(nodes, features)).astype(np.float32)
        self.X[np.arange(nodes), self.y] += 1
        ends = random.randint(0, nodes, (2, 12 * nodes))
        alike = self.y[ends[0]] == self.y[ends[1]]
        self.edges = ends[:, alike | (random.rand(ends.shape[1]) < 0.1)]
        self.nodes = nodes

    @property
    def A(self):
        from scipy.sparse import coo_matrix

        ones = np.ones(self.edges.shape[1], np.float32)
        matrix = coo_matrix((ones, self.edges), (self.nodes, self.nodes)).tocsr()
        matrix.data[:] = 1
        return matrix


@pytest.fixture(autouse=True)
def library_of_trees(request):
    """A test of a list of models skips the one that needs a library to be trained."""
    values = getattr(getattr(request.node, "callspec", None), "params", {}).values()
    trained_there = ("trees", "TreesClassifier", "stack", "StackClassifier")
    if any(isinstance(value, str) and value in trained_there for value in values):
        try:
            ctypes.CDLL("libxgboost.so.0")
        except OSError:
            pytest.skip("there is no libxgboost.so.0 (Debian: libxgboost0)")


@pytest.fixture(scope="session")
def small():
    return SmallGraph()


@pytest.fixture(scope="session")
def program():
    """The command-line program: $GPRGNN, or the one in the PATH."""
    path = os.environ.get("GPRGNN") or shutil.which("gprgnn")
    if not path:
        pytest.skip("the program is not here: set GPRGNN to its path")
    return path
