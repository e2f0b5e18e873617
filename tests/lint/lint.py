#!/usr/bin/env python3
"""Checks the order of the sources: lint.py SOURCES OBJECTS...

SOURCES is the root of the project. OBJECTS are folders with the object files of the library, laid out as src/ is
(CMake's gprgnn_objects.dir/src). It prints one line per fault and returns 1 if there is any:

    include    a file of src/ includes a header of a folder that comes later (tests/lint/folders.txt has the order)
    link       an object file uses a symbol that a later folder defines
    cycle      files of src/ that need each other to be linked, or headers that include each other
    comment    a .c, .cu or .cuh file that does not begin with a comment
    crowd      a folder of src/ with more than MOST_FILES files
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
SOURCE_ENDINGS = (".c", ".h", ".inc", ".def", ".cu", ".cuh")
COMMENTED = ("src", "cli", "tests", "bench", "examples")


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
    """'io' of 'io/text/ids.c'."""
    return path.split("/")[0]


def folder_order(root):
    lines = read(root, "tests/lint/folders.txt").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


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


def check_order(order, uses, kind):
    """uses: {file: {file that it uses: why}}, paths relative to src/."""
    place = {folder: i for i, folder in enumerate(order)}
    for path, others in sorted(uses.items()):
        if folder_of(path) not in place:
            yield f"{kind}: src/{path}: the folder is not in tests/lint/folders.txt"
            continue
        for other, why in sorted(others.items()):
            if place.get(folder_of(other), len(order)) > place[folder_of(path)]:
                yield f"{kind}: src/{path} uses src/{other} ({why}): {folder_of(other)} comes after {folder_of(path)}"


def check_includes(root, order):
    sources = [path[4:] for path in files_below(root, "src") if path.endswith(SOURCE_ENDINGS)]
    uses = {}
    for path in sources:
        found = re.findall(r'^#\s*include "([^"]+)"', read(root, "src/" + path), re.M)
        uses[path] = {header: "#include" for header in found if header in set(sources)}
    yield from check_order(order, uses, "include")
    for group in cycles(uses):
        yield "cycle: headers include each other: " + ", ".join("src/" + path for path in group)


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


def check_links(root, order, folders):
    source_of = {}
    for folder in folders:
        for path in files_below(folder, "."):
            source = os.path.normpath(path)[: -len(".o")]
            # an old object file of a source that was moved stays in the build folder
            if path.endswith(".o") and os.path.exists(os.path.join(root, "src", source)):
                source_of[os.path.join(folder, path)] = source
    defined_in, used_by = {}, {}
    for path, (defined, used) in symbols_of(list(source_of)).items():
        used_by[source_of[path]] = used
        defined_in.update({name: source_of[path] for name in defined})
    if not used_by:
        yield "link: there is no object file in " + ", ".join(folders)
    uses = collections.defaultdict(dict)
    for source, names in used_by.items():
        for name in sorted(names):
            if defined_in.get(name, source) != source:
                uses[source][defined_in[name]] = name
    yield from check_order(order, uses, "link")
    for group in cycles(uses):
        yield "cycle: files need each other to be linked: " + ", ".join("src/" + path for path in group)


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


def check_table(root, order):
    listed = re.findall(r"^\| `src/(\w+)/`", read(root, "docs/design.md"), re.M)
    if listed != order:
        yield f"table: docs/design.md lists {' '.join(listed)}: tests/lint/folders.txt has {' '.join(order)}"


def main():
    root, objects = sys.argv[1], sys.argv[2:]
    order = folder_order(root)
    faults = [*check_includes(root, order), *check_links(root, order, objects), *check_comments(root),
              *check_functions(root), *check_names(root), *check_crowds(root), *check_table(root, order)]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
