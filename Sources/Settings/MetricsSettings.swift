import Vocabulary

/// Where metrics go: `metrics`.
public struct MetricsSettings: Sendable, Hashable {
    /// What node_exporter's textfile collector reads, an absolute path; nil: no file is written.
    public var textfile: String?
    /// Where callers ask for them, an absolute path; nil: no socket is made.
    public var socket: String?

    public init() {}

    /// Whatever a socket's address has room for, without the ending under which the socket is made.
    private static let longestSocket = 103

    init(from reader: inout SettingsReader) {
        // The collector reads files with this ending alone.
        textfile = Self.path(
            .metricsTextfile, "the absolute path of a .prom file", from: &reader
        ) { $0.hasSuffix(".prom") && !$0.hasSuffix("/.prom") && $0.utf8.count <= 4000 }
        socket = Self.path(
            .metricsSocket, "an absolute path of at most \(Self.longestSocket) bytes", from: &reader
        ) { !$0.hasSuffix("/") && $0.utf8.count <= Self.longestSocket }
        if let textfile, textfile == socket {
            reader.refuse(
                anyOf: [.metricsTextfile, .metricsSocket],
                "\(SettingsKey.metricsTextfile.leaf) and \(SettingsKey.metricsSocket.leaf) must not be the same path")
        }
    }

    /// Empty is the default, which is none.
    private static func path(
        _ key: SettingsKey, _ expected: String, from reader: inout SettingsReader, isRight: (String) -> Bool
    ) -> String? {
        reader.value(key, default: String?.none, expected: expected) { text in
            if text.isEmpty { return .some(nil) }
            return text.hasPrefix("/") && SettingsText.isPlain(text) && isRight(text) ? .some(text) : nil
        }
    }
}
