# Everything a developer or CI runs. All paths are relative and every tool is called through
# .venv/bin/python, so a checkout works wherever it lies, also under a path with spaces.

PYTHON ?= python3

.DEFAULT_GOAL := help
SHELL := /bin/bash
python := .venv/bin/python

# Tests start many processes: what one compiled, the next reads.
unexport PYTHONDONTWRITEBYTECODE

# There is a process of tests on each core. A thread of NumPy's would spin for 20 ms after each product, and so take the
# time of another process: 200 products of 100x100 matrices take 3.4 s of CPU time with two threads, 0.06 s with one.
pytest coverage aarch64 x86: export OPENBLAS_NUM_THREADS := 1
environment := .venv/installed

# Most of what is installed is never imported: what is, is compiled then. That takes a third of the time of installing.
install := -m pip install --quiet --disable-pip-version-check --no-compile

# A tool without a `__main__` is called by its entry point: scripts in .venv/bin name their
# interpreter by an absolute path, which moves and spaces break.
lit = $(python) -P -c 'from lit.main import main; main()' --quiet
pytest = $(python) -P -m pytest
lint_imports = $(python) -P -c 'from importlinter.cli import lint_imports_command; lint_imports_command()'

.PHONY: help
help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: venv
venv: $(environment) ## create the environment in .venv (every target does so on its own)

# What stands before the first [tool] in pyproject.toml decides what is installed, and a copy of
# it says what is; so changing a tool's options, or switching branches, installs nothing again.
# setuptools warns of every editable installation.
$(environment): pyproject.toml
	@if sed '/^\[tool/,$$d' pyproject.toml | cmp --silent - $@; then touch $@; exit; fi; \
	set -e -o pipefail; \
	$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("lowstream needs Python 3.11 or newer: make PYTHON=python3.11 …")'; \
	echo 'Creating the environment in .venv (once; needs the network)'; \
	$(PYTHON) -m venv .venv; \
	$(python) $(install) 'pip>=25' 'setuptools>=77'; \
	PYTHONWARNINGS=ignore $(python) $(install) --no-build-isolation --editable '.[dev]'; \
	sed '/^\[tool/,$$d' pyproject.toml > $@

# The demo needs a third of what tests need; where theirs is there, it compares with OpenVINO, too.
demo := $(if $(wildcard $(environment)),.venv,.venv/demo)

.PHONY: demo
demo: $(demo)/installed ## an int8 LSTM follows a voice's pitch, frame by frame
	$(demo)/bin/python docs/examples/pitch/demo.py

.venv/demo/installed:
	@echo 'Creating the environment in .venv/demo (once; 0.4 GB on disk)'
	$(PYTHON) -m venv .venv/demo
	.venv/demo/bin/python -m pip install --disable-pip-version-check --no-compile --editable '.[plot]'
	@touch $@

# Building needs a hundredth of what tests need. The wheel is made of the source distribution, which so has all it needs.
builder := $(if $(wildcard $(environment)),.venv,.venv/build)

.PHONY: wheel
wheel: $(builder)/installed ## build a wheel and a source distribution into dist/
	$(builder)/bin/python -m build --no-isolation --outdir dist .

.venv/build/installed:
	@echo 'Creating the environment in .venv/build (once; 30 MB on disk)'
	$(PYTHON) -m venv .venv/build
	.venv/build/bin/python $(install) 'build==1.6.*' 'setuptools>=77'
	@touch $@

.PHONY: test
test: lit pytest ## run every test

.PHONY: lit
lit: $(environment) ## what IR becomes: test/filecheck
	$(lit) test/filecheck

.PHONY: pytest
pytest: $(environment) ## what is true: test/unit
	$(pytest) --numprocesses auto --dist worksteal

# TensorFlow fills 2 GB and warns at import, so that its tests have an environment of their own.
tensorflow := .venv/tensorflow

.PHONY: tensorflow
tensorflow: $(tensorflow)/installed ## test the Converter and the page for Keras, in an environment with TensorFlow
	$(tensorflow)/bin/python -P -m pytest --override-ini filterwarnings= test/unit/interop/tensorflow/test_converter.py \
	  'test/unit/docs/test_pages.py::test_a_page_does_what_it_says[docs/tutorials/keras.md]'

$(tensorflow)/installed: | $(environment)
	@echo 'Creating the environment in $(tensorflow) (once; downloads 600 MB)'
	$(PYTHON) -m venv $(tensorflow)
	$(tensorflow)/bin/python $(install) --only-binary :all: \
	  'tensorflow==2.21.*' 'tf_keras==2.21.*' 'ai-edge-litert==2.3.*' 'pytest==9.2.*' 'hypothesis==6.170.*' 'setuptools>=77'
	$(tensorflow)/bin/python $(install) --no-build-isolation --editable .
	@touch $@

# What the runtime asks of the interpreter (reference counts, the C API, threads, forks) differs from version to version.
PYTHONS ?= python3.12 python3.13 python3.14 python3.14t
runtime_tests := $(addprefix test/unit/runtime/,$(addprefix requests/test_,request.py async.py sequence.py state.py) test_thread_pool.py test_stream_pool.py test_stream_snapshots.py)

.PHONY: pythons
pythons: $(environment) ## test processes that fork, spawn and end, then the runtime on other Pythons that are here, or on PYTHONS="python3.14t …"
	$(python) -P -m pytest test/processes
	@set -e; for version in $(PYTHONS); do \
	  if ! $$version -c '' 2>/dev/null; then echo "left out: $$version, which is not here"; continue; fi; \
	  place=.venv/$$version; \
	  if ! test -e $$place/installed; then \
	    $$version -m venv $$place; \
	    $$place/bin/python $(install) --only-binary :all: \
	      'pytest==9.2.*' 'hypothesis==6.170.*' 'ml_dtypes>=0.5,<1' 'setuptools>=77' \
	      'xdsl==0.74.*' 'numpy>=2.0' 'llvmlite>=0.50' 'safetensors>=0.8' 'platformdirs>=4.0' 'rich>=13.0' \
	      || { echo "left out: $$version, for which there are not all wheels"; continue; }; \
	    $$place/bin/python $(install) --no-build-isolation --no-deps --editable .; \
	    touch $$place/installed; \
	  fi; \
	  echo "$$version"; $$place/bin/python -P -m pytest -p no:cacheprovider $(runtime_tests); \
	done

# PyTorch has an environment of its own, too, whose wheels from the index of the CPU's builds are a tenth of the others.
torch := .venv/torch

.PHONY: torch
torch: $(torch)/installed ## test reading modules of PyTorch, and pages with it, in an environment with it
	$(torch)/bin/python -P -m pytest --override-ini filterwarnings= test/unit/interop/pytorch \
	  'test/unit/docs/test_pages.py::test_a_page_does_what_it_says[docs/tutorials/pytorch.md]'

$(torch)/installed: | $(environment)
	@echo 'Creating the environment in $(torch) (once; downloads 200 MB)'
	$(PYTHON) -m venv $(torch)
	$(torch)/bin/python $(install) --only-binary :all: --no-deps --retries 1 \
	  --extra-index-url https://download.pytorch.org/whl/cpu 'torch==2.13.0'
	$(torch)/bin/python $(install) --only-binary :all: \
	  'torch==2.13.0' 'openvino==2026.4.*' 'pytest==9.2.*' 'hypothesis==6.170.*' 'ml_dtypes>=0.5,<1' 'setuptools>=77'
	$(torch)/bin/python $(install) --no-build-isolation --editable .
	@touch $@

.PHONY: quantizers
quantizers: $(torch)/quantizers ## follow the page about quantizing, with NNCF, ONNX Runtime and torchao beside PyTorch
	$(torch)/bin/python -P -m pytest --override-ini filterwarnings= \
	  'test/unit/docs/test_pages.py::test_a_page_does_what_it_says[docs/quantizing.md]'

$(torch)/quantizers: $(torch)/installed
	$(torch)/bin/python $(install) --only-binary :all: \
	  'torch==2.13.0' 'onnx==1.23.*' 'onnxscript==0.7.*' 'nncf==3.4.*' 'onnxruntime==1.31.*' 'torchao==0.18.*'
	@touch $@

# The page has a process of its own: its home is another one, and Ray looks only once for the token that lies at home.
distributed := .venv/distributed

.PHONY: distributed
distributed: $(distributed)/installed ## models on local clusters of Dask, Ray and Apache Beam: tests, the page, throughput beside plain processes
	$(distributed)/bin/python -P -m pytest --override-ini filterwarnings= test/cluster
	$(distributed)/bin/python -P -m pytest --override-ini filterwarnings= \
	  'test/unit/docs/test_pages.py::test_a_page_does_what_it_says[docs/distributed.md]'
	$(distributed)/bin/python -P test/cluster/throughput.py --rounds 1

$(distributed)/installed: | $(environment)
	@echo 'Creating the environment in $(distributed) (once; downloads 300 MB)'
	$(PYTHON) -m venv $(distributed)
	$(distributed)/bin/python $(install) --only-binary :all: \
	  'apache-beam==2.77.*' 'ray[data]==2.60.*' 'dask[array,distributed]==2026.8.*' \
	  'pytest==9.2.*' 'hypothesis==6.170.*' 'setuptools>=77'
	$(distributed)/bin/python $(install) --no-build-isolation --editable .
	@touch $@

# IREE's wheel has an mlir-opt of a recent LLVM, iree-opt; a system's own, as that of Debian's mlir-19-tools, is MLIR_OPT.
mlir := .venv/mlir

.PHONY: mlir
mlir: $(if $(MLIR_OPT),$(environment),$(mlir)/installed) ## let plain mlir-opt read what opt-tool prints, or that of MLIR_OPT=mlir-opt-19
	$(python) -P test/mlir_opt.py $(or $(MLIR_OPT),$(mlir)/bin/iree-opt)

$(mlir)/installed: | $(environment)
	@echo 'Creating the environment in $(mlir) (once; downloads 100 MB)'
	$(PYTHON) -m venv $(mlir)
	$(mlir)/bin/python $(install) --only-binary :all: 'iree-base-compiler==3.13.*'
	@touch $@

.PHONY: lint
lint: $(environment) ruff pyright imports ## check style, types and the direction of imports

.PHONY: ruff
ruff: $(environment)
	$(python) -m ruff check
	$(python) -m ruff format --check

# What a checker makes dies young: with room for more of it, Node.js collects less often, which takes a sixth off its time.
.PHONY: pyright
pyright: export NODE_OPTIONS := --max-semi-space-size=128
pyright: $(environment) ## check types alone
	$(python) -m pyright --project .link --pythonpath $(python)

.PHONY: imports
imports: $(environment)
	$(lint_imports)

.PHONY: format
format: $(environment) ## sort imports, mend what ruff can, reformat
	$(python) -m ruff check --fix --exit-zero
	$(python) -m ruff format

.PHONY: precommit
precommit: $(environment) ## run what a commit runs, on every file
	$(python) -m pre_commit run --all-files

# Tools that tests start are measured too (`patch` in pyproject.toml): they find the settings and
# write their data through these two variables, whatever folder they run in.
.PHONY: coverage
coverage: export COVERAGE_PROCESS_START = $(CURDIR)/pyproject.toml
coverage: export COVERAGE_FILE = $(CURDIR)/build/coverage/data
coverage: $(environment) ## run every test, print the lines covered, fail under 90 %
	rm -rf build/coverage
	mkdir -p build/coverage
	$(lit) test/filecheck
	$(pytest) --numprocesses auto --dist worksteal
	$(python) -m coverage combine --quiet
	$(python) -m coverage report
	@for package in dialects passes lowering runtime; do \
	  lines=$$($(python) -m coverage report --include="$$package/*" --format=total); \
	  echo "$$package: $$lines %"; \
	done

.PHONY: fuzz
fuzz: $(environment) ## mutate files of each kind for a minute, or of those of READERS="mlir --seconds 600"; keep what does more than fail
	$(python) -P test/fuzz/fuzz.py $(READERS)

.PHONY: graphs
graphs: $(environment) ## LPT on 500 random models, or on those of SEEDS="first last [--compiled] [--log file]"
	$(python) -P test/fuzz/graphs.py $(SEEDS)

.PHONY: twice
twice: $(environment) ## each pass on the inputs of all lit tests, once and again, or those of PASSES="lpt low-latency2"
	$(python) -P test/fuzz/twice.py $(PASSES)

.PHONY: qdq
qdq: $(environment) ## random ONNX models with QuantizeLinear and DequantizeLinear against ONNX Runtime, 500 or those of SEEDS="0 5000"
	$(python) -P test/fuzz/qdq.py $(SEEDS)

.PHONY: composites
composites: $(environment) ## prepare-composite-functions on 2000 random annotated functions, or on those of SEEDS="0 10000"
	$(python) -P test/fuzz/composites.py $(SEEDS)

.PHONY: operations
operations: $(environment) ## random single operations against OpenVINO and the reference, 200 of each family, or those of SEEDS="windows 0 5000"
	$(python) -P test/fuzz/single_operations.py $(SEEDS)

.PHONY: onnx
onnx: $(environment) ## random single operators of ONNX against ONNX Runtime and the reference, 200 of each family, or those of SEEDS="windows 0 5000"
	$(python) -P test/fuzz/onnx_operations.py $(SEEDS)

.PHONY: streams
streams: $(environment) ## random recurrent ONNX models, piece by piece, against ONNX Runtime, 300 or those of SEEDS="0 5000"
	$(python) -P test/fuzz/streams.py $(SEEDS)

.PHONY: kernels
kernels: $(environment) ## each kernel of the networks in build/networks with its meaning, on each instruction set; or of NETWORKS="GoogLeNet.int8 --threads 2"; only those whose code is new
	$(python) -P test/soak/kernels.py $(NETWORKS)

.PHONY: aarch64
aarch64: $(environment) ## tests of kernels on an emulated CPU of AArch64, or those of TESTS="test/unit/lowering"
	$(pytest) -p lowstream.test.emulated.plugin --numprocesses auto --dist worksteal $(or $(TESTS),test/unit/lowering/codegen)

# Bochs emulates CPUs of x86-64 that this machine may not be: each has just the instructions of one set.
bochs := .venv/bochs

.PHONY: x86
x86: $(bochs)/installed ## tests of kernels on emulated CPUs with AVX-VNNI and with AVX-512, or those of TESTS="test/unit/lowering" on ISA=avx2
	@set -e; for isa in $(or $(ISA),avx_vnni avx512_vnni); do \
	  echo "$$isa"; LOWSTREAM_ISA=$$isa PYTHONPATH=$(bochs) \
	  $(pytest) -p lowstream.test.emulated.plugin --numprocesses auto --dist worksteal $(or $(TESTS),test/emulated test/unit/lowering/codegen); \
	done

$(bochs)/installed: | $(environment)
	$(python) $(install) --only-binary :all: --no-deps --target $(bochs) 'bochscpu-python==0.4.*'
	@touch $@

.PHONY: soak
soak: $(environment) ## a server among callers of whom some do wrong, for ten minutes, or with SOAK="--seconds 60"
	$(python) -P test/soak/server.py $(SOAK)

.PHONY: bench
bench: $(environment) ## measure against peers
	$(python) bench/run.py

.PHONY: docs
docs: $(environment) ## build the site
	$(python) docs/build.py
