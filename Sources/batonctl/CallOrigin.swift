import Baton
import WebText

/// Scheme, host and port of an address, as one compares them.
struct CallOrigin: Hashable, Sendable {
    let text: String

    /// A token is not sent there.
    struct Refused: Error, Equatable {
        var origin: String
        var listed: [String]
    }

    /// Nil for what is neither `https` nor `http` on loopback.
    init?(_ url: String) {
        guard let address = WebAddress(url, longest: SignInStep.longestURL), address.isSafe else { return nil }
        text = address.origin
    }

    /// - Parameter listed: As the settings have them.
    func check(listed: [String]) throws(Refused) {
        guard listed.contains(where: { CallOrigin($0) == self }) else { throw Refused(origin: text, listed: listed) }
    }
}
