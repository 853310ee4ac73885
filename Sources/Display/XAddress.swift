import Glibc
import LinuxSystem

/// Where an X server is and with what to be let in.
public struct XAddress: Sendable, Equatable {
    /// As in `DISPLAY`.
    public var display: String
    /// As in `XAUTHORITY`; nil: the library looks by itself.
    public var authorityFile: String?

    public init(display: String, authorityFile: String? = nil) {
        self.display = display
        self.authorityFile = authorityFile
    }

    /// Nil when these variables name none.
    public init?(environment: [String: String]) {
        guard let display = environment["DISPLAY"], !display.isEmpty else { return nil }
        self.init(display: display, authorityFile: environment["XAUTHORITY"])
    }

    /// The display's number, which entries of the authority file carry.
    private var number: Substring? {
        display.split(separator: ":", omittingEmptySubsequences: false).last?
            .split(separator: ".", omittingEmptySubsequences: false).first
    }

    static let cookieName = "MIT-MAGIC-COOKIE-1"

    /// The cookie of the authority file; nil when it has none for this display.
    ///
    /// The library itself reads only the file that the *process's* environment names, and changing that is not safe
    /// while other threads run.
    func cookie() -> [UInt8]? {
        guard let authorityFile, let number, let bytes = Self.contents(of: authorityFile) else { return nil }
        var rest = bytes[...]
        var best: [UInt8]?
        while let entry = Entry(&rest) {
            let isOurs = entry.number.isEmpty || entry.number == Array(number.utf8)
            guard isOurs, entry.name == Array(Self.cookieName.utf8) else { continue }
            // An entry of this machine before one of another address.
            if entry.isLocal { return entry.data }
            best = best ?? entry.data
        }
        return best
    }

    private struct Entry {
        var isLocal: Bool
        var number: [UInt8]
        var name: [UInt8]
        var data: [UInt8]

        init?(_ rest: inout ArraySlice<UInt8>) {
            guard let family = Self.number(&rest), let address = Self.text(&rest), let number = Self.text(&rest),
                let name = Self.text(&rest), let data = Self.text(&rest)
            else { return nil }
            // 256: this host by its name; 65535: any.
            isLocal = family == 65535 || (family == 256 && address == Self.host)
            self.number = number
            self.name = name
            self.data = data
        }

        private static let host: [UInt8] = {
            var name = [CChar](repeating: 0, count: 256)
            return gethostname(&name, 255) == 0 ? name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) } : []
        }()

        private static func number(_ rest: inout ArraySlice<UInt8>) -> UInt16? {
            guard let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
            return UInt16(high) << 8 | UInt16(low)
        }

        private static func text(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
            guard let count = number(&rest), rest.count >= Int(count) else { return nil }
            defer { rest = rest.dropFirst(Int(count)) }
            return Array(rest.prefix(Int(count)))
        }
    }

    private static func contents(of path: String) -> [UInt8]? {
        let raw = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard raw >= 0 else { return nil }
        let file = Descriptor(owning: raw)
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let count = read(file.raw, &bytes, bytes.count)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }
}
