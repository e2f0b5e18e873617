"""The time of an epoch of GPR-GNN in P processes: the model of docs/scale.md. It measures nothing: give it the sizes of
the graph and figures of the machines.

    bench/scale/model.py --nodes 2450000 --edges 61900000 --features 100 --classes 47 \\
        --epoch-s 3 --latency-us 20 --gbit 25 --outer 0.1

The time of an exchange is latency + bytes / bandwidth; or it is looked up in what bench/scale/exchange.c printed.
"""
import argparse
import math

PANEL = 16  # columns
BLOCKS = 64  # that one process sums over, at most


def padded(columns):
    """Columns of a row in memory."""
    return 4 if columns <= 4 else 8 if columns <= 8 else -(-columns // 16) * 16


def exchange(a, processes, volume):
    """Seconds of an exchange in which a process sends so many bytes."""
    if not a.times:
        return a.latency_us * 1e-6 + volume * 8 / (a.gbit * 1e9)
    times = a.times[processes]
    before = max([t for t in times if t[0] <= volume] or times[:1])
    if before == times[-1]:
        before = times[-2]
    after = times[times.index(before) + 1]
    return before[1] + (volume - before[0]) * (after[1] - before[1]) / (after[0] - before[0])


def rows_needed(a, p):
    """Rows of a process that another needs, once for each such process: the share `outer` of the arcs lead anywhere."""
    if a.rows_sent is not None:
        return a.rows_sent
    own = a.nodes / p
    arcs = a.outer * 2 * a.edges / a.nodes / p  # of a node to one other process
    return own * (p - 1) * (1 - math.exp(-arcs))


def epoch(a, p, mode):
    """Seconds: compute, exchanges, sums; and the bytes that a process sends in exchanges."""
    c, rows = padded(a.classes), a.nodes / p
    filters, dense = a.filter_share * a.epoch_s, (1 - a.filter_share) * a.epoch_s / p
    if p == 1:
        return a.epoch_s, 0.0, 0.0, 0.0
    if mode == "rows":
        # K steps with the columns of both streams, K with those of one; inner rows are worked on meanwhile
        volumes = [8 * c * rows_needed(a, p)] * a.hops + [4 * c * rows_needed(a, p)] * a.hops
        compute = filters / p
        exchanges = sum(exchange(a, p, v) for v in volumes)
        exchanges = max(exchanges - a.inner * compute, sum(exchange(a, p, 0) for v in volumes))
    else:
        forward, backward = -(-2 * c // PANEL), -(-c // PANEL)
        rounds = -(-forward // p), -(-backward // p)
        compute = filters * (2 * rounds[0] / forward + rounds[1] / backward) / 3
        volumes = [rows * (p - 1) * min(PANEL, c) * 4] * (2 * rounds[0] + 3 * rounds[1])
        if forward < p:  # not all have a panel: others send to those that do
            volumes = [v * forward / p for v in volumes]
        exchanges = sum(exchange(a, p, v) for v in volumes)
    # four gathers (the largest: a sum for each block and each number of the second matrix), one agreement, the gradient
    # of the first matrix from process to process and to all
    steps = math.ceil(math.log2(p))
    gathered = BLOCKS * a.hidden * c * 4 * (1 - 1 / p) + 2 * a.features * a.hidden * 4
    small = exchange(a, p, 0)
    sums = (6 * steps + p - 1) * small + exchange(a, p, gathered) - small
    return compute + dense, exchanges, sums, sum(volumes)


def read_times(path):
    """{processes: [(bytes, seconds), ...]} from the lines of bench/scale/exchange.c."""
    times = {}
    for line in open(path):
        words = line.split()
        if len(words) == 3:
            times.setdefault(int(words[0]), []).append((int(words[1]), float(words[2])))
    return {p: [(0, sorted(t)[0][1])] + sorted(t) for p, t in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for word in ("nodes", "edges", "features", "classes"):
        parser.add_argument(f"--{word}", type=int, required=True)
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--hops", type=int, default=10, help="K; default 10")
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4, 8, 16, 32, 64])
    parser.add_argument("--mode", choices=("rows", "columns", "both"), default="both")
    parser.add_argument("--epoch-s", type=float, required=True, help="seconds of an epoch in one process")
    parser.add_argument("--filter-share", type=float, default=0.9,
                        help="of that, in the steps over the graph; default 0.9")
    parser.add_argument("--inner", type=float, default=0.0,
                        help="of those, in rows that need nothing of others: the bytes move meanwhile; default 0")
    parser.add_argument("--latency-us", type=float, help="of an exchange of few bytes")
    parser.add_argument("--gbit", type=float, help="bandwidth of a process, in 10^9 bits per second")
    parser.add_argument("--exchanges", metavar="FILE", help="what exchange.c printed, instead of latency and bandwidth")
    parser.add_argument("--outer", type=float, default=1.0, help="share of the arcs that lead anywhere; default 1")
    parser.add_argument("--rows-sent", type=float, help="rows that others need of a process (-v prints them)")
    a = parser.parse_args()
    a.times = read_times(a.exchanges) if a.exchanges else None
    if not a.times and (a.latency_us is None or a.gbit is None):
        parser.error("give --latency-us and --gbit, or --exchanges")
    print("| processes | mode | compute, s | exchanges, s | sums, s | epoch, s | sent, MB | efficiency |")
    print("|---|---|---|---|---|---|---|---|")
    for p in a.processes:
        for mode in ("rows", "columns") if a.mode == "both" else (a.mode,):
            compute, exchanges, sums, sent = epoch(a, p, mode)
            total = compute + exchanges + sums
            print(f"| {p} | {mode} | {compute:.3g} | {exchanges:.3g} | {sums:.3g} | {total:.3g} | {sent / 1e6:.3g} | "
                  f"{100 * a.epoch_s / total / p:.0f} % |")


if __name__ == "__main__":
    main()
