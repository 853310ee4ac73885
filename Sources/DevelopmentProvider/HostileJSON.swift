import FoundationEssentials
import WebText

/// Puts something odd in the place of every member.
enum HostileJSON {
    /// Members are visited in order of their names, so each run is the same.
    static func corrupt(_ json: JSONValue) -> JSONValue {
        guard case .object(let members) = json else { return odd(0) }
        var result: [String: JSONValue] = [:]
        for (index, name) in members.keys.sorted().enumerated() { result[name] = odd(index) }
        result[String(repeating: "k", count: 4096)] = "\u{0}\u{1B}[31m"
        return .object(result)
    }

    /// Spoils one member; when each has had its turn, the next oddity begins. The last one: the member is missing.
    static func corrupt(_ json: JSONValue, turn: Int) -> JSONValue {
        guard case .object(var members) = json, !members.isEmpty else { return odd(turn % oddities) }
        let names = members.keys.sorted()
        let oddity = (turn / names.count) % (oddities + 1)
        members[names[turn % names.count]] = oddity == oddities ? nil : odd(oddity)
        return .object(members)
    }

    /// Reads what this provider wrote: hostile claims are nested deeper than `JSONValue` reads of others.
    static func readBack(_ bytes: [UInt8]) -> JSONValue? {
        try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    }

    private static let oddities = 10

    private static func odd(_ index: Int) -> JSONValue {
        switch index % oddities {
        case 0: .string(String(repeating: "A", count: 32 * 1024))
        case 1: .integer(.max)
        case 2: .null
        case 3: .array([.string("\u{202E}"), .array([]), .object([:])])
        case 4: .number(-1e308)
        case 5: .string("\u{0}\r\nSet-Cookie: a=b\u{1B}]0;x\u{7}<script>alert(1)</script>")
        case 6: .boolean(false)
        case 7: (0..<200).reduce(into: JSONValue.integer(1)) { inner, _ in inner = .array([inner]) }
        case 8: .string("")
        default: .object(["": .string("../../etc/passwd"), "__proto__": .integer(.min)])
        }
    }
}
