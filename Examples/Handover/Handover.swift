// A participating app in Swift: keeps the worker's name in a file, and clears it when they leave.
//
// Usage: baton-example-handover FOLDER [--app-id ID]

import Baton
import FoundationEssentials
import Glibc

@main
struct Handover {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let folder = arguments.first, arguments.count == 1 || arguments.dropFirst().first == "--app-id" else {
            say("usage: baton-example-handover FOLDER [--app-id ID]")
            exit(64)
        }
        let id = arguments.count > 2 ? arguments[2] : "org.example.Handover"
        let note = Note(file: URL(filePath: folder).appending(path: "handover.txt"))

        try await Device.connect().participate(as: id) { account, _ in
            // A name that cannot be kept is no reason not to work.
            try? note.write(account.name)
            say("\(account.name) is here")
        } clear: { _ in
            // What throws here tells the device that this app could not clear, so that the device does it.
            let removed = try note.remove()
            say("cleared")
            return removed ? .cleared : .nothingToClear
        } registered: {
            say("ready")
        }
    }
}

/// What this app holds of the worker.
struct Note {
    let file: URL

    func write(_ name: String) throws {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("\(name)\n".utf8).write(to: file)
    }

    /// False when there was nothing.
    func remove() throws -> Bool {
        guard FileManager.default.fileExists(atPath: file.path) else { return false }
        try FileManager.default.removeItem(at: file)
        return true
    }
}

func say(_ text: String) {
    print("handover: \(text)")
    // At once, also into a pipe.
    fflush(nil)
}
