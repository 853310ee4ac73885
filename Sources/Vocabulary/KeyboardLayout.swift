/// A keyboard layout of XKB, with a variant if it is not the layout's first: `de`, `ch(fr)`.
public struct KeyboardLayout: Hashable, Sendable {
    public let layout: String
    /// Empty: the layout's first.
    public let variant: String

    /// XKB itself has shorter names. They become arguments and parts of texts that other programs read, so they are nothing else.
    private static let longest = 32

    /// Nil: the text is no name of a layout. Whether a display has such a layout is another matter.
    public init?(_ text: String) {
        let parts = text.split(separator: "(", omittingEmptySubsequences: false)
        guard let layout = parts.first, parts.count <= 2, Self.isName(layout) else { return nil }
        var variant = Substring()
        if let second = parts.dropFirst().first {
            guard second.last == ")", Self.isName(second.dropLast()) else { return nil }
            variant = second.dropLast()
        }
        self.layout = String(layout)
        self.variant = String(variant)
    }

    /// As `init` reads it.
    public var text: String { variant.isEmpty ? layout : "\(layout)(\(variant))" }

    private static func isName(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= longest, first.isLetterOrDigit else { return false }
        return text.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    }
}
