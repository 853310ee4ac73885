/// The settings as they are in effect, key by key: what `batond --show-settings --json` prints, and `batonctl settings --json`.
public struct SettingsListing: Hashable, Sendable, Codable {
    public struct Row: Hashable, Sendable, Codable {
        enum CodingKeys: String, CodingKey {
            case key, value, origin, line
            case isDefault = "default"
        }

        /// Such as `barrier.soft`.
        public var key: String
        /// As it is written in YAML; nil: keys of their own that are not shown, such as accounts, or a key without a default.
        public var value: String?
        /// The file, or where else the value is from; nil for a default.
        public var origin: String?
        /// Counted from 1; nil where the origin has no lines.
        public var line: Int?
        public var isDefault: Bool

        public init(key: String, value: String?, origin: String? = nil, line: Int? = nil, isDefault: Bool) {
            self.key = key
            self.value = value
            self.origin = origin
            self.line = line
            self.isDefault = isDefault
        }

        /// File and line; nil for a default.
        public var place: String? { origin.map { file in line.map { "\(file):\($0)" } ?? file } }
    }

    public var settings: [Row]

    public init(settings: [Row]) { self.settings = settings }
}
