"""The commands under attack: every command of the program that writes files, to a new output and over an old one."""
import os
import random
import re
import subprocess
import sys

from harness import Command

HERE = os.path.dirname(os.path.abspath(__file__))
GRAPH = "csbm:n=60,f=6,phi=-0.5,seed=3"
SMALL = ["--K", "2", "--hidden", "8", "--threads", "1", "--stopping", "none", "-q"]


class Program:
    """The program, its inputs, and the outputs of earlier calls."""

    def __init__(self, path, arena, data):
        self.path, self.arena, self.data = path, arena, data
        self.inputs = os.path.join(arena.scratch, "inputs")
        os.mkdir(self.inputs)
        self.server = None

    def run(self, folder, *words):
        ended = self.arena.run([self.path, *words], folder)
        if ended.status != 0:
            raise SystemExit(f"gprgnn {' '.join(words)} ends with status {ended.status}: {ended.err.decode()}")

    def old(self, name, *words):
        """A folder in which the program was called like this."""
        folder = os.path.join(self.arena.scratch, "old-" + name)
        os.mkdir(folder)
        self.run(folder, *words)
        return folder

    def input(self, name):
        return os.path.join(self.inputs, name)

    def knows(self, command, flag):
        return flag.encode() in self.arena.run([self.path, command, "--help"], self.inputs).out

    def serve(self):
        """Starts the web server of the tests; returns its address, and None where downloads are not built in."""
        if b"libcurl" in self.arena.run([self.path, "fetch", "computers", "--mirror", "http://127.0.0.1:1",
                                         "--data-dir", self.input("none"), "--retries", "0"], self.inputs).err:
            return None
        os.mkdir(self.input("served"))
        script = os.path.join(HERE, "..", "cli", "fetch_server.py")
        self.server = subprocess.Popen([sys.executable, script, self.input("served"), self.input("requests")],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return f"http://127.0.0.1:{int(self.server.stdout.readline())}/ok"

    def stop(self):
        if self.server:
            self.server.stdin.close()
            self.server.stdout.close()
            self.server.wait()


def train_commands(program):
    def train(seed, *more):
        return ["train", GRAPH, "--seed", str(seed), "--out", "outdir", *SMALL, *more]

    one = train(2, "--epochs", "20")
    many = train(2, "--epochs", "12", "--runs", "3")
    # another depth, length and seed: every file of the folder differs
    old = program.old("train", *train(1, "--epochs", "6", "--K", "3", "--json", "outfile.json"))
    names = ("outdir", "outfile.json")
    yield Command("train", program.path, one, folders=["outdir"], names=names)
    yield Command("train-over", program.path, [*one, "--json", "outfile.json"], old=old, folders=["outdir"], names=names)
    yield Command("train-runs-over", program.path, [*many, "--json", "outfile.json"], old=old, folders=["outdir"],
                  names=names)
    if not (program.knows("train", "--resume") and program.knows("train", "--save-every")):
        return
    # states after every epoch; whoever is interrupted goes on with --resume, or begins again where there was no state
    saving = train(2, "--epochs", "6", "--runs", "2", "--save-every", "0", "--json", "outfile.json")
    resume = ["train", "--resume", "outdir", "--json", "outfile.json", "-q"]
    kept = r"outdir(/state(/.*)?)?$"
    for name, start in (("train-save", None), ("train-save-over", old)):
        yield Command(name, program.path, saving, old=start, folders=["outdir"], names=names, kept=kept,
                      next_calls=[resume, saving])
    yield from resume_command(program, saving, resume, kept, names)


def resume_command(program, saving, resume, kept, names):
    """--resume of a training that was killed in its middle."""
    arena = program.arena
    command = Command("train-save-killed", program.path, saving, folders=["outdir"])
    arena.learn(command)
    states = [call["n"] for call in command.calls if "/state/" in call.get("path2", call["path"])]
    folder = arena.folder(command)
    arena.strike(command, folder, "--at", states[len(states) // 2], "--do", "before")
    yield Command("train-resume", program.path, resume, old=folder, folders=["outdir"], names=names, kept=kept)


def data_commands(program):
    numbers = random.Random(1)
    with open(program.input("web.txt"), "w", encoding="ascii") as file:
        for _ in range(60000):
            file.write(f"{numbers.randrange(2000)} {numbers.randrange(2000)}\n")
    other = ["--phi", "0.5", "--n", "50", "--f", "5", "--seed", "9", "-q"]
    text = ["convert", program.input("web.txt"), "outfile.gpr", "--memory", "1M", "--threads", "1", "-q"]
    make = ["generate", "csbm", "--phi", "-0.5", "--n", "80", "--f", "7", "--seed", "4", "-q", "-o"]
    program.run(program.inputs, *make, "graph.npz")
    program.run(program.inputs, *make, "graph.gpr")
    old_gpr = program.old("gpr", "generate", "csbm", *other, "-o", "outfile.gpr")
    old_npz = program.old("npz", "generate", "csbm", *other, "-o", "outfile.npz")
    for name, words, old in (
            ("convert-text", text, old_gpr),
            ("convert-gpr", ["convert", program.input("graph.npz"), "outfile.gpr", "--threads", "1", "-q"], old_gpr),
            ("convert-npz", ["convert", program.input("graph.gpr"), "outfile.npz", "--threads", "1", "-q"], old_npz),
            ("generate-gpr", [*make, "outfile.gpr"], old_gpr),
            ("generate-npz", [*make, "outfile.npz"], old_npz)):
        names = (words[-1],) if words[0] == "generate" else (words[2],)
        yield Command(name, program.path, words, names=names)
        yield Command(name + "-over", program.path, words, old=old, names=names)


def predict_commands(program):
    program.run(program.inputs, "train", GRAPH, "--epochs", "5", "--out", "run", *SMALL)
    words = ["predict", program.input("run"), GRAPH, "--threads", "1", "-q", "--proba", "-o", "outfile.csv",
             "--json", "outfile.json"]
    old = program.old("predict", *words[:-5], "-o", "outfile.csv", "--json", "outfile.json")
    names = ("outfile.csv", "outfile.json")
    yield Command("predict", program.path, words, names=names)
    yield Command("predict-over", program.path, words, old=old, names=names)


def fetch_commands(program):
    server = program.serve()
    if not server:
        return
    served = program.input("served")
    make = ["generate", "csbm", "--phi", "0.3", "--n", "90", "--f", "30", "-q", "-o"]
    words = ["fetch", "computers", "--mirror", server, "--data-dir", "outdir", "--retries", "0", "-q"]
    program.run(served, *make, "computers.npz", "--seed", "5")
    old = program.old("fetch", *words)
    program.run(served, *make, "computers.npz", "--seed", "6")
    kept = r"outdir(/computers\.npz\.part)?$"
    yield Command("fetch", program.path, words, names=("outdir",), kept=kept)
    yield Command("fetch-over", program.path, [*words, "--force"], old=old, names=("outdir",), kept=kept)
    planetoid = os.path.join(program.data, "planetoid") if program.data else ""
    if os.path.exists(os.path.join(planetoid, "ind.cora.tx")):  # several files, whose digests are known
        os.symlink(planetoid, os.path.join(served, "planetoid"))
        yield Command("fetch-cora", program.path, [words[0], "cora", *words[2:]], names=("outdir",),
                      kept=r"outdir(/planetoid(/ind\.cora\.[a-z.]*\.part)?)?$")


def all_commands(program, wanted=None):
    """wanted: a pattern of names."""
    for make in (data_commands, predict_commands, train_commands, fetch_commands):
        for command in make(program):
            if not wanted or re.search(wanted, command.name):
                yield command
