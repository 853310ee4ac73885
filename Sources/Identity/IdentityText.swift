/// Texts from a provider, made fit to be shown, logged and compared.
enum IdentityText {
    /// What a text for people may weigh at most, in bytes.
    static let longest = 256

    /// Without control characters, line ends and marks that turn the direction of writing; cut at a whole character.
    static func shown(_ text: String?) -> String {
        guard let text else { return "" }
        var result = ""
        var weight = 0
        // No scalar weighs less than a byte: what lies beyond cannot fit, however long the text is.
        let kept = text.unicodeScalars.prefix(longest * 4).filter(isShown)
        for character in String(String.UnicodeScalarView(kept)) {
            weight += character.utf8.count
            guard weight <= longest else { break }
            result.append(character)
        }
        while result.first == " " { result.removeFirst() }
        while result.last == " " { result.removeLast() }
        return result
    }

    /// An identifier of printable ASCII as it is, or nothing: a changed identifier would be another one.
    static func identifier(_ text: String?, longest: Int = 255) -> String? {
        guard let text, !text.isEmpty, text.utf8.count <= longest else { return nil }
        return text.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? text : nil
    }

    /// Whether the text is a GUID as Entra ID writes its tenants and objects.
    static func isGUID(_ text: some StringProtocol) -> Bool {
        guard text.utf8.count == 36 else { return false }
        return text.utf8.enumerated().allSatisfy { place, byte in
            switch place {
            case 8, 13, 18, 23: byte == UInt8(ascii: "-")
            default:
                (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
            }
        }
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        // The joiners belong to the spelling of names in Persian and in India's scripts.
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
        default: true
        }
    }
}
