import Baton
import Identity
import ProviderTesting
import Secrets
import Testing

/// The end of a session, with a real provider at the other end.
@Suite(.timeLimit(.minutes(2))) struct GlewlwydSignOutTests {
    @Test(arguments: [false, true])
    func `A log-out in the browser ends the session there and leads back`(isSecure: Bool) async throws {
        let authority = isSecure ? try await TestCertificateAuthority() : nil
        try await withGlewlwyd(certificateAuthority: authority) { glewlwyd in
            try await withClient(of: glewlwyd) { client in
                let browser = glewlwyd.browser()
                let session = try await client.signIn(with: browser).session
                let page = try await browser.client.get("\(glewlwyd.origin)/api/profile_list")
                #expect(page.status == 200 && page.text.contains("ana"))
                let address = try #require(await session.logoutURL(state: "back-again"))
                let end = try #require(try await browser.signOut(at: address))
                #expect(end == Glewlwyd.postLogoutRedirectURI + "?state=back-again")
                let after = try await browser.client.get("\(glewlwyd.origin)/api/profile_list")
                #expect(after.status == 401)
            }
        }
    }

    @Test func `A page that waits for a click is no log-out, and a client without a secret cannot revoke`() async throws
    {
        try await withGlewlwyd { glewlwyd in
            try await withClient(of: glewlwyd) { client in
                let session = try await client.signIn(with: glewlwyd.browser()).session
                let result = await session.signOut(within: .seconds(10))
                #expect(result.outcome != .signedOut && result.outcome != .pending)
                let cause = await cause { () async throws(IdentityError) in
                    try await session.accessToken(scopes: [], correlationID: "")
                }
                #expect(cause == .canceled)
            }
        }
    }

    @Test func `A client with a secret revokes its tokens at sign-out`() async throws {
        try await withGlewlwyd { glewlwyd in
            try await withClient(of: glewlwyd, id: Glewlwyd.confidentialClient) { client in
                let session = try await client.signIn(with: glewlwyd.browser()).session
                let copy = try #require(WorkerSession(sealed: await session.sealed(), client: client.openID))
                let token = try await session.accessToken(scopes: [], correlationID: "")
                let result = await session.signOut(within: .seconds(10))
                #expect(result.outcome == .revoked)
                let cause = await cause { () async throws(IdentityError) in
                    try await copy.accessToken(scopes: [], forceRefresh: true, correlationID: "")
                }
                #expect(cause == .interactionRequired(code: "invalid_grant"))
                let userinfo = try await WebClient().get(
                    "\(glewlwyd.issuer)/userinfo", headers: [("Authorization", "Bearer \(token.token.text)")])
                #expect(userinfo.status == 401)
            }
        }
    }

    @Test func `A back-channel notice is verified, is meant for the worker's session, and counts once`() async throws {
        try await withGlewlwyd { glewlwyd in
            try await withNoticeReceiver { receiver in
                var registration = Glewlwyd.Registration(redirectURIs: [Glewlwyd.redirectURI])
                registration.backChannelLogoutURI = "\(receiver.origin)/back-channel-logout"
                try await glewlwyd.register(registration)
                try await withClient(of: glewlwyd) { client in
                    let browser = glewlwyd.browser()
                    let signedIn = try await client.signIn(with: browser)
                    let other = try await client.signIn(Glewlwyd.ben, with: glewlwyd.browser())
                    _ = try await browser.signOut(at: try #require(await signedIn.session.logoutURL(state: "s")))

                    let posted = try #require(await receiver.next())
                    #expect(posted.method == "POST" && posted.target == "/back-channel-logout")
                    let token = try #require(queryFields(of: "?\(posted.body)")["logout_token"])
                    let forged = String(token.dropLast(8)) + (token.hasSuffix("AAAAAAAA") ? "BBBBBBBB" : "AAAAAAAA")
                    let cause = await cause { () async throws(IdentityError) in
                        try await client.openID.verifyLogoutToken(forged)
                    }
                    #expect(cause != nil)
                    let notice = try await client.openID.verifyLogoutToken(token)
                    #expect(notice.concerns(signedIn.identity) && !notice.concerns(other.identity))
                    let again = await ProviderTests.cause { () async throws(IdentityError) in
                        try await client.openID.verifyLogoutToken(token)
                    }
                    guard case .notTrusted? = again else {
                        Issue.record("replayed: \(String(describing: again))")
                        return
                    }
                }
            }
        }
    }

    @Test func `A front-channel notice names the worker's session`() async throws {
        try await withGlewlwyd { glewlwyd in
            try await withNoticeReceiver { receiver in
                var registration = Glewlwyd.Registration(redirectURIs: [Glewlwyd.redirectURI])
                registration.frontChannelLogoutURI = "\(receiver.origin)/front-channel-logout"
                try await glewlwyd.register(registration)
                try await withClient(of: glewlwyd) { client in
                    let browser = glewlwyd.browser()
                    let signedIn = try await client.signIn(with: browser)
                    _ = try await browser.signOut(at: try #require(await signedIn.session.logoutURL(state: "s")))
                    let request = try #require(await receiver.next())
                    let fields = queryFields(of: request.target)
                    let notice = try #require(
                        LogoutNotice.frontChannelNotice(issuer: fields["iss"], sessionID: fields["sid"]))
                    #expect(request.method == "GET" && notice.concerns(signedIn.identity))
                }
            }
        }
    }
}
