import BatonContract
import DBus
import Testing

struct TokenMessageTests {
    @Test func `a request puts only what was set on the bus, each under its key with its signature`() {
        #expect(TokenRequest().dictionary.isEmpty)
        let request = TokenRequest(
            scopes: ["mail"], extraScopesToConsent: ["files"], prompt: .selectAccount, loginHint: "ana",
            domainHint: "ward", claims: "{}", extraQueryParameters: ["dc": "eu"], forceRefresh: true,
            redirectURI: Tokens.ownRedirectURI, account: "issuer#ana", correlationID: "c-1")
        let sent = request.dictionary
        for key in TokenRequest.Key.allCases {
            #expect(sent[key.rawValue]?.typeSignature == key.signature, "\(key)")
        }
        #expect(sent.count == TokenRequest.Key.allCases.count)
    }

    @Test func `a result comes through whole, and shows no secret when it is printed`() throws {
        let result = TokenResult(
            accessToken: "canary-access", expires: 7, scopes: ["mail"], declinedScopes: ["files"],
            idToken: "canary-id", account: Account(id: "issuer#ana", name: "Ana"), claims: "{\"sub\":\"ana\"}",
            authority: "issuer", correlationID: "c-1", epoch: 3)
        let read = try #require(TokenResult(result.dictionary))
        #expect(read.dictionary == result.dictionary)
        var dumped = ""
        dump(read, to: &dumped)
        for text in ["\(read)", String(reflecting: read), dumped] { #expect(!text.contains("canary")) }
    }

    @Test func `an answer without a token or an account is none`() {
        let whole = TokenResult(
            accessToken: "t", expires: 7, scopes: [], account: Account(id: "a"), authority: "i", correlationID: "c",
            epoch: 1)
        for key in ["access-token", "account"] {
            var cut = whole.dictionary
            cut[key] = nil
            #expect(TokenResult(cut) == nil)
            cut[key] = .uint64(1)
            #expect(TokenResult(cut) == nil)
        }
    }
}
