import DBus
public import Vocabulary

/// The options of `ExportReceipts`; at most one of the first three.
public struct ReceiptExportOptions: DictionaryMessage, Hashable {
    public var after: UInt64?
    public var epoch: Epoch?
    /// Unix time in microseconds.
    public var time: Int64?
    public var entries: UInt32?

    public init() {}

    /// A misspelt one would give other entries.
    public static let refusesUnknownKeys = true

    public static let fields: [MessageField<Self>] = [
        .optional("after", \.after, "begin behind this entry"),
        .optional("epoch", \.epoch, "begin with this turn"),
        .optional("time", \.time, "begin at this time"),
        .optional("entries", \.entries, "at most so many; 0: none"),
    ]
}
