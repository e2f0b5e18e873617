"""Power failures: what a file system may hold after one, at every moment of a command.

The recorded calls of an undisturbed command are replayed. The model of a file system:

    - The bytes of a file are durable after its fsync. Before, each write may be there, be there in part, be missing, or
      have left zeros.
    - Names (create, link, rename, unlink, mkdir) are durable after the fsync of their folder. Before, in the `ordered`
      mode, each folder holds the first few changes of those since then; in the `harsh` mode, any of them.
    - A rename within a folder happens as a whole. Between two folders the old name may stay, but the file is not lost.
    - A file without a name is gone.

At every moment the outputs must be the old or the new ones, whole; after the exit with success, the new ones.
"""
import itertools
import os

from harness import Fault, judge, mask


class Node:
    """A file or a folder. history: of a file, its writes; of a folder, its changes of names."""

    def __init__(self, everywhere, is_folder, content=b""):
        self.is_folder, self.content = is_folder, content  # content: what is durable at the start
        self.entries = {}  # of a folder at the start: name -> Node
        self.live = {}  # of a folder: the names of this moment, as the command sees them
        self.history = []  # (moment, operation)
        self.syncs, self.everywhere = [], everywhere  # moments; those of sync, for all nodes
        self.broken = False  # an fsync of the file failed: a later one does not bring its bytes back

    def synced(self, moment):
        return max((at for at in (*self.syncs, *self.everywhere) if at <= moment), default=0)

    def durable(self, moment):
        until = self.synced(moment)
        return [change for at, change in self.history if at <= until]

    def pending(self, moment):
        since = self.synced(moment)
        return [change for at, change in self.history if since < at <= moment]


def apply_write(content, change):
    kind, offset, data = change
    if kind == "truncate":
        return content[:offset].ljust(offset, b"\0")
    content = content.ljust(offset, b"\0")
    return content[:offset] + data + content[offset + len(data):]


class Replay:
    """The calls of a command, as changes of nodes. Moment n is after call n."""

    def __init__(self, command, calls, data, most):
        self.by_number, self.everywhere = {}, []
        self.most = most  # sets of pending changes at one moment; of more, a sample
        self.root = Node(self.everywhere, True)
        for name, content in sorted(command.before_bytes.items()):
            folder, last = self.find(os.path.dirname(name) or "."), os.path.basename(name)
            folder.entries[last] = folder.live[last] = Node(self.everywhere, content is None, content or b"")
        with open(data, "rb") as file:
            self.data = file.read()
        self.moments = 0
        for call in calls:
            self.moments = call["n"]
            if call["result"] >= 0:
                self.replay(call)
            elif call["call"] in ("fsync", "fdatasync"):
                node = self.node_of(call)
                node.broken = not node.is_folder

    def find(self, path):
        node = self.root
        for part in path.split("/"):
            if part != ".":
                node = node.live.get(part) if node else None
        return node

    def node_of(self, call):
        """The open file of a call: by its number, or by its name when it was there before."""
        number = call["inode"]
        if number not in self.by_number:
            self.by_number[number] = self.find(call["path"])
        if not self.by_number[number]:
            raise SystemExit(f"power: no file for call {call}")
        return self.by_number[number]

    def rename_entry(self, moment, path, node):
        """A change of one name; node None: it is removed. Returns the change."""
        folder, name = self.find(os.path.dirname(path) or "."), os.path.basename(path)
        if node:
            folder.live[name] = node
        else:
            folder.live.pop(name, None)
        change = {name: node}
        folder.history.append((moment, change))
        return folder, change

    def replay(self, call):
        name, moment = call["call"], call["n"]
        if name.startswith("open"):
            self.replay_open(call)
        elif "data" in call:
            data = self.data[call["data"]:call["data"] + call["result"]]
            self.node_of(call).history.append((moment, ("write", call["offset"], data)))
        elif name == "ftruncate":
            self.node_of(call).history.append((moment, ("truncate", call["size"], b"")))
        elif name in ("fsync", "fdatasync"):
            node = self.node_of(call)
            if not node.broken:
                node.syncs.append(moment)
        elif name in ("sync", "syncfs"):
            self.everywhere.append(moment)
        elif name in ("mkdir", "mkdirat"):
            node = self.by_number[call["inode"]] = Node(self.everywhere, True)
            self.rename_entry(moment, call["path"], node)
        elif name in ("unlink", "unlinkat", "rmdir"):
            self.rename_entry(moment, call["path"], None)
        elif name in ("link", "linkat"):
            self.rename_entry(moment, call["path2"], self.node_of(call))
        elif name in ("rename", "renameat", "renameat2"):
            self.replay_rename(call)
        elif name not in ("close", "flock", "fchmod", "fchmodat", "chmod", "fchown", "fchownat", "chown", "utimensat",
                          "sync_file_range"):
            raise SystemExit(f"power: {name} is not part of the model")

    def replay_open(self, call):
        if call["tmpfile"] or (call["create"] and not call["existed"]):
            node = self.by_number[call["inode"]] = Node(self.everywhere, False)
            if not call["tmpfile"]:
                self.rename_entry(call["n"], call["path"], node)
        elif call["truncate"]:
            self.node_of(call).history.append((call["n"], ("truncate", 0, b"")))

    def replay_rename(self, call):
        if call.get("flags", 0) & 2:
            raise SystemExit("power: an exchange of two names is not part of the model")
        node, moment = self.node_of(call), call["n"]
        folder, change = self.rename_entry(moment, call["path2"], node)
        source, name = self.find(os.path.dirname(call["path"]) or "."), os.path.basename(call["path"])
        source.live.pop(name, None)
        if source is folder:
            change[name] = None  # together
        else:
            source.history.append((moment, {name: None, "after": (folder, change)}))

    # ---- After a failure -----------------------------------------------------------------------------------------

    def folders(self):
        """All folders that ever were, the root first."""
        found, queue = [], [self.root]
        while queue:
            node = queue.pop(0)
            if node in found:
                continue
            found.append(node)
            nodes = list(node.entries.values())
            nodes += [value for _, change in node.history for value in change.values() if isinstance(value, Node)]
            queue += [each for each in nodes if each.is_folder]
        return found

    def choices(self, moment, mode, numbers):
        """Sets of pending changes that have happened: lists of (folder, change), as far as they are pending."""
        pending = [(folder, folder.pending(moment)) for folder in self.folders()]
        flat = [(folder, change) for folder, changes in pending for change in changes]
        if mode == "ordered":
            prefixes = [range(len(changes) + 1) for _, changes in pending]
            total = 1
            for each in prefixes:
                total *= len(each)
            ends = itertools.product(*prefixes) if total <= self.most else (
                tuple(numbers.choice(each) for each in prefixes) for _ in range(self.most))
            for end in ends:
                yield [(folder, change) for (folder, changes), count in zip(pending, end) for change in changes[:count]]
        elif 2 ** len(flat) <= self.most:
            for bits in itertools.product((False, True), repeat=len(flat)):
                yield [each for each, bit in zip(flat, bits) if bit]
        else:
            yield from ([], flat)
            yield from ([each] for each in flat)
            yield from ([other for other in flat if other is not each] for each in flat)
            for _ in range(self.most):
                yield [each for each in flat if numbers.random() < 0.5]

    def tree(self, moment, happened):
        """{path: Node} after these pending changes. Later changes of a folder come after earlier ones."""
        chosen = {id(change) for _, change in happened}
        found = {}

        def walk(folder, path):
            names = dict(folder.entries)
            for at, change in folder.history:
                if not (at <= folder.synced(moment) or id(change) in chosen):
                    continue
                target = change.get("after")
                if target and not (at <= target[0].synced(moment) or id(target[1]) in chosen):
                    continue  # the file is not under its new name: it keeps the old one
                for name, node in change.items():
                    if name == "after":
                        continue
                    names[name] = node
                    if node is None:
                        del names[name]
            for name, node in names.items():
                found[path + name] = node
                if node.is_folder and path.count("/") < 8:
                    walk(node, path + name + "/")

        walk(self.root, "")
        return found

    def contents(self, node, moment, numbers):
        """What the file may hold; the first is the most usual."""
        content = node.content
        for change in node.durable(moment):
            content = apply_write(content, change)
        pending = node.pending(moment)
        if not pending:
            return [content]
        whole = content
        for change in pending:
            whole = apply_write(whole, change)
        first = content
        for change in pending[:(len(pending) + 1) // 2]:
            first = apply_write(first, change)
        some = content
        for change in pending:
            if numbers.random() < 0.5:
                some = apply_write(some, change)
        cut = apply_write(content, ("write", pending[-1][1], pending[-1][2][:len(pending[-1][2]) // 2]))
        zeros = content[:len(whole)].ljust(len(whole), b"\0")
        return list(dict.fromkeys((whole, content, zeros, first, cut, some)))


def states(command, numbers, most):
    """Different folders after a failure: (what, {path: bytes, None for a folder}, after the exit)."""
    replay = Replay(command, command.calls, command.data, most)
    seen = set()
    for moment in range(replay.moments + 1):
        at_exit = moment == replay.moments
        call = command.calls[moment - 1] if moment else {"n": 0, "call": "the start"}
        for mode, found in states_at(replay, moment, numbers):
            key = hash((at_exit, frozenset(found.items())))
            if key not in seen:
                seen.add(key)
                yield f"power failure ({mode}) after call {call['n']} ({call['call']})", found, at_exit


def states_at(replay, moment, numbers):
    """(mode, {path: bytes, None for a folder}) at one moment."""
    for mode in ("ordered", "harsh"):
        for happened in replay.choices(moment, mode, numbers):
            tree = replay.tree(moment, happened)
            files = {path: node for path, node in tree.items() if not node.is_folder}
            variants = {path: replay.contents(node, moment, numbers) for path, node in files.items()}
            for variant in range(max(map(len, variants.values()), default=1)):
                found = {path: None for path, node in tree.items() if node.is_folder}
                for path, contents in variants.items():
                    found[path] = contents[min(variant, len(contents) - 1)]
                yield mode, found


def lost_at_exit(command, calls, data, numbers):
    """Outputs that a power failure right after these calls may take."""
    replay = Replay(command, calls, data, 32)
    lost = set()
    for _, found in states_at(replay, replay.moments, numbers):
        found = mask(found)
        lost |= {name for name in command.after if found.get(name, b"absent") != command.after[name]}
    return sorted(lost)


def judge_state(command, found, at_exit):
    """Yields faults."""
    found = mask(found)
    yield from judge(command, found)
    lost = sorted(name for name in command.after if found.get(name, b"absent") != command.after[name])
    if at_exit and lost:
        yield Fault("unsynced", f"after the success these may be lost or old: {', '.join(lost)}")


def make_folder(folder, found):
    """Puts the state into an empty folder."""
    for path in sorted(found):
        full = os.path.join(folder, path)
        if found[path] is None:
            os.makedirs(full, exist_ok=True)
            continue
        with open(full, "wb") as file:
            file.write(found[path])
