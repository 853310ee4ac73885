import Dispatch
import Identity
import Synchronization

/// What comes from an identity provider, or claims to.
enum ProviderWays {
    static let all: [Way] = [
        Way("discovery") { bytes in _ = authority.map { FuzzEntry.discovery(bytes, authority: $0) } },
        Way("keys") { bytes in _ = FuzzEntry.keys(bytes) },
        Way("answer") { bytes in
            _ = authority.map { FuzzEntry.answer(bytes, authority: $0, metadata: metadata) }
        },
        Way("address") { bytes in _ = FuzzEntry.address(bytes) },
        Way("id-token") { bytes in precondition(tokens?.idToken(bytes) != true, "an ID token was believed") },
        Way("logout-token") { bytes in
            precondition(tokens?.logoutToken(bytes) != true, "a logout token was believed")
        },
        Way("redirect") { bytes in _ = FlowFuzzEntry.redirect(bytes) },
        Way("token-answer") { bytes in _ = FlowFuzzEntry.tokenAnswer(bytes) },
        Way("error-answer") { bytes in _ = FlowFuzzEntry.errorAnswer(bytes, status: 400) },
        Way("device-answer") { bytes in _ = FlowFuzzEntry.deviceAnswer(bytes) },
    ]

    private static let authority = try? Authority("https://login.example")

    /// Never believed: what has a right signature cannot be made by changing bytes.
    private static let tokens: TokenFuzzEntry? = {
        // An RSA key of 2048 bits made for this, whose private half nobody has.
        let modulus =
            "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhM"
            + "stn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1"
            + "n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"
        let keys = #"{"keys":[{"kty":"RSA","kid":"1","alg":"RS256","e":"AQAB","n":"\#(modulus)"}]}"#
        guard let authority else { return nil }
        let made = Mutex<TokenFuzzEntry?>(nil)
        let ready = DispatchSemaphore(value: 0)
        Task {
            let entry = try? await TokenFuzzEntry(
                keys: Array(keys.utf8), authority: authority, metadata: metadata, clientID: "baton", now: 1_700_000_000)
            made.withLock { $0 = entry }
            ready.signal()
        }
        ready.wait()
        return made.withLock { $0 }
    }()

    private static let metadata = ProviderMetadata(
        issuer: "https://login.example", authorizationEndpoint: "https://login.example/authorize",
        tokenEndpoint: "https://login.example/token", jwksURI: "https://login.example/keys")
}
