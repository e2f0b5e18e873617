#!/usr/bin/env python3
"""Kills a command that keeps its finished runs at random moments, and starts it again until it ends:

    go_on.py [--kills N] [--seed N] [--files NAMES] -- build/gprgnn search csbm --out {out}
    go_on.py --files results.json,results.md -- build/gprgnn paper table-csbm-dense --datasets csbm:phi=0.5 --out {out}

{out} is the output folder. After each kill, every line of runs.jsonl but the last is whole, and a file that is there is
the one of an undisturbed command. At the end the files are the same, byte for byte, and runs.jsonl has the same runs,
none of them twice, with the same numbers except times. --kills counts all kills: the command begins anew, in an empty
folder, until there were so many.
"""
import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

TIMES = ("seconds", "ms_per_epoch")  # all that may differ between two runs


class Fault(Exception):
    pass


def read(path):
    with open(path, "rb") as file:
        return file.read()


def runs_of(folder, whole):
    """The kept runs, without times, in any order. whole: the last line must not be cut."""
    path = os.path.join(folder, "runs.jsonl")
    lines = read(path).split(b"\n") if os.path.exists(path) else [b""]
    if whole and lines[-1]:
        raise Fault("the last line of runs.jsonl is cut")
    found = []
    for number, line in enumerate(lines[:-1], 1):
        try:
            run = json.loads(line)
        except ValueError as error:
            raise Fault(f"runs.jsonl:{number} is damaged: {error}") from error
        found.append(json.dumps({key: value for key, value in run.items() if key not in TIMES}, sort_keys=True))
    if len(set(found)) != len(found):
        raise Fault("a run is kept twice")
    return sorted(found)


def check_files(folder, expected, all_there):
    for name, content in expected.items():
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            if all_there:
                raise Fault(f"{name} is missing")
        elif read(path) != content:
            raise Fault(f"{name} is not that of an undisturbed command")


class Trial:
    """One command, from an empty folder to its end."""

    def __init__(self, options, scratch, numbers, number):
        self.folder = os.path.join(scratch, f"trial{number}")
        self.words = [word.replace("{out}", self.folder) for word in options.command]
        self.numbers = numbers
        self.log = open(self.folder + ".log", "wb")

    def start(self):
        return subprocess.Popen(self.words, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

    def ends(self, delay):
        """Whether it ended before the kill."""
        process = self.start()
        try:
            status = process.wait(delay)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait()
            if status == -9:
                return False
        if status != 0:
            raise Fault(f"the command ends with status {status}: " +
                        read(self.folder + ".log").decode(errors="replace")[-2000:])
        return True


def torture(options, scratch):
    numbers = random.Random(options.seed)
    whole = Trial(options, scratch, numbers, 0)
    began = time.monotonic()
    if not whole.ends(options.limit):
        raise Fault(f"the undisturbed command takes more than {options.limit} seconds")
    needed = time.monotonic() - began
    expected = {name: read(os.path.join(whole.folder, name)) for name in options.files.split(",")}
    runs = runs_of(whole.folder, True)
    kills, trials, largest = 0, 0, 0
    while kills < options.kills:
        trials += 1
        trial, own = Trial(options, scratch, numbers, trials), 0
        # most kills come soon, so that a trial has many; the patience grows, so that every trial ends
        while not trial.ends(numbers.uniform(0, needed) * min(1, (1 + own) / 8)):
            own += 1
            runs_of(trial.folder, False)
            check_files(trial.folder, expected, False)
        kills, largest = kills + own, max(largest, own)
        check_files(trial.folder, expected, True)
        if runs_of(trial.folder, True) != runs:
            raise Fault("the kept runs are not those of an undisturbed command")
        trial.log.close()
        shutil.rmtree(trial.folder)
    print(f"{kills} kills in {trials} trials, at most {largest} in one: the same {len(runs)} runs and "
          f"{len(expected)} files each time")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=3600, help="seconds of the undisturbed command")
    parser.add_argument("--files", default="search.json,search.csv,preset.conf")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    scratch = tempfile.mkdtemp(prefix="gprgnn-kills-")
    try:
        torture(options, scratch)
    except Fault as fault:
        print(f"FAULT: {fault} (--seed {options.seed})", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
