#!/usr/bin/env python3
"""Kills the program, and lets its system calls fail, at every moment at which it changes a file:

    torture.py --program build/gprgnn --injector build/tests/attack_inject [--short] [--random N] [--only PATTERN]

For every command that writes (commands.py), and for each of its system calls that change files:

    kill      before it, in the middle of a write, after it
    error     the call fails, once or from then on; writes are short
    signal    SIGINT, SIGTERM or SIGHUP arrives
    random    the same kills and signals at random moments
    two       two trainings into one folder at once
    power     the power fails: every folder that a file system may then hold (power.py)

Afterwards each output is the old or the new one, whole. A run folder has files of one run. The next call of the
command leaves what an undisturbed one leaves, bit for bit, and nothing else. After an error the exit status is 1, and
the message names the file; or the call does not matter, and the command succeeds.

It ends with a table of commands and faults, and with status 1 if there is a fault that known.txt does not list.
--short takes a fixed sample. Where programs cannot be traced, the status is 77.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import os
import random
import shutil
import sys

import commands
import power
from attacks import attack, error_points, kill_points, random_points, short_writes, signal_points, two_at_once
from harness import KINDS, MEANING, SKIPPED, Arena, check_reader, make_scratch

HERE = os.path.dirname(os.path.abspath(__file__))
ROUNDS = ("kill", "error", "signal", "random", "two", "power")

# ---- The rounds ------------------------------------------------------------------------------------------------------

def sample(points, count, numbers):
    """At most count of them (None: all) in their order; always the first and the last."""
    points = list(points)
    if count is None or len(points) <= count:
        return points
    return [points[i] for i in sorted({0, len(points) - 1, *numbers.sample(range(len(points)), count - 2)})]


def power_points(arena, command, options, numbers, record):
    """Judges all states, and yields points for those that the next call of the command meets."""
    states = []
    for what, found, at_exit in power.states(command, numbers, 16 if options.short else 256):
        record.add(command.name, "power", what, power.judge_state(command, found, at_exit))
        states.append((what, found))

    def at(found):
        def work(folder):
            power.make_folder(folder, found)
            return check_reader(arena, command, folder, found)
        return work

    for what, found in sample(states, options.points if options.short else options.states, numbers):
        yield "next", what, at(found)


def points_of(arena, command, options, numbers, record):
    short, most = options.short, options.points
    makers = {
        "kill": lambda: sample(kill_points(arena, command, short), most if short else None, numbers),
        "error": lambda: [*sample(error_points(arena, command), most if short else None, numbers),
                          *short_writes(arena, command)],
        "signal": lambda: sample(signal_points(arena, command), max(2, most // 4) if short else None, numbers),
        "random": lambda: random_points(arena, command, options.random_each, numbers),
        "two": lambda: two_at_once(arena, command) if command.name == "train" else (),
        "power": lambda: power_points(arena, command, options, numbers, record),
    }
    for name in options.rounds:
        yield from makers[name]()


def read_known(path):
    """Lines "COMMAND KIND why": faults of today. COMMAND may be a pattern such as train*."""
    known = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split("#")[0].split()
            if words:
                if len(words) < 3 or words[1] not in KINDS:
                    raise SystemExit(f"{path}: not 'COMMAND KIND why': {line.strip()}")
                known.append((words[0], words[1]))
    return known


class Record:
    """What was done, and what went wrong."""

    def __init__(self, known, shown):
        self.known, self.met, self.shown = known, set(), shown
        self.points = collections.defaultdict(collections.Counter)
        self.faults = collections.defaultdict(collections.Counter)
        self.new = 0

    def add(self, command, round_name, what, faults):
        self.points[command][round_name] += 1
        for fault in faults:
            self.faults[command][fault.kind] += 1
            listed = [entry for entry in self.known if fnmatch.fnmatch(command, entry[0]) and fault.kind == entry[1]]
            self.met.update(listed)
            self.new += not listed
            if self.faults[command][fault.kind] <= (1 if listed else self.shown):
                print(f"{'known' if listed else 'FAULT'} {command}: {what}: {fault.kind}: {fault.text}", flush=True)

    def table(self):
        rounds = (*ROUNDS, "next")
        print(f"\n{'command':<20}" + "".join(f"{title:>10}" for title in (*rounds, *KINDS)))
        for command, points in self.points.items():
            print(f"{command:<20}" + "".join(f"{points[name]:>10}" for name in rounds) +
                  "".join(f"{self.faults[command][kind]:>10}" for kind in KINDS))
        print()
        print("next       the call after a power failure")
        for kind in KINDS:
            print(f"{kind:<10} {MEANING[kind]}")
        all_points = sum(sum(points.values()) for points in self.points.values())
        all_faults = sum(sum(faults.values()) for faults in self.faults.values())
        print(f"\n{all_points} attacks, {all_faults} faults, {self.new} of them not in known.txt")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--injector", required=True)
    parser.add_argument("--short", action="store_true", help="a sample of about half a minute")
    parser.add_argument("--rounds", default=",".join(ROUNDS), help="default: all")
    parser.add_argument("--states", type=int, default=400, help="after a power failure, for the next call")
    parser.add_argument("--points", type=int, default=20, help="of each round and command, with --short")
    parser.add_argument("--random", type=int, default=1000, help="attacks at random moments, of all commands together")
    parser.add_argument("--only", help="a pattern of commands")
    parser.add_argument("--shown", type=int, default=5, help="faults to print of each command and kind")
    parser.add_argument("--known", default=os.path.join(HERE, "known.txt"))
    parser.add_argument("--data", default=os.environ.get("GPRGNN_DATA", ""))
    parser.add_argument("--scratch", help="default: /dev/shm, else the folder for temporary files")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.rounds = options.rounds.split(",")
    if set(options.rounds) - set(ROUNDS):
        parser.error("--rounds: not known: " + ", ".join(sorted(set(options.rounds) - set(ROUNDS))))
    return options


def run(options, scratch, record):
    arena = Arena(scratch, os.path.realpath(options.injector))
    if arena.run([arena.injector, "--root", scratch, "--", "true"], scratch).status == SKIPPED:
        print("skipped: programs cannot be traced here")
        return SKIPPED
    program = commands.Program(os.path.realpath(options.program), arena, options.data)
    numbers = random.Random(options.seed)
    try:
        chosen = list(commands.all_commands(program, options.only))
        options.random_each = 4 if options.short else -(-options.random // len(chosen))
        for command in chosen:
            arena.learn(command)
            with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
                points = list(points_of(arena, command, options, numbers, record))
                done = pool.map(lambda point: attack(arena, command, point[0], point[2]), points)
                for (round_name, what, _), faults in zip(points, done):
                    record.add(command.name, round_name, what, faults)
    finally:
        program.stop()
    record.table()
    stale = [entry for entry in record.known if entry not in record.met]
    if stale and not options.short and not options.only and set(options.rounds) == set(ROUNDS):
        print("known.txt lists what no longer happens: " + ", ".join(" ".join(entry) for entry in stale))
        return 1
    return 1 if record.new else 0


def main():
    options = arguments()
    scratch = make_scratch(options.scratch)
    try:
        return run(options, scratch, Record(read_known(options.known), options.shown))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
