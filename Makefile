# A short front of the CMake presets (CMakePresets.json). `make demo` and `make test` install what they need on Debian.
PREFIX ?= /usr/local
DESTDIR ?=
BUILD = build
FUZZ_SECONDS ?= 60
KILLS ?= 1000
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

build = cmake --preset $(1) $(2) && cmake --build --preset $(1) -j $(JOBS)
# One test more than there are cores, as some mostly wait: for a server, for processes, for a second to pass.
check = tests/run.py $(1) -j $$(($(JOBS) + 1))

.PHONY: all demo python wheel test test-all test-cuda bench install uninstall format tsan coverage fuzz torture clean
all: ## the program and the libraries, in build/
	@command -v cmake ninja >/dev/null || { echo 'cmake and ninja are needed: scripts/setup.sh demo' >&2; exit 1; }
	$(call build,release)

demo: ## train on a synthetic graph; ends with the path of a page that shows the results. Builds the program alone
	@scripts/setup.sh demo
	$(call build,release) --target gprgnn_cli
	build/gprgnn train csbm --out build/demo --overwrite

python: ## the Python package in a virtual environment, build/python/demo; then a demo
	@scripts/setup.sh python
	scripts/python-env.sh build/python/demo /dev/null
	build/python/demo/bin/pip install --quiet --disable-pip-version-check .
	build/python/demo/bin/python python/examples/first.py

wheel: ## dist/: a wheel of the Python package that needs nothing but numpy, and the source package
	@scripts/setup.sh python
	scripts/wheel.sh

test: ## the tests, of what is released; says at the end what was skipped, and why
	@scripts/setup.sh test
	$(call build,release,-DGPRGNN_TESTS=ON) --target tests
	$(call check,release) -LE '^long$$'

test-all: test ## then what takes longer: attacks, clang, the library for GPUs; and the tests under the sanitizers
	@scripts/setup.sh test-all
	$(call build,release)
	$(call check,release) -L '^long$$'
	$(call build,dev)
	$(call check,dev)

test-cuda: ## the tests that need an NVIDIA GPU
	@scripts/setup.sh test
	$(call build,release,-DGPRGNN_TESTS=ON -DGPRGNN_CUDA=ON)
	tests/cuda/run.sh build

bench: ## measure
	@scripts/setup.sh bench
	$(call build,release)
	bench/run.sh

# Through the environment, as these names may hold blanks.
export PREFIX DESTDIR
install: all ## to PREFIX, under DESTDIR
	scripts/install.sh $(BUILD)

uninstall: ## what the last install has copied, under DESTDIR
	scripts/uninstall.sh $(BUILD)

format: ## with clang-format
	@scripts/setup.sh format
	clang-format -i $$(find include src cli tests bench -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh')

tsan: ## the tests under ThreadSanitizer
	@scripts/setup.sh tsan
	$(call build,tsan)
	$(call check,tsan)

coverage: ## which lines the tests run: build/coverage/index.html
	@scripts/setup.sh coverage
	$(call build,coverage)
	$(call check,coverage)
	gcovr --root . --filter src/ --filter cli/ --filter paper/program/ --html-details build/coverage/index.html --print-summary build/coverage

fuzz: ## every reader, for FUZZ_SECONDS seconds, JOBS at a time
	@scripts/setup.sh fuzz
	$(call build,fuzz)
	tests/fuzz/fuzz.py run build/fuzz --seconds $(FUZZ_SECONDS) --jobs $(JOBS)

torture: ## kills, errors and power failures at every change of a file, and KILLS at random moments
	@scripts/setup.sh test
	$(call build,release,-DGPRGNN_TESTS=ON)
	python3 tests/attack/torture.py --program build/gprgnn --injector build/tests/attack_inject --random $(KILLS)
	python3 tests/attack/go_on.py --kills 60 -- build/gprgnn search csbm:n=500,f=50,phi=-0.5 --runs 6 --epochs 100 --out {out} -q
	python3 tests/attack/train_killed.py --program build/gprgnn --kills 200
	mkdir -p build/torture && build/gprgnn generate csbm --phi 0.5 --n 500 --f 50 -o build/torture/texas.npz
	python3 tests/attack/go_on.py --kills 60 --files results.json,results.md,report.html -- build/gprgnn paper table-real \
		--datasets texas --models gprgnn,mlp,gcn --runs 8 --epochs 100 --data-dir build/torture --out {out} -q

clean:
	rm -rf build
