#!/usr/bin/env bash
# The tests of the Python package, on the library and the program of a build (ctest: python.suite):
#     python/tests/suite.sh BUILD [ARGUMENTS OF PYTEST]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "$1" && pwd)
shift
python=$build/python/tests/bin/python
if [[ ! -f $build/python/tests/requirements.stamp ]]; then
    echo "python: skipped: there are no packages; run scripts/python-env.sh build/python/tests "\
"python/tests/requirements.txt"
    exit 77
fi
cd "$here/../.."
export GPRGNN_LIBRARY=$build/libgprgnn.so GPRGNN=$build/gprgnn PYTHONPATH=$PWD/python PYTHONDONTWRITEBYTECODE=1
exec "$python" -m pytest -p no:cacheprovider -rs --durations=5 "$@"
