import Baton
import DBus
import TerminalTesting

/// A worker's turn on a disk that fails at some moment of it: an app takes part, and all that was answered is kept.
struct BrokenTurn {
    let app: Puppet
    /// The turn that the worker was told of.
    private(set) var begun: Epoch?
    /// Why there was none.
    private(set) var refusal: String?
    private(set) var told: Receipt?
    let phase: String

    init(_ daemon: Program, _ terminal: Terminal) async throws {
        try await daemon.line(containing: "] ready")
        try await daemon.line(containing: "the agent has registered")
        let desk = try await Peer(terminal)
        app = try await Puppet(terminal)
        let signals = try await desk.signals(Device1.signingOut)
        let registration = try? await app.peer.register("org.example.Till")
        let clearing = Task { [app] in
            for try await signal in signals {
                guard let registration else { return }
                try? await app.peer.acknowledge(signal.values.0, registration.instance)
            }
        }
        defer { clearing.cancel() }
        var epoch: Epoch?
        refusal = try await desk.refusal { epoch = try await desk.signIn("ana", pin: "1234") }
        begun = epoch
        if epoch != nil { told = try await desk.signOut() }
        phase = try await desk.phase()
    }
}
