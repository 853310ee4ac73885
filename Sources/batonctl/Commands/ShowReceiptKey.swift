import ArgumentParser
import Baton
import ReceiptChain
import SystemPackage

struct ShowReceiptKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: Text.Help.receiptKey,
        discussion: Text.Help.example("batonctl receipts key > receipts.pem"))

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await reporting {
            let chain = try await bus.administering { device in
                var options = ReceiptExportOptions()
                options.entries = 0
                return try await device.exportReceipts(options).chain
            }
            if output.json { return Terminal.say(try JSONOutput.document(chain)) }
            guard let key = ReceiptPublicKey(text: chain.publicKey) else {
                throw DeviceError.unexpected("a key that is not one of Ed25519")
            }
            Terminal.write(key.pem, to: .standardOutput)
        }
    }
}
