"""What is written must work: the examples of docs/python.md and of the docstrings, and the notebook."""
import ast
import doctest
import importlib
import json
import pathlib
import pkgutil
import re
import warnings

import numpy as np
import pytest

import gprgnn

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")


def plain(text):
    """As numpy 1 prints it: 1.0 where numpy 2 prints np.float64(1.0). Examples show what numpy 2 prints."""
    if int(np.__version__.split(".")[0]) >= 2:
        return text
    return re.sub(r"np\.(True|False)_", r"\1", re.sub(r"np\.\w+\((-?[\w.+-]+)\)", r"\1", text))


class CloseNumbers(doctest.OutputChecker):
    """Numbers with a fraction may differ by 5 %: what is learned depends on the CPU in its last digits."""

    def check_output(self, want, got, optionflags):
        want = plain(want)
        if super().check_output(want, got, optionflags):
            return True
        wanted, found = NUMBER.findall(want), NUMBER.findall(got)
        if len(wanted) != len(found) or "..." in want:
            return False
        near = all(abs(float(a) - float(b)) <= max(0.05 * abs(float(a)), 0.05) for a, b in zip(wanted, found))
        return near and super().check_output(NUMBER.sub("#", want), NUMBER.sub("#", got), optionflags)


def run_examples(text, name, names):
    """Runs examples; names: the variables that they share."""
    test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    report = []
    runner = doctest.DocTestRunner(checker=CloseNumbers(), optionflags=FLAGS)
    test.globs = names
    runner.run(test, out=report.append, clear_globs=False)
    assert runner.failures == 0, "".join(report)
    return runner.tries


def blocks(page):
    return re.findall(r"^```pycon\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)


@pytest.mark.parametrize("name", sorted(m.name for m in pkgutil.iter_modules(gprgnn.__path__)))
def test_docstrings(name):
    module = importlib.import_module(f"gprgnn.{name}")
    finder = doctest.DocTestFinder(exclude_empty=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for test in finder.find(module, f"gprgnn.{name}"):
            run_examples(test.docstring, test.name, {})


@pytest.mark.parametrize("kind", [name for name in gprgnn.__all__ if name.endswith("Classifier")])
def test_docstrings_of_estimators(kind):
    assert run_examples(getattr(gprgnn, kind).__doc__, kind, {}) >= 5


@pytest.mark.filterwarnings("ignore::gprgnn.GprgnnWarning")
def test_page(monkeypatch):
    monkeypatch.chdir(ROOT)
    found, names = blocks(ROOT / "docs" / "python.md"), {}
    assert len(found) >= 12
    for number, block in enumerate(found):
        run_examples(block, f"docs/python.md, block {number + 1}", names)


@pytest.mark.filterwarnings("ignore::gprgnn.GprgnnWarning")
def test_readme():
    found = blocks(ROOT / "README.md")
    assert len(found) == 1
    run_examples(found[0], "README.md", {})


def test_the_checker_sees_what_is_wrong():
    assert CloseNumbers().check_output("a 1.00\n", "a 1.04\n", FLAGS)
    assert not CloseNumbers().check_output("a 1.00\n", "a 1.20\n", FLAGS)
    assert not CloseNumbers().check_output("a 1.00\n", "b 1.00\n", FLAGS)
    with pytest.raises(AssertionError):
        run_examples(">>> 1 + 1\n3\n", "wrong", {})


def run_cell(source, names):
    """One cell of a notebook, as Jupyter does it: the value of its last line is what it shows."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)
    if last is None:
        return None
    shown = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    return shown._repr_html_() if hasattr(shown, "_repr_html_") else repr(shown)


@pytest.mark.filterwarnings("ignore::gprgnn.GprgnnWarning")
def test_notebook(monkeypatch):
    monkeypatch.chdir(ROOT)
    notebook = json.loads((ROOT / "python" / "examples" / "tour.ipynb").read_text(encoding="utf-8"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 5 and notebook["nbformat"] == 4
    names = {}
    shown = [run_cell(cell, names) for cell in cells]
    assert sum("<svg" in (page or "") for page in shown) >= 2
    with pytest.raises(ZeroDivisionError):
        run_cell("1 / 0", {})
