import SystemPackage

/// `/etc/baton/session.env`, which tells the agent's unit where the kiosk user's display and session bus are (systemd.exec(5),
/// EnvironmentFile=).
struct SessionFile {
    static let path = "/etc/baton/session.env"

    private let values: [String: String]

    /// Nil: the file is missing or cannot be read.
    init?(path: String = path) {
        guard let text = try? TextFile.read(FilePath(path)) else { return nil }
        self.init(text: text)
    }

    init(text: String) {
        var values: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.drop { $0 == " " || $0 == "\t" }
            guard let first = line.first, first != "#", first != ";", let sign = line.firstIndex(of: "=") else {
                continue
            }
            var value = line[line.index(after: sign)...]
            while let last = value.last, last == " " || last == "\t" { value.removeLast() }
            if let mark = value.first, mark == "\"" || mark == "'", value.count > 1, value.last == mark {
                value = value.dropFirst().dropLast()
            }
            values[String(line[..<sign])] = String(value)
        }
        self.values = values
    }

    /// Nil: not set, or empty.
    subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }
}
