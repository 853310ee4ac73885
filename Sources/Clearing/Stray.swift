/// A process of the user that started in a worker's turn and stands in no list.
public struct Stray: Sendable, Hashable, CustomStringConvertible {
    public var pid: Int32
    /// What the program calls itself: at most 15 characters of printable ASCII, and no more to be believed than that.
    public var name: String
    /// The service or scope of systemd in which it runs; empty: none.
    public var unit: String

    public init(pid: Int32, name: String, unit: String = "") {
        self.pid = pid
        self.name = name
        self.unit = unit
    }

    public var description: String { unit.isEmpty ? "\(name) (\(pid))" : "\(name) (\(pid), \(unit))" }

    static func plain(_ text: some StringProtocol, most: Int) -> String {
        String(decoding: text.utf8.prefix(most).map { (33...126).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}

extension Collection where Element: CustomStringConvertible {
    /// For people: the first few, and how many more there are.
    func named(atMost most: Int) -> String {
        let shown = prefix(most).map(\.description).joined(separator: ", ")
        return shown + (count > most ? " and \(count - most) more" : "")
    }
}

/// What ending strays came to.
public struct StrayReport: Sendable, Equatable {
    /// Those that were found, in the order of their pids; all of them are gone unless `fault` says so.
    public var found: [Stray]
    /// Those that wait for the sign-out, and so still run.
    public var waiting: [Stray]
    /// Why it is not proven that none is left.
    public var fault: String?

    public init(found: [Stray] = [], waiting: [Stray] = [], fault: String? = nil) {
        self.found = found
        self.waiting = waiting
        self.fault = fault
    }
}
