/// What `batond --check --json` prints, as one object on a line. The settings cannot be used if there is a fault.
public struct SettingsCheck: Hashable, Sendable, Codable {
    public struct Remark: Hashable, Sendable, Codable {
        /// As `--check` prints it alone, with all that is in the other members.
        public var text: String
        /// The file, or where else the value came from; nil: nowhere.
        public var origin: String?
        public var line: Int?
        public var key: String?
        /// The file that batond's user has no permission to read, if that is what is wrong.
        public var unreadableFile: String?

        public init(
            text: String, origin: String? = nil, line: Int? = nil, key: String? = nil, unreadableFile: String? = nil
        ) {
            self.text = text
            self.origin = origin
            self.line = line
            self.key = key
            self.unreadableFile = unreadableFile
        }

        enum CodingKeys: String, CodingKey {
            case text, origin, line, key
            case unreadableFile = "unreadable-file"
        }
    }

    public var faults: [Remark]
    public var warnings: [Remark]

    public init(faults: [Remark], warnings: [Remark] = []) {
        self.faults = faults
        self.warnings = warnings
    }
}
