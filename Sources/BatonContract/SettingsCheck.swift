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
        /// A command for root's shell that mends it.
        public var repair: String?

        public init(
            text: String, origin: String? = nil, line: Int? = nil, key: String? = nil, unreadableFile: String? = nil,
            repair: String? = nil
        ) {
            self.text = text
            self.origin = origin
            self.line = line
            self.key = key
            self.unreadableFile = unreadableFile
            self.repair = repair
        }

        enum CodingKeys: String, CodingKey {
            case text, origin, line, key, repair
            case unreadableFile = "unreadable-file"
        }
    }

    /// What became of a question to the identity provider.
    public struct ProviderFinding: Hashable, Sendable, Codable {
        public enum State: String, Hashable, Sendable, Codable {
            case ok, wrong, unchecked
        }

        /// Whose matter it is.
        public enum Reason: String, Hashable, Sendable, Codable {
            case unreachable, untrusted
            /// The provider knows the client or its redirect URI otherwise.
            case client
            case settings
        }

        public var state: State
        /// Nil unless something is wrong.
        public var reason: Reason?
        public var text: String
        /// Where the provider would send a worker's browser back to; nil: it did not come to that.
        public var redirectURI: String?

        public init(state: State, reason: Reason? = nil, text: String, redirectURI: String? = nil) {
            self.state = state
            self.reason = reason
            self.text = text
            self.redirectURI = redirectURI
        }

        enum CodingKeys: String, CodingKey {
            case state, reason, text
            case redirectURI = "redirect-uri"
        }
    }

    public var faults: [Remark]
    public var warnings: [Remark]
    /// Users and groups that this machine does not know. batond starts without them.
    public var unknown: [Remark]
    /// Nil: it was not asked.
    public var provider: ProviderFinding?

    public init(faults: [Remark], warnings: [Remark] = [], unknown: [Remark] = []) {
        self.faults = faults
        self.warnings = warnings
        self.unknown = unknown
    }
}
