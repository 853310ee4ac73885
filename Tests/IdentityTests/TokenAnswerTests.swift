import Secrets
import Testing

@testable import Identity

@Suite struct TokenAnswerTests {
    private func read(_ text: String) throws(IdentityError) -> TokenAnswer { try TokenAnswer(body: Array(text.utf8)) }

    @Test func `A whole answer is read`() throws {
        let answer = try read(
            #"{"access_token": "a", "token_type": "bEaReR", "expires_in": 3600, "refresh_token": "r", "id_token": "i", "scope": "openid  x"}"#
        )
        #expect(answer.accessToken?.text == "a")
        #expect(answer.expiresIn == 3600)
        #expect(answer.refreshToken?.text == "r")
        #expect(answer.idToken?.text == "i")
        #expect(answer.scopes == ["openid", "x"])
    }

    @Test func `An ID token alone is an answer too`() throws {
        for type in [#", "token_type": "Bearer""#, ""] {
            let answer = try read(#"{"id_token": "i", "id_token_expires_in": 3600\#(type), "not_before": 1}"#)
            #expect(answer.accessToken == nil && answer.idToken?.text == "i" && answer.all.isEmpty)
        }
    }

    @Test(arguments: [
        ("eyJ1aWQiOiJhIiwidXRpZCI6IkIxQzJEM0U0LTExMTEtMjIyMi0zMzMzLTQ0NDQ0NDQ0NDQ0NCJ9", true),
        ("eyJ1aWQiOiJhIGIiLCJ1dGlkIjoiYjFjMmQzZTQtMTExMS0yMjIyLTMzMzMtNDQ0NDQ0NDQ0NDQ0In0", false),
        ("eyJ1aWQiOiJhIiwidXRpZCI6ImNvbW1vbiJ9", false), ("e30", false), ("???", false), ("", false),
    ])
    func `Whose account it is at home is read, or nothing of it`(text: String, isGood: Bool) throws {
        let answer = try read(#"{"access_token": "a", "token_type": "Bearer", "client_info": "\#(text)"}"#)
        #expect(
            answer.clientInfo
                == (isGood ? ClientInfo(objectID: "a", tenant: "b1c2d3e4-1111-2222-3333-444444444444") : nil))
    }

    @Test(arguments: [
        ("3600", Int64?.some(3600)), (#""3600""#, 3600), ("3600.0", 3600), ("-1", 0), ("0", 0), ("1e300", nil),
        ("9223372036854775807", 315_360_000), ("99999999999999999999", nil), ("null", nil), (#""soon""#, nil),
        ("[]", nil), ("true", nil), ("3599.5", nil),
    ])
    func `The life of a token is a number, however it is written`(written: String, expected: Int64?) throws {
        let answer = try read(#"{"access_token": "a", "token_type": "Bearer", "expires_in": \#(written)}"#)
        #expect(answer.expiresIn == expected)
    }

    @Test(arguments: [
        ("", "token answer"), ("null", "token answer"), ("[]", "token answer"), ("\u{0}\u{1}", "token answer"),
        (#""text""#, "token answer"), ("{", "token answer"), ("{}", "access_token"),
        (#"{"access_token": null}"#, "access_token"), (#"{"access_token": ""}"#, "access_token"),
        (#"{"access_token": 7}"#, "access_token"), (#"{"access_token": ["a"]}"#, "access_token"),
        (#"{"access_token": "a\u0000"}"#, "access_token"), (#"{"access_token": "a\r\nX: y"}"#, "access_token"),
        (#"{"access_token": "a"}"#, "token_type"), (#"{"access_token": "a", "token_type": "mac"}"#, "token_type"),
        (#"{"access_token": "a", "token_type": 1}"#, "token_type"),
        (#"{"access_token": "a", "token_type": "Bearer", "refresh_token": {}}"#, "refresh_token"),
        (#"{"access_token": "a", "token_type": "Bearer", "id_token": false}"#, "id_token"),
    ])
    func `What is missing or wrong is refused by name`(text: String, what: String) async {
        #expect(await cause { _ = try read(text) } == .invalidAnswer(what: what))
    }

    @Test func `A token is at most 256 KiB`() async throws {
        let longest = String(repeating: "a", count: TokenAnswer.longestToken)
        #expect(try read(#"{"access_token": "\#(longest)", "token_type": "Bearer"}"#).accessToken?.count == 262_144)
        for name in ["access_token", "refresh_token", "id_token"] {
            let answer =
                #"{"\#(name)": "\#(longest)a", "token_type": "Bearer"\#(name == "access_token" ? "" : #", "access_token": "a""#)}"#
            #expect(await cause { _ = try read(answer) } == .invalidAnswer(what: name))
        }
    }

    @Test func `Deep nesting does no harm`() async {
        let deep = String(repeating: "[", count: 400_000) + String(repeating: "]", count: 400_000)
        #expect(await cause { _ = try read(deep) } == .invalidAnswer(what: "token answer"))
        let objects = String(repeating: #"{"a":"#, count: 100_000)
        #expect(await cause { _ = try read(objects) } == .invalidAnswer(what: "token answer"))
    }

    @Test func `Odd scopes are no fault`() throws {
        for scope in ["7", "{}", "null", #"[1, "a"]"#] {
            #expect(try read(#"{"access_token": "a", "token_type": "Bearer", "scope": \#(scope)}"#).scopes == nil)
        }
        #expect(try read(#"{"access_token": "a", "token_type": "Bearer", "scope": ["a", "b"]}"#).scopes == ["a", "b"])
        let many = (0..<5000).map { "s\($0)" }.joined(separator: " ")
        let answer = try read(#"{"access_token": "a", "token_type": "Bearer", "scope": "\#(many)"}"#)
        #expect(ScopeSet(granted: answer.scopes ?? []).list.count == 128)
    }
}
