public import DBus
import WebText

/// What the worker has to do next; what the signal `SignInStep` says.
public struct SignInStep: LenientMessage, Hashable, Encodable {
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// A page of the provider is to be opened on this device.
        case openURL = "open-url"
        /// A page is to be opened on any other device, and a code typed there.
        case deviceCode = "device-code"
    }

    /// Who opens the page.
    public enum Opener: String, Hashable, Sendable, Codable, CaseIterable {
        /// The caller of `SignIn`.
        case caller
        case agent
    }

    public var kind: Kind
    /// The page to open. With a device code: the address for people, to which they bring the code.
    public var url: String
    public var opener: Opener
    /// Empty without a device code.
    public var userCode: String
    /// An address that has the code in it, for a QR code; empty where the provider has none.
    public var verificationURIComplete: String
    /// When the provider stops waiting, Unix time in microseconds; 0: it did not say.
    public var expires: UInt64

    public init() { self.init(kind: .openURL, url: "") }

    public init(
        kind: Kind, url: String, opener: Opener = .caller, userCode: String = "", verificationURIComplete: String = "",
        expires: UInt64 = 0
    ) {
        self.kind = kind
        self.url = url
        self.opener = opener
        self.userCode = userCode
        self.verificationURIComplete = verificationURIComplete
        self.expires = expires
    }

    /// Nil for a step on which no caller can act: an unknown kind, an address that is not a web page's, a device code
    /// without a code.
    ///
    /// Addresses come from the provider, are shown on terminals and become a program's argument, so nothing but what
    /// `isWebAddress` allows gets through.
    public init?(_ dictionary: VariantDictionary) {
        self.init(reading: dictionary)
        guard dictionary["kind"]?.string == kind.rawValue, Self.isWebAddress(url) else { return nil }
        switch kind {
        case .openURL: guard userCode.isEmpty else { return nil }
        case .deviceCode: guard Self.isUserCode(userCode) else { return nil }
        }
        if !Self.isWebAddress(verificationURIComplete) { verificationURIComplete = "" }
    }

    /// What a QR code says: the address with the code in it, where there is one.
    public var scanned: String { verificationURIComplete.isEmpty ? url : verificationURIComplete }

    public static let fields: [MessageField<Self>] = [
        .word("kind", \.kind),
        .value("url", \.url),
        .word("opens", \.opener) { $0.kind == .deviceCode },
        .sparse("user-code", \.userCode),
        .sparse("verification-uri-complete", \.verificationURIComplete),
        .value("expires", \.expires, "Unix time") { $0.expires == 0 },
    ]

    /// The longest address that is passed on, in bytes.
    public static let longestURL = 8 << 10
    /// The longest code that is passed on, in bytes.
    public static let longestUserCode = 128

    /// Whether this is `https:`, or `http:` on loopback, of visible ASCII characters alone, and not too long.
    public static func isWebAddress(_ url: String) -> Bool {
        WebAddress(url, longest: longestURL)?.isSafe ?? false
    }

    private static func isUserCode(_ code: String) -> Bool {
        !code.isEmpty && code.utf8.count <= longestUserCode && code.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
