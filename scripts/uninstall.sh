#!/usr/bin/env bash
# Removes what the last install of a build has copied, under DESTDIR, and the folders that only gprgnn uses:
#     scripts/uninstall.sh BUILD
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
manifest=$1/install_manifest.txt
[[ -f $manifest ]] || {
    echo "uninstall: $manifest is missing: nothing was installed from this build" >&2
    exit 1
}
while IFS= read -r file || [[ -n $file ]]; do
    path=${DESTDIR:-}$file
    if [[ -e $path || -L $path ]]; then
        rm -f -- "$path"
        echo "removed $path"
    fi
    folder=$(dirname "$path")
    if [[ ${folder##*/} == gprgnn && -d $folder ]]; then rmdir --ignore-fail-on-non-empty -- "$folder"; fi
done <"$manifest"
rm "$manifest"
