import Baton
import DBus
import Glibc
import Logging
import Loopback
import ProviderTesting
import TerminalTesting
import Testing
import WebText

@Suite("Half requests at the loopback listener", .timeLimit(.minutes(2)))
struct LoopbackFloodTests {
    @Test func `a worker signs in beside three hundred half requests, and the provider's notice arrives`() async throws
    {
        let port = try freePort()
        let provider = try await DevelopmentProviderProcess.start([
            "--backchannel-logout-uri", "http://127.0.0.1:\(port)/back-channel-logout",
        ])
        let ward = try await ProviderTerminal.start(at: provider.issuer, identity: ["loopback-port: \(port)"])
        let (step, signIn) = try await ward.beginSignIn()
        let flood = try await HalfRequests.start(300, toPort: Int(port))
        let redirect = try await provider.browser().signIn(at: step.url, as: DevelopmentProviderProcess.ana)
        try await ProviderTerminal.deliver(redirect, to: ward.device)
        let epoch = try await signIn.value
        #expect(try await ward.phase() == .inUse)
        let peer = try await Peer(ward.terminal)
        let outs = try await peer.signals(Device1.signedOut)
        try await provider.control("end-session", ["username": .string("ana")])
        for try await _ in outs { break }
        #expect(try await ward.device.receipt(epoch).reason == .provider)
        withExtendedLifetime(flood) {}
    }

    /// A listener without a batond, at any port.
    private func withListener(
        patience: Duration = .seconds(600), notice: @escaping @Sendable () async -> Bool = { false },
        _ body: (_ port: Int) async throws -> Void
    ) async throws {
        let listener = LoopbackListener(
            port: 0,
            receiver: LoopbackListener.Receiver(
                redirect: { _ in false }, frontChannel: { _, _ in false }, backChannel: { _ in await notice() }),
            executor: nil, patience: patience, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let port = try #require(await listener.port())
        do {
            try await body(port)
        } catch {
            await listener.stop()
            throw error
        }
        await listener.stop()
    }

    @Test func `a half request that grows byte by byte ends all the same`() async throws {
        try await withListener(patience: .seconds(1)) { port in
            try await HalfRequests.start(1, toPort: port).end()
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root has another user"))
    func `one user's half requests do not end another's that came before`() async throws {
        try await withListener { port in
            let request = try RawRequest(port: port)
            try request.send("GET /done HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n")
            let flood = try await HalfRequests.start(600, toPort: port)
            try await flood.end()
            try request.send("Connection: close\r\n\r\n")
            #expect(try await request.answer().hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test func `a whole request is never too late, however long its answer takes`() async throws {
        let (begun, begins) = AsyncStream.makeStream(of: Void.self)
        let (gate, opens) = AsyncStream.makeStream(of: Void.self)
        let notice = { @Sendable in
            begins.yield()
            for await _ in gate { break }
            return true
        }
        try await withListener(patience: .milliseconds(500), notice: notice) { port in
            let page = "http://127.0.0.1:\(port)/back-channel-logout"
            async let answer = WebClient().post(page, form: [("logout_token", "x")])
            for await _ in begun { break }
            // One that came later was given up, so the first one's time is over too.
            try await HalfRequests.start(1, toPort: port).end()
            opens.yield()
            #expect(try await answer.status == 200)
        }
    }
}
