#!/usr/bin/env bash
# Copies a build to PREFIX, under DESTDIR (both from the environment): scripts/install.sh BUILD
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
prefix=${PREFIX:-/usr/local}
[[ $prefix == /* ]] || prefix=$PWD/$prefix
cmake --install "$1" --prefix "$prefix"
