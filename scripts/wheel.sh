#!/usr/bin/env bash
# Makes dist/: the source package of the Python package, and a wheel that needs nothing but numpy (make wheel).
#
# The wheel is built from the source package. auditwheel then copies the libraries into it that a machine may lack:
# jansson, bzip2 and libzip. Debian's libzip also wants OpenSSL, for encrypted archives. No .npz is encrypted, and an
# OpenSSL that nobody updates is a danger, so libzip gets scripts/no_crypto.c in its place.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$PWD/build/python
tools=$work/wheel-tools
limit=3000000 # bytes that the wheel may have

fail() {
    echo "wheel: $*" >&2
    exit 1
}

scripts/python-env.sh "$tools" scripts/wheel-requirements.txt
PATH=$tools/bin:$PATH
rm -rf "$work/raw" "$work/source" "$work/stub" dist
mkdir -p "$work/source/licences" "$work/stub" dist
python -m build --sdist --outdir dist .
tar -xzf dist/gprgnn-*.tar.gz -C "$work/source" --strip-components=1
for package in libjansson4 libzip4 libbz2-1.0 libjs-chart.js librandom123-dev; do # what is inside the wheel
    [[ ! -f /usr/share/doc/$package/copyright ]] ||
        cp "/usr/share/doc/$package/copyright" "$work/source/licences/$package"
done
python -m build --wheel --outdir "$work/raw" "$work/source"

${CC:-cc} -shared -fPIC -O2 -Wl,-soname,libcrypto.so.3 -Wl,--version-script,scripts/no_crypto.map \
    -o "$work/stub/libcrypto.so.3" scripts/no_crypto.c
LD_LIBRARY_PATH=$work/stub auditwheel repair --strip --wheel-dir dist "$work"/raw/gprgnn-*.whl

wheel=$(ls dist/gprgnn-*.whl)
size=$(stat -c %s "$wheel")
((size < limit)) || fail "$wheel has $size bytes: at most $limit are wanted"
said=$(sed -nE 's/.*one package of ([0-9.]+) MB.*/\1/p' docs/python.md)
awk -v said="$said" -v size="$size" 'BEGIN { exit !(said - size / 1e6 < 0.1 && size / 1e6 - said < 0.1) }' ||
    fail "docs/python.md says that it has $said MB: it has $size bytes"

# As a stranger would: a new environment, outside this folder, and nothing of this shell's variables.
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
python3 -m venv "$fresh/venv"
"$fresh/venv/bin/pip" install --quiet --disable-pip-version-check "$wheel"
cp python/examples/first.py "$fresh"
cd "$fresh"
clean() { env -i HOME="$fresh" PATH=/usr/bin:/bin "$fresh/venv/bin/python" "$@"; }
clean first.py
# Archives are read and written by the libzip of the wheel, not by that of the machine.
clean -c '
import gprgnn
gprgnn.csbm(phi=0.5, n=50, f=4).save("graph.npz")
assert gprgnn.load_dataset("graph.npz").n_nodes == 50
loaded = {line.split()[-1] for line in open("/proc/self/maps") if "/" in line}
strange = [path for path in loaded if ("libzip" in path or "jansson" in path) and "gprgnn.libs" not in path]
assert not strange, f"libraries from outside the wheel: {strange}"
import sys
assert "scipy" not in sys.modules
'
echo "wheel: $wheel, $size bytes"
