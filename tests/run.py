#!/usr/bin/env python3
"""Runs ctest, and says before its summary what was skipped and why:

    tests/run.py PRESET [ARGUMENTS OF CTEST]

With `-LE LABEL` it also says which tests that leaves to `make test-all`.

A test says `skipped: REASON`, or `skipped in part: REASON`, in a line of its output; a case of a unit test says it
before skip(), and pytest in the lines of `-rs`. The status is that of ctest; 1 where a test or a case was skipped and
gave no reason.
"""
import re
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

SUMMARY = re.compile(rb"\d+% tests passed, ")
REASON = re.compile(r"(?:[\w.]+: )?skipped(?: in part)?: (.+)", re.IGNORECASE)
CASE_BEGINS = re.compile(r"\[ RUN      \] ")
CASE_SKIPPED = re.compile(r"\[  SKIPPED \] (\w+)")
PYTEST = re.compile(r"SKIPPED \[\d+\] (.+)")
MOST = 6  # reasons of one test
NO_REASON = "no reason given: let the test say `skipped: REASON`"


def reasons_in(output, whole):
    """Why the test of this output was skipped, as a whole or in parts."""
    found, of_case, in_case = [], [], False
    for line in output.splitlines():
        if CASE_BEGINS.match(line):
            found += of_case
            of_case, in_case = [], True
        elif in_case and (match := CASE_SKIPPED.match(line)):  # cmocka lists them again at the end
            found.append(f"{match[1]}: {', '.join(of_case) or NO_REASON}")
            of_case, in_case = [], False
        elif line.startswith("[==========]"):
            in_case = False
        elif match := REASON.match(line) or PYTEST.match(line):
            of_case.append(match[1])
    found += of_case
    if len(found) > MOST:
        found[MOST - 1:] = [f"and {len(found) - MOST + 1} more"]
    return found or ([NO_REASON] if whole else [])


def skipped(results):
    """Lines `TEST: REASON` of a file of results in JUnit's format."""
    for case in ElementTree.parse(results).iter("testcase"):
        skip = case.find("skipped")
        whole = skip is not None and skip.get("message", "").startswith("SKIP_RETURN_CODE")
        for reason in reasons_in(case.findtext("system-out") or "", whole):
            yield f"{case.get('name')}: {reason}"


def left_out(arguments):
    """A line with the tests of a label that ctest was told to leave out (-LE)."""
    if "-LE" not in arguments:
        return []
    label = arguments[arguments.index("-LE") + 1]
    listed = subprocess.run(["ctest", "--preset", arguments[0], "-N", "-L", label], stdout=subprocess.PIPE, text=True)
    names = re.findall(r"^ *Test +#\d+: (\S+)", listed.stdout, re.MULTILINE)
    return [f"left to `make test-all`: {', '.join(names)}; and all under the sanitizers"]


def main():
    with tempfile.TemporaryDirectory() as folder:
        results = f"{folder}/results.xml"
        command = ["ctest", "--preset", sys.argv[1], "--output-junit", results, "--test-output-size-passed", "1000000",
                   *sys.argv[2:]]
        summary = []
        with subprocess.Popen(command, stdout=subprocess.PIPE) as ctest:
            for line in ctest.stdout:
                if summary or SUMMARY.match(line):
                    summary.append(line)
                    continue
                sys.stdout.buffer.write(line)
                sys.stdout.buffer.flush()
        lines = list(skipped(results)) if summary else []
    print("\nSkipped, and why:", *(lines or ["nothing"]), *left_out(sys.argv[1:]), "", sep="\n  ", flush=True)
    sys.stdout.buffer.write(b"".join(summary))
    sys.stdout.buffer.flush()
    return ctest.returncode or any(NO_REASON in line for line in lines)


if __name__ == "__main__":
    sys.exit(main())
