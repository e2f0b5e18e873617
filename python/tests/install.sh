#!/usr/bin/env bash
# The package as an installed one has it, without compiling anything again (ctest: python.install); the wheel itself is
# tried by `make wheel`:
#     python/tests/install.sh BUILD [CMAKE]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "$1" && pwd)
cmake=${2:-cmake}
python=$build/python/tests/bin/python
if [[ ! -f $build/python/tests/requirements.stamp ]]; then
    echo "python: skipped: there are no packages; run scripts/python-env.sh build/python/tests "\
"python/tests/requirements.txt"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

echo "== modules and library in one folder"
cp -r "$root/python/gprgnn" "$scratch/gprgnn"
"$cmake" --install "$build" --component python --prefix "$scratch" >"$scratch/log"
[[ $(find "$scratch/gprgnn/lib" -name 'libgprgnn.so*') == "$scratch/gprgnn/lib/libgprgnn.so" ]] ||
    fail "gprgnn/lib has not exactly libgprgnn.so"
cp "$root/python/examples/first.py" "$scratch"
(cd "$scratch" && env -u GPRGNN_LIBRARY -u GPRGNN_DATA PYTHONPATH= "$python" first.py)

echo "== the source package"
cd "$root"
"$python" - "$scratch" <<'PYTHON'
import sys
import tarfile
from scikit_build_core.build import build_sdist

scratch = sys.argv[1]
name = build_sdist(scratch)
with tarfile.open(f"{scratch}/{name}") as archive:
    names = {member.name.split("/", 1)[-1]: member.size for member in archive.getmembers()}
needed = ["CMakeLists.txt", "pyproject.toml", "LICENSE", "README.md", "include/gprgnn.h", "src/base/params.def",
          "src/gprgnn.map", "cmake/python.cmake", "cli/main.c", "paper/program/paper.c",
          "python/gprgnn/__init__.py", "python/gprgnn/py.typed"]
missing = [path for path in needed if path not in names]
assert not missing, f"the source package lacks {missing}"
allowed = {"CMakeLists.txt", "pyproject.toml", "PKG-INFO", "LICENSE", "README.md", "include", "src", "cmake", "cli",
           "paper", "python"}
strange = [path for path in names if path.split("/")[0] not in allowed
           or path.startswith("paper/") and not path.startswith("paper/program/")]
assert not strange, f"the source package has {strange}"
assert sum(names.values()) < 6e6, f"the source package has {sum(names.values())} bytes"
built = [path for path in names if path.endswith((".so", ".pyc", ".npz", ".gpr"))]
assert not built, f"the source package has {built}"
print(name, len(names), "files")
PYTHON
