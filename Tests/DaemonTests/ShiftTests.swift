import Baton
import BusTesting
import DBus
import Glibc
import Logging
import ServiceLifecycle
import SessionMachine
import Synchronization
import SystemPackage
import TerminalTesting
import Testing

@testable import BatondProgram
@testable import Log
@testable import Providers

@Suite("Automatic sign-out at a time of day", .timeLimit(.minutes(2)))
struct ShiftTests {
    /// Runs a daemon whose clock on the wall is set to a second before the end of a shift when a worker is there.
    private func withShiftEnd(
        countdown: String, restarts: Bool = false, late: Bool = false,
        _ body: (Terminal, Peer, Epoch) async throws -> Void
    ) async throws {
        let real = Clock.system.now().wall / 1_000_000
        let end = (real / 60 + 2) * 60
        var instant = time_t(end)
        var local = tm()
        localtime_r(&instant, &local)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let terminal = try Terminal(
            settings: Terminal.patient
                + "automatic-sign-out: {idle: off, countdown: \(countdown), at: [\"\(two(local.tm_hour)):\(two(local.tm_min))\"]}\n"
        )
        // An hour early at first, so that it does not matter how long the sign-in takes.
        let ahead = Ahead()
        ahead.microseconds.withLock { $0 = (Int64(end) - 3600 - real) * 1_000_000 }
        let clock = Clock {
            let now = Clock.system.now()
            let wall = now.wall + ahead.microseconds.withLock { $0 }
            return Moment(monotonic: now.monotonic, boottime: now.boottime, wall: wall)
        }
        var options = DaemonOptions(
            bus: .address(terminal.bus.rawAddress), environment: terminal.environment, clock: clock)
        options.agent = FilePath("\(Terminal.binaries)/baton-agent")
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        func start() -> (ServiceGroup, Task<Void, any Error>) {
            let daemon = Daemon(options, log: quiet, logControl: LogControl(identifier: "batond", level: .info))
            let group = ServiceGroup(services: [daemon], gracefulShutdownSignals: [], logger: quiet)
            return (group, Task { try await group.run() })
        }
        var (group, running) = start()
        let peer = try await Peer(terminal)
        try await eventually { try await peer.connection.owner(of: Device1.busName) != nil }
        var pending = try await peer.signals(Device1.automaticSignOutPending).makeAsyncIterator()
        let epoch = try await peer.signIn("ana", pin: "1234")
        ahead.microseconds.withLock { $0 = Int64(late ? end + 1 : end - 1) * 1_000_000 - Clock.system.now().wall }
        // The clock was set; settings that are read again look at it.
        #expect(try await terminal.batonctl("reload").status == 0)
        let (reason, deadline) = try await next(&pending)
        #expect(reason == "expired")
        #expect(deadline > 0)
        if restarts {
            await group.triggerGracefulShutdown()
            try await running.value
            ahead.microseconds.withLock { $0 += 30_000_000 }
            (group, running) = start()
            #expect(try await next(&pending).0 == "expired")
        }
        try await body(terminal, peer, epoch)
        await group.triggerGracefulShutdown()
        try await running.value
    }

    private final class Ahead: Sendable { let microseconds = Mutex<Int64>(0) }

    @Test func `the countdown ends in a sign-out with the reason expired`() async throws {
        try await withShiftEnd(countdown: "500ms") { terminal, peer, epoch in
            var ended = try await peer.signals(Device1.signedOut).makeAsyncIterator()
            if try await peer.call(Device1.getDeviceInformation)["phase"] != .string("ready") {
                #expect(try await next(&ended).0 == epoch)
            }
            #expect(try await peer.receipt(epoch)?.reason == .expired)
        }
    }

    @Test func `settings that are read anew just after the end of a shift do not lose it`() async throws {
        try await withShiftEnd(countdown: "60s", late: true) { _, peer, _ in
            let information = try await peer.call(Device1.getDeviceInformation)
            #expect(information["phase"] == .string("in-use"))
        }
    }

    @Test func `a batond that is started again in the countdown asks once more`() async throws {
        try await withShiftEnd(countdown: "60s", restarts: true) { _, peer, epoch in
            let information = try await peer.call(Device1.getDeviceInformation)
            #expect(information["phase"] == .string("in-use"))
            #expect(information["epoch"] == epoch.variant)
        }
    }

    @Test func `somebody who is still there stays`() async throws {
        try await withShiftEnd(countdown: "60s") { terminal, peer, epoch in
            var kept = try await peer.signals(Device1.automaticSignOutCancelled).makeAsyncIterator()
            #expect(try await terminal.batonctl("keep-signed-in").status == 0)
            try await next(&kept)
            let information = try await peer.call(Device1.getDeviceInformation)
            #expect(information["phase"] == .string("in-use"))
            #expect(information["epoch"] == epoch.variant)
        }
    }
}
