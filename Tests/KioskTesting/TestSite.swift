import BusTesting
import NIOCore
import NIOPosix
import NIOSSL
public import ProviderTesting

/// A web site that leaves a token in every kind of state a browser has, and later looks for it.
///
/// It is on loopback and has the hosts `site.test`, `app.test`, `hsts.test` and `live.test`, all on one port, which
/// speaks both https and http. A browser is told where they are: `chromiumArguments`, `firefoxPreferences`.
public final class TestSite: Sendable {
    /// For the certificate of `TestCertificateAuthority`; `idp.test` is for a provider.
    public static let certificateNames =
        "DNS:localhost,IP:127.0.0.1,DNS:site.test,DNS:app.test,DNS:hsts.test,DNS:live.test,DNS:idp.test"

    public let port: Int
    private let channel: any Channel
    private let responder: SiteResponder

    public static func start(_ authority: TestCertificateAuthority) async throws -> TestSite {
        let chain = try NIOSSLCertificate.fromPEMFile(authority.certificateFile)
        let context = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: authority.keyFile, format: .pem))))
        let responder = SiteResponder(try SitePages())
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(SchemeChoice(context, responder))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return TestSite(channel, responder)
    }

    private init(_ channel: any Channel, _ responder: SiteResponder) {
        self.channel = channel
        self.responder = responder
        port = channel.localAddress?.port ?? 0
    }

    deinit { channel.close(promise: nil) }

    public var address: String { "https://site.test:\(port)" }
    /// Leaves the token everywhere and then waits for orders under the name `seed TOKEN`.
    public func seedAddress(_ token: String) -> String { "\(address)/seed?token=\(token)" }
    /// Looks everywhere and then waits for orders under the name `look RUN`.
    public func lookAddress(_ run: String) -> String { "\(address)/look?run=\(run)" }
    /// A page that does nothing but wait for orders; with a token it counts as `standby` of what is alive.
    public func standbyAddress(_ page: String, token: String? = nil) -> String {
        "\(address)/standby?page=\(page)" + (token.map { "&token=\($0)" } ?? "")
    }

    /// What Chromium must be started with.
    ///
    /// - Parameter host: Where the machine's loopback is for the browser.
    public static func chromiumArguments(host: String = "127.0.0.1") -> [String] {
        ["--host-resolver-rules=MAP *.test \(host)"]
    }

    /// What must be in Firefox' `user.js`, or be set by policy: names of `.test` are at the host.
    public static func firefoxPreferences(host: String = "127.0.0.1") -> [(name: String, value: String)] {
        [("network.dns.forceResolve", "\"\(host)\"")]
    }

    /// The same through a proxy, which also brings `localhost` to this machine: for a network namespace of its own,
    /// where the preferences above are not enough when a provider is at `localhost`.
    public func firefoxProxyPreferences(host: String = "127.0.0.1") -> [(name: String, value: String)] {
        [
            ("network.proxy.type", "1"), ("network.proxy.no_proxies_on", "\"\""),
            ("network.proxy.http", "\"\(host)\""), ("network.proxy.http_port", "\(port)"),
            ("network.proxy.ssl", "\"\(host)\""), ("network.proxy.ssl_port", "\(port)"),
            ("network.proxy.allow_hijacking_localhost", "true"),
        ]
    }
}

extension TestSite {
    /// What the page could leave; waits for its report.
    public func seeding(_ token: String) async throws -> Seeding {
        try await responder.record.wait { $0.seedings[token] }
    }

    /// What the page found of anybody; waits for its report. Empty is what should be.
    public func report(run: String) async throws -> [StateKind: String] {
        try await responder.record.wait { $0.reports[run] }
    }

    /// Sends a page that waits for orders, or will, to an address.
    public func send(_ page: String, to address: String) async throws {
        let reply = try await responder.record.wait { $0.waiting[page]?.reply }
        responder.record.change { $0.waiting[page] = nil }
        reply(
            .text("{\"go\":\"\(address)\"}", type: "application/json").with("Access-Control-Allow-Origin", "*"))
    }

    /// What of a person still has a request open: `openPage`, `serviceWorker`, `standby`.
    public func alive(_ token: String) -> [String] {
        responder.record.read { record in record.alive.values.filter { $0.token == token }.map(\.kind).sorted() }
    }

    /// Waits until something of a person is connected.
    public func waitUntilAlive(_ token: String, _ kind: String) async throws {
        try await responder.record.wait { record in
            record.alive.values.contains { $0.token == token && $0.kind == kind } ? () : nil
        }
    }

    /// Waits until nothing of a person is connected any more: its pages and workers are gone.
    public func waitUntilGone(_ token: String) async throws {
        try await responder.record.wait { record in
            record.alive.values.contains { $0.token == token } ? nil : ()
        }
    }

    /// Waits for a request for a path, such as `/arrived`, and returns its target, with the query.
    ///
    /// - Parameter count: Which of them, from 1.
    public func request(for path: String, count: Int = 1) async throws -> String {
        try await responder.record.wait { record in
            let targets = record.targets.filter { $0.prefix { $0 != "?" } == path }
            return targets.count >= count ? targets[count - 1] : nil
        }
    }

    /// Where browsers asked the proxy to connect them to, as `host:port`.
    public var tunnels: [String] { responder.record.read { $0.tunnels } }

    /// The requests so far, with the number of their connection.
    public var log: [String] { responder.record.read { $0.log } }
}
