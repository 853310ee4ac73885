import Baton
import TerminalTesting
import Testing

/// An app of which the terminal knows where its data lies, with some in it.
enum ListedApp {
    static let id = "org.example.App"

    static func terminal(_ settings: String = Terminal.quick) throws -> Terminal {
        let terminal = try Terminal(settings: settings)
        try terminal.write(
            "wipe: [\(terminal.folder)/data]\nkeep: [\(terminal.folder)/data/printer.conf]\n",
            to: "config/baton/apps.d/\(id).yaml")
        try terminal.write("Ana's", to: "data/notes.txt")
        try terminal.write("ours", to: "data/printer.conf")
        return terminal
    }

    static func expectWiped(on terminal: Terminal) {
        #expect(!terminal.exists("data/notes.txt"))
        #expect(terminal.exists("data/printer.conf"))
    }
}

extension Terminal {
    func lastReceipt() async throws -> Receipt {
        try #require(try await device().receipts(newest: 1).first)
    }
}
