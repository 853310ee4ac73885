import Baton
import BusTesting
import DBus
import ProviderTesting
import Synchronization
import TerminalTesting
import Testing

/// An app that registers, asks for tokens, and says at each sign-out that it has cleared.
struct TokenApp: Sendable {
    let peer: Peer
    let registration: Peer.Registration
    private let clearing: Task<Void, any Error>

    /// - Parameter given: Whose connection it has; nil: one of this process.
    static func register(
        _ terminal: Terminal, _ id: String = "org.example.Till", as given: Peer? = nil
    ) async throws -> TokenApp {
        let peer = if let given { given } else { try await Peer(terminal) }
        let outs = try await peer.signals(Device1.signingOut)
        let registration = try await peer.register(id)
        let clearing = Task {
            for try await out in outs {
                // It may have been told of this very epoch when it registered.
                _ = try? await peer.acknowledge(out.values.0, registration.instance)
            }
        }
        return TokenApp(peer: peer, registration: registration, clearing: clearing)
    }

    func silently(_ request: TokenRequest = TokenRequest()) async throws -> TokenResult {
        try #require(TokenResult(try await raw(Tokens.acquireTokenSilently, request.dictionary)))
    }

    /// Asks with a page, which `open` is told of, each that there is.
    func interactively(
        _ request: TokenRequest = TokenRequest(), _ open: @escaping @Sendable (SignInStep) async throws -> Void
    ) async throws -> TokenResult {
        let steps = try await peer.signals(Device1.signInStep)
        let pages = Task {
            for try await step in steps {
                guard let step = SignInStep(step.values) else { throw TestingError("a step that is none") }
                do {
                    try await open(step)
                } catch {
                    try? await peer.call(Device1.cancelSignIn)
                    throw error
                }
            }
        }
        defer { pages.cancel() }
        return try #require(TokenResult(try await raw(Tokens.acquireToken, request.dictionary)))
    }

    /// The same, with a worker who types what the pages ask for.
    func interactively(
        _ request: TokenRequest = TokenRequest(), _ ward: ProviderTerminal, _ browser: FormBrowser,
        as account: ProviderAccount = DevelopmentProviderProcess.ana
    ) async throws -> TokenResult {
        let device = ward.device
        return try await interactively(request) { step in
            try await ProviderTerminal.deliver(try await browser.signIn(at: step.url, as: account), to: device)
        }
    }

    func raw(
        _ method: Method<VariantDictionary, VariantDictionary>, _ parameters: VariantDictionary
    ) async throws -> VariantDictionary {
        do {
            return try await peer.call(method, parameters)
        } catch let error as DBusError {
            guard let refusal = BatonError(error) else { throw error }
            guard let id = CorrelationID.at(endOf: refusal.message) else { throw refusal }
            throw refusal.with(details: try await peer.call(Tokens.getErrorDetails, id))
        }
    }
}

/// The contract's error that `body` ends with.
func refusal(_ body: () async throws -> some Any) async throws -> BatonError {
    do {
        _ = try await body()
    } catch let error as BatonError {
        return error
    }
    throw TestingError("it was not refused")
}

extension BatonError {
    var tokenDetails: TokenErrorDetails { TokenErrorDetails(details) }
}

/// Counts how often a page was opened.
final class Pages: Sendable {
    private let opened = Mutex(0)
    var count: Int { opened.withLock { $0 } }
    func note() { opened.withLock { $0 += 1 } }
}
