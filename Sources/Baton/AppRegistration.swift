import DBus
import Synchronization

/// Where the app is registered now, for calls of the app itself.
final class AppRegistration: Sendable {
    private let state = Mutex<(connection: Connection, instance: Instance)?>(nil)

    var value: (connection: Connection, instance: Instance)? { state.withLock { $0 } }

    func set(_ value: (connection: Connection, instance: Instance)?) { state.withLock { $0 = value } }
}
