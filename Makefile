# assay. `make help` lists what there is.

GO    ?= go
BIN   := bin/assay

# Packages whose tests run at a time: two more than processors, since many wait for limits and screens.
AT_ONCE := $(shell expr $$(nproc 2>/dev/null || echo 2) + 2)

.PHONY: help run build test check lint race man release-files snapshot reproducible signed pictures looks printed bench thorough expected conformance peers calibrate lines crash screens speed scale huge slow batches fleet million serve-load monkey chaos golden languages attacks limits setup setup-test compiled

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: build ## install what is missing, build, and open the program
	@$(BIN)

# The commit, its date, and a plus if anything is not committed, for `assay version` and the man pages.
STAMP = $(shell c=$$(TZ=UTC git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%H@%cd 2>/dev/null) && { git diff --quiet HEAD || c=$$c+; echo $$c; })

build: setup ## build bin/assay
	@$(GO) build -ldflags '-X $(shell $(GO) list -m)/cmd/cli/console.stamped=$(STAMP)' -o $(BIN) ./cmd/assay

test: check

check: ## install what is missing, check the form of the code, run every test; CI does the same
	@$(MAKE) --no-print-directory -j2 setup-test compiled
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "not formatted: $$unformatted"; exit 1; fi
	$(GO) test -vet=off -timeout 40m -ldflags=-w -p $(AT_ONCE) ./...

# Compiles what the tests are linked of, while setup-test installs what they run.
compiled: setup
	@$(GO) list -export -test ./... >/dev/null

lint: setup ## vet and staticcheck over every package
	$(GO) vet ./...
	$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...

race: setup-test ## the tests of the packages in which much happens at a time, under the race detector
	$(GO) test -race -timeout 30m -p 1 ./benchmark/batch ./benchmark/fleet ./data/... ./session/engine ./session/generate ./session/llm/... ./session/pipeline ./store ./tui/saver ./tui/serve ./tui/work/...

man: build ## write the manual and the help of every verb as man pages into man/
	$(BIN) help --man man

release-files: build ## completions, man pages, schemas and the licences of all modules for archives and packages, into out/
	@rm -rf out/completions out/man out/licenses out/schemas && mkdir -p out/completions
	@for shell in bash zsh fish; do $(BIN) completion $$shell >out/completions/assay.$$shell; done
	@$(BIN) help --schemas out/schemas
	@$(BIN) help --man out/man && gzip -9n out/man/man*/*
	@$(GO) list -deps -f '{{with .Module}}{{.Path}} {{.Dir}}{{end}}' ./cmd/assay | sort -u | while read -r path dir; do \
		[ "$$path" = assay ] || install -Dm644 -t out/licenses/$$path $$(find $$dir -maxdepth 1 -iregex '.*/\(licen[cs]e\|copying\|notice\|patents\|unlicense\)[^/]*' -type f) || exit 1; done
	@install -Dm644 -t out/licenses/go $$($(GO) env GOROOT)/LICENSE

snapshot: setup ## archives, packages, SBOM and checksums as a release has them, into dist/ (goreleaser, cyclonedx-gomod, zig, nix-hash, gcc-aarch64-linux-gnu, gcc-mingw-w64-x86-64)
	ROOT=$(CURDIR) goreleaser release --snapshot --clean --skip=sign

reproducible: ## the released program, built twice in two clones of the commit with empty caches: equal byte for byte
	cmd/assay/release/twice

signed: ## sign SHA256SUMS in dist/, or in $$DIST, by $$SIGNING_KEY or a test key, and verify it as users do (ssh-keygen, offline)
	cmd/assay/release/sign $${DIST:-dist}

pictures: build setup-test ## the moving pictures in data/pictures, of data/pictures/*.tape; LOOKS names some: 'session|study'
	ASSAY_MOVING=$(CURDIR)/data/pictures ASSAY_BIN=$(CURDIR)/bin ASSAY_FONT="$$(fc-match -f '%{file}' 'DejaVu Sans Mono' 2>/dev/null)" $(GO) test ./tui -count=1 -run "MovingPictures/^($${LOOKS:-.*})$$"

looks: ## every screen as PNG in out/looks, in four sizes and five settings of colour; LOOKS names some: 'home|rating'
	@mkdir -p out/looks
	ASSAY_PICTURES=$(CURDIR)/out/looks ASSAY_FONT="$$(fc-match -f '%{file}' 'DejaVu Sans Mono' 2>/dev/null)" $(GO) test ./tui -count=1 -run "Pictures/^($${LOOKS:-.*})$$"

printed: ## how many pages the reports in $$REPORTS take in print, and their smallest type (chromium, poppler-utils, mupdf-tools)
	session/report/reporttest/printed.sh $${PAGES:-6} $$REPORTS

bench: setup ## the Go benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

thorough: setup-test ## every test in full: all rows, files, forgeries and attacks of which a part is tried otherwise
	ASSAY_TESTS=all $(GO) test -count=1 -timeout 6h -p 1 ./...

expected: build ## judge every sample file of $$ASSAY_SHARED and compare with EXPECTED.tsv
	ASSAY_TESTS=all $(GO) test -count=1 -timeout 60m -v -run 'Expected|RecordedModels' ./benchmark/judge/ ./cmd/cli/

conformance: build ## judge every published result file below $$CONFORMANCE (default: $$ASSAY_SHARED/samples): agree, differ, why
	CONFORMANCE=$(abspath $(or $(CONFORMANCE),$(or $(ASSAY_SHARED),../shared)/samples)) $(GO) test -count=1 -timeout 120m -v -run Conformance ./benchmark/judge/

peers: build ## speed beside human-eval and EvalPlus ($$HUMAN_EVAL, $$EVALPLUS: checkouts), which run the answers in $$ASSAY_SHARED with your rights
	/usr/bin/python3 benchmark/judge/testdata/peers.py $(BIN) $${ASSAY_SHARED:-../shared}/datasets/HumanEval.jsonl.gz $${HUMAN_EVAL:--} $${EVALPLUS:--} $${ROUNDS:-5} \
		canonical=$${ASSAY_SHARED:-../shared}/samples/humaneval_canonical_x10.jsonl mix=$${ASSAY_SHARED:-../shared}/samples/humaneval_canonical_x10.jsonl+1% \
		recorded=$${ASSAY_SHARED:-../shared}/samples/models

crash: build ## 200 sessions killed at random moments: nothing acknowledged may be lost
	ASSAY_KILLS=200 $(GO) test -count=1 -timeout 30m -v -run Kill ./store/ ./cmd/...

screens: build setup-test ## in a real terminal (tmux): a session killed in every phase, and a whole study
	cmd/assay/testdata/killed-session.sh $(BIN)
	cmd/assay/testdata/whole-study.sh $(BIN)

speed: setup-test ## first frame, key echo beside busy workers, and drawing, with their ratios
	$(GO) test -run '^$$' -bench FirstFrame -benchtime 30x ./cmd/assay
	$(GO) test -run '^$$' -bench KeyEcho -benchtime 200x -timeout 20m ./cmd/assay
	$(GO) test -run '^$$' -bench 'Phases|Streamed' -benchtime 100x ./tui

scale: setup-test ## what each verb costs by the size of what it reads, in five sizes: the table of data/manual/speed.md
	ASSAY_SCALE=$${ASSAY_SCALE:-10} $(GO) test -count=1 -timeout 60m -v -run '^TestScale$$' ./cmd/assay

huge: setup-test ## lists, screens and reports with a million attempts in the store: 16 GB of disk, and some ten minutes
	$(GO) test -run '^$$' -bench Huge -benchtime 1x -timeout 60m ./cmd/assay

languages: setup ## HumanEval-X of $$ASSAY_SHARED against javac, g++, go and node, in turns, five rounds
	$(GO) test ./benchmark/judge -run '^$$' -bench HumanEvalX -benchtime 5x -timeout 3h

attacks: setup-test ## the whole corpus of attacks and forgeries, by every language that is installed, in warm and strict boxes
	ASSAY_TESTS=all $(GO) test -count=1 -timeout 4h -v -run "AttackCorpus|EndOfTests|Forgeries|HostileFolder" ./benchmark/judge ./benchmark/repository ./cmd/assay
limits: setup-test ## how much of what is limited a program reaches, in each box; as root for an ordinary user, too
	ASSAY_LIMITS=1 $(GO) test -count=1 -timeout 20m -v -run '^TestLimitsMeasured$$' ./benchmark/sandbox
slow: setup-test ## what a streaming answer writes, and keys, over 10 KB/s and 200 ms
	$(GO) test -run '^$$' -bench SlowLink -benchtime 15x -timeout 20m ./cmd/assay

batches: setup-test ## 18,000 answers from a server in trouble, killed 20 times; what an answer costs
	ASSAY_LARGE_BATCH=1 $(GO) test -count=1 -timeout 60m -v -run KilledBatch ./cmd/cli
	$(GO) test -run '^$$' -bench Throughput -benchtime 1x ./session/generate

fleet: setup-test ## 20,000 samples over workers in network namespaces, everything killed; throughput (root)
	benchmark/fleet/testdata/fleet.sh

million: setup ## a million made-up verdicts through client, streams and workers
	$(GO) test ./benchmark/fleet -run '^$$' -bench Million -benchtime 1x -timeout 20m
	$(GO) test ./benchmark/fleet -run '^$$' -bench Stream -benchtime 100000x

serve-load: setup-test ## 100 testers over SSH for ten minutes, then beside bad guests; 20 kills of the server
	ASSAY_SERVE=$${ASSAY_SERVE:-600s} $(GO) test -count=1 -timeout 60m -v -run ServedTesters ./cmd/cli
	ASSAY_KILLS=20 $(GO) test -count=1 -timeout 30m -v -run 'ServedKill|ServedCut' ./cmd/cli

monkey: ## a million random inputs, with kills and faults: what the screen says is held against the log
	ASSAY_TESTS=all ASSAY_MONKEY=$${ASSAY_MONKEY:-1000000} $(GO) test -count=1 -timeout 120m -v -run 'Monkey|EveryKeyOfTheTerminal' ./tui

chaos: setup-test ## work of every kind below random faults, for $$ASSAY_CHAOS (default 1h): nothing is lost, or claimed that is not so
	ASSAY_TESTS=all ASSAY_CHAOS=$${ASSAY_CHAOS:-1h} $(GO) test -count=1 -timeout 0 -v -run '^TestChaos$$' ./cmd/assay

calibrate: setup ## how often intervals cover and tests reject, by simulation; writes scoring/calibrate/RESULTS.md
	scoring/calibrate/calibrate.sh $(GO)

lines: ## lines of Go outside tests and their support, by package and in all
	@git ls-files '*.go' | grep -v '_test\.go$$\|/testdata/\|test/[^/]*$$\|^data/fatal/\|^data/sampled/\|^scoring/calibrate/' | xargs awk \
		'{ n = FILENAME; sub("/[^/]*$$", "", n); count[n]++; all++ } END { for (n in count) printf "%7d %s\n", count[n], n; printf "%7d in all\n", all }' | sort -n

golden: ## write the golden screens and drawings anew
	$(GO) test ./tui ./tui/chart -update

# Installs what is missing where it may, with the options of apt-get in $(2), else says what to type.
define install
	@missing=""; \
	for need in $(1); do command -v $${need%%:*} >/dev/null 2>&1 || missing="$$missing $$(echo $${need##*:} | tr + ' ')"; done; \
	if [ -n "$$missing" ]; then \
		root=""; [ "$$(id -u)" = 0 ] || root="sudo -n"; \
		if command -v apt-get >/dev/null 2>&1 && $$root true 2>/dev/null; then \
			echo "installing$$missing"; \
			$$root apt-get update -qq && $$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(2) $$missing >/dev/null; \
		else \
			echo "assay needs$$missing. Type: sudo apt-get install$$missing"; exit 1; \
		fi; \
	fi
endef

# program:package, where the names differ; a + joins packages
setup:
	$(call install,bwrap:bubblewrap python3 gcc git)

setup-test: setup
	$(call install,tmux ruby:ruby+ruby-test-unit php:php-cli lua5.4:lua5.4+lua-unit perl pytest-3:python3-pytest)
	$(call install,Rscript:r-base-core+r-cran-jsonlite,--no-install-recommends)
