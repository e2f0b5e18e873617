#!/usr/bin/env python3
"""tests/run.py finds the reasons of skipped tests, and what has given none."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from run import NO_REASON, skipped

RESULTS = """<testsuite>
<testcase name="cli.told" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>
    <system-out>before\nskipped: there is no zsh\n</system-out></testcase>
<testcase name="cli.silent" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>
    <system-out>x\n</system-out></testcase>
<testcase name="cli.part" status="run"><system-out>skipped in part: there is no openssl\nmore\n</system-out></testcase>
<testcase name="cli.whole" status="run"><system-out>2 lines were skipped: one, two\n</system-out></testcase>
<testcase name="python.packages" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>
    <system-out>python: skipped: pip cannot install it\n</system-out></testcase>
<testcase name="python.suite" status="run">
    <system-out>SKIPPED [1] python/tests/test_data.py:156: no cora\n</system-out></testcase>
<testcase name="unit.cases" status="run"><system-out>[==========] Running 4 test(s).
[ RUN      ] one
skipped: only root can
[  SKIPPED ] one
[ RUN      ] two
[  SKIPPED ] two
[ RUN      ] three
skipped: no data (texas)
[       OK ] three
[==========] 3 test(s) run.
[  SKIPPED ] 2 test(s), listed below:
[  SKIPPED ] one
[  SKIPPED ] two
</system-out></testcase>
<testcase name="unit.failed" status="fail"><failure message=""/><system-out>gone\n</system-out></testcase>
<testcase name="cli.gone" status="notrun"><skipped message="Unable to find executable"/></testcase>
</testsuite>"""
WANTED = ["cli.told: there is no zsh", f"cli.silent: {NO_REASON}", "cli.part: there is no openssl",
          "python.packages: pip cannot install it", "python.suite: python/tests/test_data.py:156: no cora",
          "unit.cases: one: only root can", f"unit.cases: two: {NO_REASON}", "unit.cases: no data (texas)"]

with tempfile.NamedTemporaryFile("w", suffix=".xml") as results:
    results.write(RESULTS)
    results.flush()
    found = list(skipped(results.name))
if found != WANTED:
    sys.exit("FAILED: found\n  " + "\n  ".join(found) + "\nwanted\n  " + "\n  ".join(WANTED))
