import BatonContract
import DBus

extension Device {
    /// Calls batond; nil time-out: batond bounds the time itself.
    func call<Input, Output>(
        _ method: Method<Input, Output>, _ input: Input, to name: BusName = Device1.busName,
        at path: ObjectPath = Device1.path, timeout: Duration? = .seconds(25), options: CallOptions = []
    ) async throws -> Output {
        try await connection.ask(method, input, to: name, at: path, timeout: timeout, options: options, bus: bus)
    }

    /// Calls what is for administrators; where a person may be asked, they have time.
    func administer<Input, Output>(
        _ method: Method<Input, Output>, _ input: Input, timeout: Duration? = .seconds(25)
    ) async throws -> Output {
        guard allowsInteraction else { return try await call(method, input, timeout: timeout) }
        // batond itself gives them two minutes.
        return try await call(method, input, timeout: timeout.map { $0 + .seconds(150) }, options: .allowInteraction)
    }

    func administer<Output>(_ method: Method<Void, Output>) async throws -> Output {
        try await administer(method, ())
    }

    func call<Output>(_ method: Method<Void, Output>) async throws -> Output {
        try await call(method, ())
    }
}

extension Connection {
    /// Calls batond and speaks of failures in the contract's words.
    nonisolated func ask<Input, Output>(
        _ method: Method<Input, Output>, _ input: Input, to name: BusName = Device1.busName,
        at path: ObjectPath = Device1.path, timeout: Duration? = .seconds(25), options: CallOptions = [],
        bus: BusAddress? = nil
    ) async throws -> Output {
        try await translating(on: bus) {
            try await call(method, input, to: name, at: path, timeout: timeout, options: options)
        }
    }
}

/// Runs what talks to the bus; its errors become `BatonError` or `DeviceError`, which name the bus where it is given.
func translating<Value>(on bus: BusAddress? = nil, _ work: () async throws -> Value) async throws -> Value {
    do {
        return try await work()
    } catch let error as DBusError {
        throw translated(error, on: bus)
    }
}

func translated(_ error: DBusError, on bus: BusAddress? = nil) -> any Error {
    if let refusal = BatonError(error) { return BatonError(refusal.code, SwiftCallNames.replaced(in: refusal.message)) }
    switch error {
    case .reply(let name, let message):
        switch name {
        case .serviceUnknown, .nameHasNoOwner, "org.freedesktop.DBus.Error.Spawn.ServiceNotFound":
            guard let bus else { return DeviceError.noDaemon("batond does not run on this bus") }
            return DeviceError.noDaemon("batond does not run on \(bus.text); start it with `\(bus.startCommand)`")
        case .noReply, "org.freedesktop.DBus.Error.Disconnected":
            return DeviceError.noDaemon("batond went away before it answered")
        case .accessDenied: return DeviceError.notAllowed(message)
        default:
            if name.rawValue.hasPrefix("org.freedesktop.DBus.Error.Spawn.") {
                return DeviceError.noDaemon("batond could not be started (\(message))")
            }
            return DeviceError.unexpected("\(name): \(message)")
        }
    case .connectionFailed(let reason): return DeviceError.noDaemon(reason)
    case .disconnected: return DeviceError.noDaemon("the connection to the bus is lost")
    case .timedOut: return DeviceError.timedOut
    case .invalidReply, .invalidValue, .tooLarge, .nameTaken, .nameLost, .overflow:
        return DeviceError.unexpected(error.description)
    }
}
