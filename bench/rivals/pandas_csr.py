"""An edge list as CSR by pandas and scipy: pandas_csr.py FILE [--dtype int32] [--plain]

Written as an expert would: the smallest data type for the ones, no concatenation. Without --plain the result is the
same as gprgnn's: both directions of every edge, no loops, no duplicates, columns ascending.
Prints JSON; importing is not timed.
"""
import argparse
import json
import time

import numpy as np
import pandas
import scipy.sparse


def peak_memory():
    with open("/proc/self/status") as f:
        return next(1024 * int(line.split()[1]) for line in f if line.startswith("VmHWM"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--dtype", help="of the ids; as pandas finds, if not given")
    parser.add_argument("--plain", action="store_true", help="the directed matrix as it stands in the file")
    args = parser.parse_args()

    started = time.perf_counter()
    table = pandas.read_csv(args.file, dtype=args.dtype)
    read = time.perf_counter()
    src, dst = table["src"].to_numpy(), table["dst"].to_numpy()
    n = int(max(src.max(), dst.max())) + 1
    if not args.plain:
        keep = src != dst
        src, dst = src[keep], dst[keep]
    graph = scipy.sparse.coo_matrix((np.ones(len(src), np.int8), (src, dst)), shape=(n, n)).tocsr()
    if not args.plain:
        graph = graph + graph.T
        graph.data[:] = 1
        graph.sort_indices()
    done = time.perf_counter()
    print(json.dumps(dict(read_seconds=read - started, csr_seconds=done - read, seconds=done - started, nodes=n,
                          entries=int(graph.nnz), peak_memory_bytes=peak_memory())))


if __name__ == "__main__":
    main()
