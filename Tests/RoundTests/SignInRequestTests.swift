import Baton
import DBus
import TerminalTesting
import Testing

extension Rounds {
    @Suite("Asking for a sign-in", .timeLimit(.minutes(3)))
    struct SignInRequestTests {
        let terminal: Terminal
        let daemon: Program
        let desk: Peer
        /// The epoch before the first sign-in.
        let last: Epoch

        init() async throws {
            terminal = try Terminal(settings: Terminal.patient)
            daemon = try await terminal.startDaemon()
            desk = try await Peer(terminal)
            last = try await desk.epoch()
        }

        /// Begins a sign-in that takes a second, since the PIN was wrong three times before.
        private func beginSlowSignIn(_ peer: Peer) async throws -> Task<Epoch, any Error> {
            for _ in 0..<4 {
                let refusal = try await peer.refusal { try await peer.signIn("ana", pin: "0000") }
                #expect(refusal == "NotAuthorized")
            }
            let task = Task { try await peer.signIn("ana", pin: "1234") }
            try await desk.waitForPhase(.signingIn)
            return task
        }

        @Test func `another worker cannot take the device, the same one is told that they hold it`() async throws {
            let epoch = try await desk.signIn("ana", pin: "1234")
            #expect(try await desk.refusal { try await desk.signIn("bo", pin: "5678") } == "AccountMismatch")
            #expect(try await desk.signIn("ana", pin: "1234") == epoch)
            #expect(try await desk.refusal { try await desk.signIn("ana", pin: "5678") } == "NotAuthorized")
            let (current, account, _) = try await desk.call(Device1.getCurrentAccount)
            #expect(current == epoch && account["username"]?.string == "ana")
        }

        @Test func `a sign-out cancels a sign-in that is going on`() async throws {
            let caller = try await Peer(terminal)
            let signIn = try await beginSlowSignIn(caller)
            let (epoch, receipt) = try await desk.call(Device1.signOut, [:])
            #expect(epoch == last && receipt.isEmpty)
            #expect(try await caller.refusal { _ = try await signIn.value } == "UserCanceled")
            #expect(try await desk.phase() == "ready")
        }

        @Test func `its caller cancels a sign-in, and a second one meanwhile is refused`() async throws {
            let (caller, other) = (try await Peer(terminal), try await Peer(terminal))
            let signIn = try await beginSlowSignIn(caller)
            #expect(try await other.refusal { try await other.signIn("bo", pin: "5678") } == "SigningIn")
            try await caller.call(Device1.cancelSignIn)
            #expect(try await caller.refusal { _ = try await signIn.value } == "UserCanceled")
            #expect(try await desk.phase() == "ready")
            #expect(try await other.signIn("bo", pin: "5678") == last.next)
        }

        @Test func `leaving the bus cancels a sign-in`() async throws {
            let caller = try await Peer(terminal)
            let signIn = try await beginSlowSignIn(caller)
            await caller.connection.close()
            _ = try? await signIn.value
            try await desk.waitForPhase(.ready)
            #expect(try await desk.call(Device1.getCurrentAccount).0 == last)
        }

        @Test func `options that are misspelt or of another type change nothing`() async throws {
            for options: VariantDictionary in [
                [:], ["username": .uint32(1)], ["user": .string("ana")], ["username": .string("")],
                ["username": .string("ana"), "pin": .string("1234")],
            ] {
                #expect(
                    try await desk.refusal { _ = try await desk.call(Device1.signIn, options) } == "InvalidArgument")
            }
            #expect(try await desk.phase() == "ready")
        }
    }
}
