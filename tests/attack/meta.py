#!/usr/bin/env python3
"""Attacks writers that are wrong on purpose: each fault must be found, and a right writer must pass.

    meta.py INJECTOR WRITER

Where programs cannot be traced, the status is 77.
"""
import argparse
import os
import random
import shutil
import sys

import torture
from attacks import attack
from harness import SKIPPED, Arena, Command, make_scratch

# writer: what the rounds must find: {round: kinds}. stdio does not repeat an interrupted write: a status.
WRITERS = {
    "right": {},
    "right-tmp": {},
    "in-place": {"kill": {"corrupt"}, "error": {"corrupt"}, "power": {"corrupt"}},
    "stdio": {"kill": {"corrupt"}, "error": {"corrupt", "status"}, "power": {"corrupt"}},
    "no-sync": {"power": {"corrupt", "unsynced"}},
    "no-folder": {"power": {"unsynced"}},
    "debris": {"kill": {"debris"}, "power": {"debris"}},
    "silent": {"error": {"corrupt", "status"}},
    "crash": {"error": {"status"}},
    "two-files": {"kill": {"mixed"}, "error": {"mixed"}, "power": {"mixed"}},
}


def old_output(arena, how):
    """A folder with an output of another content."""
    folder = os.path.join(arena.scratch, "old-" + how)
    names = ["outfile/a", "outfile/b"] if how == "two-files" else ["outfile"]
    os.makedirs(os.path.join(folder, os.path.dirname(names[0])))
    for name in names:
        with open(os.path.join(folder, name), "wb") as file:
            file.write(b"old " * 500)
    return folder


def faults_of(arena, command, round_name):
    options = argparse.Namespace(short=False, points=0, random_each=0, rounds=[round_name], states=400)
    record = torture.Record([], 0)
    for name, what, work in torture.points_of(arena, command, options, random.Random(1), record):
        record.add(command.name, name, what, attack(arena, command, name, work))
    if not record.points[command.name]:
        sys.exit(f"meta: no attack of {command.name} in the round {round_name}")
    return {kind for kind, count in record.faults[command.name].items() if count}


def check_skipping(arena):
    """A program has one tracer: where it is traced already, the attack is skipped."""
    words = [arena.injector, "--root", arena.scratch, "--"]
    status = arena.run([*words, *words, "true"], arena.scratch).status
    if status != SKIPPED:
        print(f"where programs cannot be traced, the status is {status}, not {SKIPPED}")
    return status != SKIPPED


def check(arena, writer):
    wrong = check_skipping(arena)
    for how, expected in WRITERS.items():
        folders = ["outfile"] if how == "two-files" else []
        old = old_output(arena, how)
        command = Command(how, writer, [how, "outfile"], old=old, folders=folders, names=("outfile",))
        arena.learn(command)
        for round_name in ("kill", "error", "power"):
            found = faults_of(arena, command, round_name)
            if found != expected.get(round_name, set()):
                print(f"the writer {how}, round {round_name}: found {sorted(found)}, "
                      f"expected {sorted(expected.get(round_name, set()))}")
                wrong += 1
    return 1 if wrong else 0


def main():
    injector, writer = map(os.path.realpath, sys.argv[1:3])
    scratch = make_scratch()
    try:
        arena = Arena(scratch, injector)
        if arena.run([injector, "--root", scratch, "--", "true"], scratch).status == SKIPPED:
            print("skipped: programs cannot be traced here")
            return SKIPPED
        return check(arena, writer)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
