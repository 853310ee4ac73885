public import Baton
public import DBus
import Synchronization

/// An agent that says what the test says: it stops nobody and wipes nothing, and notes what it is asked.
public final class FakeAgent: Sendable {
    /// What it answers.
    public struct Script: Sendable {
        public var containment = "contained"
        public var proof = Proof.tree
        public var browser = "clean"
        public var checks: [Receipt.Check] = []
        /// How the log-out page ended; empty: it says nothing of one.
        public var logOut = ""
        /// How long that page keeps it busy.
        public var logOutTakes: Duration = .zero
        public var holder = "clean"
        public var state = AgentState(proof: .namespace)
        /// Whose connections end before it says that it has contained something.
        public var ends: [Peer] = []
        /// The one process that it says to have started; nil: any.
        public var started: UInt32?
        /// Whether it opens sign-in pages.
        public var opens = true
        public init() {}
    }

    /// One thing that it was asked, with what came along.
    public struct Request: Sendable {
        /// The method's name.
        public let method: String
        public let epoch: Epoch
        /// The address of `OpenSignIn`.
        public let url: String
        public let options: VariantDictionary
    }

    /// The same methods with words of any kind, such as no agent says.
    private enum Words {
        static let configure = Method(
            Agent1.interface, "Configure", takes: Arguments(("settings", VariantDictionary.self)),
            gives: Arguments(("state", VariantDictionary.self)))
        static let beginTurn = Method(
            Agent1.interface, "BeginTurn",
            takes: Arguments(("epoch", Epoch.self), ("options", VariantDictionary.self)))
        static let contain = Method(
            Agent1.interface, "Contain", takes: Arguments(("app", VariantDictionary.self)),
            gives: Arguments(("result", VariantDictionary.self)))
        static let signOutBrowser = Method(
            Agent1.interface, "SignOutBrowser",
            takes: Arguments(("epoch", Epoch.self), ("options", VariantDictionary.self)),
            gives: Arguments(("result", VariantDictionary.self)))
        static let clearSharedHolders = Method(
            Agent1.interface, "ClearSharedHolders",
            takes: Arguments(("epoch", Epoch.self), ("options", VariantDictionary.self)),
            gives: Arguments(("holders", [VariantDictionary].self)))
        static let openSignIn = Method(
            Agent1.interface, "OpenSignIn",
            takes: Arguments(("url", String.self), ("options", VariantDictionary.self)))
    }

    public let peer: Peer
    private let state: Mutex<(script: Script, asked: [String])>
    private let notes = Mutex<[Request]>([])
    /// Each request, as it comes.
    public let requests: AsyncStream<Request>
    private let tell: AsyncStream<Request>.Continuation

    /// Registers as the agent of a terminal that starts none of its own.
    ///
    /// - Parameter watching: The registrations whose processes it says that it has hold of.
    public init(_ terminal: Terminal, _ script: Script = Script(), watching: [Instance] = []) async throws {
        peer = try await Peer(terminal)
        state = Mutex((script, []))
        (requests, tell) = AsyncStream.makeStream(of: Request.self)
        var object = ServedObject()
        object.answer(Words.configure) { [self] _, settings in
            note("Configure", settings)
            return state.withLock { $0.script.state.dictionary }
        }
        object.answer(Words.beginTurn) { [self] _, arguments in
            let (epoch, options) = arguments
            note("BeginTurn", options, epoch: epoch)
        }
        object.answer(Agent1.watchProcess) { _, _ in true }
        object.answer(Agent1.hasStarted) { [self] _, arguments in
            state.withLock { $0.script.started == nil || $0.script.started == arguments.1 }
        }
        object.answer(Words.contain) { [self] _, app in
            note("Contain", app)
            let script = note("contain \(app["id"]?.string ?? "")")
            for peer in script.ends { await peer.connection.close() }
            return [
                "outcome": .string(script.containment), "proof": .string(script.proof.rawValue),
                "explanation": .string("scripted"),
            ]
        }
        object.answer(Words.signOutBrowser) { [self] _, arguments in
            let (epoch, options) = arguments
            note("SignOutBrowser", options, epoch: epoch)
            let script = note("browser")
            try? await Task.sleep(for: script.logOutTakes)
            var result: VariantDictionary = [
                "outcome": .string(script.browser), "explanation": .string("scripted"),
                "checks": .dictionaries(script.checks.map(\.asRow)),
            ]
            if !script.logOut.isEmpty { result["log-out"] = .string(script.logOut) }
            return result
        }
        object.answer(Words.clearSharedHolders) { [self] _, arguments in
            let (epoch, options) = arguments
            note("ClearSharedHolders", options, epoch: epoch)
            return [
                [
                    "holder": .string("clipboard"), "outcome": .string(note("shared").holder),
                    "explanation": .string("scripted"),
                ]
            ]
        }
        object.answer(Words.openSignIn) { [self] _, arguments in
            let (url, options) = arguments
            note("OpenSignIn", options, url: url)
            guard note("open").opens else { throw BatonError(.failed, "scripted") }
        }
        object.answer(Agent1.closeSignIn) { [self] _, _ in
            note("CloseSignIn", [:])
            _ = note("close")
            return true
        }
        try await peer.connection.serve(object, at: Agent1.path)
        _ = try await peer.call(DeviceAgent.register, AgentRegistration(watching: watching))
    }

    /// What it was asked so far of sign-ins and sign-outs, in order.
    public var asked: [String] { state.withLock { $0.asked } }

    public func script(_ change: (inout Script) -> Void) { state.withLock { change(&$0.script) } }

    /// What it was asked so far by that method.
    public func requests(_ method: String) -> [Request] { notes.withLock { $0.filter { $0.method == method } } }

    /// The next request by that method; one that waits at a time.
    public func next(_ method: String) async -> Request? {
        for await request in requests where request.method == method { return request }
        return nil
    }

    private func note(_ what: String) -> Script {
        state.withLock {
            $0.asked.append(what)
            return $0.script
        }
    }

    private func note(_ method: String, _ options: VariantDictionary, epoch: Epoch = 0, url: String = "") {
        let request = Request(method: method, epoch: epoch, url: url, options: options)
        notes.withLock { $0.append(request) }
        tell.yield(request)
    }
}

extension Receipt.Check {
    fileprivate var asRow: VariantDictionary {
        ["holder": .string(holder), "outcome": .string(outcome.rawValue), "explanation": .string(explanation)]
    }
}
