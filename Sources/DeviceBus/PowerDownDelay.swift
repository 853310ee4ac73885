package import DBus
package import Logging
package import SessionMachine
import Vocabulary

/// Delays sleep and shutdown until the worker is signed out, by delay locks of systemd-logind (`org.freedesktop.login1`, Inhibit). The
/// lid is among what makes logind put the machine to sleep.
///
/// logind waits for at most its `InhibitDelayMaxSec`. A sign-out that takes longer goes on when the machine wakes up, or is made up for
/// when it starts.
package actor PowerDownDelay {
    package nonisolated var unownedExecutor: UnownedSerialExecutor { connection.thread.asUnownedSerialExecutor() }

    private enum News {
        case powersDown(SignOutReason)
        case staysUp
        case other
    }

    private let connection: Connection
    private let log: Logger
    private let longest: Duration
    private let post: @Sendable (Event.Kind) -> Void
    /// logind waits until they are closed.
    private var locks: [OwnedDescriptor] = []

    /// - Parameters:
    ///   - longest: How long a sign-out may take.
    ///   - post: Called on the bus thread.
    package init(
        _ connection: Connection, log: Logger, longest: Duration, post: @escaping @Sendable (Event.Kind) -> Void
    ) {
        self.connection = connection
        self.log = log
        self.longest = longest
        self.post = post
    }

    /// Lets the machine go.
    package func end() { locks = [] }

    /// Until cancelled: whenever another logind comes, from the beginning.
    package func run() async {
        while !Task.isCancelled {
            do {
                let owners = try await connection.subscribe(to: [SignalSource.owner(of: Login1.busName) { $0 != nil }])
                do {
                    try await listen()
                } catch {
                    log.warning(
                        "sleep and shutdown do not wait for the sign-out; where there is no polkit, logind allows that to root alone",
                        metadata: ["cause": "\(error)"])
                }
                locks = []
                for try await isThere in owners where isThere { break }
            } catch {
                // Without the bus nothing here goes on.
                return
            }
        }
    }

    /// Until logind goes.
    private func listen() async throws {
        let logind = Proxy(connection, Login1.busName, Login1.path)
        // It may have to be started first.
        try await logind.ping()
        let news = try await connection.subscribe(to: [
            SignalSource(Login1.sleep, from: Login1.busName, at: Login1.path) {
                $0.values ? News.powersDown(.sleep) : .staysUp
            },
            SignalSource(Login1.shutdown, from: Login1.busName, at: Login1.path) {
                $0.values ? News.powersDown(.shutdown) : .staysUp
            },
            SignalSource.owner(of: Login1.busName) { $0 == nil ? News.other : nil },
        ])
        try await take(from: logind)
        if let delay = try? await logind.get(Login1.delay) { warn(ofShort: delay) }
        // What an earlier batond has not heard to its end.
        if (try? await logind.get(Login1.isGoingToSleep)) == true { post(.powersDown(.sleep)) }
        if (try? await logind.get(Login1.isShuttingDown)) == true { post(.powersDown(.shutdown)) }
        for try await item in news {
            switch item {
            case .powersDown(let reason):
                log.notice("the machine is about to \(reason == .sleep ? "sleep" : "be switched off")")
                post(.powersDown(reason))
            case .staysUp:
                post(.staysUp)
                try await take(from: logind)
            case .other: return
            }
        }
    }

    private func take(from logind: Proxy) async throws {
        var taken: [OwnedDescriptor] = []
        // One for each: polkit has no action for both in one.
        for what in ["sleep", "shutdown"] {
            taken.append(
                try await logind.call(
                    Login1.inhibit, (what, "Baton", "The worker is signed out first", "delay")))
        }
        locks = taken
    }

    private func warn(ofShort microseconds: UInt64) {
        let delay = Duration.microseconds(Int64(clamping: microseconds))
        guard delay < longest else { return }
        log.warning(
            "sleep and shutdown wait for a sign-out for less time than it may take: set InhibitDelayMaxSec= in logind.conf",
            metadata: ["waits": "\(delay)", "may-take": "\(longest)"])
    }
}
