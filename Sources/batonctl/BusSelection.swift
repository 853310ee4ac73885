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
}

/// Text for people or for programs.
struct OutputOptions: ParsableArguments {
    @Flag(help: ArgumentHelp(Text.Help.json))
    var json = false
}
