import Logging

/// Texts as they may stand in a log, from any source.
enum LogText {
    /// Shows control characters, ends of lines and what turns the direction of writing by their code, so that no text
    /// can begin a line of its own or hide what follows.
    static func plain(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isDangerous) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isDangerous(scalar) {
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A value after `key=`: in quotes when it could be taken for more than one.
    static func value(_ text: String) -> String {
        let plain = plain(text)
        let isWord = !plain.isEmpty && !plain.utf8.contains { $0 == 0x20 || $0 == 0x22 || $0 == 0x3D }
        if isWord { return plain }
        var quoted = "\""
        for character in plain.unicodeScalars {
            if character == "\"" || character == "\\" { quoted.unicodeScalars.append("\\") }
            quoted.unicodeScalars.append(character)
        }
        return quoted + "\""
    }

    /// `key=value` for all of them but the event's id, in the order of the keys.
    static func pairs(_ metadata: Logger.Metadata) -> String {
        metadata.filter { $0.key != Logger.eventKey }.sorted { $0.key < $1.key }
            .map { "\(plain($0.key))=\(value("\($0.value)"))" }.joined(separator: " ")
    }

    private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x7F { return scalar.value < 0x20 }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension LogEvent {
    /// Everything that belongs to the line, the most particular value of each key.
    func metadata(over metadata: Logger.Metadata, _ provider: Logger.MetadataProvider?) -> Logger.Metadata {
        var all = metadata.merging(provider?.get() ?? [:]) { _, new in new }
        all.merge(self.metadata ?? [:]) { _, new in new }
        if let error { all["error"] = "\(error)" }
        return all
    }
}
