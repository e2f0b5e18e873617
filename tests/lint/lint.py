#!/usr/bin/env python3
"""Checks the order of the sources: lint.py SOURCES OBJECTS...

SOURCES is the root of the project. OBJECTS are folders with the object files of the library, laid out as src/ is
(CMake's gprgnn_objects.dir/src). It prints one line per fault and returns 1 if there is any:

    include    a file of src/ includes a header of a folder that comes later: tests/lint/folders.txt has the order of
    the
               folders and of their sub-folders, tests/lint/exceptions.txt what is left to do
    program    a file of cli/ or paper/program/ includes another header than gprgnn.h and those of the program
    link       an object file uses a symbol that a later folder defines
    exception  an exception that is not needed any more, or has no reason
    prototype  a header declares what a file of another folder defines, or no file
    cycle      files of src/ that need each other to be linked, or headers that include each other
    comment    a .c, .cu or .cuh file that does not begin with a comment
    crowd      a folder of src/ with more than MOST_FILES files
    columns    a line of a program, a script or a build file with more than MOST_COLUMNS characters
    table      docs/design.md lists the folders of src/ in another order
    finish     a public function that returns a status without gpri_finish, so that an older message may stay
    flag       a text of the library that names a flag of the program
    name       a type of one name in two headers of src/
"""
import collections
import os
import re
import subprocess
import sys

MOST_FILES = 30
MOST_COLUMNS = 120
SOURCE_ENDINGS = (".c", ".h", ".inc", ".def", ".cu", ".cuh")
HAVE_COLUMNS = SOURCE_ENDINGS + (".cpp", ".py", ".sh", ".cmake", "CMakeLists.txt")
WITH_COLUMNS = ("src", "include", "cli", "paper", "tests", "bench", "examples", "python", "cmake", "scripts", "docs")
# What a program wrote: numbers, as they are needed.
WRITTEN = re.compile(r"^tests/golden/\w+_golden\.h$|^python/gprgnn/_header\.py$")
COMMENTED = ("src", "cli", "paper", "tests", "bench", "examples")
# The folders of the program, and the folders whose headers each may include, beside gprgnn.h.
PROGRAM = {"cli": ("cli",), "paper/program": ("paper/program", "cli")}


def files_below(root, folder):
    """Paths below root/folder, relative to root, with '/' between their parts."""
    found = []
    for path, _, names in os.walk(os.path.join(root, folder)):
        found += [os.path.relpath(os.path.join(path, name), root) for name in names]
    return sorted(found)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def folder_of(path):
    """'io/text' of 'io/text/ids.c'."""
    return os.path.dirname(path)


def lines_of(root, path):
    """The lines of a list, without its comments."""
    return [line for line in read(root, path).splitlines() if line and not line.startswith("#")]


def exceptions(root):
    """{(folder, later folder that it uses): reason}"""
    found = {}
    for line in lines_of(root, "tests/lint/exceptions.txt"):
        uses, _, reason = line.partition(":")
        found[tuple(folder.strip() for folder in uses.split(" uses "))] = reason.strip()
    return found


def cycles(graph):
    """Groups of nodes that reach each other: Tarjan's algorithm. graph: {node: iterable of nodes}."""
    number, low, stack, groups = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in number:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == number[node]:
            group = []
            while not group or group[-1] != node:
                group.append(stack.pop())
            if len(group) > 1:
                groups.append(sorted(group))

    for node in sorted(graph):
        if node not in number:
            visit(node)
    return groups


class Order:
    """The order of the folders, with the exceptions to it. What was forgiven is remembered."""

    def __init__(self, root):
        self.folders = lines_of(root, "tests/lint/folders.txt")
        self.place = {folder: i for i, folder in enumerate(self.folders)}
        self.reasons = exceptions(root)
        self.needed = set()

    def check(self, uses, kind):
        """uses: {file: {file that it uses: why}}, paths relative to src/."""
        for path, others in sorted(uses.items()):
            folder = folder_of(path)
            if folder not in self.place:
                yield f"{kind}: src/{path}: the folder is not in tests/lint/folders.txt"
                continue
            for other, why in sorted(others.items()):
                if self.is_later(folder, folder_of(other)):
                    yield f"{kind}: src/{path} uses src/{other} ({why}): {folder_of(other)} comes after {folder}"

    def is_later(self, folder, other):
        return self.place.get(other, len(self.place)) > self.place[folder] and not self.forgives(folder, other)

    def forgives(self, folder, other):
        if (folder, other) in self.reasons:
            self.needed.add((folder, other))
        return (folder, other) in self.reasons

    def check_exceptions(self):
        """After all other checks."""
        for pair, reason in sorted(self.reasons.items()):
            if not reason:
                yield f"exception: {' uses '.join(pair)}: there is no reason in tests/lint/exceptions.txt"
            if pair not in self.needed:
                yield f"exception: {' uses '.join(pair)} is not so any more: remove it from tests/lint/exceptions.txt"


def sources_of(root):
    return [path[4:] for path in files_below(root, "src") if path.endswith(SOURCE_ENDINGS)]


def check_includes(root, order):
    sources = set(sources_of(root))
    uses = {}
    for path in sorted(sources):
        found = re.findall(r'^#\s*include "([^"]+)"', read(root, "src/" + path), re.M)
        uses[path] = {header: "#include" for header in found if header in sources}
    yield from order.check(uses, "include")
    for group in cycles(uses):
        yield "cycle: headers include each other: " + ", ".join("src/" + path for path in group)


def check_program(root):
    """The program uses the public interface alone: a header beside the file, gprgnn.h, or one named from the root."""
    for folder, allowed in PROGRAM.items():
        for path in files_below(root, folder):
            if not path.endswith(SOURCE_ENDINGS):
                continue
            for header in re.findall(r'^#\s*include "([^"]+)"', read(root, path), re.M):
                beside = os.path.isfile(os.path.join(root, os.path.dirname(path), header))
                if header != "gprgnn.h" and not beside and os.path.dirname(header) not in allowed:
                    yield f"program: {path} includes {header}: {folder}/ may include gprgnn.h and {', '.join(allowed)}"


def symbols_of(paths):
    """{path: (names that the object file defines, names that it uses)}."""
    found = {path: (set(), set()) for path in paths}
    listed = subprocess.run(["nm", "-A", "-P", *paths], check=True, capture_output=True, text=True) if paths else None
    for line in listed.stdout.splitlines() if listed else ():
        path, symbol = line.split(": ", 1)
        name, kind = symbol.split()[:2]
        if kind in "TDBRVWC":
            found[path][0].add(name)
        elif kind == "U":
            found[path][1].add(name)
    return found


def objects_of(root, folders):
    """{source: (names that its object file defines, names that it uses)}"""
    source_of = {}
    for folder in folders:
        for path in files_below(folder, "."):
            source = os.path.normpath(path)[: -len(".o")]
            # an old object file of a source that was moved stays in the build folder
            if path.endswith(".o") and os.path.exists(os.path.join(root, "src", source)):
                source_of[os.path.join(folder, path)] = source
    return {source_of[path]: names for path, names in symbols_of(list(source_of)).items()}


def check_links(order, objects, defined_in):
    uses = collections.defaultdict(dict)
    for source, (_, names) in objects.items():
        for name in sorted(names):
            if defined_in.get(name, source) != source:
                uses[source][defined_in[name]] = name
    yield from order.check(uses, "link")
    for group in cycles(uses):
        yield "cycle: files need each other to be linked: " + ", ".join("src/" + path for path in group)


def without_comments(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def check_prototypes(root, order, defined_in):
    """A function is declared where it is defined, so that the order of folders is that of their headers."""
    for path in sources_of(root):
        if not path.endswith(".h"):
            continue
        for name in re.findall(r"^(?!typedef|static|#)\w[\w *]*\b(gpri_\w+)\([^;{}]*\)[^;{}]*;",
                               without_comments(read(root, "src/" + path)), re.M):
            source = defined_in.get(name)
            if source is None:
                yield f"prototype: src/{path} declares {name}, which no file defines"
            elif folder_of(source) != folder_of(path) and not order.forgives(folder_of(path), folder_of(source)):
                yield f"prototype: src/{path} declares {name}, which src/{source} defines"


def check_functions(root):
    """Public functions: each ends in gpri_finish, in another public function, or in gpri_fail."""
    for path in files_below(root, "src"):
        if not path.endswith(".c"):
            continue
        text = read(root, path)
        for name, body in re.findall(r"^gpr_status (gpr_\w+)\([^;{]*\{(.*?)^\}", text, re.S | re.M):
            if not re.search(r"gpri_finish\(|return gpr_\w+\(", body):
                yield f"finish: {path}: {name} does not return gpri_finish(status)"
        for number, line in enumerate(text.splitlines(), 1):
            if re.search(r'"[^"]*--[a-z]', line):
                yield f"flag: {path}:{number} names a flag: name the option by its word in backquotes"


def check_names(root):
    defined_in = {}
    for path in files_below(root, "src"):
        if not path.endswith(".h"):
            continue
        for name in re.findall(r"^(?:typedef .*|\} )\b(gpri_\w+);", read(root, path), re.M):
            if defined_in.setdefault(name, path) != path:
                yield f"name: {name} is a type in {defined_in[name]} and in {path}"


def check_comments(root):
    for folder in COMMENTED:
        for path in files_below(root, folder):
            if path.endswith((".c", ".cu", ".cuh")) and not read(root, path).startswith("/*"):
                yield f"comment: {path} does not begin with a comment that says what it is"


def check_crowds(root):
    counts = collections.Counter(os.path.dirname(path) for path in files_below(root, "src")
                                 if path.endswith(SOURCE_ENDINGS))
    for folder, count in sorted(counts.items()):
        if count > MOST_FILES:
            yield f"crowd: {folder} has {count} files: at most {MOST_FILES}"


def check_columns(root):
    paths = [path for folder in WITH_COLUMNS for path in files_below(root, folder)]
    for path in [name for name in sorted(os.listdir(root)) if os.path.isfile(os.path.join(root, name))] + paths:
        if path.endswith(HAVE_COLUMNS) and not WRITTEN.search(path):
            for number, line in enumerate(read(root, path).splitlines(), 1):
                if len(line) > MOST_COLUMNS:
                    yield f"columns: {path}:{number} has {len(line)}: at most {MOST_COLUMNS}"


def check_table(root, folders):
    """The folders in the order of their last sub-folder, as the table has a row for each without its sub-folders."""
    last = {folder.split("/")[0]: i for i, folder in enumerate(folders)}
    order = sorted(last, key=last.get)
    listed = re.findall(r"^\| `src/(\w+)/`", read(root, "docs/design.md"), re.M)
    if listed != order:
        yield f"table: docs/design.md lists {' '.join(listed)}: tests/lint/folders.txt has {' '.join(order)}"


def main():
    root, folders = sys.argv[1], sys.argv[2:]
    order = Order(root)
    objects = objects_of(root, folders)
    defined_in = {name: source for source, (defined, _) in objects.items() for name in defined}
    faults = [*check_includes(root, order), *check_program(root), *check_links(order, objects, defined_in),
              *check_prototypes(root, order, defined_in), *check_comments(root), *check_functions(root),
              *check_names(root), *check_crowds(root), *check_columns(root), *check_table(root, order.folders),
              *order.check_exceptions()]
    if not objects:
        faults.append("link: there is no object file in " + ", ".join(folders))
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
