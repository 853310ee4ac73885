package import BatonContract
import Identity
import Logging
import Loopback
import SessionMachine
package import Settings
import SystemPackage

/// Whether workers could sign in at the provider, looked at without a worker.
package struct ProviderTrial: Sendable {
    package typealias Finding = SettingsCheck.ProviderFinding

    /// The port of a loopback redirect is not compared (RFC 8252, section 7.3).
    private static let anyPort: UInt16 = 49152
    /// Of each request; a person waits for it.
    private static let longest = Duration.seconds(10)

    private let settings: OpenIDSettings
    private let redirectURI: String
    private let offersPhone: Bool

    package init(_ settings: OpenIDSettings, of all: Settings) {
        self.settings = settings
        offersPhone = all.startPage.offersPhone
        let port = settings.loopbackPort == 0 ? Self.anyPort : settings.loopbackPort
        redirectURI =
            all.browser.isManaged
            ? all.browser.address + BrowserPaths.signedIn : "http://127.0.0.1:\(port)\(LoopbackListener.Paths.redirect)"
    }

    package func run() async -> Finding {
        do throws(IdentityError) {
            let http = try HTTPSExchange(
                requestTimeout: min(settings.requestTimeout, Self.longest), caFile: settings.caFile?.string,
                proxy: settings.proxy)
            let finding = await run(
                http,
                IdentityClock(
                    seconds: { Clock.system.now().wall / 1_000_000 }, sleep: { try await Task.sleep(for: $0) }))
            await http.shutdown()
            return finding
        } catch {
            return Finding(state: .wrong, reason: .settings, text: error.text)
        }
    }

    private func run(_ http: HTTPSExchange, _ clock: IdentityClock) async -> Finding {
        do throws(IdentityError) {
            let client = OpenIDClient(
                settings: try ClientSettings(settings), http: http, clock: clock,
                log: Logger(label: "trial") { _ in SwiftLogNoOpLogHandler() })
            let finding = judge(try await client.tryWithoutPage(redirectURI))
            guard offersPhone, finding.state != .wrong,
                try await client.metadata().deviceAuthorizationEndpoint == nil
            else { return finding }
            return Finding(
                state: .wrong, reason: .settings,
                text:
                    "\(SettingsKey.startPagePhone) is true, and the provider offers no sign-in with another device: its "
                    + "metadata has no device_authorization_endpoint",
                redirectURI: redirectURI)
        } catch {
            return judge(error)
        }
    }

    private func judge(_ trial: OpenIDClient.Trial) -> Finding {
        switch trial {
        case .accepted:
            Finding(
                state: .ok, text: "the provider answers, and knows the redirect URI \(redirectURI)",
                redirectURI: redirectURI)
        case .refused(let code, let status):
            Finding(
                state: .wrong, reason: .client,
                text: code.isEmpty
                    ? "the provider refuses this device's client id or the redirect URI \(redirectURI) (status \(status))"
                    : "the provider refuses this device's sign-ins (\(code))",
                redirectURI: redirectURI)
        case .unclear(let status):
            Finding(
                state: .unchecked,
                text: "the provider answers, and does not say without a worker whether it knows the redirect URI "
                    + "\(redirectURI) (status \(status))",
                redirectURI: redirectURI)
        }
    }

    private func judge(_ error: IdentityError) -> Finding {
        switch error.cause {
        case .network, .timeout, .unavailable: Finding(state: .wrong, reason: .unreachable, text: error.text)
        case .tls: Finding(state: .wrong, reason: .untrusted, text: error.text)
        // Where requests are pushed (RFC 9126) the answer comes before any page.
        case .rejected: Finding(state: .wrong, reason: .client, text: error.text, redirectURI: redirectURI)
        default: Finding(state: .wrong, reason: .settings, text: error.text)
        }
    }
}
