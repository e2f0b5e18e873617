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
    write(root, "tests/lint/folders.txt", "# the order\nbase\nio/text\nio\n")
    write(root, "tests/lint/exceptions.txt", "# none\n")
    write(root, "docs/design.md", "| folder | what |\n|---|---|\n| `src/base/` | low |\n| `src/io/` | high |\n")
    write(root, "src/base/low.h", "int low(void);\n")
    write(root, "src/base/low.c", '/* Low. */\n#include "base/low.h"\nint low(void) { return 1; }\n')
    write(root, "src/io/text/line.h", "int line(void);\n")
    write(root, "src/io/text/line.c", '/* Line. */\n#include "io/text/line.h"\nint line(void) { return 3; }\n')
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


def line_of(length, begin, end=""):
    return begin + "x" * (length - len(begin) - len(end)) + end + "\n"


def plant_upward(root):
    """A sub-folder uses the folder that comes after it."""
    write(root, "src/io/text/line.c", '/* Line. */\n#include "io/high.h"\nint line(void);\n'
                                      "int line(void) { return 3; }\n")


def except_upward(root, reason):
    write(root, "tests/lint/exceptions.txt", f"io/text uses io:{reason}\n")


# What is not a fault: an exception that is needed and has a reason, and lines of just as many columns as there may be.
FINE = {
    "a project": lambda root: None,
    "an exception": lambda root: (plant_upward(root), except_upward(root, " until lines are shorter")),
    "120 columns": lambda root: write(root, "bench/wide.py", line_of(120, "# ")),
    "other texts": lambda root: write(root, "docs/wide.md", line_of(200, "| ")),
}

FAULTS = {
    "include: src/io/text/line.c uses src/io/high.h (#include): io comes after io/text": plant_upward,
    "link: src/io/text/line.c uses src/io/high.c (high): io comes after io/text": lambda root: write(
        root, "src/io/text/line.c",
        "/* Line. */\nint high(void);\nint line(void);\nint line(void) { return high(); }\n"),
    "include: src/io/other/new.c: the folder is not in": lambda root: write(
        root, "src/io/other/new.c", "/* New. */\nint fresh(void);\nint fresh(void) { return 1; }\n"),
    "exception: io/text uses io is not so any more": lambda root: except_upward(root, " until lines are shorter"),
    "exception: io/text uses io: there is no reason": lambda root: (plant_upward(root), except_upward(root, "")),
    "prototype: src/base/low.h declares gpri_far, which src/io/text/line.c defines": lambda root: (
        write(root, "src/base/low.h", "int low(void);\nint *gpri_far(int a,\n              int b);\n"),
        write(root, "src/io/text/line.c", '/* Line. */\n#include "io/text/line.h"\n#include "base/low.h"\n'
              "int line(void) { return 3; }\nint *gpri_far(int a, int b) { return a + b ? (int *)0 : (int *)0; }\n")),
    "prototype: src/io/high.h declares gpri_near, which src/io/text/line.c defines": lambda root: (
        write(root, "src/io/high.h", '#include "base/low.h"\nint gpri_near(void);\nint high(void);\n'),
        write(root, "src/io/text/line.c", "/* Line. */\nint line(void);\nint gpri_near(void);\n"
                                          "int line(void) { return 3; }\nint gpri_near(void) { return 1; }\n")),
    "prototype: src/base/low.h declares gpri_gone, which no file defines": lambda root: write(
        root, "src/base/low.h", "int low(void);\nint gpri_gone(void);\n"),
    "columns: src/base/low.c:1 has 121": lambda root: write(
        root, "src/base/low.c", line_of(121, "/* ", " */") + '#include "base/low.h"\nint low(void) { return 1; }\n'),
    "columns: src/base/low.h:1 has 121": lambda root: write(
        root, "src/base/low.h", line_of(121, "/* ", " */") + "int low(void);\n"),
    "columns: src/base/low.cu:1 has 121": lambda root: write(root, "src/base/low.cu", line_of(121, "/* ", " */")),
    "columns: tests/wide.py:1 has 121": lambda root: write(root, "tests/wide.py", line_of(121, "# ")),
    "columns: tests/cli/wide.sh:1 has 121": lambda root: write(root, "tests/cli/wide.sh", line_of(121, "# ")),
    "columns: cmake/wide.cmake:1 has 121": lambda root: write(root, "cmake/wide.cmake", line_of(121, "# ")),
    "columns: tests/CMakeLists.txt:1 has 121": lambda root: write(root, "tests/CMakeLists.txt", line_of(121, "# ")),
    "columns: CMakeLists.txt:1 has 121": lambda root: write(root, "CMakeLists.txt", line_of(121, "# ")),
    "include: src/base/low.c uses src/io/high.h": lambda root: write(
        root, "src/base/low.c", '/* Low. */\n#include "io/high.h"\nint low(void) { return 1; }\n'),
    "program: cli/main.c includes base/low.h": lambda root: write(
        root, "cli/main.c", '/* The program. */\n#include "base/low.h"\nint main(void) { return low(); }\n'),
    "program: cli/main.c includes paper/program/paper.h": lambda root: (
        write(root, "paper/program/paper.h", "int paper(void);\n"),
        write(root, "cli/main.c",
              '/* The program. */\n#include "paper/program/paper.h"\nint main(void) { return 0; }\n')),
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
        os.remove(os.path.join(root, "src", path)) for path in ("base/low.c", "io/high.c", "io/text/line.c")],
}


def main():
    lint = os.path.join(sys.argv[1], "tests/lint/lint.py")
    compiler = sys.argv[2]
    failed = False
    for expected, plant in {**FINE, **FAULTS}.items():
        with tempfile.TemporaryDirectory() as root:
            make_project(root, lint)
            plant(root)
            code, output = run_lint(root, compiler)
        if expected in FINE:
            right = code == 0 and not output
        else:
            right = code == 1 and any(line.startswith(expected) for line in output.splitlines())
        if not right:
            print(f"expected {'no fault of ' if expected in FINE else ''}'{expected}', lint.py returned {code} and "
                  f"printed:\n{output}")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
