/// The keyboard layouts that this machine's XKB has, as its own list names them.
package struct XKBRules: Sendable {
    package static let standardPath = "/usr/share/X11/xkb/rules/evdev.lst"
    private static let largest = 1 << 20

    private struct Name: Hashable {
        let layout: Substring
        let variant: Substring
    }

    private var names: Set<Name> = []
    private var byDescription: [Substring: Name] = [:]

    /// Nil: there is no such list.
    package init?(path: String = standardPath) {
        guard let bytes = readSmallFile(path, most: Self.largest) else { return nil }
        self.init(text: String(decoding: bytes, as: UTF8.self))
        if names.isEmpty { return nil }
    }

    /// Sections such as `! layout`, and in each a line for a name, blanks and its description; that of a variant begins with its
    /// layout and a colon.
    init(text: String) {
        var section = Substring()
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1)
            guard let name = words.first else { continue }
            if name == "!" {
                section = words.dropFirst().first ?? ""
                continue
            }
            guard let rest = words.dropFirst().first?.drop(while: { $0 == " " }) else { continue }
            switch section {
            case "layout": add(Name(layout: name, variant: ""), rest)
            case "variant":
                guard let colon = rest.firstIndex(of: ":") else { continue }
                add(
                    Name(layout: rest[..<colon], variant: name),
                    rest[rest.index(after: colon)...].drop { $0 == " " })
            default: break
            }
        }
    }

    private mutating func add(_ name: Name, _ description: Substring) {
        names.insert(name)
        if byDescription[description] == nil { byDescription[description] = name }
    }

    package func has(layout: String, variant: String) -> Bool {
        names.contains(Name(layout: layout[...], variant: variant[...]))
    }

    /// The layout that calls itself so, as compositors name it.
    package func layout(described description: String) -> (layout: String, variant: String)? {
        byDescription[description[...]].map { (String($0.layout), String($0.variant)) }
    }
}
