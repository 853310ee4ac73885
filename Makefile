# Two commands do everything: `make demo` shows Baton at work, `make test` runs all tests.
# Both install what the machine misses.

SHELL := /bin/bash
PREFIX ?= /usr/local
DESTDIR ?=
SYSCONFDIR ?= /etc
BUILD := .build/debug
# Without the index that only editors read: a sixth of the build's time. SwiftPM builds all anew when a flag changes.
# The compiler gives memory back to the kernel and asks for it anew all the time, which costs it about a tenth; so it keeps what it has.
# It also leaves a file for each macro of the tests, 15,000 of them, where each sign-out that is tested would look through them for a
# worker's own: they go below .build.
SWIFT_BUILD := env MALLOC_TOP_PAD_=67108864 MALLOC_TRIM_THRESHOLD_=1000000000 MALLOC_MMAP_THRESHOLD_=1000000000 \
	TMPDIR=$(abspath .build/temporary) swift build --disable-index-store
# Where nothing is built a second time, whole modules take a twelfth less. The compiler's checks of its own work, which are for those
# who develop it, take about a tenth.
ifdef CI
SWIFT_BUILD += -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -no-emit-module-separately-wmo \
	-Xswiftc -Xfrontend -Xswiftc -disable-llvm-verify -Xswiftc -Xfrontend -Xswiftc -sil-verify-none
endif
PACKAGES := dbus desktop-file-utils libdbus-1-dev libqrencode-dev libsqlite3-dev pkg-config python3-dbus python3-gi \
	libglib2.0-bin libglib2.0-dev-bin systemd procps util-linux xdg-utils zbar-tools libxcb1-dev \
	libwayland-dev libpango1.0-dev libxkbcommon-dev
# What the agent starts: sandboxes, browsers, and the tools by which it clears what programs share.
AGENT_PACKAGES := bubblewrap xdg-dbus-proxy chromium socat slirp4netns wl-clipboard cups-client xvfb fonts-dejavu-core \
	libgdk-pixbuf2.0-bin librsvg2-common
# A real OpenID provider for the tests, with its database, and what makes it certificates; the other browser; real owners
# of clipboards, keyrings and printers, and a session as systemd starts one; spin for the model, readers of man pages; promtool,
# which judges metrics.
TEST_PACKAGES := glewlwyd dbconfig-sqlite3 openssl strace firefox-esr libnss3-tools xclip xsel xdotool x11-xserver-utils \
	python3-xlib sway xwayland openbox weston grim foot wtype gnome-keyring libsecret-tools cups dbus-bin dbus-user-session \
	libpam-systemd spin gcc groff-base mandoc debootstrap zsh fish cron at polkitd \
	python3-apt python3-dbusmock python3-jsonschema python3-pip python3-websocket python3-yaml mutter debhelper lintian curl prometheus \
	tzdata swtpm libtss2-tcti-swtpm0 libtss2-esys-3.0.2-0 libtss2-rc0

.PHONY: help demo test check repeat pictures soak build format lint docs explore bench fuzz deb install uninstall clean dependencies agent-dependencies test-dependencies

help:
	@echo 'make demo      show a worker signing in and out, three apps clearing, one app contained'
	@echo 'make test      run all tests'
	@echo 'make check     lint, and the tests that need no terminal, browser or other user'
	@echo 'make repeat    run all tests ten times in a row (TIMES), also beside busy processes (BUSY=2)'
	@echo 'make pictures  look at the start page at each moment, in each language, and keep the pictures'
	@echo 'make build     build everything'
	@echo 'make soak      kill batond at all pairs of steps, and at a thousand random times (some hours)'
	@echo 'make explore   explore the state machine further than the tests do (up to an hour)'
	@echo 'make bench     calls, sign-outs, start and memory beside a floor in C, attacks, what a provider adds, tokens, and browsers'
	@echo 'make fuzz      try generated input at all that is read: provider, bus, settings, journal (libFuzzer, ten minutes)'
	@echo 'make lint      check the format of the sources, the links between the documents, and imports'
	@echo 'make docs      build the reference of the libraries Baton and BatonMSAL with DocC, into .build-docs'
	@echo 'make format    format the sources'
	@echo 'make deb       make Debian packages for Debian 12 and 13, in .build/deb'
	@echo 'make install   install into DESTDIR and PREFIX (default /usr/local), as root'
	@echo 'make clean     remove what was built'

dependencies test-dependencies agent-dependencies: | .build/temporary
.build/temporary:
	@mkdir -p $@

dependencies:
	@packaging/install-dependencies $(PACKAGES)

test-dependencies:
	@packaging/install-dependencies $(PACKAGES) $(AGENT_PACKAGES) $(TEST_PACKAGES)

agent-dependencies:
	@packaging/install-dependencies $(PACKAGES) $(AGENT_PACKAGES)

build: dependencies
	$(SWIFT_BUILD)

demo: agent-dependencies
	$(SWIFT_BUILD)
	Examples/demo $(abspath $(BUILD))

lint:
	swift format lint --strict --recursive Package.swift Sources Tests Examples
	Tests/links
	Tests/words
	Tests/imports

format:
	swift format --in-place --recursive Package.swift Sources Tests Examples

# The tests run in lanes, several at a time: a terminal mostly waits. Each has a bus, folders, a display and ports of its own.
# Browsers refuse to run as root with their sandbox on, and strays are ended by user: some lanes have a throw-away user each.
# What a target does not name elsewhere runs in the lane `values`, whose tests need no terminal, browser or other user.
targets_processes := AgentTests BatonTests DBusTests JournalTests SupervisorTests WipingTests
targets_daemon := DaemonTests
targets_round := RoundTests
targets_commands := CommandLineTests BatonctlTests
targets_provider := ProviderTests
targets_tokens := TokenTests DevelopmentProviderTests
targets_fire := FireTests
targets_sandbox := SandboxTests HolderTests
targets_browser := BrowserTests
targets_kiosk := KioskTests
LANES_BY_TARGET := kiosk provider round fire commands tokens daemon sandbox browser processes values
targets_values := $(filter-out $(foreach lane,$(LANES_BY_TARGET),$(targets_$(lane))), $(notdir $(wildcard Tests/*Tests)) FuzzTests)
# The targets that take the longest are several lanes each: these have the suites that they name, the target's own has the rest.
suites_hostile := FireTests.HostileTests FireTests.CrowdTests
suites_kills := FireTests.KillTests FireTests.PairTests FireTests.RandomKillTests
suites_containment := FireTests.ContainmentTests FireTests.HolderKillTests FireTests.SandboxKillTests FireTests.TurnBeginTests
suites_handover := KioskTests.HandoverTests KioskTests.WaylandKioskTests
suites_sessions := ProviderTests.SigningOutTests ProviderTests.SigningInTests ProviderTests.SessionKeepingTests \
	ProviderTests.ProviderNoticeTests
LANES_BY_SUITE := hostile kills containment handover sessions
TEST_LANES := $(LANES_BY_SUITE) $(LANES_BY_TARGET)
# The longest first, so that none is left alone at the end.
LANES := handover kiosk booted-terminal browser provider explorer sessions bare-debian hostile kills containment round commands tokens fire daemon \
	model packaged doctor sandbox processes values system-bus installed lint
# One more than cores: a lane that waits leaves its core to another, and what a lane waits for still comes in its time.
LANES_AT_ONCE ?= $(shell echo $$(($$(nproc) + 1)))

space := $(subst ,, )
any = ($(subst $(space),|,$(strip $(1))))
suites = '^$(subst .,\.,$(call any,$(1)))/'
targets = '^$(call any,$(1))\.'
tests_of_lane = $(if $(suites_$(1)),--filter $(call suites,$(suites_$(1))),--filter $(call targets,$(targets_$(1))) --skip \
	$(call suites,$(foreach lane,$(LANES_BY_SUITE),$(suites_$(lane)))))

# The packages come while the build begins, which needs few of them.
test: dependencies
	@rm -rf .build/lanes
	@status=0; $(MAKE) --no-print-directory --keep-going --jobs=$(LANES_AT_ONCE) $(LANES:%=lane-%) || status=$$?; \
		Tests/lanes packages build $(LANES) && exit $$status

# Lint and all tests that need no terminal, browser or other user: what a change of one file is looked at with first.
check: test-dependencies
	@rm -rf .build/lanes
	@status=0; $(MAKE) --no-print-directory --keep-going --jobs=2 lane-lint lane-values lane-processes || status=$$?; \
		Tests/lanes build lint values processes && exit $$status

# The rules that pages are held against.
.PHONY: accessibility-rules
accessibility-rules: test-dependencies
	@Tests/axe-core .build/axe-core/axe.min.js

# What the example role is applied with.
.PHONY: ansible-core
ansible-core: test-dependencies
	@Tests/ansible-core .build/ansible

.PHONY: lane-packages lane-build $(LANES:%=lane-%)
lane-packages:
	@Tests/lane --step packages $(MAKE) --no-print-directory test-dependencies accessibility-rules ansible-core
lane-build: dependencies
	@Tests/lane --step build $(SWIFT_BUILD) --build-tests

TESTS := $(abspath $(BUILD))/batonPackageTests.xctest --testing-library swift-testing
as_sandbox := Tests/as-ordinary-user
as_browser := Tests/as-ordinary-user
as_kiosk := Tests/as-ordinary-user
as_handover := Tests/as-ordinary-user
# One test after the other: a process in which hundreds of tests begin at once starves those with a time limit, which counts from
# their start. Hostile apps mostly wait for their deadlines.
width_hostile := --experimental-maximum-parallelization-width 3

$(TEST_LANES:%=lane-%): lane-%: lane-packages lane-build
	@Tests/lane $* $(as_$*) $(TESTS) $(or $(width_$*),--no-parallel) $(call tests_of_lane,$*)
lane-explorer: lane-build
	@Tests/lane explorer Tests/explored $(BUILD)
lane-installed: lane-packages lane-build
	@Tests/lane installed Tests/installed-files $(BUILD)
lane-system-bus: lane-packages lane-build
	@Tests/lane system-bus Tests/system-bus $(BUILD)
lane-booted-terminal: lane-packages lane-build
	@Tests/lane booted-terminal Tests/booted-terminal $(BUILD)
lane-packaged: lane-packages lane-build
	@Tests/lane packaged Tests/booted-terminal $(BUILD) booted-package-checks
lane-doctor: lane-packages lane-build
	@Tests/lane doctor Tests/booted-terminal $(BUILD) booted-doctor-checks
lane-bare-debian: lane-packages lane-build
	@Tests/lane bare-debian Tests/bare-debian $(BUILD)
lane-model: lane-packages
	@Tests/lane model Tests/Model/check
lane-lint:
	@Tests/lane --step lint $(MAKE) --no-print-directory lint

# All lanes, ten times one after the other: what fails once is broken. TIMES and BUSY say how often, and beside how many processes.
TIMES ?= 10
BUSY ?= 0
repeat: test-dependencies
	Tests/repeated --times $(TIMES) --busy $(BUSY)

# Every pair of steps at which batond can be killed, and a thousand random times: some hours. First an app with the libraries alone.
soak: test-dependencies
	$(SWIFT_BUILD) --build-tests
	Tests/library-package
	BATON_SOAK=1 Tests/lane --all soak $(TESTS) --no-parallel --filter '^FireTests\.'
	BATON_SOAK=1 Tests/lane --all soak-kiosk Tests/as-ordinary-user $(TESTS) --no-parallel --filter '^KioskTests\.HandoverTests/'

# The start page at each moment of the device's day, in .build/screenshots; other users take the pictures.
pictures: test-dependencies accessibility-rules
	$(SWIFT_BUILD) --build-tests
	@mkdir -p .build/screenshots && chmod 777 .build/screenshots
	BATON_PICTURES=1 Tests/lane pictures Tests/as-ordinary-user $(TESTS) --no-parallel --filter '^BrowserTests\..*ViewTests/'

explore: dependencies
	$(SWIFT_BUILD) --product baton-explore
	$(BUILD)/baton-explore --large --limit-minutes 12
	Tests/Model/check --large

# Optimised, as `make install` builds, with the programs beside it that it starts. What is installed is held to its size.
bench: test-dependencies
	for product in batond baton-agent baton-programs baton-devidp baton-floor baton-bench baton-turn-tool; do \
		swift build --configuration release --static-swift-stdlib --product $$product || exit 1; \
	done
	$(TURN_START)
	Tests/installed-files .build/release
	Tests/as-ordinary-user $(abspath .build/release)/baton-bench
	Tests/booted-terminal .build/release booted-terminal-figures

FUZZ_SECONDS ?= 600
# Whose input is tried, one after the other, each for its share of the time.
FUZZ_SUBJECTS := provider messages settings journal
FUZZER := $(firstword $(wildcard $(dir $(shell readlink -f "$$(command -v swiftc)"))../lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a))
fuzz: dependencies
	@[ -n "$(FUZZER)" ] || { echo 'This Swift toolchain has no libFuzzer; make test tries generated input too.' >&2; exit 1; }
	BATON_FUZZ=1 swift build --scratch-path .build-fuzz --product baton-fuzz
	for subject in $(FUZZ_SUBJECTS); do \
		mkdir -p .build-fuzz/corpus/$$subject; \
		SWIFT_BACKTRACE=enable=no .build-fuzz/debug/baton-fuzz $$subject -max_total_time=$$(($(FUZZ_SECONDS) / $(words $(FUZZ_SUBJECTS)))) \
			-timeout=10 -rss_limit_mb=2048 -artifact_prefix=.build-fuzz/ \
			.build-fuzz/corpus/$$subject Tests/Fuzz/corpus/$$subject || exit 1; \
	done

# A link to a symbol that is not there fails. A folder of its own, so that the plugin is no part of the other builds.
docs: dependencies
	for library in Baton BatonMSAL; do \
		BATON_DOCS=1 swift package --scratch-path .build-docs --allow-writing-to-directory .build-docs generate-documentation \
			--target $$library --warnings-as-errors --transform-for-static-hosting --output-path .build-docs/$$library || exit 1; \
	done

# In C alone: SwiftPM would link the Swift runtime into it, which it has no use for and which is 6 MB.
TURN_START = mkdir -p .build/release && $(dir $(shell readlink -f "$$(command -v swiftc)"))clang -std=gnu17 -O2 -Wall -Wextra -Werror -fPIE -pie \
	-o .build/release/baton-turn-start Sources/baton-turn-start/main.c

install: dependencies
	swift build --configuration release --static-swift-stdlib --product baton-programs
	$(TURN_START)
	packaging/install "$(DESTDIR)" "$(PREFIX)" "$(SYSCONFDIR)"

# Debian packages, for Debian 12 and 13, in .build/deb.
deb: dependencies
	@packaging/install-dependencies debhelper
	swift build --configuration release --static-swift-stdlib --product baton-programs
	swift build --configuration release --static-swift-stdlib --product baton-devidp
	$(TURN_START)
	packaging/deb .build/deb

uninstall:
	packaging/uninstall "$(DESTDIR)" "$(PREFIX)" "$(SYSCONFDIR)"

clean:
	swift package clean
	rm -rf .build .build-fuzz .build-docs
