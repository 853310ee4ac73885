import BatonContract
import DBus
import LocalAccounts
import Providers

extension SignInRequest {
    /// Reads the options of `SignIn`, which are others for local accounts and for a provider.
    init(_ options: VariantDictionary, kind: IdentityKind) async throws {
        switch kind {
        case .local: try await self.init(ofLocalAccount: options)
        case .oidc: try self.init(ofProvider: options)
        }
    }

    private init(ofLocalAccount options: VariantDictionary) async throws {
        self.init()
        let options = try LocalSignIn(fromCaller: options)
        username = options.username
        try await read(options.pin)
    }

    /// For a lock, or to end one.
    init(ofLock pin: OwnedDescriptor?) async throws {
        self.init()
        unlocks = true
        try await read(pin)
    }

    private mutating func read(_ descriptor: OwnedDescriptor?) async throws {
        guard let descriptor else { return }
        do {
            pin = try await PINDescriptor.read(descriptor.rawValue)
        } catch {
            throw BatonError(.invalidArgument, "\(error).")
        }
    }

    init(ofProvider options: VariantDictionary) throws {
        self.init()
        let options = try ProviderSignIn(fromCaller: options)
        method = options.method
        redirectURI = options.redirectURI
        prompt = options.prompt
        maxAge = options.maxAge.map { Int64(clamping: $0) }
        loginHint = options.loginHint
        domainHint = options.domainHint
        correlationID = options.correlationID
    }
}
