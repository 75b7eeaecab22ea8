# Short names for the commands of Fives; CI runs the same ones. `make` alone lists them.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:

LISTEN ?= 127.0.0.1:7400
DATA ?= data
# Of bench-cluster: play, moves, telemetry, load, fanout, growth, or several; all if empty.
PARTS ?=
# Of web-test: board, words, verify, client, stories, or several; all if empty.
TESTS ?=
# Of test-upgrade: the program to upgrade from; built from the newest tag v* if empty.
PREVIOUS ?=

# The tests look for the binary and the tools under target/, whatever the user's own Cargo settings say.
export CARGO_TARGET_DIR := $(CURDIR)/target
# A fresh rustup is not on the PATH before the next login.
export PATH := $(PATH):$(HOME)/.cargo/bin

VENV := target/venv
BUF := $(VENV)/bin/buf
BASELINE := proto/baseline.binpb

.PHONY: help
help: ## List the targets
	@printf 'Fives: All Fives dominoes over gRPC. Targets:\n\n'
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@printf '\nVariables of `run`: LISTEN (%s), DATA (%s).\n' '$(LISTEN)' '$(DATA)'

# ---- the web pages

# The program has web/dist built in as it is committed: whoever does not change web/src needs no Node.
.PHONY: web
web: web/node_modules/.stamp web/src/gen/.stamp ## Bundle web/src into web/dist, which `fives serve` has built in
	node web/build/bundle.mjs

web/node_modules/.stamp: web/package.json web/package-lock.json
	@tools/need 'Node 20 and npm' 'node --version | grep -E "^v[2-9][0-9]" && npm --version' nodejs npm
	@echo 'web: installing the packages of web/package.json'
	@cd web && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --loglevel=error
	@touch $@

web/src/gen/.stamp: $(wildcard proto/fives/v1/*.proto) $(wildcard clients/google/rpc/*.proto) web/buf.gen.json web/node_modules/.stamp $(VENV)/.stamp
	@rm -rf $(@D)
	cd web && ../$(BUF) generate --template buf.gen.json
	@touch $@

.PHONY: chromium
chromium:
	@tools/need 'Chromium' 'test -x /usr/bin/chromium' chromium

# ---- run it

.PHONY: build
build: rust ## Build the `fives` program (target/release/fives)
	cargo build --release --locked -p fives

.PHONY: run
run: build ## Serve on 127.0.0.1:7400, matches kept in ./data
	@printf '%s\n' \
	  '' \
	  'Fives serves on $(LISTEN) and keeps its matches in $(DATA)/. Ctrl-C stops it.' \
	  'In another terminal:' \
	  '' \
	  '  http://$(LISTEN)/ in a browser                  watch and play; bots play while nobody else does' \
	  '  target/release/fives play --server http://$(LISTEN)    play against bots' \
	  '  target/release/fives --help                             everything else it can do' \
	  '  make demo                                               watch four bots play a whole match' \
	  '' \
	  'README.md has a tour of the API with clients in other languages.' \
	  ''
	@exec target/release/fives serve --listen '$(LISTEN)' --data '$(DATA)'

.PHONY: demo
demo: build ## Watch four bots play a whole match (own server, nothing kept)
	@tools/demo target/release/fives

.PHONY: cluster
cluster: build servers ## Redis, three replicas and HAProxy on loopback, until Ctrl-C (PORT, CLUSTER_DATA)
	@exec tools/cluster target/release/fives

# ---- test it

.PHONY: test
test: check servers target/node/.stamp chromium ## Everything that CI demands: `check`, then all tests
# One command for the program and all test binaries: built apart, the dependencies would differ in features and be compiled twice.
	cargo build --workspace --bins --tests --locked
	cargo test --workspace --locked
	node web/tests/run_node.mjs

.PHONY: web-test
web-test: rust web/node_modules/.stamp web/src/gen/.stamp chromium ## The web client alone: its tests in Node, and people at Chromium (TESTS="board client …")
	cargo build --locked -p fives
	node web/tests/run_node.mjs $(TESTS)

.PHONY: web-screenshots
web-screenshots: rust web/node_modules/.stamp web/src/gen/.stamp chromium ## The pictures of docs/screenshots, taken anew
	cargo build --locked -p fives
	FIVES_SCREENSHOTS=$(CURDIR)/docs/screenshots node web/tests/run_node.mjs screenshots

.PHONY: web-measures
web-measures: rust web/node_modules/.stamp web/src/gen/.stamp chromium ## What a page costs and holds over a thousand plays
	cargo build --locked -p fives
	node web/tests/run_node.mjs measures

.PHONY: test-upgrade
test-upgrade: rust servers ## The previous release is replaced by this one while people play (PREVIOUS=PATH, or the newest tag)
	cargo build --release --locked -p fives
	@tools/upgrade target/release/fives $(PREVIOUS)

.PHONY: check
check: fmt lint proto doc deploy-check web-check ## Formatting, lints, the API's promises, documentation, deploy/, web/dist

.PHONY: web-check
web-check: web/node_modules/.stamp web/src/gen/.stamp
	@tools/web-check

.PHONY: fmt
fmt: rust
	@tools/need 'rustfmt' 'cargo fmt --version' rustup:rustfmt
	cargo fmt --all --check

.PHONY: lint
lint: rust
	@tools/need 'clippy' 'cargo clippy --version' rustup:clippy
	cargo clippy --workspace --all-targets --locked -- -D warnings

.PHONY: proto
proto: $(VENV)/.stamp
	$(BUF) lint
	$(BUF) format --diff --exit-code
	$(BUF) breaking --against $(BASELINE)

.PHONY: doc
doc: rust
# `--examples` (there are none) makes Cargo choose the features that `lint` compiled with, so that no dependency is checked twice.
	RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --locked --lib --bins --examples

.PHONY: deploy-check
deploy-check: $(VENV)/.stamp servers ## Image, compose, Kubernetes, alerts: as far as validators tell
	@tools/need 'promtool' 'promtool --version' prometheus
	@tools/deploy-check $(VENV)/bin

.PHONY: baseline
baseline: $(VENV)/.stamp ## Accept the present API as the promise that `check` guards
	$(BUF) build -o $(BASELINE)

# ---- measure it

.PHONY: bench
bench: bench-rules bench-serve bench-cluster ## All benchmarks: the rules, the served path, replicas over Redis

.PHONY: bench-rules
bench-rules: rust ## Plays a second of the rules, on one core
	cargo bench --locked -p fives-rules --bench '*'

# A folder of its own: other compiler flags would throw the normal artefacts away.
.PHONY: bench-v3
bench-v3: rust ## The same, compiled for x86-64-v3
	RUSTFLAGS='-C target-cpu=x86-64-v3' cargo bench --locked --target-dir target/v3 -p fives-rules --bench '*'

.PHONY: bench-serve
bench-serve: rust ## PlayTile calls a second, beside a bare echo
	cargo bench --locked -p fives-tests --bench served_path

.PHONY: bench-cluster
bench-cluster: rust servers ## Calls, moves, watchers over a real Redis, beside bare tonic
	cargo build --release --locked -p fives
	cargo bench --locked -p fives-tests --bench cluster -- $(PARTS)

# ---- tools

# Only their programs: whatever the packages start by themselves stays out of the way of the tests, which use free ports.
.PHONY: servers
servers:
	@tools/need 'redis-server 7' 'redis-server --version | grep -E "v=([7-9]|[1-9][0-9])\."' redis-server
	@tools/need 'haproxy' 'haproxy -v' haproxy
	@tools/need 'openssl' 'openssl version' openssl
	@tools/need 'curl' 'curl --version' curl

.PHONY: deny
deny: rust ## Licences, advisories, sources of all dependencies (needs the network)
	@cargo deny --version >/dev/null 2>&1 || { \
	  echo 'deny: installing cargo-deny with cargo; this takes some minutes'; \
	  cargo install --locked cargo-deny --version '^0.20' --target-dir target/cargo-deny; \
	  rm -rf target/cargo-deny; }
	@cargo deny --locked check bans licenses sources
	@cargo deny --locked check advisories || { \
	  echo 'deny: advisories not passed. If the message above is about fetching the advisory database, it needs github.com;' >&2; \
	  echo 'deny: the licences, bans and sources before it did pass.' >&2; \
	  exit 1; }

.PHONY: tools
tools: $(VENV)/.stamp target/node/.stamp ## Python and Node tools for tests and the tour, in target/

$(VENV)/.stamp: tests/requirements.txt deploy/requirements.txt
	@tools/need 'Python 3 with venv' 'python3 -m venv --help && python3 -m ensurepip --version' python3-venv
	@echo 'tools: installing buf, the Python gRPC client and the validators of deploy/ into $(VENV)'
	@python3 -m venv --clear $(VENV)
	@$(VENV)/bin/pip install --quiet --disable-pip-version-check $(addprefix --requirement ,$^)
	@touch $@

# What the recipe for TypeScript in docs/clients.md is built with.
target/node/.stamp: clients/typescript/package.json clients/typescript/package-lock.json
	@tools/need 'Node 20 and npm' 'node --version | grep -E "^v[2-9][0-9]" && npm --version' nodejs npm
	@echo 'tools: installing the packages of clients/typescript into target/node'
	@mkdir -p $(@D)
	@cp $^ $(@D)
	@cd $(@D) && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

.PHONY: rust
rust:
	@tools/need 'Rust (see https://rustup.rs)' 'cargo --version'
	@tools/need 'a C linker' "echo 'int main(void) { return 0; }' | cc -x c - -o /dev/null" gcc libc6-dev
