internal import BatonContract
internal import DBus
internal import LocalAccounts
internal import Providers

extension SignInRequest {
    /// Reads the options of `SignIn`, which are others for local accounts and for a provider.
    init(_ options: VariantDictionary, kind: String) async throws {
        if kind == "local" {
            try await self.init(ofLocalAccount: options)
        } else {
            try self.init(ofProvider: options)
        }
    }

    private init(ofLocalAccount options: VariantDictionary) async throws {
        self.init()
        try options.allow(["username": "s", "pin": "h"])
        username = options["username"]?.string
        guard let descriptor = options["pin"]?.descriptor else { return }
        do {
            pin = try await PINDescriptor.read(descriptor.rawValue)
        } catch {
            throw BatonError(.invalidArgument, "\(error).")
        }
    }

    init(ofProvider options: VariantDictionary) throws {
        self.init()
        try options.allow([
            "method": "s", "redirect-uri": "s", "prompt": "s", "max-age": "t", "login-hint": "s", "domain-hint": "s",
            "correlation-id": "s",
        ])
        if let word = options["method"]?.string {
            guard let method = Method(rawValue: word) else {
                throw BatonError(.invalidArgument, "method is 'browser' or 'device-code'.")
            }
            self.method = method
        }
        redirectURI = options["redirect-uri"]?.string
        prompt = try options.plain("prompt")
        maxAge = options["max-age"]?.uint64.map { Int64(clamping: $0) }
        loginHint = try options.plain("login-hint")
        domainHint = try options.plain("domain-hint")
        correlationID = try options.plain("correlation-id")
    }
}

extension VariantDictionary {
    /// A text of an option that goes to the provider and into a log.
    fileprivate func plain(_ key: String) throws -> String? {
        guard let text = self[key]?.string else { return nil }
        guard (1...256).contains(text.utf8.count),
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw BatonError(.invalidArgument, "The option '\(key)' is a text of 1 to 256 bytes on one line.") }
        return text
    }
}
