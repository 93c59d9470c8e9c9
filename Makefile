# Everything here needs Go and nothing else. ARGS are handed to the program that a target runs.

GO ?= go
FUZZTIME ?= 10s
BENCHTIME ?= 1s
ARGS ?=
FILE ?=
SEEDS ?= 200
SEED ?= 1
NAME ?=
COMMIT ?=

# Programs are built without cgo, so that they run on any machine of their kind.
export CGO_ENABLED ?= 0

GOLANGCI = github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

# What a release's --version names as its commit. A build in a clone finds it by itself.
STAMP = -X github.com/plumbline-dev/plumbline/cmd/internal/cli.commit=$(COMMIT)

# Runs the tests and says at the end which were left out, and why: go test itself says it with -v only.
GOTESTSUM = gotest.tools/gotestsum@v1.13.0

# The race detector needs cgo and a C compiler (Go 1.26).
CC_FOUND := $(shell command -v "$$($(GO) env CC)" 2>/dev/null)
RACE := $(if $(CC_FOUND),-race)

.PHONY: build demo test sim lint fuzz bench bench-compare quality chaos soak mutants deploy-check nats-server

build: ## the programs, in bin/; COMMIT=... is what --version names where the build cannot see it
	$(GO) build -trimpath $(if $(COMMIT),-ldflags '$(STAMP)') -o bin/ ./cmd/...

demo: ## real conversations, audited before your eyes; make demo ARGS=--once ends by itself
	@$(GO) run ./cmd/consumer --demo $(ARGS)

test: ## every test, with the race detector where there is a C compiler
ifeq ($(RACE),)
	@echo "No C compiler here, so the tests run WITHOUT the race detector. Install gcc or clang to run them with it."
endif
	CGO_ENABLED=$(if $(RACE),1,0) $(GO) run $(GOTESTSUM) --format pkgname --raw-command -- $(GO) test -json $(RACE) $(ARGS) ./...

sim: ## SEEDS seeded schedules of kills, pauses, partitions and restarts from SEED on, in virtual time, against the pure fold
	@GO="$(GO)" SEEDS="$(SEEDS)" SEED="$(SEED)" .ci/sim

mutants: ## break each guarantee on purpose, in a copy, and see its test go red; NAME=2- chooses; it takes minutes
	@GO="$(GO)" NAME="$(NAME)" .ci/mutants

lint: ## formatting, go vet, go fix and golangci-lint (its first run builds it, which takes minutes)
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "run gofmt -w on:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) fix -diff ./...
	$(GO) run $(GOLANGCI) run --allow-parallel-runners ./...

fuzz: ## every fuzz target, FUZZTIME each
	@GO="$(GO)" FUZZTIME="$(FUZZTIME)" .ci/fuzz

bench: ## every benchmark, and the table of what was measured beside what is aimed at
	@results=$$(mktemp); $(GO) test -run '^$$' -bench . -benchmem -benchtime $(BENCHTIME) $(ARGS) ./... | tee $$results && \
		$(GO) run ./integration/performance $$results; status=$$?; rm -f $$results; exit $$status

bench-compare: ## the benchmarks of two commits, OLD and NEW (HEAD), compared by benchstat
	@GO="$(GO)" BENCHTIME="$(BENCHTIME)" .ci/bench-compare "$(OLD)" "$(or $(NEW),HEAD)" $(ARGS)

quality: ## how many answers each ruleset flags, and how many planted inventions it catches, in FILE or the bundled ones
	@$(GO) run ./cmd/quality $(if $(FILE),--file "$(FILE)") $(ARGS)

chaos: ## consumers and servers killed under load, every verdict compared with the fold; ARGS=--help shows what can be chosen
	@$(GO) run ./integration/proof chaos $(ARGS)

soak: ## ten minutes at full speed with a million conversations open: the memory of one consumer; ARGS=--help shows what can be chosen
	@$(GO) run ./integration/proof soak $(ARGS)

deploy-check: ## every file under deploy/ read by the reader of the program that it is for, and held against the programs
	cd deploy/check && $(GO) test -count=1 $(ARGS) ./...

nats-server: ## the NATS server, in the version that the tests run with, in bin/
	$(GO) build -trimpath -o bin/ github.com/nats-io/nats-server/v2
