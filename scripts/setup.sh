#!/usr/bin/env bash
# Installs the Debian packages that a target of the Makefile needs and that are missing:
#     scripts/setup.sh demo|python|test|test-all|bench|format|tsan|coverage|fuzz
# When all are there it does nothing. Without apt it only says what is needed: configuring finds the rest by itself.
set -euo pipefail

# COMMAND=PACKAGE: needed as a command, wherever it comes from. PACKAGE: needed as a package.
build=(cc=gcc libc6-dev cmake=cmake ninja=ninja-build pkg-config=pkg-config
    librandom123-dev libjansson-dev libzip-dev zlib1g-dev libjs-chart.js)
pkg-config --exists libcurl 2>/dev/null || build+=(libcurl4-openssl-dev) # of its three kinds any will do
loaded=() # when it is needed; in some releases the packages have other names
ldconfig -p 2>/dev/null | grep -q 'libarpack\.so\.2' || loaded+=(libarpack2)
ldconfig -p 2>/dev/null | grep -q 'libmetis\.so\.5' || loaded+=(libmetis5)
ldconfig -p 2>/dev/null | grep -q 'libxgboost\.so\.0' || loaded+=(libxgboost0)
venv=(python3=python3) # a Python of one's own has venv and pip with it
python3 -c 'import venv, ensurepip' 2>/dev/null || venv+=(python3-venv python3-pip)
case "${1:-}" in
    demo) needed=("${build[@]}") ;;
    python) needed=("${build[@]}" "${venv[@]}") ;;
    test | test-all)
        needed=("${build[@]}" "${loaded[@]}" "${venv[@]}" libcmocka-dev c++=g++ python3=python3
            libopenmpi-dev mpirun=openmpi-bin locales openssl=openssl chromium=chromium zsh=zsh)
        [[ $1 == test ]] || needed+=(clang=clang abidiff=abigail-tools)
        ;;
    bench) needed=("${build[@]}" "${loaded[@]}" "${venv[@]}" libgraphblas-dev) ;;
    format) needed=(clang-format=clang-format) ;;
    tsan) needed=("${build[@]}" "${loaded[@]}" libcmocka-dev python3=python3) ;;
    coverage) needed=("${build[@]}" "${loaded[@]}" libcmocka-dev gcovr=gcovr python3=python3) ;;
    fuzz) needed=("${build[@]}" clang=clang libclang-rt-dev python3=python3) ;;
    *)
        echo "usage: scripts/setup.sh demo|python|test|test-all|bench|format|tsan|coverage|fuzz" >&2
        exit 2
        ;;
esac

packages=()
for item in "${needed[@]}"; do
    if [[ $item == *=* ]] && command -v "${item%%=*}" >/dev/null; then continue; fi
    packages+=("${item#*=}")
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    ((${#packages[@]} == 0)) ||
        echo "setup: not a Debian system. What is needed, by its Debian name: ${packages[*]}" >&2
    exit 0
fi

# One query for all; a name that dpkg does not know has no line.
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null || true)
missing=()
for package in "${packages[@]}"; do
    grep -qx "installed $package" <<<"$installed" || missing+=("$package")
done
((${#missing[@]})) || exit 0

become=()
if ((EUID != 0)); then
    if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 && -t 2 ]]; }; then
        become=(sudo)
    else
        echo "setup: these packages are missing, and installing them needs root. Run:" >&2
        echo "    apt-get install --no-install-recommends ${missing[*]}" >&2
        exit 1
    fi
fi
echo "setup: installing ${missing[*]}" >&2
apt=("${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q)
"${apt[@]}" update || echo "setup: the package lists could not be updated; trying with the old ones" >&2
"${apt[@]}" install -y --no-install-recommends "${missing[@]}"
