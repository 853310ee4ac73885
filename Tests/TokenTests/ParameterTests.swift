import Baton
import DBus
import ProviderTesting
import TerminalTesting
import Testing
import WebText

@Suite("Parameters of a token", .timeLimit(.minutes(2)))
struct ParameterTests {
    /// A value of a type that the key does not have.
    private static func wrongType(_ key: TokenRequest.Key) -> [Variant] {
        let all: [Variant] = [
            .string("x"), .strings(["x"]), .boolean(true), .uint64(1), .dictionary([:]), .bytes([1]),
            .variant(.string("x")), .structure([.string("x")]),
        ]
        return all.filter { $0.typeSignature != key.signature }
    }

    /// Values of the right type that nobody should send.
    private static func hostile(_ key: TokenRequest.Key) -> [Variant] {
        let huge = String(repeating: "a", count: 100_000)
        switch key {
        case .scopes, .extraScopes:
            return [
                [huge], [""], ["two words"], ["quote\""], ["back\\slash"], ["new\nline"], ["ä"],
                (0..<1000).map { "scope-\($0)" }, (0..<60).map { _ in String(repeating: "s", count: 500) },
            ].map { .strings($0) }
        case .prompt: return ["", "none", "LOGIN", huge].map { .string($0) }
        case .loginHint, .domainHint, .account: return ["", huge, "two\nlines", "\u{7}"].map { .string($0) }
        case .claims:
            return [
                "", huge, "[]", "\"text\"", "{", #"{"a":1}x"#, "null", String(repeating: "[", count: 4000),
                #"{"a":"# + String(repeating: "[", count: 2000),
            ].map { .string($0) }
        case .correlationID: return ["", huge, "with space", "ünder", "new\nline", "a/b"].map { .string($0) }
        case .extraQueryParameters:
            return [
                ["client_id": .string("other")], ["Redirect_URI": .string("x")], ["state": .string("x")],
                ["a": .uint64(1)], ["a": .strings(["x"])], ["": .string("x")], ["a\n": .string("x")],
                ["a": .string("\r\nx")], [huge: .string("x")], ["a": .string(huge)],
                Dictionary(uniqueKeysWithValues: (0..<100).map { ("p\($0)", Variant.string("x")) }),
            ].map { .dictionary($0) }
        // Any address of the right type gets an error of its own; of a flag there is no wrong value.
        case .redirectURI, .forceRefresh: return []
        }
    }

    @Test func `of another type, huge or hostile are refused by the name of their key, and harm nobody`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ProviderTerminal.start(at: provider.issuer)
        let app = try await TokenApp.register(ward.terminal)
        try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        for key in TokenRequest.Key.allCases {
            for value in Self.wrongType(key) + Self.hostile(key) {
                for method in [Tokens.acquireTokenSilently, Tokens.acquireToken] {
                    let refused = try await refusal { try await app.raw(method, [key.rawValue: value]) }
                    #expect(refused.code == .invalidArgument, "\(method.name) \(key)")
                    #expect(refused.message.contains("'\(key.rawValue)'"), "\(refused)")
                    #expect(refused.message.utf8.count < 500)
                }
            }
        }
        for unknown in ["scope", "", "client-id", String(repeating: "k", count: 10_000), "a\nb"] {
            let refused = try await refusal { try await app.raw(Tokens.acquireTokenSilently, [unknown: .string("x")]) }
            #expect(refused.code == .invalidArgument && refused.message.utf8.count < 500)
        }
        #expect(try await ward.phase() == .inUse)
        _ = try await app.silently()
    }

    @Test(arguments: TokenRequest.Key.allCases.filter(\.isInteractiveOnly))
    func `that only a page could obey are refused where there is none`(key: TokenRequest.Key) async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        let app = try await TokenApp.register(terminal)
        let value: Variant =
            switch key.signature {
            case "as": .strings(["mail"])
            case "a{sv}": .dictionary([:])
            default: .string("login")
            }
        let refused = try await refusal { try await app.raw(Tokens.acquireTokenSilently, [key.rawValue: value]) }
        #expect(refused.code == .invalidArgument && refused.message.contains("'\(key.rawValue)'"))
        #expect(refused.message.contains("AcquireToken"))
        withExtendedLifetime(daemon) {}
    }
}
