# Two commands do everything: `make demo` shows Baton at work, `make test` runs all tests.
# Both install what the machine misses.

SHELL := /bin/bash
PREFIX ?= /usr/local
DESTDIR ?=
SYSCONFDIR ?= /etc
BUILD := .build/debug
PACKAGES := dbus desktop-file-utils libdbus-1-dev libqrencode-dev libsqlite3-dev pkg-config python3-dbus python3-gi \
	libglib2.0-bin libglib2.0-dev-bin systemd procps util-linux xdg-utils zbar-tools libxcb1-dev \
	libwayland-dev libcairo2-dev
# What the agent starts: sandboxes, browsers, and the tools by which it clears what programs share.
AGENT_PACKAGES := bubblewrap xdg-dbus-proxy chromium socat slirp4netns wl-clipboard cups-client xvfb fonts-dejavu-core
# A real OpenID provider for the tests, with its database, and what makes it certificates; the other browser; real owners
# of clipboards, keyrings and printers, and a session as systemd starts one; spin for the model, readers of man pages.
TEST_PACKAGES := glewlwyd dbconfig-sqlite3 openssl strace firefox-esr libnss3-tools xclip xsel xdotool python3-xlib sway \
	xwayland weston grim foot wtype gnome-keyring libsecret-tools cups dbus-bin dbus-user-session \
	libpam-systemd spin gcc groff-base mandoc debootstrap zsh fish

.PHONY: help demo test soak build format lint explore bench fuzz install uninstall clean dependencies agent-dependencies test-dependencies

help:
	@echo 'make demo      show a worker signing in and out, three apps clearing, one app contained'
	@echo 'make test      run all tests (about three quarters of an hour)'
	@echo 'make build     build everything'
	@echo 'make soak      kill batond at all pairs of steps, and at a thousand random times (some hours)'
	@echo 'make explore   explore the state machine further than the tests do (up to an hour)'
	@echo 'make bench     calls, sign-outs, start and memory beside a floor in C, attacks, what a provider adds, tokens, and browsers'
	@echo 'make fuzz      try generated input at all that is read: provider, bus, settings, journal (libFuzzer, ten minutes)'
	@echo 'make format    format the sources'
	@echo 'make install   install into DESTDIR and PREFIX (default /usr/local), as root'
	@echo 'make clean     remove what was built'

dependencies:
	@packaging/install-dependencies $(PACKAGES)

test-dependencies:
	@packaging/install-dependencies $(PACKAGES) $(AGENT_PACKAGES) $(TEST_PACKAGES)

agent-dependencies:
	@packaging/install-dependencies $(PACKAGES) $(AGENT_PACKAGES)

build: dependencies
	swift build

demo: agent-dependencies
	swift build
	Examples/demo $(abspath $(BUILD))

lint:
	swift format lint --strict --recursive Package.swift Sources Tests Examples

format:
	swift format --in-place --recursive Package.swift Sources Tests Examples

# Browsers refuse to run as root with their sandbox on, and strays are ended by user: as root these suites are skipped by the
# whole run and come after it, as a throw-away user.
ORDINARY := '^(SandboxTests|HolderTests|BrowserTests|KioskTests)\.'
TESTS := $(abspath $(BUILD))/batonPackageTests.xctest

# One suite at a time: these are real buses and processes on a machine that may have two cores.
test: test-dependencies lint
	$(call timed,the build) swift build --build-tests
	$(call timed,building the explorer) swift build --configuration release --product baton-explore
	$(call timed,the explorer) .build/release/baton-explore
	$(call timed,the explorer of seeded mistakes) .build/release/baton-explore --seeded
	$(call timed,the model) Tests/Model/check
	$(call timed,the suites) Tests/told-apart swift test --skip-build --disable-xctest --no-parallel
	$(call timed,the suites of an ordinary user) Tests/told-apart \
		Tests/as-ordinary-user $(TESTS) --testing-library swift-testing --no-parallel --filter $(ORDINARY)
	$(call timed,what is installed) Tests/installed-files $(BUILD)
	$(call timed,the system bus) Tests/system-bus $(BUILD)
	$(call timed,a booted terminal) Tests/booted-terminal $(BUILD)
	$(call timed,a bare Debian) Tests/bare-debian $(BUILD)

# Says at the end how long that took.
timed = TIMEFORMAT='%0lR for $(1)'; time

# Every pair of steps at which batond can be killed, and a thousand random times: some hours.
soak: test-dependencies
	swift build --build-tests
	BATON_SOAK=1 Tests/told-apart swift test --skip-build --disable-xctest --no-parallel --filter '^FireTests\.'

explore: dependencies
	swift build --configuration release --product baton-explore
	.build/release/baton-explore --large --limit-minutes 12
	Tests/Model/check --large

# Optimised, as `make install` builds, with the programs beside it that it starts.
bench: test-dependencies
	for product in batond baton-agent baton-devidp baton-floor baton-bench; do \
		swift build --configuration release --static-swift-stdlib --product $$product || exit 1; \
	done
	Tests/as-ordinary-user $(abspath .build/release)/baton-bench

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

install: dependencies
	swift build --configuration release --static-swift-stdlib
	packaging/install "$(DESTDIR)" "$(PREFIX)" "$(SYSCONFDIR)"

uninstall:
	packaging/uninstall "$(DESTDIR)" "$(PREFIX)" "$(SYSCONFDIR)"

clean:
	swift package clean
	rm -rf .build .build-fuzz
