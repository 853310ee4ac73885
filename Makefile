# Two commands do everything: `make demo` shows Baton at work, `make test` runs all tests.
# Both install what the machine misses.

SHELL := /bin/bash
PREFIX ?= /usr/local
DESTDIR ?=
SYSCONFDIR ?= /etc
BUILD := .build/debug
PACKAGES := dbus libdbus-1-dev libsqlite3-dev pkg-config python3-dbus python3-gi libglib2.0-bin \
	libglib2.0-dev-bin systemd procps util-linux

.PHONY: help demo test build format lint explore install uninstall clean dependencies

help:
	@echo 'make demo      show a worker signing in and out, three apps clearing, one app contained'
	@echo 'make test      run all tests (about ten minutes the first time)'
	@echo 'make build     build everything'
	@echo 'make explore   explore the state machine further than the tests do (up to an hour)'
	@echo 'make format    format the sources'
	@echo 'make install   install into DESTDIR and PREFIX (default /usr/local), as root'
	@echo 'make clean     remove what was built'

dependencies:
	@packaging/install-dependencies $(PACKAGES)

build: dependencies
	swift build

demo: dependencies
	swift build
	Examples/demo $(abspath $(BUILD))

lint:
	swift format lint --strict --recursive Package.swift Sources Tests Examples

format:
	swift format --in-place --recursive Package.swift Sources Tests Examples

# One suite at a time: these are real buses and processes on a machine that may have two cores.
test: dependencies lint
	swift build --build-tests
	swift build --configuration release --product baton-explore
	.build/release/baton-explore
	.build/release/baton-explore --seeded
	swift test --skip-build --disable-xctest --no-parallel

explore: dependencies
	swift build --configuration release --product baton-explore
	.build/release/baton-explore --large --limit-minutes 12

install: dependencies
	swift build --configuration release --static-swift-stdlib
	packaging/install "$(DESTDIR)" "$(PREFIX)" "$(SYSCONFDIR)"

uninstall:
	packaging/uninstall "$(DESTDIR)" "$(PREFIX)"

clean:
	swift package clean
	rm -rf .build
