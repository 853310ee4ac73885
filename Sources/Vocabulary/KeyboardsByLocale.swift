/// Which keyboard layout goes with which locale, as the settings say: `de` is for all of German, `de_CH` for that of Switzerland.
public struct KeyboardsByLocale: Hashable, Sendable {
    private var layouts: [String: KeyboardLayout] = [:]

    public init() {}

    public var isEmpty: Bool { layouts.isEmpty }

    /// - Returns: False: this locale has one already.
    public mutating func add(_ locale: String, _ layout: KeyboardLayout) -> Bool {
        let name = Self.parts(of: locale).joined(separator: "_")
        guard layouts[name] == nil else { return false }
        layouts[name] = layout
        return true
    }

    /// The layout of the longest name that the locale begins with; nil: none does.
    public subscript(locale: String) -> KeyboardLayout? {
        var parts = Self.parts(of: locale)
        while !parts.isEmpty {
            if let layout = layouts[parts.joined(separator: "_")] { return layout }
            parts.removeLast()
        }
        return nil
    }

    public var pairs: [(locale: String, layout: KeyboardLayout)] {
        layouts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private static func parts(of locale: String) -> [String] { LocaleParts.of(locale).map { $0.lowercased() } }
}
