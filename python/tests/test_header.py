"""_header.py says what include/gprgnn.h says: the text is current, and a C compiler agrees on sizes and places."""
import ctypes
import os
import shutil
import subprocess
import sys

import pytest

from gprgnn import _header as h

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEADER = os.path.join(ROOT, "include", "gprgnn.h")
DECLARE = os.path.join(ROOT, "python", "declare.py")

needs_sources = pytest.mark.skipif(not os.path.exists(HEADER), reason="the sources are not here")


@needs_sources
def test_header_is_current():
    text = subprocess.run([sys.executable, DECLARE], check=True, capture_output=True, text=True).stdout
    with open(h.__file__, encoding="utf-8") as file:
        assert file.read() == text, "run: python3 python/declare.py --write"


def structs():
    found = [value for value in vars(h).values() if isinstance(value, type) and issubclass(value, ctypes.Structure)]
    return [struct for struct in found if hasattr(struct, "_fields_")]


@needs_sources
def test_a_compiler_agrees(tmp_path):
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        pytest.skip("no C compiler")
    lines, expected = [], []
    for struct in structs():
        name = struct.__name__
        lines.append(f'printf("%zu\\n", sizeof({name}));')
        expected.append(ctypes.sizeof(struct))
        for field, _ in struct._fields_:
            lines.append(f'printf("%zu\\n%zu\\n", offsetof({name}, {field}), sizeof((({name} *)0)->{field}));')
            expected += [getattr(struct, field).offset, getattr(struct, field).size]
    constants = [name for name, value in vars(h).items() if name.startswith("GPR_") and isinstance(value, int)]
    lines += [f'printf("%d\\n", (int){name});' for name in constants]
    expected += [getattr(h, name) for name in constants]
    source = tmp_path / "sizes.c"
    source.write_text("#include <stdio.h>\n#include \"gprgnn.h\"\nint main(void) {\n" + "\n".join(lines) + "\n}\n")
    program = tmp_path / "sizes"
    subprocess.run([compiler, "-I", os.path.dirname(HEADER), "-o", program, source], check=True)
    found = subprocess.run([program], check=True, capture_output=True, text=True).stdout.split()
    assert len(expected) > 300
    assert [int(number) for number in found] == expected


@needs_sources
def test_every_function_is_declared():
    with open(os.path.join(ROOT, "tests", "install", "exports.txt"), encoding="utf-8") as file:
        exported = {line.split()[0] for line in file if line.startswith("gpr_")}
    assert exported == set(h.FUNCTIONS)
