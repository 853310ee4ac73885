import ArgumentParser
import Baton
import ReceiptChain
import SystemPackage

struct VerifyReceipts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: Text.Help.verifyReceipts,
        discussion: Text.Help.verifyDiscussion + "\n\n"
            + Text.Help.example(
                "batonctl receipts verify --export receipts.jsonl --key receipts.pem",
                "batonctl receipts verify"))

    @Option(help: ArgumentHelp(Text.Help.verifiedExport, valueName: Text.Help.file))
    var export: String?

    @Option(help: ArgumentHelp(Text.Help.verifyingKey, valueName: "file|base64"))
    var key: [String] = []

    @Option(help: ArgumentHelp(Text.Help.publishedHead, valueName: "sequence:hash"))
    var head: String?

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if export != nil, key.isEmpty { throw ValidationError(Text.Chain.keyIsNeeded) }
        if let head, ChainHead(text: head) == nil { throw ValidationError(Text.Chain.noHead) }
    }

    func run() async throws {
        try await reporting {
            let keys = try key.map { try ReceiptPublicKey(argument: $0) }
            let published = head.flatMap { ChainHead(text: $0) }
            let report =
                if let export {
                    try Self.verify(file: export, keys, published)
                } else {
                    try await bus.administering { try await Self.verify($0, keys, published) }
                }
            Terminal.say(try output.json ? JSONOutput.document(report) : Text.Chain.report(report))
            guard report.isVerified else { throw ExitCode(ExitStatus.refused) }
        }
    }

    private static func verify(
        file: String, _ keys: [ReceiptPublicKey], _ published: ChainHead?
    ) throws -> VerificationReport {
        var verifier = ChainVerifier(keys: keys, published: published)
        do {
            try ExportFile.read(file) { entry throws(ChainFault) in
                try verifier.add(ChainEntry(entry), receipt: entry.receipt)
            }
            return VerificationReport(try verifier.end())
        } catch let fault as ChainFault {
            return VerificationReport(fault, hasLines: true)
        }
    }

    private static func verify(
        _ device: Device, _ keys: [ReceiptPublicKey], _ published: ChainHead?
    ) async throws -> VerificationReport {
        var state = ReceiptExportOptions()
        state.entries = 0
        let own = ReceiptPublicKey(text: try await device.exportReceipts(state).chain.publicKey)
        var verifier = ChainVerifier(keys: keys.isEmpty ? own.map { [$0] } ?? [] : keys, published: published)
        do {
            let chain = try await ReceiptPages(device: device).read(ReceiptExportOptions()) { entry in
                try verifier.add(ChainEntry(entry), receipt: entry.receipt)
            }
            if let epoch = chain.unchained.first { throw ChainFault(.unchained, place: 0, epoch: epoch) }
            return VerificationReport(try verifier.end(), isKeyFromDevice: keys.isEmpty)
        } catch let fault as ChainFault {
            return VerificationReport(fault, hasLines: false)
        }
    }
}
