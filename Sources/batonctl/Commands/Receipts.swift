import ArgumentParser

struct Receipts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: Text.Help.receipts,
        discussion: Text.Help.example(
            "batonctl receipts", "batonctl receipts 17", "batonctl receipts export --output receipts.jsonl",
            "batonctl receipts verify --export receipts.jsonl --key receipts.pem"),
        subcommands: [ShowReceipts.self, ExportReceipts.self, VerifyReceipts.self, ShowReceiptKey.self],
        defaultSubcommand: ShowReceipts.self)
}
