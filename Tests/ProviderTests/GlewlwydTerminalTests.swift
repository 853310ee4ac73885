import Baton
import BatonContract
import DBus
import FolderTesting
import ProviderTesting
import TerminalTesting
import Testing

/// A whole terminal, with a real provider over https at the other end.
@Suite(.timeLimit(.minutes(3))) struct GlewlwydTerminalTests {
    /// Runs `body` with a terminal that this Glewlwyd knows, and a browser to sign in with.
    private func withTerminal(
        client: String = Glewlwyd.publicClient,
        _ body: (ProviderTerminal, Glewlwyd, GlewlwydBrowser) async throws -> Void
    ) async throws {
        let authority = try await TestCertificateAuthority()
        try await withGlewlwyd(certificateAuthority: authority) { glewlwyd in
            let port = try freePort()
            let page = "http://127.0.0.1:\(port)"
            var registration = Glewlwyd.Registration(redirectURIs: ["\(page)/signed-in"])
            registration.postLogoutRedirectURIs = ["\(page)/signed-out"]
            registration.backChannelLogoutURI = "\(page)/back-channel-logout"
            try await glewlwyd.register(registration, of: client)
            var identity = ["loopback-port: \(port)"]
            if client == Glewlwyd.confidentialClient {
                let secret = try glewlwyd.folder.write(
                    Glewlwyd.clientSecret + "\n", to: "client-secret", mode: 0o600)
                identity.append("client-secret-file: \(secret)")
            }
            let ward = try await ProviderTerminal.start(
                at: glewlwyd.issuer, client: client, identity: identity, caFile: authority.caFile)
            try await body(ward, glewlwyd, glewlwyd.browser())
        }
    }

    @Test func `A worker holds the device until the provider ends the session`() async throws {
        try await withTerminal { ward, _, browser in
            let (epoch, account) = try await ward.signIn(Glewlwyd.ana, with: browser)
            #expect(account.username == "ana" && account.name == "Ana Horvat")
            let peer = try await Peer(ward.terminal)
            let outs = try await peer.signals(Device1.signedOut)
            try await browser.endSession()
            for try await out in outs {
                #expect(out.values.0 == epoch)
                break
            }
            #expect(try await ward.device.receipt(epoch).reason == .provider)
            #expect(try await ward.phase() == .ready)
        }
    }

    @Test func `A worker signs in with their phone, and another one takes over`() async throws {
        try await withTerminal { ward, glewlwyd, browser in
            let first = try await ward.signIn(Glewlwyd.ana, with: browser, ProviderSignIn(.deviceCode))
            #expect(first.account.username == "ana")
            // Without a secret it may not revoke, and its log-out page waits for a click.
            #expect(try await ward.device.signOut().receipt?.provider != .signedOut)
            let second = try await ward.signIn(Glewlwyd.ben, with: glewlwyd.browser())
            #expect(second.account.username == "ben" && second.epoch > first.epoch)
        }
    }

    @Test func `With a secret from a file the tokens are revoked at sign-out`() async throws {
        try await withTerminal(client: Glewlwyd.confidentialClient) { ward, _, browser in
            try await ward.signIn(Glewlwyd.ben, with: browser)
            #expect(try await ward.device.signOut().receipt?.provider == .revoked)
        }
    }
}
