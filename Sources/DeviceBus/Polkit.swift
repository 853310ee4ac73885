import BatonContract
package import DBus
package import Logging
import Synchronization

/// Asks polkit whether a caller may do what administrators may.
///
/// The answer comes when it comes: the caller's own task waits for it, and nothing else does. No answer is remembered.
package final class Polkit: Sendable {
    /// How long an answer is waited for.
    package struct Patience: Sendable {
        /// polkit may have to be started first.
        package var machine: Duration = .seconds(10)
        /// A person types a password.
        package var person: Duration = .seconds(120)

        package init() {}
    }

    private struct State {
        var open = OpenQuestions()
        var asked: UInt64 = 0
        /// Until when the log is told of no further failure.
        var silence = ContinuousClock.now
    }

    private let connection: Connection
    private let log: Logger
    private let patience: Patience
    private let state = Mutex(State())

    /// - Parameter connection: To the bus on which polkit is: it knows callers by their names there.
    package init(_ connection: Connection, log: Logger, patience: Patience = Patience()) {
        self.connection = connection
        self.log = log
        self.patience = patience
    }

    /// - Parameters:
    ///   - caller: Its unique name, which is never used again. A process id could be another's by now.
    ///   - interactively: A person may be asked.
    func ask(
        _ action: AdministratorAction, about caller: BusName, of user: UInt32, interactively: Bool
    ) async -> Standing {
        let number = state.withLock { state -> UInt64? in
            guard state.open.begin(caller, user) else { return nil }
            state.asked &+= 1
            return state.asked
        }
        guard let number else { return .failure(.busy) }
        defer { state.withLock { $0.open.end(caller, user) } }
        let question = "baton-\(number)"
        do {
            let answer = try await connection.call(
                PolicyKit1.check,
                (
                    PolicyKit1.Subject("system-bus-name", ["name": .string(caller.rawValue)]), action.rawValue, [:],
                    interactively ? PolicyKit1.allowUserInteraction : 0, question
                ),
                to: PolicyKit1.busName, at: PolicyKit1.path,
                timeout: interactively ? patience.person : patience.machine)
            return Self.standing(answer)
        } catch let error as DBusError {
            if error == .timedOut { withdraw(question) }
            return .failure(denial(for: error, of: action))
        } catch {
            withdraw(question)
            return .failure(.left)
        }
    }

    static func standing(_ answer: PolicyKit1.Answer) -> Standing {
        switch (answer.first, answer.second) {
        case (true, false): .success(.polkit)
        case (false, true): .failure(answer.third[PolicyKit1.dismissed] == nil ? .unauthenticated : .dismissed)
        case (false, false): .failure(answer.third[PolicyKit1.dismissed] == nil ? .refused : .dismissed)
        // Either it may, or it may after authentication.
        case (true, true): .failure(.failed)
        }
    }

    /// A window that nobody waits for any more goes.
    private func withdraw(_ question: String) {
        try? connection.post(
            PolicyKit1.cancel, question, to: PolicyKit1.busName, at: PolicyKit1.path, options: .noAutoStart)
    }

    private func denial(for error: DBusError, of action: AdministratorAction) -> Denial {
        if let name = error.name, Self.absence.contains(name) { return .absent }
        tell(error, action)
        return error == .timedOut ? .timedOut : .failed
    }

    private static let absence: Set<ErrorName> = [
        .serviceUnknown, "org.freedesktop.DBus.Error.Spawn.ServiceNotFound",
    ]

    /// Callers may have it fail as often as they like, and the log is everybody's.
    private func tell(_ error: DBusError, _ action: AdministratorAction) {
        let now = ContinuousClock.now
        let isTold = state.withLock { state in
            guard now >= state.silence else { return false }
            state.silence = now + .seconds(10)
            return true
        }
        guard isTold else { return }
        log.warning(
            "polkit could not be asked about an administrator",
            metadata: ["action": "\(action.rawValue)", "cause": "\(AuditTrail.short("\(error)"))"])
    }
}
