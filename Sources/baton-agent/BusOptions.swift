import ArgumentParser

/// Which bus to connect to.
struct BusOptions: ParsableArguments {
    enum Choice: Equatable {
        case session
        case system
        case address(String)
    }

    @Flag(help: "The session bus, for one user and for trying out.")
    var session = false

    @Flag(help: "The system bus.")
    var system = false

    @Option(name: .customLong("bus"), help: ArgumentHelp("The bus at this address.", valueName: "address"))
    var address: String?

    var choice: Choice {
        get throws {
            switch (session, system, address) {
            case (true, false, nil): .session
            case (false, true, nil): .system
            case (false, false, let address?): .address(address)
            default: throw ValidationError("Choose one of --session, --system and --bus ADDRESS.")
            }
        }
    }
}
