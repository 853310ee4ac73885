import ArgumentParser
import LocalAccounts

struct HashPIN: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hash-pin", abstract: Text.Help.hashPIN,
        discussion: Text.Help.example("batonctl hash-pin", "batonctl hash-pin --pin-stdin < pin.txt"))

    @Flag(help: ArgumentHelp(Text.Help.pinStdin))
    var pinStdin = false

    func run() async throws {
        try await reporting {
            Terminal.say(try await NewPIN.hash(fromInput: pinStdin).text)
        }
    }
}
