"""The attacks on one command: where they strike, and what must hold afterwards.

An attack is (round, what, work): work strikes in a folder and yields faults.
"""
import errno
import os
import random
import shutil
import signal
import subprocess
import time

import power
from harness import (TIMEOUT, Ended, Fault, check_next_call, check_reader, error_name, inside, judge, said, snapshot,
                     strangers)

KILLED = 128 + signal.SIGKILL
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
WRITES = ("write", "pwrite64", "writev", "pwritev", "pwritev2")
SYNCS = ("fsync", "fdatasync")
REMOVES = ("unlink", "unlinkat", "rmdir")

# What each call may fail with.
ERRORS = {
    "open": (errno.EACCES, errno.ENOSPC, errno.EMFILE, errno.EIO, errno.EROFS, errno.EDQUOT),
    "tmpfile": (errno.EOPNOTSUPP, errno.EISDIR, errno.ENOSPC, errno.EACCES, errno.EMFILE),
    "folder": (errno.EMFILE, errno.EACCES),
    "write": (errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EINTR),
    "sync": (errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EINVAL),
    "close": (errno.EIO, errno.ENOSPC, errno.EINTR),
    "name": (errno.EIO, errno.ENOSPC, errno.EACCES),
    "link": (errno.EIO, errno.EPERM, errno.EMLINK, errno.ENOSPC),
    "remove": (errno.EIO, errno.EACCES, errno.EBUSY),
    "lock": (errno.EINTR, errno.ENOLCK),
    "other": (errno.EIO, errno.EPERM),
}


def kind_of(call):
    name = call["call"]
    if name.startswith("open"):
        if call.get("tmpfile"):
            return "tmpfile"
        return "open" if call.get("create") else "folder"
    groups = (("write", WRITES), ("sync", SYNCS), ("close", ("close",)), ("remove", REMOVES), ("lock", ("flock",)),
              ("link", ("link", "linkat")), ("name", ("rename", "renameat", "renameat2", "mkdir", "mkdirat")))
    return next((kind for kind, names in groups if name in names), "other")


# ---- One attack ------------------------------------------------------------------------------------------------------

def crashed(ended):
    """A crash, a hang, or a report of a sanitizer."""
    if ended.status is None:
        yield Fault("status", "it hangs")
    elif ended.status not in (0, 1):
        yield Fault("status", f"it ends with status {ended.status}: {said(ended)}")
    elif b"Sanitizer" in ended.err or b"runtime error" in ended.err:
        yield Fault("status", f"a sanitizer reports: {said(ended)}")


def judge_stopped(arena, command, found, folder):
    """A training that was stopped by a signal keeps its best model so far: then the folder is whole by itself."""
    whole = command.folders[0]
    names = {name for name in command.after if inside(name, whole) and command.after[name] is not None}
    missing = sorted(name for name in names if found.get(name) is None)
    stale = sorted(name for name in names if name in command.before and found.get(name) == command.before[name] and
                   found.get(name) != command.after[name])
    if missing or stale:
        yield Fault("mixed", f"{whole} of a stopped training lacks {missing}, and has {stale} of the old one")
        return
    if not command.reader:
        return
    done = arena.run([command.program, *command.reader], folder)
    if done.status != 0 or done.out != found[whole + "/predictions.csv"]:
        yield Fault("corrupt", f"the model of a stopped training does not give its predictions: {said(done)}")


def is_stopped(command, found):
    text = found.get(command.folders[0] + "/result.json") if command.folders else None
    return bool(text) and b'"stopped": true' in text and text != command.before.get(command.folders[0] + "/result.json")


def after_kill(arena, command, ended, folder):
    if ended.status not in (KILLED, -signal.SIGKILL, 0):
        yield from crashed(ended)
    found = snapshot(folder)
    if ended.status == 0 and found != command.after:
        yield Fault("status", "it succeeds, but its outputs are not the new ones")
    yield from judge(command, found)
    yield from check_reader(arena, command, folder, found)


def after_signal(arena, command, ended, folder, number):
    found = snapshot(folder)
    if ended.status not in (128 + number, -number):  # the usual effect of a signal is allowed
        yield from crashed(ended)
    if ended.status == 0 and found != command.after:
        yield Fault("status", "it succeeds, but its outputs are not the new ones")
    if is_stopped(command, found):
        yield from judge_stopped(arena, command, found, folder)
    else:
        yield from judge(command, found)


def unsynced(command, call, calls, data):
    """Success, although a sync failed or a folder could not be opened: is everything durable nevertheless?"""
    lost = power.lost_at_exit(command, calls, data, random.Random(1))
    if lost:
        what = f"{call['call']} of {call['path']} failed"
        yield Fault("unsynced", f"success, although {what}, and a power failure may take {', '.join(lost)}")


def after_error(command, ended, folder, call, number, goes_on):
    yield from crashed(ended)
    found = snapshot(folder)
    kind = kind_of(call)
    seen = found
    if kind == "remove":  # what could not be removed may stay until the next call
        seen = {name: content for name, content in found.items() if name in command.after}
    if ended.status == 0 and seen != command.after:
        yield Fault("status", "it succeeds, but its outputs are not the new ones")
    if ended.status == 1 and not any(name in said(ended) for name in command.names):
        yield Fault("status", f"the message does not name the file: {said(ended)!r}")
    if ended.status == 1 and number == errno.EINTR and kind in ("write", "lock"):
        yield Fault("status", f"an interrupted call is not repeated: {said(ended)!r}")
    yield from judge(command, found)
    left = [name for name in strangers(command, found) if not (command.kept and command.kept.match(name))]
    no_number = goes_on and number == errno.EMFILE  # without a free file number no folder can be listed
    if ended.status == 1 and left and kind != "remove" and not no_number:
        yield Fault("debris", f"after the error there are {', '.join(left)}")


def attack(arena, command, round_name, work):
    """work: strikes in a folder and yields faults. Returns its faults and those of the next call."""
    folder = arena.folder(command, empty=round_name == "next")
    faults = list(work(folder))
    if round_name != "two":  # that is another training
        faults += check_next_call(arena, command, folder)
    shutil.rmtree(folder)
    return faults


# ---- All attacks of a command ----------------------------------------------------------------------------------------

def described(command, call):
    names = [call[key] for key in ("path", "path2") if key in call]
    return f"call {call['n']} ({call['call']} {' '.join(names)})"


def kill_points(arena, command, short):
    def at(call, how):
        def work(folder):
            ended = arena.strike(command, folder, "--at", call["n"], "--do", how)
            yield from after_kill(arena, command, ended, folder)
        return f"kill {how} {described(command, call)}", work

    for call in command.calls:
        yield "kill", *at(call, "before")
        if call["call"] in ("write", "pwrite64"):
            yield "kill", *at(call, "half")
        if not short or call is command.calls[-1]:
            yield "kill", *at(call, "after")


def error_points(arena, command):
    def at(call, number, *more):
        def work(folder):
            ended, calls = arena.strike_at(command, folder, call["n"], f"fail={number}", *more)
            struck = next((each for each in calls if each["n"] == call["n"]), {"call": "none"})
            if number in ERRORS[kind_of(struck)]:
                yield from after_error(command, ended, folder, struck, number, bool(more))
                if ended.status == 0 and number != errno.EINVAL and kind_of(struck) in ("sync", "folder"):
                    yield from unsynced(command, struck, calls, folder + ".data")
            os.remove(folder + ".data")
        return f"{error_name(number)} {'from' if more else 'at'} {described(command, call)}", work

    for call in command.calls:
        if call["result"] < 0:  # it fails anyway, and the program expects that
            continue
        kind = kind_of(call)
        for number in ERRORS[kind]:
            yield "error", *at(call, number)
        if kind in ("open", "write"):
            yield "error", *at(call, errno.ENOSPC, "--on")
        if kind in ("open", "folder"):
            yield "error", *at(call, errno.EMFILE, "--on")
        if kind == "sync":
            yield "error", *at(call, errno.EIO, "--on")


def short_writes(arena, command):
    def work(folder):
        ended = arena.strike(command, folder, "--at", 1, "--do", "short", "--on")
        yield from crashed(ended)
        if ended.status != 0 or snapshot(folder) != command.after:
            yield Fault("different", f"short writes change the result: {said(ended)}")
    yield "error", "short writes", work


def signal_points(arena, command):
    def at(call, number):
        def work(folder):
            ended = arena.strike(command, folder, "--at", call["n"], "--do", f"signal={int(number)}")
            yield from after_signal(arena, command, ended, folder, number)
        return f"{number.name} at {described(command, call)}", work

    for i, call in enumerate(command.calls):
        yield "signal", *at(call, SIGNALS[i % len(SIGNALS)])


def random_points(arena, command, count, numbers):
    """At moments between the start and a little after the end."""
    folder = arena.folder(command)
    begin = time.monotonic()
    arena.start(command, folder).communicate()
    duration = 1.2 * (time.monotonic() - begin)
    shutil.rmtree(folder)

    def at(moment, number):
        def work(folder):
            running = arena.start(command, folder)
            time.sleep(moment)
            running.send_signal(number)
            ended = wait_for(running)
            if number == signal.SIGKILL:
                yield from after_kill(arena, command, ended, folder)
            else:
                yield from after_signal(arena, command, ended, folder, number)
        return f"{number.name} after {moment * 1e6:.0f} us", work

    for i in range(count):
        number = signal.SIGKILL if i % 2 == 0 else SIGNALS[i // 2 % len(SIGNALS)]
        yield "random", *at(numbers.uniform(0, duration), number)


def wait_for(running):
    try:
        out, err = running.communicate(timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        running.kill()
        running.communicate()
        return Ended(None, b"", b"")
    return Ended(running.returncode, out, err)


def two_at_once(arena, command):
    """Two trainings into one folder: one goes on, the other one says who holds the folder."""
    words = [*command.arguments, "--epochs", "1000000"]

    def work(folder):
        first = subprocess.Popen([command.program, *words], cwd=folder, env=arena.environment,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while first.poll() is None and not os.path.isdir(os.path.join(folder, "outdir")):
            time.sleep(0.01)
        time.sleep(0.3)
        second = arena.run([command.program, *command.arguments], folder)
        alive = first.poll() is None
        first.send_signal(signal.SIGINT)
        ended = wait_for(first)
        if second.status != 1 or "outdir" not in said(second) or str(first.pid) not in said(second):
            yield Fault("mixed", "a second training into the same folder is not refused with the first one's number: "
                                 f"status {second.status}, {said(second)!r}")
        if not alive or ended.status != 1:
            yield Fault("mixed", f"the first training did not go on: status {ended.status}, {said(ended)!r}")
        yield from judge_stopped(arena, command, snapshot(folder), folder)
    yield "two", "two trainings at once", work
