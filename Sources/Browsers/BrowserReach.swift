/// What a browser may show. A new one may show Baton's own pages only.
public enum BrowserReach: Sendable, Equatable {
    /// The device is free: documents of the virtual origin, in the one page that the agent opened.
    case startPage
    /// A sign-in is open: documents of these origins and hosts too, in that same page.
    case signIn([String])
    /// A worker holds the device: what the settings allow.
    case turn

    /// Whether the agent's own page is the only one that may be open.
    var isFree: Bool { self != .turn }

    /// Whether a document, also one in a frame, may be loaded from there; nil in a turn, where the settings say that.
    func allows(_ address: PageAddress) -> Bool? {
        switch self {
        case .startPage: false
        case .signIn(let places): places.contains { $0 == address.origin || $0 == address.host }
        case .turn: nil
        }
    }
}
