/// A form of a page, as far as plain HTML tells of it.
public struct HTMLForm: Sendable {
    public struct Button: Sendable {
        public let name: String
        public let value: String
        /// What stands on it.
        public let label: String
    }

    /// Where it goes: as written.
    public let action: String
    public let isPost: Bool
    /// The inputs with what is in them already.
    public var fields: [(name: String, value: String)]
    public let buttons: [Button]

    /// The forms of a page, in its order.
    public static func all(in page: String) -> [HTMLForm] {
        var forms: [HTMLForm] = []
        var rest = page[...]
        while let start = rest.firstRange(of: "<form") {
            let end = rest[start.upperBound...].firstRange(of: "</form>")?.lowerBound ?? rest.endIndex
            forms.append(HTMLForm(rest[start.lowerBound..<end]))
            rest = rest[end...]
            if rest.startIndex == page.endIndex { break }
        }
        return forms
    }

    private init(_ text: Substring) {
        let tags = Tag.all(in: text)
        let form = tags.first { $0.name == "form" }
        action = form?.attributes["action"] ?? ""
        isPost = form?.attributes["method"]?.lowercased() == "post"
        fields = tags.compactMap { tag in
            guard tag.name == "input", let name = tag.attributes["name"], tag.attributes["type"] != "submit" else {
                return nil
            }
            let isChoice = ["checkbox", "radio"].contains(tag.attributes["type"] ?? "")
            guard !isChoice || tag.attributes["checked"] != nil else { return nil }
            return (name: name, value: tag.attributes["value"] ?? (isChoice ? "on" : ""))
        }
        buttons = tags.compactMap { tag in
            guard tag.name == "button" || (tag.name == "input" && tag.attributes["type"] == "submit") else {
                return nil
            }
            let value = tag.attributes["value"] ?? ""
            return Button(
                name: tag.attributes["name"] ?? "", value: value, label: tag.name == "button" ? tag.text : value)
        }
    }

    private struct Tag {
        var name: String
        var attributes: [String: String] = [:]
        /// What follows it, up to the next tag.
        var text = ""

        static func all(in text: Substring) -> [Tag] {
            text.split(separator: "<").map { piece in
                var rest = piece
                var tag = Tag(name: Self.take(&rest) { !$0.isWhitespace && $0 != ">" }.lowercased())
                while true {
                    rest = rest.drop { $0.isWhitespace || $0 == "/" }
                    guard let next = rest.first, next != ">" else { break }
                    let name = Self.take(&rest) { !$0.isWhitespace && $0 != "=" && $0 != ">" && $0 != "/" }
                    // Something that is no name at all.
                    if name.isEmpty { rest = rest.dropFirst() }
                    var value = ""
                    if rest.first == "=" {
                        rest = rest.dropFirst()
                        if let quote = rest.first, quote == "\"" || quote == "'" {
                            rest = rest.dropFirst()
                            value = Self.take(&rest) { $0 != quote }
                            rest = rest.dropFirst()
                        } else {
                            value = Self.take(&rest) { !$0.isWhitespace && $0 != ">" }
                        }
                    }
                    tag.attributes[name.lowercased()] = Self.decoded(value)
                }
                tag.text = Self.decoded(String(rest.dropFirst()))
                return tag
            }
        }

        private static func take(_ rest: inout Substring, while isPart: (Character) -> Bool) -> String {
            let part = rest.prefix(while: isPart)
            rest = rest[part.endIndex...]
            return String(part)
        }

        private static func decoded(_ text: String) -> String {
            let entities = [
                ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&amp;", "&"),
            ]
            return entities.reduce(text) { $0.replacing($1.0, with: $1.1) }
        }
    }
}
