import FolderTesting
import KioskTesting
import ProviderTesting
import Testing

@Suite(.asOrdinaryUser, .timeLimit(.minutes(2))) struct BrowserSignInTests {
    @Test func `A provider on demand signs a person in and out in a real browser that nobody types in`() async throws {
        let authority = try await TestCertificateAuthority(names: TestSite.certificateNames)
        let site = try await TestSite.start(authority)
        let provider = try await DevelopmentProviderProcess.start(
            [
                "--client", "site", "--redirect-uri", "\(site.address)/arrived",
                "--post-logout-redirect-uri", "\(site.address)/arrived",
            ], certificateAuthority: authority, hostName: "idp.test")
        let home = try TemporaryFolder("chromium")
        try await NSSStore.make(inHome: home.path, authority)
        let display = try VirtualDisplay()
        let browser = try PipedChromium(
            home: home.path, display: display.display,
            arguments: TestSite.chromiumArguments() + (1...4).map { site.standbyAddress("page\($0)") })
        let authorize =
            "\(provider.issuer)/authorize?client_id=site&redirect_uri=\(site.address)/arrived&response_type=code"
            + "&scope=openid&state=s&nonce=n&code_challenge=\(String(repeating: "c", count: 43))"
            + "&code_challenge_method=S256"

        try await provider.signInNext(DevelopmentProviderProcess.ana)
        try await site.send("page1", to: authorize + "&prompt=login")
        #expect(try await site.request(for: "/arrived").contains("code="))

        // The session is the browser's: its cookie answers without anybody.
        try await site.send("page2", to: authorize + "&prompt=none")
        #expect(try await site.request(for: "/arrived", count: 2).contains("code="))

        try await provider.misbehave("log-out-without-page")
        try await site.send(
            "page3",
            to: "\(provider.issuer)/logout?client_id=site&post_logout_redirect_uri=\(site.address)/arrived&state=out")
        #expect(try await site.request(for: "/arrived", count: 3).contains("state=out"))
        try await site.send("page4", to: authorize + "&prompt=none")
        #expect(try await site.request(for: "/arrived", count: 4).contains("error=login_required"))
        try await browser.close()
    }
}
