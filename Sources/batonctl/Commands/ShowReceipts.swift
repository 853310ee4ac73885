import ArgumentParser
import Baton

struct ShowReceipts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: Text.Help.showReceipts,
        discussion: Text.Help.example(
            "batonctl receipts", "batonctl receipts 17", "batonctl receipts --newest 5 --json"))

    @Argument(help: ArgumentHelp(Text.Help.epoch, valueName: "turn"), completion: Completions.turns)
    var epoch: Epoch?

    @Option(help: ArgumentHelp(Text.Help.newest, valueName: "count"))
    var newest: UInt32 = 20

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...1000).contains(newest) else { throw ValidationError("--newest: \(Text.Help.newest)") }
    }

    func run() async throws {
        try await reporting {
            let device = try await bus.device()
            let rendering = OutputRendering(style: Terminal.styleOfOutput)
            if let epoch {
                let receipt = try await device.receipt(epoch)
                Terminal.say(try output.json ? JSONOutput.document(receipt) : rendering.receipt(receipt))
            } else {
                let receipts = try await device.receipts(newest: newest)
                Terminal.say(try output.json ? JSONOutput.document(receipts) : rendering.receipts(receipts))
            }
        }
    }
}
