"""Compares two files of bench/bench.py: compare.py BEFORE.json AFTER.json

A value of gprgnn is worse when its median is more than 5 % worse and the quartile ranges do not overlap; then the
exit status is 1. Values of the rivals are printed but never fail: they show whether the machines are equally fast.
"""
import json
import sys

LIMIT = 0.05


def load(path):
    with open(path) as f:
        return {entry["name"]: entry for entry in json.load(f)["entries"]}


def judge(before, after):
    """-> change of the median (above 0: worse), and "worse", "better" or ""."""
    sign = 1 if before["better"] == "less" else -1
    change = sign * (after["median"] / before["median"] - 1)
    apart = after["q1"] > before["q3"] or after["q3"] < before["q1"]
    if not apart or abs(change) <= LIMIT:
        return change, ""
    return change, "worse" if change > 0 else "better"


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: compare.py BEFORE.json AFTER.json")
    before, after = load(sys.argv[1]), load(sys.argv[2])
    common = [name for name in before if name in after]
    if not common:
        sys.exit("compare: the two files have no measurement in common: are both from bench/bench.py?")
    failed = False
    for name in common:
        change, word = judge(before[name], after[name])
        rival = before[name]["who"] != "gprgnn"
        failed |= word == "worse" and not rival
        print("%-48s %12.4g %12.4g %-9s %+6.1f %% %s%s" % (name, before[name]["median"], after[name]["median"],
                                                           before[name]["unit"],
                                                  100 * (after[name]["median"] / before[name]["median"] - 1), word,
                                                  " (rival)" if rival else ""))
    for name in sorted(set(before) ^ set(after)):
        print("%-48s only in %s" % (name, sys.argv[1] if name in before else sys.argv[2]))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
