import ArgumentParser
import LocalAccounts
import SystemPackage

struct HashPIN: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hash-pin", abstract: Text.Help.hashPIN,
        discussion: Text.Help.hashPINDiscussion + "\n\n"
            + Text.Help.example(
                "batonctl hash-pin", "batonctl hash-pin --pin-stdin < pin.txt",
                "batonctl hash-pin --config new/baton.yaml"))

    @Flag(help: ArgumentHelp(Text.Help.pinStdin))
    var pinStdin = false

    @OptionGroup var file: AccountFileOptions

    func run() async throws {
        try await reporting {
            let hash = try await NewPIN.hash(fromInput: pinStdin, least: try await least()).text
            Terminal.say(try file.output.json ? JSONOutput.document(HashReport(hash: hash)) : hash)
        }
    }

    /// The hash may be for another machine, or for a file that this user may not read: only a file that was named must say
    /// it.
    private func least() async throws -> Int {
        if let config = file.config {
            return try AccountsFile(beside: FilePath(config)).leastPINLength(mustExist: true)
        }
        guard let place = try? await file.place() else { return PINHash.shortestPIN }
        do {
            return try AccountsFile(beside: place.path).leastPINLength()
        } catch {
            Terminal.complain(Text.leastPINLengthUnknown("\(error)", least: PINHash.shortestPIN).printable)
            return PINHash.shortestPIN
        }
    }
}
