#!/bin/sh
# Compares the speed of gprgnn with PyTorch Geometric, pandas and scipy (make bench). Arguments go to bench/bench.py.
# Needs python3 with venv, and the first time the network: it installs PyTorch into build/bench-venv.
set -eu
cd "$(dirname "$0")/.."
venv=build/bench-venv

installed() {
    [ -x "$venv/bin/python" ] && "$venv/bin/python" - bench/requirements.txt <<'PYTHON'
import sys
from importlib.metadata import PackageNotFoundError, version
try:
    for line in open(sys.argv[1]):
        name, wanted = line.strip().split("==")
        if version(name).split("+")[0] != wanted:
            sys.exit(1)
except PackageNotFoundError:
    sys.exit(1)
PYTHON
}

mkdir -p build
if ! installed; then
    echo "bench: installing PyTorch and PyTorch Geometric into $venv (some GB, once)" >&2
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r bench/requirements.txt
fi
make >&2
cmake --build --preset release --target bench_kernels bench_reading >&2
cmake --build --preset release --target bench_spmm >&2 2>/dev/null || true # without GraphBLAS there is none
exec "$venv/bin/python" bench/bench.py "$@"
