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

    def has(self, command):
        return self.arena.run([self.path, command, "--help"], self.inputs).status == 0

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


# After an error a training keeps its state, and results that are decided but not yet in their places.
KEPT = r"outdir(/state(/.*)?|/\.run-(finished|stopped|moving)(/.*)?)?$"
PASSING = r"outdir/(state|\.run-[a-z]+)(/|$)"
JSON = ["--json", "outfile.json"]


def into_folder(program, name, words, **more):
    """A command with the run folder outdir."""
    verify = ["verify", "outdir"] if program.has("verify") else None
    return Command(name, program.path, words, folders=["outdir"], kept=KEPT, passing=PASSING, verify=verify,
                   reader=["predict", "outdir", GRAPH, "--proba", "-q"], names=("outdir", "outfile"), **more)


def train(seed, epochs, *more):
    return ["train", GRAPH, "--seed", str(seed), "--epochs", str(epochs), *SMALL, *more]


def train_commands(program):
    to = ["--out", "outdir"]
    one = train(2, 20)
    # another depth, length and seed: every file of the folder differs
    old = program.old("train", *train(1, 6, "--K", "3"), *to, *JSON)
    for name, words, start in (("train", one, None), ("train-over", [*one, *JSON], old),
                               ("train-runs-over", [*train(2, 12, "--runs", "3"), *JSON], old)):
        yield into_folder(program, name, [*words, *to], old=start)
    if program.knows("train", "--resume"):
        yield from resume_commands(program, to, old)
        yield from repair_commands(program, [*one, *to], old)


def resume_commands(program, to, old):
    """States after every epoch; whoever is interrupted resumes, or begins again where there was no state yet."""
    resume = ["train", "--resume", "outdir", *JSON, "-q"]
    words = train(2, 6, "--runs", "2", "--save-every", "0", *JSON)
    threads = ["2" if word == "1" and words[i - 1] == "--threads" else word for i, word in enumerate(words)]
    for name, given, start in (("train-save", words, None), ("train-save-over", words, old),
                               ("train-save-threads", threads, None)):
        begin, again = [*given, *to], [*given, "--resume", "outdir"]
        # `resume` alone refuses a folder that was moved, as those after a power failure are here
        yield into_folder(program, name, begin, old=start, next_calls=[resume, again, begin])
    if program.knows("train", "--nodes"):
        yield table_command(program, to, resume)
    # --resume of a training that was killed in its middle
    start = killed(program, [*words, *to], None, lambda call: "outdir/state/" in call.get("path2", call["path"]))
    yield into_folder(program, "train-resume", [*words, "--resume", "outdir"], old=start)


def table_command(program, to, resume):
    """Tables: candidates are trained one after the other, and the chosen one once more, on all labelled nodes."""
    numbers = random.Random(2)
    with open(program.input("nodes.csv"), "w", encoding="ascii") as file:
        file.write("id,kind,size\n")
        for i in range(40):
            file.write(f"n{i},{'' if i % 8 == 0 else 'ab'[i % 2]},{i % 2 + numbers.gauss(0, 2):.3f}\n")
    with open(program.input("edges.csv"), "w", encoding="ascii") as file:
        file.write("source,target\n")
        for _ in range(90):
            file.write(f"n{numbers.randrange(40)},n{numbers.randrange(40)}\n")
    words = ["train", "--edges", program.input("edges.csv"), "--nodes", program.input("nodes.csv"), "--label", "kind",
             "--epochs", "3", "--seed", "2", "--save-every", "0", "--baselines", "no", *SMALL, *JSON]
    begin = [*words, *to]
    return Command("train-table", program.path, begin, folders=["outdir"], kept=KEPT, passing=PASSING,
                   verify=["verify", "outdir"], names=("outdir", "outfile"),
                   next_calls=[resume, [*words, "--resume", "outdir"], begin])


def repair_commands(program, words, old):
    """A training was killed when it replaced its results; the next program completes it, and is attacked meanwhile."""
    predict = ["predict", "outdir", GRAPH, "--threads", "1", "-q", "--proba", "-o", "outfile.csv"]
    for name, is_one in (("repair-removing", lambda call: call["call"] == "unlinkat" and call["result"] == 0 and
                          os.path.dirname(call["path"]) == "outdir"),
                         ("repair-moving", lambda call: "/.run-moving/" in call["path"])):
        yield into_folder(program, name, predict, old=killed(program, words, old, is_one))


def killed(program, words, old, is_one):
    """The folder of a command that was killed in the middle of the calls that are of this kind."""
    command = Command("killed", program.path, words, old=old, folders=["outdir"])
    program.arena.learn(command)
    calls = [call["n"] for call in command.calls if is_one(call)]
    folder = program.arena.folder(command)
    program.arena.strike(command, folder, "--at", calls[len(calls) // 2], "--do", "before")
    return folder


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
            ("generate-powerlaw", ["generate", "powerlaw", "--nodes", "300", "--edges", "900", "--threads", "1", "-q",
                                   "-o",
                                   "outfile.gpr"], old_gpr),
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
    words = ["inspect", program.input("run"), GRAPH, "--threads", "1", "-q", "--json", "outfile.json"]
    yield Command("inspect", program.path, words, old=program.old("inspect", *words), names=("outfile.json",))
    words = ["explain", program.input("run"), GRAPH, "--node", "0", "--threads", "1", "-q", "--json", "outfile.json"]
    yield Command("explain", program.path, words, old=program.old("explain", *words), names=("outfile.json",))


def search_commands(program):
    """Every finished run is added to a file, which the next call judges."""
    if not program.has("search"):
        return
    words = ["search", GRAPH, "--grid", "lr=0.01,0.1", "--runs", "2", "--epochs", "4", "--jobs", "1", *SMALL, *JSON,
             "--out", "outdir"]
    old = program.old("search", *words, "--seed", "7")
    for name, start in (("search", None), ("search-over", old)):
        yield Command(name, program.path, words, old=start, names=("outdir", "outfile"),
                      kept=r"outdir(/runs\.jsonl)?$", passing=r"outdir/runs\.jsonl$")


def report_commands(program):
    if not program.has("report"):
        return
    program.run(program.inputs, "train", GRAPH, "--epochs", "4", "--out", "shown", *SMALL)
    words = ["report", program.input("shown"), "--svg", "outdir", "--json", "outfile.json", "-q"]
    yield Command("report", program.path, words, names=("outdir", "outfile.json"))


def rank_commands(program):
    words = ["rank", GRAPH, "--node", "3", "--cluster", "--threads", "1", "-q", "-o", "outfile.csv", *JSON]
    old = program.old("rank", "rank", GRAPH, "--node", "9", "-q", "-o", "outfile.csv", *JSON)
    names = ("outfile.csv", "outfile.json")
    yield Command("rank", program.path, words, names=names)
    yield Command("rank-over", program.path, words, old=old, names=names)


def compare_commands(program):
    for model in ("mlp", "gcn"):
        program.run(program.inputs, "train", GRAPH, "--model", model, "--runs", "3", "--epochs", "5", "--threads", "1",
                    "-q", "--out", "run-" + model)
    words = ["compare", program.input("run-mlp"), program.input("run-gcn"), "-q", "-o", "outfile.csv", "--json",
             "outfile.json"]
    old = program.old("compare", *words, "--metric", "val_loss")
    names = ("outfile.csv", "outfile.json")
    yield Command("compare", program.path, words, names=names)
    yield Command("compare-over", program.path, words, old=old, names=names)


def fetch_commands(program):
    server = program.serve()
    if not server:
        return
    served = program.input("served")
    make = ["generate", "csbm", "--phi", "0.3", "--n", "90", "--f", "30", "-q", "-o"]
    words = ["fetch", "computers", "--mirror", server, "--data-dir", "outdir", "--retries", "0", "--accept", "-q"]
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
    for make in (data_commands, predict_commands, report_commands, rank_commands, compare_commands, train_commands,
                 search_commands, fetch_commands):
        for command in make(program):
            if not wanted or re.search(wanted, command.name):
                yield command
