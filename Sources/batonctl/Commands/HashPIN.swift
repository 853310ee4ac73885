import ArgumentParser
import LocalAccounts

struct HashPIN: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hash-pin", abstract: Text.Help.hashPIN,
        discussion: Text.Help.example("batonctl hash-pin", "batonctl hash-pin --pin-stdin < pin.txt"))

    @Flag(help: ArgumentHelp(Text.Help.pinStdin))
    var pinStdin = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await reporting {
            let hash = try await NewPIN.hash(fromInput: pinStdin).text
            Terminal.say(try output.json ? JSONOutput.document(HashReport(hash: hash)) : hash)
        }
    }
}
