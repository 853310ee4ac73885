import BusTesting
import FolderTesting
import Glibc
import ProviderTesting
import Testing
import WebText

/// What Glewlwyd does by itself, so that a test of ours that fails there says something of us.
@Suite(.timeLimit(.minutes(2))) struct GlewlwydTests {
    /// RFC 7636, appendix B.
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    @Test(arguments: [false, true])
    func `Ana signs in and her code is worth tokens`(isSecure: Bool) async throws {
        let authority = isSecure ? try await TestCertificateAuthority() : nil
        try await withGlewlwyd(certificateAuthority: authority) { glewlwyd in
            let browser = glewlwyd.browser()
            let discovery = try await browser.client.get("\(glewlwyd.issuer)/.well-known/openid-configuration").json
            #expect(discovery?["issuer"]?.string == glewlwyd.issuer)
            #expect(glewlwyd.issuer.hasPrefix(isSecure ? "https://localhost:" : "http://127.0.0.1:"))

            let redirect = try await browser.signIn(at: Self.authorization(at: glewlwyd), as: Glewlwyd.ana)
            #expect(redirect.hasPrefix(Glewlwyd.redirectURI + "?"))
            let answer = queryFields(of: redirect)
            #expect(answer["state"] == "a-state-of-this-test" && answer["iss"] == glewlwyd.issuer)
            let code = try #require(answer["code"])

            let endpoint = try #require(discovery?["token_endpoint"]?.string)
            let tokens = try await WebClient(caFile: authority?.caFile).post(
                endpoint,
                form: [
                    ("grant_type", "authorization_code"), ("client_id", Glewlwyd.publicClient), ("code", code),
                    ("redirect_uri", Glewlwyd.redirectURI), ("code_verifier", Self.verifier),
                ])
            #expect(tokens.status == 200)
            for name in ["access_token", "refresh_token", "id_token"] { #expect(tokens.json?[name]?.string != nil) }
        }
    }

    @Test func `a wrong password is refused`() async throws {
        try await withGlewlwyd { glewlwyd in
            let stranger = ProviderAccount(username: "ana", password: "something else", name: "")
            await #expect(throws: TestingError.self) {
                try await glewlwyd.browser().signIn(at: Self.authorization(at: glewlwyd), as: stranger)
            }
        }
    }

    @Test func `a client that does not know the CA gets no connection`() async throws {
        try await withGlewlwyd(certificateAuthority: try await TestCertificateAuthority()) { glewlwyd in
            let other = try await TestCertificateAuthority()
            await #expect(throws: (any Error).self) {
                try await WebClient(caFile: other.caFile).get("\(glewlwyd.issuer)/.well-known/openid-configuration")
            }
        }
    }

    @Test func `it is gone, with its folder, when nobody holds it any more`() async throws {
        let (pid, folder) = try await withGlewlwyd { ($0.processID, $0.folder.path) }
        #expect(kill(pid, 0) != 0)
        #expect(access(folder, F_OK) != 0)
    }

    @Test func `it is gone when a test fails or its time is over`() async throws {
        let (pids, found) = AsyncStream.makeStream(of: Int32.self)
        let failing = await #expect(throws: TestingError.self) {
            try await withGlewlwyd { glewlwyd in
                found.yield(glewlwyd.processID)
                throw TestingError("a test that fails")
            }
        }
        #expect(failing?.description == "a test that fails")
        let cancelled = Task {
            try await withGlewlwyd { glewlwyd in
                found.yield(glewlwyd.processID)
                try await Task.sleep(for: .seconds(100))
            }
        }
        var iterator = pids.makeAsyncIterator()
        let first = try #require(await iterator.next())
        let second = try #require(await iterator.next())
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(kill(first, 0) != 0 && kill(second, 0) != 0)
    }

    @Test func `a form is read with its fields, its buttons and what is in them`() throws {
        let page = """
            <p>Sign in</p><form action='/a&amp;b' method="POST"><input name=user value="x &quot;y&quot;">
            <input type="checkbox" name="keep" checked><input type="checkbox" name="share"><br/>
            <button name="action" value="no">Cancel</button><input type="submit" name="action" value="yes">
            </form><form action="second"></form>
            """
        let forms = HTMLForm.all(in: page)
        #expect(forms.map(\.action) == ["/a&b", "second"])
        let form = try #require(forms.first)
        #expect(form.isPost && form.fields.map(\.name) == ["user", "keep"])
        #expect(form.fields.map(\.value) == ["x \"y\"", "on"])
        #expect(form.buttons.map(\.label) == ["Cancel", "yes"] && form.buttons.map(\.value) == ["no", "yes"])
    }

    @Test(arguments: ["", "<form", "<form>", "<<<>", "<form a=b c='", "<form =x>", "</form><form"])
    func `a page that is broken off does no harm`(page: String) {
        #expect(HTMLForm.all(in: page).count <= 2)
    }

    private static func authorization(at glewlwyd: Glewlwyd) -> String {
        "\(glewlwyd.issuer)/auth?response_type=code&client_id=\(Glewlwyd.publicClient)&scope=openid%20offline_access"
            + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A7777%2Fanswer&state=a-state-of-this-test&nonce=a-nonce"
            + "&code_challenge=\(challenge)&code_challenge_method=S256"
    }
}
