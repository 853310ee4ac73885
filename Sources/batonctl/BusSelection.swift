import ArgumentParser
import Baton
import DBus

/// Which bus to connect to.
struct BusSelection: ParsableArguments {
    @Flag(help: ArgumentHelp(Text.Help.system))
    var system = false

    @Flag(help: ArgumentHelp(Text.Help.session))
    var session = false

    @Option(name: .customLong("bus"), help: ArgumentHelp(Text.Help.bus, valueName: "address"))
    var address: String?

    func validate() throws {
        let chosen = [system, session, address != nil].count { $0 }
        guard chosen <= 1 else { throw ValidationError(Text.oneBus) }
    }

    /// What was chosen; nil: the environment decides.
    var bus: BusAddress? {
        if system { return .system }
        if session { return .session }
        return address.map { .address($0) }
    }

    /// The bus of the batond that every command asks; nil: there is none to be found.
    func chosen() async -> BusAddress? {
        if let bus { return bus }
        return try? await Device.connect().bus
    }

    /// Connects, or ends the command with 69.
    func device() async throws -> Device {
        if let bus { try await Device.connect(bus) } else { try await Device.connect() }
    }

    func administering<Value: Sendable>(_ work: (Device) async throws -> Value) async throws -> Value {
        try await device().administering(work)
    }
}

extension Device {
    /// Does what is for administrators: polkit may ask the person at the terminal for a password.
    func administering<Value: Sendable>(_ work: (Device) async throws -> Value) async throws -> Value {
        var device = self
        device.allowsInteraction = PasswordAgent.isOfUse
        // There is no polkit on another bus.
        guard device.bus == .system else { return try await work(device) }
        return try await PasswordAgent.beside { [device] in try await work(device) }
    }
}

/// Text for people or for programs.
struct OutputOptions: ParsableArguments {
    @Flag(help: ArgumentHelp(Text.Help.json))
    var json = false
}
