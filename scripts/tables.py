#!/usr/bin/env python3
"""Writes all that comes from the table of options, after a change of src/base/params.def or models.def:

    python3 scripts/tables.py [BUILD]    # after cmake --build; BUILD: its folder, else build

These are docs/parameters.md, the completions of the shells, python/gprgnn/_header.py, and the types of the Python
package where the packages of its tests are in BUILD/python/tests. docs/gprgnn.1 gets an entry for each option that it
does not have yet, with the help of the table; add to it what a reader needs beyond that.
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MANUAL = os.path.join(ROOT, "docs", "gprgnn.1")
LINE = re.compile(r"\| ([A-Za-z-]+) \| (.*) \|$")


def write(path, text):
    with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
        file.write(text)


def roff(text):
    """A text of the table in the manual page: `word` is a flag, as in messages."""
    text = re.sub(r"`([a-z-]+)`", r"--\1", text.replace("\\|", "|").replace("\\", "\\e"))
    return text.replace("-", "\\-")


def entry(word, cells):
    value = {"int": " N", "real": " X", "choice": " NAME", "text": " TEXT", "": ""}.get(cells[0], f" {cells[0]}")
    head = f'.BI \\-\\-{roff(word)} "{value}"' if value else f".B \\-\\-{roff(word)}"
    return [".TP", head, roff(cells[-1])]


def add_entries(page, table, section):
    """Options of the table that the page lacks, each after the one before it in the table."""
    at = page.index(section)
    for word, cells in table:
        flag = re.compile(r"\.BI? \\-\\-" + re.escape(roff(word)) + r"( |$)")
        found = [i for i in range(page.index(section), len(page)) if flag.match(page[i])]
        if not found:
            print(f"docs/gprgnn.1: --{word} is new")
            page[at:at] = entry(word, cells)
            found = [at + 1]
        at = next(i for i in range(found[0] + 1, len(page)) if page[i].startswith((".TP", ".SS", ".SH", ".PP")))


def main():
    build = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build"))
    program = os.path.join(build, "gprgnn")

    def output(*words):
        return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout

    tables = output("help", "parameters")
    write("docs/parameters.md", tables)
    write("cli/completion/gprgnn.bash", output("completion", "bash"))
    write("cli/completion/_gprgnn", output("completion", "zsh"))
    with open(MANUAL, encoding="utf-8") as file:
        page = file.read().split("\n")
    for text, section in zip(tables.split("\n## "), (".SH TRAIN", ".SS Data in several files")):
        rows = [LINE.match(line) for line in text.split("\n")]
        table = [(row.group(1), re.split(r"(?<!\\)\| ", row.group(2))) for row in rows if row
                 and row.group(1) != "word"]
        add_entries(page, [(word, [cell.strip() for cell in cells]) for word, cells in table], section)
    write(MANUAL, "\n".join(page))
    python = os.path.join(build, "python", "tests", "bin", "python")
    subprocess.run([sys.executable, os.path.join(ROOT, "python", "declare.py"), "--write"], check=True)
    if os.path.exists(python):
        own = {**os.environ, "GPRGNN_LIBRARY": os.path.join(build, "libgprgnn.so"),
               "PYTHONPATH": os.path.join(ROOT, "python")}
        subprocess.run([python, os.path.join(ROOT, "python", "stubs.py"), "--write"], check=True, env=own)
    else:
        print("python/gprgnn/*.pyi: not written: run scripts/python-env.sh first (CONTRIBUTING.md, Test)")


if __name__ == "__main__":
    main()
