internal import BatonContract
internal import DBus
internal import Identity
internal import Settings
internal import WebText

extension TokenRequest {
    private static let mostScopes = 64
    private static let longestScope = 512
    private static let longestHint = 256
    private static let longestIdentifier = 2048
    /// What goes into an address, which every browser and provider must take.
    private static let longestQuery = 4096
    private static let mostParameters = 32

    /// Reads the parameters of a call, which anybody can write.
    ///
    /// - Throws: `InvalidArgument`, whose text names the key and repeats no value.
    init(_ parameters: VariantDictionary, silently: Bool) throws(BatonError) {
        self.init()
        for (name, value) in parameters {
            guard let key = Key(rawValue: name) else {
                throw BatonError(.invalidArgument, "There is no parameter '\(SettingsText.printable(name))'.")
            }
            guard value.typeSignature == key.signature else { throw key.fault("has type '\(key.signature)'") }
            if silently, key.isInteractiveOnly {
                throw key.fault("is for a page of the provider; AcquireTokenSilently has none, call AcquireToken")
            }
            try read(key, value)
        }
    }

    private mutating func read(_ key: Key, _ value: Variant) throws(BatonError) {
        switch key {
        case .scopes: scopes = try Self.scopes(key, value)
        case .extraScopes: extraScopesToConsent = try Self.scopes(key, value)
        case .prompt:
            guard let prompt = TokenPrompt(rawValue: value.string ?? "") else {
                throw key.fault("is " + TokenPrompt.allCases.map(\.rawValue).joined(separator: " or "))
            }
            self.prompt = prompt
        case .loginHint: loginHint = try Self.line(key, value, longest: Self.longestHint)
        case .domainHint: domainHint = try Self.line(key, value, longest: Self.longestHint)
        case .account: account = try Self.line(key, value, longest: Self.longestIdentifier)
        // Whose it may be, and whether it is one, is answered with InvalidRedirectURI.
        case .redirectURI: redirectURI = value.string ?? ""
        case .forceRefresh: forceRefresh = value == .boolean(true)
        case .claims:
            let text = try Self.line(key, value, longest: Self.longestQuery)
            guard JSONValue(text.utf8)?.object != nil else { throw key.fault("is a JSON object") }
            claims = text
        case .correlationID:
            let text = value.string ?? ""
            let isID = text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
            guard (1...64).contains(text.utf8.count), isID else {
                throw key.fault("is 1 to 64 letters, digits and hyphens")
            }
            correlationID = text
        case .extraQueryParameters: extraQueryParameters = try Self.parameters(key, value)
        }
    }

    private static func scopes(_ key: Key, _ value: Variant) throws(BatonError) -> [String] {
        let texts = value.strings ?? []
        guard texts.count <= mostScopes else { throw key.fault("has at most \(mostScopes) scopes") }
        let areScopes = texts.allSatisfy { text in
            (1...longestScope).contains(text.utf8.count)
                && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x22 && $0 != 0x5c }
        }
        guard areScopes else {
            throw key.fault("has scopes of 1 to \(longestScope) printable characters, each an element of its own")
        }
        guard texts.reduce(0, { $0 + $1.utf8.count + 1 }) <= longestQuery else {
            throw key.fault("has at most \(longestQuery) bytes in all")
        }
        return texts
    }

    private static func line(_ key: Key, _ value: Variant, longest: Int) throws(BatonError) -> String {
        let text = value.string ?? ""
        guard (1...longest).contains(text.utf8.count), isLine(text) else {
            throw key.fault("is a text of 1 to \(longest) bytes on one line")
        }
        return text
    }

    private static func parameters(_ key: Key, _ value: Variant) throws(BatonError) -> [String: String] {
        let values = value.dictionary ?? [:]
        guard values.count <= mostParameters else { throw key.fault("has at most \(mostParameters) entries") }
        var texts: [String: String] = [:]
        var weight = 0
        for (name, value) in values {
            guard let text = value.string else { throw key.fault("has texts as values") }
            guard !AuthorizationRequest.isReserved(name) else {
                throw key.fault("has a name that is the protocol's own: \(SettingsText.printable(name))")
            }
            guard (1...128).contains(name.utf8.count), isLine(name), isLine(text) else {
                throw key.fault("has names of 1 to 128 bytes, and names and values on one line")
            }
            weight += name.utf8.count + text.utf8.count
            texts[name] = text
        }
        guard weight <= longestQuery else { throw key.fault("has at most \(longestQuery) bytes in all") }
        return texts
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
