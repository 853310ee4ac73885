import Baton
import DBus
import Glibc
import TerminalTesting
import Testing

extension Rounds {
    /// Callers who are nobody's administrators: processes of another user on the same bus.
    @Suite(
        "Another user", .timeLimit(.minutes(3)), .enabled(if: geteuid() == 0, "needs to become another user"))
    struct OtherUserTests {
        static let app = "org.example.App"
        static let user = "games"
        static let uid = getpwnam(user)?.pointee.pw_uid ?? 0

        @Test func `may neither administer nor cancel somebody else's sign-in nor read receipts of others`()
            async throws
        {
            let terminal = try Terminal(settings: Terminal.patient, isOpen: true)
            let daemon = try await terminal.startDaemon()
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal))
            let puppet = try await Puppet(terminal, user: Self.user)
            let stranger = puppet.peer
            func refusal(_ body: () async throws -> Void) async throws -> String? { try await stranger.refusal(body) }

            let registration = try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            #expect(try await refusal { _ = try await stranger.call(Administration.reload) } == "NotAuthorized")
            #expect(
                try await refusal { _ = try await stranger.call(Administration.endQuarantine, [:]) } == "NotAuthorized")
            #expect(
                try await refusal { try await stranger.call(Administration.setDeviceMode, "default") }
                    == "NotAuthorized")
            #expect(
                try await refusal { try await stranger.call(Administration.forgetApp, (0, Self.app)) }
                    == "NotAuthorized")
            #expect(
                try await refusal { _ = try await stranger.signOut(["reason": .string("administrator")]) }
                    == "NotAuthorized")
            #expect(
                try await refusal { _ = try await stranger.call(DeviceAgent.register, AgentRegistration()) }
                    == "NotAuthorized")
            #expect(try await desk.phase() == "in-use")

            let signOut = try await desk.beginSignOut()
            try await app.peer.acknowledge(epoch, registration.instance, details: ["path": .string("/secret")])
            #expect(try await signOut.value?.account?.username == "ana")
            let shown = try #require(Receipt(try await stranger.call(Device1.getReceipt, epoch)))
            #expect(shown.outcome == .cleared && shown.account == nil)
            #expect(shown.participants.map(\.details) == [""])
            let whole = try #require(Receipt(try await desk.call(Device1.getReceipt, epoch)))
            #expect(whole.participants.map(\.details) == [#"{"path":"/secret"}"#])

            for _ in 0..<4 { _ = try await desk.refusal { try await desk.signIn("ana", pin: "0000") } }
            let caller = try await Peer(terminal)
            let signIn = Task { try await caller.signIn("ana", pin: "1234") }
            try await desk.waitForPhase(.signingIn)
            #expect(try await refusal { try await stranger.call(Device1.cancelSignIn) } == "NotAuthorized")
            #expect(try await signIn.value == epoch.next)
            withExtendedLifetime((daemon, puppet)) {}
        }

        @Test func `has apps of its own, which pay no debts of others`() async throws {
            let terminal = try Terminal(settings: Terminal.patient, isOpen: true)
            let daemon = try await terminal.startDaemon()
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal))
            try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            await app.program.kill()
            #expect(try await desk.signOut()?.outcome == .owed)
            let namesake = try await Puppet(terminal, user: Self.user)
            let registration = try await namesake.peer.register(Self.app)
            #expect(
                try await desk.list().map { "\($0.uid) \($0.state?.rawValue ?? "")" }.sorted() == [
                    "0 owed", "\(Self.uid) clean",
                ])
            try await namesake.peer.call(Participants.leave, registration.instance)
            #expect(try await desk.list().map(\.owedSince) == [epoch])
            withExtendedLifetime(daemon) {}
        }

        @Test func `has processes that the agent may not stop, which quarantines`() async throws {
            let terminal = try Terminal(isOpen: true)
            let daemon = try await terminal.startDaemon()
            let desk = try await Peer(terminal)
            let app = try await Puppet(terminal, user: Self.user)
            try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            let (status, output) = try await terminal.batonctl("sign-out")
            #expect(status == 5, "\(output)")
            #expect(app.isRunning)
            let new = try await app.peer.register(Self.app, clears: false)
            #expect(new.clearThrough == epoch)
            try await app.peer.acknowledge(epoch, new.instance)
            try await desk.waitForPhase(.ready)
            withExtendedLifetime(daemon) {}
        }
    }
}
