import ArgumentParser
import Baton
import SystemPackage

struct ExportReceipts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: Text.Help.exportReceipts,
        discussion: Text.Help.exportDiscussion + "\n\n"
            + Text.Help.example(
                "batonctl receipts export --output receipts.jsonl",
                "batonctl receipts export --since 2026-11-22 | logger --tag baton-receipts"))

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case jsonl
    }

    @Option(help: ArgumentHelp(Text.Help.since, valueName: "time|turn"))
    var since: ReceiptsSince?

    @Option(help: ArgumentHelp(Text.Help.exportFormat))
    var format = Format.jsonl

    @Option(name: .customLong("output"), help: ArgumentHelp(Text.Help.exportOutput, valueName: Text.Help.file))
    var file = "-"

    @OptionGroup var bus: BusSelection

    func run() async throws {
        try await reporting {
            var (count, last) = (0, UInt64(0))
            let chain = try await bus.administering { device in
                func write(to descriptor: FileDescriptor) async throws -> ReceiptChainState {
                    try await ReceiptPages(device: device).read(since?.options ?? ReceiptExportOptions()) { entry in
                        try descriptor.writeAll((JSONOutput.line(entry) + "\n").utf8)
                        (count, last) = (count + 1, entry.sequence)
                    }
                }
                guard file != "-" else { return try await write(to: .standardOutput) }
                return try await NewFile.write(to: FilePath(file)) { try await write(to: $0) }
            }
            if !chain.unchained.isEmpty { Terminal.complain(Text.Chain.unchained(chain.unchained)) }
            if file != "-" { Terminal.say(Text.Chain.exported(count, to: file, last: last, head: chain.head)) }
        }
    }
}
