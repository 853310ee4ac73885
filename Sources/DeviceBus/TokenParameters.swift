import BatonContract
import DBus
import Identity
import Settings
import WebText

extension TokenRequest {
    private static let mostScopes = 64
    private static let longestScope = 512
    /// What goes into an address, which every browser and provider must take.
    private static let longestQuery = 4096
    private static let mostParameters = 32

    /// Reads the parameters of a call, which any caller can write.
    ///
    /// - Throws: `InvalidArgument`, whose text names the key and repeats no value.
    init(_ parameters: VariantDictionary, silently: Bool) throws(BatonError) {
        try self.init(fromCaller: parameters, each: "parameter")
        if silently, let key = Key.allCases.first(where: { $0.isInteractiveOnly && parameters[$0.rawValue] != nil }) {
            throw key.fault("needs a page of the provider; call AcquireToken instead of AcquireTokenSilently")
        }
        try Self.check(.scopes, scopes)
        try Self.check(.extraScopes, extraScopesToConsent)
        if let claims, JSONValue(claims.utf8)?.object == nil { throw Key.claims.fault("must be a JSON object") }
        if let correlationID { try Self.check(correlationID: correlationID) }
        try Self.check(parameters: extraQueryParameters)
        // Whose redirectURI may be, and whether it is one, is answered with InvalidRedirectURI.
    }

    private static func check(correlationID text: String) throws(BatonError) {
        let isID = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard (1...64).contains(text.utf8.count), isID else {
            throw Key.correlationID.fault("must have 1 to 64 letters, digits and hyphens")
        }
    }

    private static func check(_ key: Key, _ scopes: [String]) throws(BatonError) {
        guard scopes.count <= mostScopes else { throw key.fault("must have at most \(mostScopes) scopes") }
        let areScopes = scopes.allSatisfy { text in
            (1...longestScope).contains(text.utf8.count)
                && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x22 && $0 != 0x5c }
        }
        guard areScopes else {
            throw key.fault("must have scopes of 1 to \(longestScope) printable characters, each an element of its own")
        }
        guard scopes.reduce(0, { $0 + $1.utf8.count + 1 }) <= longestQuery else {
            throw key.fault("has at most \(longestQuery) bytes in all")
        }
    }

    private static func check(parameters: [String: String]) throws(BatonError) {
        let key = Key.extraQueryParameters
        guard parameters.count <= mostParameters else { throw key.fault("must have at most \(mostParameters) entries") }
        var weight = 0
        for (name, text) in parameters {
            guard !AuthorizationRequest.isReserved(name) else {
                throw key.fault("has a name that the protocol reserves: \(SettingsText.printable(name))")
            }
            guard (1...128).contains(name.utf8.count), isLine(name), isLine(text) else {
                throw key.fault("must have names of 1 to 128 bytes, and names and values on one line")
            }
            weight += name.utf8.count + text.utf8.count
        }
        guard weight <= longestQuery else { throw key.fault("has at most \(longestQuery) bytes in all") }
    }

    private static func isLine(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

extension TokenRequest.Key {
    fileprivate func fault(_ rule: String) -> BatonError {
        BatonError(.invalidArgument, "The parameter '\(rawValue)' \(rule).")
    }
}
