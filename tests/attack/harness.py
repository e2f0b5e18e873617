"""What all attacks share: a command under attack, its folder before and after, and the verdict.

A command runs in a work folder of its own that holds nothing but its outputs; inputs are elsewhere. So every name in
the work folder has to be explained. OLD is the folder before the command, NEW the folder after an undisturbed one.
"""
import errno
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import threading

SKIPPED = 77
TIMEOUT = 60  # seconds: a command that runs longer hangs

# What differs between two runs of the same training, as it is written in JSON.
MANIFESTS = ("run.sha256",)
VARYING = re.compile(rb'("(?:seconds|ms_per_epoch|peak_memory_bytes)": ?|"label":"(?:Whole training|Preparing|Mean '
                     rb'run|Epochs'
                     rb'|One epoch|Peak memory|Embedding|The rest)","value":")[-+.0-9e]+(?: m?s| min| MB)?')

KINDS = ("corrupt", "mixed", "debris", "different", "status", "unsynced")
MEANING = {
    "corrupt": "a file is neither the old nor the new one",
    "mixed": "a run folder has files of two runs, or only some files and no staged copy",
    "debris": "files are left that no command removes",
    "different": "the next call fails, or gives another result than an undisturbed one",
    "status": "a crash, a hang, no message, a message that does not name the file, or success without a result",
    "unsynced": "success, although the data or the name may be lost at a power failure",
}


class Command:
    """A command under attack.

    arguments: of the program. old: the folder to begin with, or None for an empty one. folders: outputs that are one
    thing (run folders); all other files stand for themselves. next: the arguments of the call that repairs, by default
    the same. kept: a pattern of names that may stay after an error, as they are for the next call. passing: a pattern
    of names that come and go, or grow, while the command runs, whose content only the next call can judge. reader: a
    call that prints the predictions of the run folder. verify: a call that succeeds when everything is whole.
    """

    def __init__(self, name, program, arguments, old=None, folders=(), next_calls=None, kept=None, passing=None,
                 names=(), reader=None, verify=None):
        self.name, self.program, self.arguments, self.old = name, program, arguments, old
        self.folders, self.kept = tuple(folders), re.compile(kept) if kept else None
        self.next_calls = next_calls or [arguments]
        self.names = names  # of the outputs, one of which a message must contain
        self.reader, self.verify = reader, verify
        self.passing = re.compile(passing) if passing else None
        self.before = self.after = None  # snapshots; before_bytes is not masked
        self.before_bytes = None
        self.calls, self.data = [], None  # of an undisturbed run: its log, and the file of bytes that it refers to


class Fault:
    """kind is one of KINDS."""

    def __init__(self, kind, text):
        self.kind, self.text = kind, text


# ---- Folders ---------------------------------------------------------------------------------------------------------

def mask(files):
    """The same for two equal runs: times are hidden, and a manifest says whether it fits."""
    masked = {}
    for name, content in files.items():
        if content is not None and name.endswith((".json", ".jsonl", ".html")):
            content = VARYING.sub(rb"\1*", content)
        if content is not None and os.path.basename(name) in MANIFESTS:
            lines = []
            for line in content.decode("utf-8", "replace").splitlines():
                digest, _, listed = line.partition("  ")
                there = files.get(os.path.join(os.path.dirname(name), listed))
                fits = there is not None and hashlib.sha256(there).hexdigest() == digest
                lines.append(f"{'fits' if fits else 'WRONG'}  {listed}")
            content = "\n".join(lines).encode()
        masked[name] = content
    return masked


def snapshot(folder):
    """{name: bytes, or None for a folder}, masked."""
    return mask(read_folder(folder))


def read_folder(folder):
    files = {}
    for path, folders, names in os.walk(folder):
        for name in folders:
            files[os.path.relpath(os.path.join(path, name), folder)] = None
        for name in names:
            full = os.path.join(path, name)
            if os.path.islink(full):
                files[os.path.relpath(full, folder)] = b"link to " + os.fsencode(os.readlink(full))
                continue
            with open(full, "rb") as file:
                files[os.path.relpath(full, folder)] = file.read()
    return files


def inside(name, folder):
    return name == folder or name.startswith(folder + "/")


def judge_file(command, name, found):
    if command.passing and command.passing.match(name):
        return
    allowed = [tree.get(name, b"absent") for tree in (command.before, command.after)]
    if found.get(name, b"absent") not in allowed:
        yield Fault("corrupt", f"{name} is neither the old nor the new file")


def judge_folder(command, folder, found):
    """Files of one run only; not all of them only while a hidden folder beside them holds the rest."""
    old, new = ({name for name, content in tree.items() if inside(name, folder) and content is not None and
                 not (command.passing and command.passing.match(name))} for tree in (command.before, command.after))
    only_old, only_new, manifests, present = [], [], [], set()
    for name in sorted(old | new):
        content = found.get(name)
        if content is None:
            continue
        present.add(name)
        is_old, is_new = content == command.before.get(name), content == command.after.get(name)
        if os.path.basename(name) in MANIFESTS:  # masked, it says whether it fits the files that are there
            manifests.append((name, is_old or is_new))
        elif is_old != is_new:
            (only_old if is_old else only_new).append(name)
        elif not is_old:
            yield Fault("corrupt", f"{name} is neither the old nor the new file")
    if only_old and only_new:
        yield Fault("mixed", f"{folder}: {', '.join(only_old)} of the old run, {', '.join(only_new)} of the new one")
        return
    staged = any(inside(name, folder) and content is None and os.path.basename(name).startswith(".")
                 for name, content in found.items())
    wanted = new if only_new or not old else old
    for name, fits in manifests:
        if not fits:  # where it is, all files are
            yield Fault("corrupt", f"{name} does not fit the files")
    if present not in (old, new) and not staged:
        yield Fault("mixed", f"{folder} lacks {', '.join(sorted(wanted - present)) or 'nothing, but has more files'}")


def judge(command, found):
    """Whatever happened: each output is the old or the new one, whole. Yields faults."""
    for folder in command.folders:
        yield from judge_folder(command, folder, found)
    for name in sorted(set(command.before) | set(command.after)):
        if not any(inside(name, folder) for folder in command.folders):
            yield from judge_file(command, name, found)


def check_reader(arena, command, folder, found):
    """Whoever reads a run folder gets the old or the new run, or is told that there is none. Yields faults."""
    for whole in command.folders if command.reader else ():
        copy = folder + ".copy"
        shutil.copytree(folder, copy, symlinks=True)
        ended = arena.run([command.program, *command.reader], copy)
        shutil.rmtree(copy)
        name = whole + "/predictions.csv"
        results = [tree[name] for tree in (command.before, command.after) if name in tree]
        there = any(inside(path, whole) and path.endswith("/model.safetensors") and "/.run-writing/" not in path
                    for path in found)
        if ended.status == 0 and ended.out not in results:
            yield Fault("corrupt", f"{command.reader[0]} gives neither the old nor the new predictions")
        elif ended.status not in (0, 1, 2) or (ended.status > 0 and there):
            yield Fault("corrupt", f"{command.reader[0]} ends with status {ended.status}: {said(ended)}")


def strangers(command, found):
    """Names that no undisturbed command leaves."""
    known = set(command.before) | set(command.after)
    return sorted(name for name in found if name not in known)


# ---- Running ---------------------------------------------------------------------------------------------------------

class Ended:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err


def read_log(path, root):
    """The calls, with paths relative to root ("." is root itself), without the exit."""
    with open(path, encoding="utf-8") as file:
        calls = [json.loads(line) for line in file]
    for call in calls:
        for key in ("path", "path2"):
            if key in call:
                call[key] = os.path.relpath(call[key] or root, root)
    return [call for call in calls if call["call"] != "exit"]


def make_scratch(where=None):
    """In memory where that is possible: nothing here depends on the disk."""
    where = where or ("/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    return os.path.realpath(tempfile.mkdtemp(prefix="gprgnn-attack-", dir=where))


class Arena:
    """Where commands are attacked: scratch folders, and the program that strikes."""

    def __init__(self, scratch, injector, extra_environment=None):
        self.scratch, self.injector = scratch, injector
        self.count, self.lock = 0, threading.Lock()
        self.environment = {name: value for name, value in os.environ.items()
                            if name != "GPRGNN_DATA" and not name.lower().endswith("_proxy")}
        self.environment.update(LC_ALL="C", HOME=scratch, XDG_CACHE_HOME=os.path.join(scratch, "cache"),
                                GPRGNN_STOP_SECONDS="60")  # traced, a clean stop takes longer than usual
        # the leak check traces too, and a program has one tracer
        options = self.environment.get("ASAN_OPTIONS", "")
        self.environment["ASAN_OPTIONS"] = options + (":" if options else "") + "detect_leaks=0"
        self.environment.update(extra_environment or {})

    def folder(self, command, empty=False):
        """A new work folder, with the old outputs of the command if not empty."""
        with self.lock:
            self.count += 1
            path = os.path.join(self.scratch, f"work{self.count}")
        if command.old and not empty:
            shutil.copytree(command.old, path, symlinks=True)
        else:
            os.mkdir(path)
        return path

    def run(self, words, folder):
        try:
            done = subprocess.run(words, cwd=folder, env=self.environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT)
        except subprocess.TimeoutExpired as late:
            return Ended(None, b"", late.stderr or b"")
        return Ended(done.returncode, done.stdout, done.stderr)

    def strike(self, command, folder, *options):
        words = [self.injector, "--root", folder, *map(str, options), "--", command.program, *command.arguments]
        return self.run(words, folder)

    def strike_at(self, command, folder, number, how, *more):
        """Also returns the calls; a download may take fewer or other ones than the last time. Their bytes are in
        FOLDER.data."""
        log = folder + ".log"
        files = ("--log", log, "--data", folder + ".data")
        ended = self.strike(command, folder, "--at", number, "--do", how, *files, *more)
        calls = read_log(log, folder)
        os.remove(log)
        return ended, calls

    def start(self, command, folder):
        """Runs in the background, not traced."""
        return subprocess.Popen([command.program, *command.arguments], cwd=folder, env=self.environment,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def learn(self, command):
        """Runs the command undisturbed: what it leaves, and its calls. Twice, as it must not depend on the time."""
        log = os.path.join(self.scratch, "log-" + re.sub(r"\W", "-", command.name))
        for attempt in range(2):
            folder = self.folder(command)
            command.before_bytes = read_folder(folder)
            command.before = mask(command.before_bytes)
            ended = self.strike(command, folder, "--log", log, "--data", log + ".data")
            if ended.status != 0:
                raise SystemExit(f"{command.name}: the undisturbed command fails with status {ended.status}: "
                                 f"{ended.err.decode(errors='replace')}")
            after = snapshot(folder)
            shutil.rmtree(folder)
            if attempt and after != command.after:
                names = [name for name in set(after) | set(command.after) if after.get(name) != command.after.get(name)]
                raise SystemExit(f"{command.name}: two undisturbed commands differ in {', '.join(names)}")
            command.after = after
        command.calls = read_log(log, folder)
        command.data = log + ".data"


def check_next_call(arena, command, folder):
    """The next calls of the user put everything right. Yields faults.

    A call that succeeds leaves old or new outputs: nothing may be left to resume, for example. The last one that is
    needed leaves what an undisturbed command leaves.
    """
    for words in command.next_calls:
        ended = arena.run([command.program, *words], folder)
        found = snapshot(folder)
        if ended.status == 0:
            yield from judge(command, found)
        if ended.status is None or ended.status < 0 or (ended.status == 0 and found == command.after):
            break
    if ended.status != 0:
        yield Fault("different", f"the next call ends with status {ended.status}: {said(ended)}")
        return
    wrong = sorted(name for name in command.after if found.get(name, b"absent") != command.after[name])
    extra = sorted(name for name in found if name not in command.after)
    if wrong:
        yield Fault("different", f"after the next call these differ from an undisturbed one's: {', '.join(wrong)}")
    if extra:
        yield Fault("debris", f"after the next call there are still {', '.join(extra)}")
    if command.verify:
        ended = arena.run([command.program, *command.verify], folder)
        if ended.status != 0:
            yield Fault("corrupt", f"{command.verify[0]} ends with status {ended.status}: {said(ended)}")


def said(ended):
    return ended.err.decode(errors="replace").strip()


def error_name(number):
    return errno.errorcode.get(number, str(number))
