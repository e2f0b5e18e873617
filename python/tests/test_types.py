"""Types: the stubs are current, and mypy accepts the package and a user's program."""
import inspect
import os
import subprocess
import sys

import pytest

import gprgnn

PACKAGE = os.path.dirname(os.path.abspath(gprgnn.__file__))
STUBS = os.path.join(os.path.dirname(PACKAGE), "stubs.py")

USER = """
import numpy as np
from gprgnn import GPRGNNClassifier, Progress, load, read_tables

def watch(at: Progress) -> bool:
    return at.epoch > 10

model = GPRGNNClassifier(K=4, alpha=0.2, callback=watch, refit=False).fit(np.eye(9), [0, 1, 2] * 3, graph=None)
reveal_type(model)
reveal_type(model.gamma_)
reveal_type(GPRGNNClassifier.load("x").score(y=[1]))
load("x").predict_proba()  # a classifier or a regressor: its type is not known before
GPRGNNClassifier(K="four")
GPRGNNClassifier(kay=4)
read_tables("e.csv", "n.csv", label="y", drop=["a"], max_values=5, duplicates="sum", header=True)
read_tables("e.csv", duplicates="summ")
"""


@pytest.mark.skipif(not os.path.exists(STUBS), reason="the sources are not here")
def test_stubs_are_current():
    found = subprocess.run([sys.executable, STUBS], check=True, capture_output=True, text=True).stdout
    written = ""
    for name in ("_models.pyi", "_read_tables.pyi"):
        with open(os.path.join(PACKAGE, name), encoding="utf-8") as file:
            written += file.read()
    assert written == found, "run: python3 python/stubs.py --write"


def test_mypy(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "user.py").write_text(USER)
    settings = os.path.join(os.path.dirname(os.path.dirname(PACKAGE)), "pyproject.toml")
    if not os.path.exists(settings):
        pytest.skip("the sources are not here")
    found = subprocess.run([sys.executable, "-m", "mypy", "--config-file", settings, "--cache-dir",
                            str(tmp_path / "cache"), PACKAGE, str(tmp_path / "user.py")], capture_output=True,
                           text=True, cwd=tmp_path, env={**os.environ, "MYPYPATH": os.path.dirname(PACKAGE)})
    lines = found.stdout.splitlines()
    revealed = [line.split("Revealed type is ")[1] for line in lines if "Revealed" in line]
    errors = [line for line in lines if ": error:" in line]
    assert len(errors) == 3 and len(revealed) == 3, found.stdout + found.stderr
    assert "GPRGNNClassifier" in revealed[0] and "ndarray" in revealed[1] and "float" in revealed[2]
    assert "user.py" in errors[0] and "K" in errors[0] and "user.py" in errors[1] and "kay" in errors[1]
    assert "duplicates" in errors[2]


def test_everything_public_is_documented():
    for name in gprgnn.__all__:
        if name == "__version__":
            continue
        made = getattr(gprgnn, name)
        assert inspect.getdoc(made), name
        for word, method in inspect.getmembers(made, inspect.isfunction) if inspect.isclass(made) else []:
            if not word.startswith("_") and method.__module__.startswith("gprgnn"):
                doc = inspect.getdoc(method)
                assert doc and doc[0].isupper(), f"{name}.{word}"
