#!/usr/bin/env python3
"""Writes python/gprgnn/_models.pyi and _read_tables.pyi: the types of what has the library's options as parameters.

    python3 python/stubs.py            # prints them
    python3 python/stubs.py --write    # writes the files

It needs the built library: GPRGNN_LIBRARY=build/libgprgnn.so PYTHONPATH=python.
"""
import os
import sys

from gprgnn import _models, _read_tables

HEAD = '''"""The types of the estimators. Written by python/stubs.py: change the table of options, then run that."""
import os
from typing import Any, Callable, Dict, List, Literal, Optional, Sequence, Type, Union

import numpy as np

from ._estimator import NodeClassifier
from ._options import Option
from ._regressor import NodeRegressor
from ._training import Progress

_Path = Union[str, "os.PathLike[str]"]
_Callback = Callable[[Progress], Any]
_RandomState = Union[None, int, np.random.RandomState, np.random.Generator]

CLASSES: Dict[str, Type[NodeClassifier]]
REGRESSORS: Dict[str, Type[NodeRegressor]]

def load(path: _Path) -> Any: ...
def parameter_docs(options: List[Option]) -> str: ...
'''
TABLES_HEAD = '''"""The types of read_tables. Written by python/stubs.py: change the table of options, then run that."""
from typing import Any, Literal, Optional, Sequence, Union

from ._dataset import Dataset

def read_tables(
    edges: Any,
    nodes: Any = ...,
    label: Optional[str] = ...,
    *,
    sample_weight: Optional[str] = ...,
    default_features: Optional[str] = ...,
    model: Any = ...,
'''
SPECIAL = {
    "init": "Union[str, Sequence[float], np.ndarray]", "class_weight": "Union[None, str, Dict[Any, float]]",
    "random_state": "_RandomState", "n_jobs": "Optional[int]", "device": "str", "preset": "Optional[_Path]",
    "data": "Any", "callback": "Union[None, _Callback, Sequence[_Callback]]", "progress": "bool", "verbose": "int",
    "split": "_Path", "embedding": "_Path",
}


def type_of(option):
    if option.name in SPECIAL:
        return SPECIAL[option.name]
    if option.type == "choice":
        words = option.range.split("|")
        literal = "Literal[" + ", ".join(f'"{word}"' for word in words) + "]"
        return f"Union[bool, {literal}]" if {"yes", "no"} <= set(words) else literal
    return {"int": "int", "real": "float"}.get(option.type, "str")


def stub():
    out = [HEAD]
    for made in [*_models.CLASSES.values(), *_models.REGRESSORS.values()]:
        out += [f"class {made.__name__}({made.__base__.__name__}):"]
        out += [f"    {option.name}: {type_of(option)}" for option in made._options]
        out += ["    def __init__(", "        self,", "        *,"]
        out += [f"        {option.name}: {type_of(option)} = ...," for option in made._options]
        out += ["    ) -> None: ...", ""]
    out += ["__all__ = ["] + [f'    "{name}",' for name in _models.__all__] + ["]", ""]
    return "\n".join(out)


def tables_stub():
    shown = [f"    {option.name}: {_read_tables.type_of(option)} = ...," for option in _read_tables.OPTIONS
             if option.name not in ("nodes", "label")]
    return TABLES_HEAD + "\n".join(shown) + "\n) -> Dataset: ...\n"


def main():
    if sys.argv[1:] not in ([], ["--write"]):
        raise SystemExit(__doc__)
    for module, made in ((_models, stub()), (_read_tables, tables_stub())):
        if sys.argv[1:]:
            with open(os.path.splitext(os.path.abspath(module.__file__))[0] + ".pyi", "w", encoding="utf-8") as file:
                file.write(made)
        else:
            sys.stdout.write(made)


if __name__ == "__main__":
    main()
