import SystemPackage

/// One thing wrong in one place of the settings: `/etc/baton/baton.yaml:12: barrier.soft: 'fast' is not a duration`.
public struct SettingsFault: Error, Sendable, Hashable {
    /// The file's path, or where else the value came from: `environment BATON_BARRIER_SOFT`.
    public let origin: String
    /// Counted from 1; nil when the fault belongs to no line.
    public let line: Int?
    /// The dotted key; nil when the fault belongs to no key.
    public let key: String?
    /// What is wrong and what to do. Never a PIN hash.
    public let message: String
    /// The file that this user has no permission to read, if that is what is wrong.
    public let unreadableFile: String?
    /// A command for root's shell that mends it, if there is one.
    public let repair: String?

    public init(
        origin: String, line: Int? = nil, key: String? = nil, message: String, unreadableFile: String? = nil,
        repair: String? = nil
    ) {
        self.origin = origin
        self.line = line
        self.key = key
        self.message = message
        self.unreadableFile = unreadableFile
        self.repair = repair
    }
}

extension SettingsFault {
    init(unreadable path: FilePath, _ number: Errno) {
        self.init(
            origin: path.string, message: "cannot be read: \(number)",
            unreadableFile: number == .permissionDenied ? path.string : nil)
    }
}

extension SettingsFault: CustomStringConvertible {
    public var description: String {
        let place = line.map { "\(origin):\($0)" } ?? origin
        // A file's name comes from outside as its contents do.
        return SettingsText.visible(key.map { "\(place): \($0): \(message)" } ?? "\(place): \(message)")
    }
}

/// All that is wrong, in the order of the file; one line each.
public struct SettingsFaults: Error, Sendable, Hashable, CustomStringConvertible {
    public let all: [SettingsFault]

    public init(_ all: [SettingsFault]) {
        self.all = all
    }

    public var description: String { all.map(\.description).joined(separator: "\n") }
}
