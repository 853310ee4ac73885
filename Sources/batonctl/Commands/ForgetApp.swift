import ArgumentParser
import Baton

struct ForgetApp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: Text.Help.forget,
        discussion: Text.Help.example(
            "batonctl apps forget org.example.WardList --uid 1000", "batonctl apps forget --all"))

    @Argument(help: ArgumentHelp(Text.Help.appID), completion: Completions.apps)
    var id: String?

    @Flag(help: ArgumentHelp(Text.Help.forgetAll))
    var all = false

    @Option(help: ArgumentHelp(Text.Help.uid))
    var uid: UInt32?

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (id == nil) == all else { throw ValidationError(Text.forgetWhat) }
    }

    func run() async throws {
        try await reporting {
            try await bus.administering { device in
                guard let id else { return try await forgetAll(on: device) }
                let uid = try await owner(of: id, on: device)
                try await device.forgetApp(uid: uid, id: id)
                Terminal.say(
                    try output.json
                        ? JSONOutput.document(ForgottenReport(forgotten: [.init(uid: uid, app: id)]))
                        : Text.forgotten(id))
            }
        }
    }

    private func forgetAll(on device: Device) async throws {
        let debtors = Set(
            try await device.participants().filter { $0.owedSince != 0 && (uid ?? $0.uid) == $0.uid }
                .map { ForgottenReport.App(uid: $0.uid, app: $0.app) }
        ).sorted { ($0.uid, $0.app) < ($1.uid, $1.app) }
        for debtor in debtors { try await device.forgetApp(uid: debtor.uid, id: debtor.app) }
        Terminal.say(
            try output.json
                ? JSONOutput.document(ForgottenReport(forgotten: debtors)) : Text.forgotten(debtors.count))
    }

    private func owner(of id: String, on device: Device) async throws -> UInt32 {
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
