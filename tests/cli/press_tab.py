"""Types a line into an interactive shell, in a terminal, and prints the words that the shell then runs gprgnn with:

    press_tab.py SHELL SCRIPT KEYS...

SHELL is bash or zsh, or the path of one, SCRIPT its completion, KEYS a line each in which \\t is the Tab key. The end
of a line runs it.
"""
import os
import pty
import re
import select
import sys
import time


class Shell:
    def __init__(self, command, script):
        name = os.path.basename(command)
        self.seen = b""
        child, self.terminal = pty.fork()
        if child == 0:
            os.environ.update(TERM="dumb", PS1="$ ", COLUMNS="200", HISTFILE="")
            arguments = ["--norc", "--noprofile", "-i"] if name == "bash" else ["-f", "-i"]
            os.execvp(command, [command, *arguments])
        if name == "bash":
            self.type(f"bind 'set bell-style none'; source '{script}'\n")
        else:
            folder = os.path.dirname(script)
            self.type(f"unsetopt beep zle_bracketed_paste; fpath=('{folder}' $fpath); autoload -Uz compinit; compinit "
                      f"-D -u\n")
        self.type("gprgnn() { printf '<%s>' \"$@\"; echo ' are the'' words'; }\n")
        self.type("echo rea\"\"dy\n")
        self.wait_for(rb"(ready)\r?\n")

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def wait_for(self, pattern):
        end = time.monotonic() + 20
        while True:
            found = re.search(pattern, self.seen)
            if found:
                self.seen = self.seen[found.end():]
                return found.group(1).decode()
            if time.monotonic() > end or not select.select([self.terminal], [], [], 1)[0]:
                if time.monotonic() > end:
                    sys.exit(f"the shell does not answer; it printed: {self.seen!r}")
                continue
            self.seen += os.read(self.terminal, 1 << 16)

    def run(self, keys):
        """A pause after each Tab, so that the shell does not take what follows for text that was pasted."""
        for part in re.split("(\t)", keys):
            self.type(part)
            if part == "\t":
                time.sleep(0.2)
        self.type("\n")
        return self.wait_for(rb"(<[^\r\n]*>) are the words")


shell = Shell(sys.argv[1], os.path.abspath(sys.argv[2]))
for line in sys.argv[3:]:
    print(shell.run(line.replace("\\t", "\t")))
