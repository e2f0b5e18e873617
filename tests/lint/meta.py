#!/usr/bin/env python3
"""Plants faults in copies of the sources and expects lint.py to find each of them: meta.py SOURCES CC

Without a fault the copy must pass, so that nothing else can be the reason.
"""
import os
import shutil
import subprocess
import sys
import tempfile


def write(root, path, text):
    path = os.path.join(root, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def make_project(root, lint):
    """A small project without a fault."""
    write(root, "tests/lint/folders.txt", "# the order\nbase\nio\n")
    write(root, "docs/design.md", "| folder | what |\n|---|---|\n| `src/base/` | low |\n| `src/io/` | high |\n")
    write(root, "src/base/low.h", "int low(void);\n")
    write(root, "src/base/low.c", '/* Low. */\n#include "base/low.h"\nint low(void) { return 1; }\n')
    write(root, "src/io/high.h", '#include "base/low.h"\nint high(void);\n')
    write(root, "src/io/high.c", '/* High. */\n#include "io/high.h"\nint high(void) { return low(); }\n')
    write(root, "cli/main.c", "/* The program. */\nint main(void) { return 0; }\n")
    shutil.copy(lint, os.path.join(root, "tests/lint/lint.py"))


def compile_all(root, compiler):
    for path, _, names in os.walk(os.path.join(root, "src")):
        for name in names:
            if name.endswith(".c"):
                source = os.path.relpath(os.path.join(path, name), os.path.join(root, "src"))
                target = os.path.join(root, "objects", source + ".o")
                os.makedirs(os.path.dirname(target), exist_ok=True)
                subprocess.run([compiler, "-I", os.path.join(root, "src"), "-c", os.path.join(path, name),
                                "-o", target], check=True)


def run_lint(root, compiler):
    compile_all(root, compiler)
    done = subprocess.run([sys.executable, os.path.join(root, "tests/lint/lint.py"), root,
                           os.path.join(root, "objects")], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


FAULTS = {
    "include: src/base/low.c uses src/io/high.h": lambda root: write(
        root, "src/base/low.c", '/* Low. */\n#include "io/high.h"\nint low(void) { return 1; }\n'),
    "link: src/base/low.c uses src/io/high.c (high)": lambda root: write(
        root, "src/base/low.c", "/* Low. */\nint high(void);\nint low(void) { return high(); }\n"),
    "cycle: files need each other to be linked: src/io/high.c, src/io/other.c": lambda root: (
        write(root, "src/io/other.c", '/* Other. */\n#include "io/high.h"\nint other(void);\n'
                                      "int other(void) { return high(); }\n"),
        write(root, "src/io/high.c", '/* High. */\n#include "io/high.h"\nint other(void);\n'
                                     "int high(void) { return other() + low(); }\n")),
    "cycle: headers include each other: src/io/high.h, src/io/other.h": lambda root: (
        write(root, "src/io/other.h", '#ifndef OTHER_H\n#define OTHER_H\n#include "io/high.h"\n#endif\n'),
        write(root, "src/io/high.h", '#ifndef HIGH_H\n#define HIGH_H\n#include "base/low.h"\n#include "io/other.h"\n'
                                     "int high(void);\n#endif\n")),
    "comment: cli/main.c does not begin": lambda root: write(root, "cli/main.c", "int main(void) { return 0; }\n"),
    "crowd: src/io has 31 files": lambda root: [
        write(root, f"src/io/part_{i}.h", "/* One of many. */\n") for i in range(29)],
    "table: docs/design.md lists io base": lambda root: write(
        root, "docs/design.md", "| `src/io/` | high |\n| `src/base/` | low |\n"),
    "include: src/extra/new.c: the folder is not in": lambda root: write(
        root, "src/extra/new.c", "/* New. */\nint fresh(void);\nint fresh(void) { return 1; }\n"),
    "finish: src/io/high.c: gpr_high does not return": lambda root: write(
        root, "src/io/high.c", '/* High. */\n#include "io/high.h"\ntypedef int gpr_status;\n'
                               "gpr_status gpr_high(void);\ngpr_status gpr_high(void) {\n    return 0;\n}\n"
                               "int high(void) { return low(); }\n"),
    "flag: src/io/high.c:3 names a flag": lambda root: write(
        root, "src/io/high.c", '/* High. */\n#include "io/high.h"\nstatic const char *text = "give --features";\n'
                               "int high(void) { return low() + !text; }\n"),
    "name: gpri_thing is a type in src/base/low.h and in src/io/high.h": lambda root: (
        write(root, "src/base/low.h", "typedef struct {\n    int a;\n} gpri_thing;\nint low(void);\n"),
        write(root, "src/io/high.h", "typedef enum { A } gpri_thing;\nint low(void);\nint high(void);\n")),
    "link: there is no object file": lambda root: [
        os.remove(os.path.join(root, "src", path)) for path in ("base/low.c", "io/high.c")],
}


def main():
    lint = os.path.join(sys.argv[1], "tests/lint/lint.py")
    compiler = sys.argv[2]
    failed = False
    for expected, plant in {"": lambda root: None, **FAULTS}.items():
        with tempfile.TemporaryDirectory() as root:
            make_project(root, lint)
            plant(root)
            code, output = run_lint(root, compiler)
        if (code != 0) != bool(expected) or expected not in output:
            print(f"expected '{expected or 'no fault'}', lint.py returned {code} and printed:\n{output}")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
