#!/usr/bin/env python3
"""Runs the fuzz targets, and counts what they did.

    fuzz.py run BUILD [--seconds 60] [--jobs 1] [TARGET...]   every target for so long, `jobs` at a time
    fuzz.py add BUILD LOG...                                  adds the logs of runs elsewhere (scripts/fuzz-bundle.sh)
    fuzz.py table BUILD                                       prints what was counted so far
    fuzz.py minimise BUILD [TARGET...]                        a few of the new inputs into tests/fuzz/corpus

BUILD is the folder of the preset `fuzz`. Inputs that reach something new are kept in BUILD/corpus/TARGET, those that
show a fault in BUILD/findings. The counts are in BUILD/fuzz-count.json, or where GPRGNN_FUZZ_COUNT says. `run` and
`add` return 1 if there was a finding.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SEEDS = os.path.join(HERE, "corpus")
OPTIONS = ["-timeout=20", "-report_slow_units=20", "-rss_limit_mb=2048", "-print_final_stats=1"]
ENVIRONMENT = {"ASAN_OPTIONS": "quarantine_size_mb=16:allocator_may_return_null=1:detect_stack_use_after_return=1",
               "UBSAN_OPTIONS": "print_stacktrace=1"}
MOST_SEEDS = 16, 2000  # inputs and bytes per target that `minimise` adds to those with a name


def targets_of(build, wanted):
    """{name: program}."""
    folder = os.path.join(build, "tests")
    found = {name[5:]: os.path.join(folder, name) for name in sorted(os.listdir(folder))
             if name.startswith("fuzz_") and os.path.isfile(os.path.join(folder, name))}
    unknown = set(wanted) - set(found)
    if unknown or not found:
        sys.exit(f"fuzz.py: no target {', '.join(sorted(unknown)) or 'at all'} in {folder}")
    return {name: found[name] for name in wanted or found}


def size_of(folder):
    return len(os.listdir(folder)) if os.path.isdir(folder) else 0


def read_log(text):
    """(executions, features, finding or None) of what a libFuzzer process printed."""
    runs = [int(n) for n in re.findall(r"^stat::number_of_executed_units:\s*(\d+)", text, re.M)]
    if not runs:  # it was ended from outside, or crashed: the last line that counts
        runs = [int(n) for n in re.findall(r"^#(\d+)\s", text, re.M)][-1:]
    features = [int(n) for n in re.findall(r"\bft: (\d+)", text)]
    fault = re.search(r"^SUMMARY: (?!libFuzzer: (?:interrupted|run interrupted))(.*)$|runtime error: (.*)$", text, re.M)
    kept = re.search(r"Test unit written to (?:\S*[/-])?((?:crash|leak|timeout|oom)-\w+)", text)  # the end of a log
    finding = fault and (fault.group(1) or fault.group(2)) or kept and kept.group(1)
    return sum(runs), max(features, default=0), finding


class Count:
    """Executions of every target in all, in a file."""

    def __init__(self, build):
        self.path = os.environ.get("GPRGNN_FUZZ_COUNT") or os.path.join(build, "fuzz-count.json")
        self.all = {}
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as file:
                self.all = json.load(file)
        self.now = {}

    def add(self, target, log):
        runs, features, finding = read_log(log)
        entry = self.all.setdefault(target, {"executions": 0, "features": 0, "findings": []})
        entry["executions"] += runs
        entry["features"] = max(entry["features"], features)
        if finding and finding not in entry["findings"]:
            entry["findings"].append(finding)
        now = self.now.setdefault(target, {"executions": 0, "features": 0, "findings": 0})
        now["executions"] += runs
        now["features"] = max(now["features"], features)
        now["findings"] += finding is not None
        self.save()

    def save(self):
        temporary = self.path + ".new"
        with open(temporary, "w", encoding="utf-8") as file:
            json.dump(self.all, file, indent=1, sort_keys=True)
            file.write("\n")
        os.replace(temporary, self.path)

    def findings(self):
        return sum(now["findings"] for now in self.now.values())

    def print(self, build):
        form = "{:<16}{:>14}{:>16}{:>10}{:>8}{:>10}"
        print(form.format("target", "executions", "in all", "features", "corpus", "findings"))
        total = [0, 0, 0]
        for target in sorted(self.all):
            now = self.now.get(target, {"executions": 0, "findings": 0})
            entry = self.all[target]
            kept = size_of(os.path.join(build, "corpus", target)) + size_of(os.path.join(SEEDS, target))
            print(form.format(target, now["executions"], entry["executions"], entry["features"], kept, now["findings"]))
            total = [total[0] + now["executions"], total[1] + entry["executions"], total[2] + now["findings"]]
        print(form.format("all", total[0], total[1], "", "", total[2]))
        print("counted in", self.path)


def fuzz(program, target, build, seconds):
    """Runs a target; returns what it printed."""
    corpus, findings = os.path.join(build, "corpus", target), os.path.join(build, "findings")
    os.makedirs(corpus, exist_ok=True)
    os.makedirs(findings, exist_ok=True)
    command = [program, f"-max_total_time={seconds}", f"-artifact_prefix={findings}/{target}-", *OPTIONS, corpus]
    if os.path.isdir(os.path.join(SEEDS, target)):
        command.append(os.path.join(SEEDS, target))
    done = subprocess.run(command, capture_output=True, check=False, env={**ENVIRONMENT, **os.environ})
    log = done.stderr.decode("utf-8", "replace")
    if done.returncode != 0 and read_log(log)[2] is None:
        log += f"\nSUMMARY: exit status {done.returncode}\n"
    with open(os.path.join(build, f"{target}.log"), "w", encoding="utf-8") as file:
        file.write(log)
    return log


def run(arguments, count):
    programs = targets_of(arguments.build, arguments.names)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        waiting = {pool.submit(fuzz, program, target, arguments.build, arguments.seconds): target
                   for target, program in programs.items()}
        for ready in concurrent.futures.as_completed(waiting):
            target, log = waiting[ready], ready.result()
            count.add(target, log)
            runs, features, finding = read_log(log)
            print(f"{target}: {runs} executions, {features} features" + (f", FOUND: {finding}" if finding else ""),
                  flush=True)
            if finding:
                shown = re.findall(r"Test unit written to (\S+)", log)
                print("  the input:", shown[-1] if shown else "none", "; the log:",
                      os.path.join(arguments.build, f"{target}.log"))
    count.print(arguments.build)
    return count.findings()


def add(arguments, count):
    """A log is called TARGET.log or TARGET.NUMBER.log; folders are searched for them."""
    logs = []
    for path in arguments.names:
        logs += ([os.path.join(path, name) for name in sorted(os.listdir(path)) if name.endswith(".log")]
                 if os.path.isdir(path) else [path])
    for path in logs:
        with open(path, encoding="utf-8", errors="replace") as file:
            log = file.read()
        count.add(os.path.basename(path).split(".")[0], log)
        if read_log(log)[2]:
            print(f"{path}: FOUND: {read_log(log)[2]}")
    count.print(arguments.build)
    return count.findings()


def features_of(control):
    """{path: features} by a control file of libFuzzer's set_cover_merge; of an edge, how often it was taken is one of
    eight features, and the edge is added as a feature of its own."""
    with open(control, encoding="utf-8") as file:
        lines = file.read().splitlines()
    paths = lines[2:2 + int(lines[0])]
    reached = {}
    for words in (line.split() for line in lines[2 + len(paths):] if line.startswith("FT ")):
        features = {int(word) for word in words[2:]}
        reached[paths[int(words[1])]] = features | {("edge", feature // 8) for feature in features}
    return reached


def choose(reached, known, count, room):
    """`count` paths at most, of `room` bytes in all: always the one next that adds most to `known`, for its size."""
    sizes = {path: os.path.getsize(path) for path in reached}
    chosen = []
    while len(chosen) < count:
        worth = {path: len(features - known) / (sizes[path] + 20) for path, features in reached.items()
                 if path not in chosen and sizes[path] <= room}
        best = max(sorted(worth), key=worth.get, default=None)
        if best is None or worth[best] == 0:
            break
        chosen.append(best)
        known = known | reached[best]
        room -= sizes[best]
    return chosen


def minimise(arguments, _):
    """Inputs with a name stay. Of the others, which libFuzzer names by their SHA-1, those that reach most beyond the
    named ones, for their size, are put beside them."""
    for target, program in targets_of(arguments.build, arguments.names).items():
        seeds, grown = os.path.join(SEEDS, target), os.path.join(arguments.build, "corpus", target)
        os.makedirs(seeds, exist_ok=True)
        hashed = [name for name in os.listdir(seeds) if re.fullmatch("[0-9a-f]{40}", name)]
        with tempfile.TemporaryDirectory() as work:
            pool, named, control = (os.path.join(work, name) for name in ("pool", "named", "control"))
            os.makedirs(pool)
            shutil.copytree(seeds, named)
            for name in hashed:
                shutil.move(os.path.join(named, name), os.path.join(pool, name))
            subprocess.run([program, "-set_cover_merge=1", f"-merge_control_file={control}", *OPTIONS, named, pool,
                            *([grown] if os.path.isdir(grown) else [])],
                           capture_output=True, check=True, env={**ENVIRONMENT, **os.environ})
            reached = features_of(control)
            known = set().union(*(reached.pop(path) for path in list(reached) if os.path.dirname(path) == named))
            for name in hashed:
                os.remove(os.path.join(seeds, name))
            for path in choose(reached, known, *MOST_SEEDS):
                shutil.copyfile(path, os.path.join(seeds, os.path.basename(path)))
        print(f"{target}: {size_of(seeds)} inputs", flush=True)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["run", "add", "table", "minimise"])
    parser.add_argument("build", type=os.path.abspath)
    parser.add_argument("names", nargs="*", metavar="TARGET|LOG")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_intermixed_args()  # options may stand before targets
    count = Count(arguments.build)
    if arguments.what == "table":
        count.print(arguments.build)
        return 0
    return 1 if {"run": run, "add": add, "minimise": minimise}[arguments.what](arguments, count) else 0


if __name__ == "__main__":
    sys.exit(main())
