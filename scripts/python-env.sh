#!/usr/bin/env bash
# Makes a virtual environment of Python with packages, or brings an older one up to date:
#     scripts/python-env.sh FOLDER REQUIREMENTS_FILE
# When nothing has changed it does nothing. It returns 77, and says what to do, where there is no Python 3.9 with venv,
# or where the packages cannot be had.
set -euo pipefail
folder=$1
requirements=$2
python=${PYTHON:-python3}

unable() {
    echo "python: skipped: $1" >&2
    exit 77
}

command -v "$python" >/dev/null || unable "there is no $python. On Debian: scripts/setup.sh python"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' || unable "$python is older than 3.9"
"$python" -c 'import venv, ensurepip' 2>/dev/null || unable "$python has no venv. On Debian: scripts/setup.sh python"

stamp=$folder/requirements.stamp
wanted=$("$python" -c 'import sys; print(sys.executable, sys.version)' && cat "$requirements")
[[ -f $stamp && $(cat "$stamp") == "$wanted" ]] && exit 0

rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
echo "python: installing the packages of $requirements into $folder" >&2
"$python" -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check -r "$requirements" ||
    unable "pip cannot install $requirements: is there a network?"
printf '%s\n' "$wanted" >"$stamp"
