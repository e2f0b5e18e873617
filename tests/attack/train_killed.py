#!/usr/bin/env python3
"""Kills trainings of tables at random moments, and resumes them until they end:

    train_killed.py --program build/gprgnn [--kills N] [--models gprgnn,mlp] [--seed N]

The tables leave options to the validation nodes: candidates are trained one after the other, then further runs or a
refit on all labelled nodes. A training is ended by SIGKILL, or by Ctrl-C, which writes what there is. Afterwards all
files of the run folder, and the summary, are those of an undisturbed training, but for times.
"""
import argparse
import difflib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from harness import VARYING

MODELS = "gprgnn,appnp,gcn,gat,sage,sgc,cheby,mlp,jknet,geomgcn,gprdeep,trees,stack,auto"
NODES = 300
# Lines of the summary that differ each time.
TIMES = re.compile(rb"^  (?:time|peak memory|embedding) .*$", re.M)


def write_tables(folder):
    """Labels that neighbours and columns tell in part; every sixth node has none. One edge in ten has a reverse: so
    directions are tried too, where the model has them."""
    numbers = random.Random(5)
    labels = [numbers.randrange(3) for _ in range(NODES)]
    with open(os.path.join(folder, "nodes.csv"), "w", encoding="ascii") as file:
        file.write("id,kind,size,rank\n")
        for i, label in enumerate(labels):
            kind = "" if i % 6 == 0 else "abc"[label]
            file.write(f"n{i},{kind},{label + numbers.gauss(0, 2):.3f},{numbers.gauss(0, 1):.3f}\n")
    with open(os.path.join(folder, "edges.csv"), "w", encoding="ascii") as file:
        file.write("source,target\n")
        for _ in range(4 * NODES):
            a, b = numbers.randrange(NODES), numbers.randrange(NODES)
            if a != b and (labels[a] == labels[b] or numbers.random() < 0.2):
                file.write(f"n{a},n{b}\n" + (f"n{b},n{a}\n" if numbers.random() < 0.1 else ""))


class Fault(Exception):
    pass


def read(path):
    with open(path, "rb") as file:
        return file.read()


def files_of(folder):
    """Without times, and without the manifest, which has the digests of files with times."""
    return {name: VARYING.sub(rb"\1T", read(os.path.join(folder, name))) for name in sorted(os.listdir(folder))
            if name != "run.sha256"}


class Training:
    def __init__(self, options, scratch, model, number):
        self.program, self.folder = options.program, os.path.join(scratch, f"{model}-{number}")
        self.log = self.folder + ".log"
        self.begin = [self.program, "train", "--edges", os.path.join(scratch, "edges.csv"), "--nodes",
                      os.path.join(scratch, "nodes.csv"), "--label", "kind", "--model", model, "--seed", "3",
                      "--epochs",
                      str(options.epochs), "--out", self.folder, "--save-every", "0", "--threads", "1"]
        if number % 4 == 3:
            self.begin += ["--runs", "3"]
        self.out = b""

    def ends(self, delay, how):
        """Whether it ended before the signal."""
        resumes = os.path.exists(os.path.join(self.folder, "state", "run-0.safetensors"))
        words = [self.program, "train", "--resume", self.folder] if resumes else self.begin
        with open(self.log, "wb") as log:
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log)
            try:
                self.out, _ = process.communicate(timeout=delay)
            except subprocess.TimeoutExpired:
                process.send_signal(how)
                process.communicate()
                return False
        if process.returncode != 0:
            raise Fault(f"{' '.join(words)}: status {process.returncode}: "
                        + read(self.log).decode(errors="replace")[-2000:])
        return True

    def said(self):
        return TIMES.sub(b"", self.out).replace(self.folder.encode(), b"F")


def check(undisturbed, trial):
    expected, found = files_of(undisturbed.folder), files_of(trial.folder)
    if sorted(expected) != sorted(found):
        raise Fault(f"{trial.folder} has {sorted(found)}, not {sorted(expected)}")
    for name, content in expected.items():
        if found[name] != content:
            raise Fault(f"{name} is not that of an undisturbed training")
    if trial.out and trial.said() != undisturbed.said():  # else the last kill came when all was written
        lines = difflib.unified_diff(undisturbed.said().decode().splitlines(), trial.said().decode().splitlines(), n=0)
        raise Fault("the summary is not that of an undisturbed training:\n" + "\n".join(lines))


def torture(options, scratch):
    numbers = random.Random(options.seed)
    write_tables(scratch)
    models = options.models.split(",")
    undisturbed, kills, trials, ends = {}, 0, 0, {}
    while kills < options.kills:
        for model in models:
            number = 4 + trials // len(models) if len(models) > 1 else 4 + trials
            kind = (model, number % 4 == 3)
            if kind not in undisturbed:
                whole = Training(options, scratch, model, 3 if kind[1] else 0)
                began = time.monotonic()
                if not whole.ends(600, signal.SIGKILL):
                    raise Fault(f"{model} takes too long")
                undisturbed[kind] = (whole, time.monotonic() - began)
            whole, needed = undisturbed[kind]
            trial, own = Training(options, scratch, model, number), 0
            trials += 1
            # the patience grows, so that every trial ends
            while not trial.ends(numbers.uniform(0.02, needed) * min(1, (2 + own) / 6),
                                 signal.SIGINT if numbers.random() < 0.2 else signal.SIGKILL):
                own += 1
            kills += own
            try:
                check(whole, trial)
            except Fault as fault:
                raise Fault(f"{model}, trial {trials}, after {own} kills: {fault}") from fault
            ends[model] = ends.get(model, 0) + own
            shutil.rmtree(trial.folder)
            if kills >= options.kills and trials >= len(models):
                break
    print(f"{kills} kills of {trials} trainings, 0 of them different from undisturbed: "
          + ", ".join(f"{model} {count}" for model, count in ends.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--models", default=MODELS)
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
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
