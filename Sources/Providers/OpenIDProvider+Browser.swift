import BatonContract
import Identity
package import SessionMachine
import Settings
package import Vocabulary

/// What concerns the browser that the agent manages.
extension OpenIDProvider {
    /// How long a turn's begin waits for the provider's addresses, which it mostly has from the sign-in.
    private static let pagesWait: Duration = .seconds(2)
    /// The same of a sign-out: the worker's window is closed with or without them.
    private static let logOutWait: Duration = .milliseconds(300)

    /// Where the provider sends the managed browser after a sign-in; nil where none is managed.
    var ownRedirectURI: String? { browser.isManaged ? browser.address + BrowserPaths.signedIn : nil }

    package func browserPages() async -> ProviderPages? {
        guard browser.isManaged else { return nil }
        let client = client
        let metadata = await bounded(Self.pagesWait, on: thread) { try? await client.metadata() }
        return metadata.map { metadata in
            let endSession = metadata.endSessionEndpoint ?? ""
            return ProviderPages(
                endSession: endSession, logOuts: client.settings.authority.logOutAddresses(beside: endSession))
        }
    }

    package func beginBrowserLogOut(_ epoch: Epoch) async -> BrowserLogOut? {
        guard let session = sessions[epoch]?.session else { return nil }
        logOutPages[epoch] = []
        var random = SystemRandomNumberGenerator()
        let state = (0..<4).map { _ in String(random.next() as UInt64, radix: 36) }.joined()
        guard let url = await bounded(Self.logOutWait, on: thread, { await session.logoutURL(state: state) }) else {
            await endBrowserLogOut(epoch, isConfirmed: false)
            return nil
        }
        let answer = client.settings.postLogoutRedirectURI.map { "\($0)\($0.contains("?") ? "&" : "?")state=\(state)" }
        return BrowserLogOut(url: url, answer: answer ?? "")
    }

    package func endBrowserLogOut(_ epoch: Epoch, isConfirmed: Bool) async {
        if isConfirmed { await sessions[epoch]?.session.endedInBrowser() }
        for waiter in logOutPages.removeValue(forKey: epoch) ?? [] { waiter.finish() }
        await settleLate(epoch, isConfirmed: isConfirmed)
    }

    /// Waits until the page in the worker's browser has said what it has to say, as long as it is open.
    func waitForBrowserLogOut(_ epoch: Epoch, atMost limit: Duration) async {
        guard logOutPages[epoch] != nil else { return }
        let (end, waiter) = AsyncStream.makeStream(of: Void.self)
        logOutPages[epoch]?.append(waiter)
        _ = await bounded(limit, on: thread) {
            for await _ in end {}
            return true
        }
    }

    package func handle(frontChannelFrom issuer: String, session: String) async -> Bool {
        await notice(LogoutNotice.frontChannelNotice(issuer: issuer, sessionID: session), isSigned: false)
    }
}
