# SPDX-License-Identifier: Apache-2.0
# A thin front for CMake: `make help` says what there is.

BUILD ?= build
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
# Threads of compilers and of ctest.
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

MAKEFLAGS += --no-print-directory

CTEST = ./tests/run.sh $(JOBS)
# Of new trees: ninja sees in a tenth of the time that nothing is to be done.
ifndef CMAKE_GENERATOR
export CMAKE_GENERATOR := $(if $(shell command -v ninja),Ninja,Unix Makefiles)
endif
CONFIGURE = ./tools/configure.sh
PREFIXED = -DCMAKE_INSTALL_PREFIX=$(PREFIX)
PACKAGES = ./tools/install-packages.sh
DEPS = $(PACKAGES) build test libraries bench fuzz lint
# A machine without network may still have what is needed under another name: try and see.
TOLERANT = || echo "going on with what is installed"
# Where CI=true, as in continuous integration, all tests must run: one that is left out fails.
NO_SKIPS = $(if $(filter true 1,$(CI)),ON,OFF)
SOURCES = $(shell find src include cli collect tests bench examples \( -name '*.[ch]' -o -name '*.cpp' \) -not -path 'tests/golden/*')

.PHONY: all measurements deps deps-databases demo gallery options site screenshots tests test test-deep test-browser test-long accept bench bench-page bench-papers bench-peers bench-databases install asan tsan fuzz format tidy clean help

all:
	@$(CONFIGURE) $(BUILD) $(PREFIXED) >/dev/null
	@cmake --build $(BUILD) -j$(JOBS) --target programs

measurements: all
	@cmake --build $(BUILD) -j$(JOBS) --target assay_bench

deps:
	@$(DEPS)

deps-databases:
	@$(PACKAGES) build databases

# A tree of its own that is built fast: without optimization, measurements, tests and plug-ins.
demo:
	@$(PACKAGES) build $(TOLERANT)
	@$(CONFIGURE) build-demo -DCMAKE_BUILD_TYPE=Demo -DCMAKE_C_FLAGS_DEMO=-O1 -DCMAKE_CXX_FLAGS_DEMO=-O1 -DASSAY_CPP=OFF \
	    -DASSAY_TESTS=OFF >/dev/null
	@cmake --build build-demo -j$(JOBS) --target assay_cli
	@./tools/demo.sh build-demo/assay build-demo/pages

tests:
	@$(DEPS) $(TOLERANT)
	@$(CONFIGURE) $(BUILD) -DASSAY_WERROR=ON -DASSAY_NO_SKIPS=$(NO_SKIPS)
	@cmake --build $(BUILD) -j$(JOBS)

test: tests
	@$(CTEST) $(BUILD) -LE 'deep|long'

test-deep: tests
	@$(PACKAGES) servers browser site tex $(TOLERANT)
	@$(CTEST) $(BUILD) -L deep

test-browser: all
	@$(PACKAGES) browser site $(TOLERANT)
	@for what in lint test; do ./tests/browser/run.sh $$what $(BUILD)/browser $(BUILD)/assay || exit; done

# How long does a page of 100,000 operations take to open? docs/internals/benchmarks/page.md has the figures.
bench-page: all
	@$(PACKAGES) browser $(TOLERANT)
	@./tests/browser/run.sh measure $(BUILD)/browser $(BUILD)/assay

# The pictures of docs/guides/screenshots.
screenshots: all
	@$(PACKAGES) browser $(TOLERANT)
	@./tests/browser/run.sh screenshots $(BUILD)/browser $(BUILD)/assay docs/guides/screenshots

test-long: tests
	@$(PACKAGES) databases browser site tex $(TOLERANT)
	@$(CTEST) $(BUILD)

accept: all
	@./tests/golden/run.sh --accept $(BUILD)/assay $(CASES)

# From examples/gallery/: docs/gallery.md and docs/gallery/, the explanations and the pictures.
gallery: all
	@./tools/gallery.sh $(BUILD)/assay docs

# The commands and their options as a page.
options: all
	@./tools/options.sh $(BUILD)/assay >$(BUILD)/page.md
	@mv $(BUILD)/page.md docs/reference/options.md

# The documents as a site with navigation and search.
site:
	@$(PACKAGES) site $(TOLERANT)
	@./tools/site.sh $(BUILD)/site

# The order of the pages in docs/internals/benchmarks.md.
SUITES = causal sc tso kernel lin large hard transactions weak monitor shrink

bench:
	@$(PACKAGES) build bench $(TOLERANT)
	@$(MAKE) measurements
	@mkdir -p docs/internals/plots docs/internals/benchmarks
	@for suite in $(SUITES); do \
	    $(BUILD)/assay-bench $$suite --svg docs/internals/plots --markdown >$(BUILD)/page.md || exit; \
	    tools/benchmark-page.sh docs/internals/benchmarks $$suite measured <$(BUILD)/page.md || exit; \
	done
	@$(SUMMARY)
	@cat docs/internals/benchmarks.md

SUMMARY = tools/benchmark-summary.sh $(SUITES:%=docs/internals/benchmarks/%.md) >$(BUILD)/page.md && \
    mv $(BUILD)/page.md docs/internals/benchmarks.md

# Assay on the histories that its peers were measured on (bench/peers.tsv).
bench-peers: all
	@$(PACKAGES) build bench $(TOLERANT)
	@$(MAKE) measurements
	@tools/peers.sh $(BUILD)/assay $(BUILD)/assay-bench docs/internals
	@$(SUMMARY)

# The papers' experiments in the papers' sizes: a part of the page of each suite that has some.
PAPERS = causal sc tso kernel weak monitor

bench-papers:
	@$(PACKAGES) build bench $(TOLERANT)
	@$(MAKE) measurements
	@mkdir -p docs/internals/plots docs/internals/benchmarks
	@for suite in $(PAPERS); do \
	    $(BUILD)/assay-bench $$suite --papers --svg docs/internals/plots --markdown >$(BUILD)/page.md || exit; \
	    tools/benchmark-page.sh docs/internals/benchmarks $$suite papers <$(BUILD)/page.md || exit; \
	done
	@$(SUMMARY)

# Real servers on this machine; a second call goes on where the first one stopped.
HISTORIES = 200

bench-databases:
	@$(PACKAGES) build bench databases $(TOLERANT)
	@$(MAKE) measurements
	@mkdir -p docs/internals/plots
	@$(BUILD)/assay-bench databases --svg docs/internals/plots --markdown --histories $(HISTORIES) --work $(BUILD)/databases \
	    >$(BUILD)/page.md
	@mv $(BUILD)/page.md docs/guides/case-studies.md

install: all
	@cmake --build $(BUILD) -j$(JOBS) --target installed
	@cmake --install $(BUILD)

# The sanitizers' own builds, with the tests that do not build anything themselves.
asan:
	@$(CONFIGURE) build-asan -DASSAY_WERROR=ON -DASSAY_SANITIZE=address,undefined
	@cmake --build build-asan -j$(JOBS)
	@$(CTEST) build-asan -LE 'deep|long'

tsan:
	@$(CONFIGURE) build-tsan -DASSAY_WERROR=ON -DASSAY_SANITIZE=thread
	@cmake --build build-tsan -j$(JOBS)
	@$(CTEST) build-tsan -LE 'deep|long'

fuzz:
	@$(PACKAGES) build fuzz $(TOLERANT)
	@./tests/fuzz/run.sh build-fuzz seconds $(FUZZ_SECONDS)

format:
	@$(PACKAGES) lint $(TOLERANT)
	clang-format -i $(SOURCES)

tidy:
	@$(PACKAGES) build lint $(TOLERANT)
	@$(CONFIGURE) $(BUILD) >/dev/null
	@./tests/tidy.sh $(BUILD)

clean:
	rm -rf build build-demo build-asan build-tsan build-fuzz

help:
	@echo 'make             build/assay, an optimised build'
	@echo 'make demo        build, then check a few histories of examples/, watch one, recheck a proof'
	@echo 'make deps        install the Debian packages that are missing, for all of this'
	@echo 'make deps-databases   the servers of assay cluster and the clients of assay drive'
	@echo 'make test        the tests (5 minutes)'
	@echo 'make test-deep   sanitizers, a build without optional parts, fuzzing, more random histories (20 minutes)'
	@echo 'make test-browser   the pages of --html in headless Chromium, and their scripts under eslint'
	@echo 'make options     write docs/reference/options.md, the help of all commands'
	@echo 'make site        the documents as a site with search: $(BUILD)/site/index.html'
	@echo 'make screenshots the pictures of docs/guides/screenshots'
	@echo 'make bench-page  measure how long large pages take to open'
	@echo 'make test-long   all tests (hours)'
	@echo 'make accept      write the outputs of the golden tests; CASES=path/of/a.case for some'
	@echo 'make gallery     write docs/gallery.md and docs/gallery/, well-known violations with pictures'
	@echo 'make bench       measure; writes docs/internals/benchmarks/, its plots and docs/internals/benchmarks.md, the summary'
	@echo 'make bench-papers   the experiments of the papers in their sizes; writes their parts of docs/internals/benchmarks/'
	@echo 'make bench-peers   measure Assay beside other checkers; writes the plots of docs/internals/benchmarks.md'
	@echo 'make bench-databases   the case studies of databases, HISTORIES=200 of each setting; writes docs/guides/case-studies.md'
	@echo 'make install     into PREFIX ($(PREFIX)); DESTDIR is respected'
	@echo 'make asan|tsan   the tests under Address+UndefinedBehavior or Thread sanitizer'
	@echo 'make fuzz        each fuzz target for FUZZ_SECONDS ($(FUZZ_SECONDS))'
	@echo 'make format      clang-format on all sources'
	@echo 'make tidy        clang-tidy on src/, cli/ and collect/, as make test-long does'
	@echo 'make clean'
	@echo
	@echo 'deps, demo, the tests, bench, fuzz, format and tidy install missing Debian packages; make alone does not.'
