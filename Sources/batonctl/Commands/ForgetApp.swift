import ArgumentParser
import Baton

struct ForgetApp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: Text.Help.forget,
        discussion: Text.Help.example("batonctl apps forget org.example.WardList --uid 1000"))

    @Argument(help: ArgumentHelp(Text.Help.appID))
    var id: String

    @Option(help: ArgumentHelp(Text.Help.uid))
    var uid: UInt32?

    @OptionGroup var bus: BusOptions

    func run() async throws {
        try await reporting {
            let device = try await bus.device()
            try await device.forgetApp(uid: try await owner(on: device), id: id)
            Terminal.say(Text.forgotten(id))
        }
    }

    private func owner(on device: Device) async throws -> UInt32 {
        if let uid { return uid }
        let uids = Set(try await device.participants().filter { $0.app == id }.map(\.uid)).sorted()
        guard let first = uids.first else {
            Terminal.complain(Text.noSuchApp(id))
            throw ExitCode(ExitStatus.refused)
        }
        guard uids.count == 1 else { throw ValidationError(Text.ownedByMany(id, uids)) }
        return first
    }
}
