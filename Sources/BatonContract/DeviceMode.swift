@_exported public import Vocabulary

/// Whether the device is shared, as a client knows it.
public enum DeviceMode: String, Hashable, Sendable, Codable, CaseIterable {
    case shared
    case personal = "default"
    /// The daemon cannot be asked; treat the device as shared.
    case unknown

    public init(_ mode: Mode) {
        self =
            switch mode {
            case .shared: .shared
            case .personal: .personal
            }
    }
}
