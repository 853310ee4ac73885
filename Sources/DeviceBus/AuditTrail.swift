import BatonContract
import DBus
import LinuxSystem
import Log
import Logging
import Providers
import Synchronization

/// A line in the log for each thing that is asked for as an administrator: who asked, and what came of it.
struct AuditTrail: Sendable {
    /// Refused callers may ask as often as they like, and the log is everybody's.
    private final class Refusals: Sendable {
        private let state = Mutex((next: ContinuousClock.now, more: 0))

        /// How many refusals a line of now stands for; nil: it has to wait.
        func count(at now: ContinuousClock.Instant) -> Int? {
            state.withLock { state in
                state.more += 1
                guard now >= state.next else { return nil }
                defer { state = (now + .seconds(1), 0) }
                return state.more
            }
        }
    }

    /// The machine's directory of users. While it does not answer it is not asked again, or each time would leave a thread behind.
    private final class Directory: Sendable {
        private let isAsked = Mutex(false)

        func begin() -> Bool {
            isAsked.withLock { isAsked in
                defer { isAsked = true }
                return !isAsked
            }
        }

        func end() { isAsked.withLock { $0 = false } }
    }

    let log: Logger
    let thread: BusThread
    private let refusals = Refusals()
    private let directory = Directory()

    init(log: Logger, thread: BusThread) {
        self.log = log
        self.thread = thread
    }

    /// What a caller wrote, no longer than an app's id can be: the log is everybody's.
    static func short(_ text: String) -> String { String(text.unicodeScalars.prefix(255)) }

    /// Does it, and returns or throws what comes of it when the line is written.
    ///
    /// - Parameters:
    ///   - what: What was asked for, as a sentence's beginning.
    ///   - standing: Whether this caller may ask, and on what ground; a refusal is a line, too.
    ///   - details: To what.
    func record<Value>(
        _ event: EventID, _ what: String, by caller: Principal, _ standing: Standing, _ details: Logger.Metadata = [:],
        _ act: () async throws -> Value
    ) async throws -> Value {
        var details = details
        switch standing {
        case .success(let ground): details["ground"] = "\(ground.rawValue)"
        case .failure(let denial):
            let error = denial.error
            if let count = refusals.count(at: .now) {
                details["count"] = "\(count)"
                details["ground"] = "\(denial.rawValue)"
                await tell(event, .warning, "\(what): refused", caller, details, error.code.rawValue)
            }
            throw error
        }
        do {
            let value = try await act()
            await tell(event, .notice, what, caller, details, "done")
            return value
        } catch {
            await tell(event, .warning, "\(what): failed", caller, details, Self.name(of: error))
            throw error
        }
    }

    private func tell(
        _ event: EventID, _ level: Logger.Level, _ what: String, _ caller: Principal, _ details: Logger.Metadata,
        _ outcome: String
    ) async {
        // For how many calls it stands, unless that is said.
        var fields = ["count": "1"].merging(details) { $1 }
        fields.merge(await who(caller)) { $1 }
        fields["outcome"] = "\(outcome)"
        log.tell(event, level, "\(what)", fields)
    }

    /// What the log says of who asked.
    func who(_ caller: Principal) async -> Logger.Metadata {
        ["uid": "\(caller.user)", "user": "\(await name(of: caller.user))"]
    }

    /// Empty where the machine's directory of users does not say at once: the number stands beside it.
    private func name(of user: UInt32) async -> String {
        // Who root is needs no directory.
        if user == 0 { return "root" }
        guard directory.begin() else { return "" }
        let directory = directory
        return await bounded(.seconds(2), on: thread, by: thread.tasks) {
            let name = await OwnThread.runAlways { UserAccount(id: user)?.name }
            directory.end()
            return name
        } ?? ""
    }

    private static func name(of error: any Error) -> String {
        (error as? BatonError)?.code.rawValue ?? (error as? DBusError)?.name?.rawValue ?? "failed"
    }
}
