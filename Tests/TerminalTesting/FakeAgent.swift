import Baton
import DBus
import Synchronization

/// An agent that says what the test says: it stops nobody and wipes nothing, and notes what it is asked.
public final class FakeAgent: Sendable {
    /// What it answers.
    public struct Script: Sendable {
        public var containment = "contained"
        public var browser = "clean"
        public var holder = "clean"
        public init() {}
    }

    public let peer: Peer
    private let state = Mutex<(script: Script, asked: [String])>((Script(), []))

    /// Registers as the agent of a terminal that starts none of its own.
    public init(_ terminal: Terminal) async throws {
        peer = try await Peer(terminal)
        var object = ServedObject()
        object.answer(Agent1.watchProcess) { _, _ in true }
        object.answer(Agent1.contain) { [self] _, arguments in
            let (_, app) = arguments
            return [
                "outcome": .string(note("contain \(app["id"]?.string ?? "")").containment), "proof": .string("tree"),
                "explanation": .string("scripted"),
            ]
        }
        object.answer(Agent1.signOutBrowser) { [self] _, _ in
            ["outcome": .string(note("browser").browser), "explanation": .string("scripted")]
        }
        object.answer(Agent1.clearSharedHolders) { [self] _, _ in
            [
                [
                    "holder": .string("clipboard"), "outcome": .string(note("shared").holder),
                    "explanation": .string("scripted"),
                ]
            ]
        }
        object.answer(Agent1.closeSignIn) { [self] _, _ in
            _ = note("close")
            return true
        }
        try await peer.connection.serve(object, at: Agent1.path)
        _ = try await peer.call(DeviceAgent.register, [:])
    }

    /// What it was asked so far, in order.
    public var asked: [String] { state.withLock { $0.asked } }

    public func script(_ change: (inout Script) -> Void) { state.withLock { change(&$0.script) } }

    private func note(_ what: String) -> Script {
        state.withLock {
            $0.asked.append(what)
            return $0.script
        }
    }
}
