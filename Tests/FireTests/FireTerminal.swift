import Baton
import BusTesting
import DBus
import Glibc
import TerminalTesting
import Testing

/// A terminal on which programs are killed in the middle of whole rounds: a worker signs in, three apps take part, the
/// worker signs out.
final class FireTerminal {
    let terminal: Terminal
    let apps: [AppUnderFire]
    let witness: Witness
    let desk: Peer
    private(set) var daemon: Program?
    private var orders = 0
    /// Where a kill may leave behind what nobody can prove, an administrator ends the quarantine.
    var endsQuarantine = false
    /// Of batond's present life.
    private var current: Order?

    /// Nobody who waits is contained meanwhile: a kill must be what stands in an app's way, never the time.
    init(settings: String = "barrier: {soft: 4s, hard: 14s, containment: 5s, absolute: 20s}\n") async throws {
        let terminal = try Terminal(settings: settings + "limits: {receipts: 10000}\n")
        try ContainedApp.list(on: terminal)
        self.terminal = terminal
        apps = ["Ward", "Till", "Stock"].map { AppUnderFire("org.example.\($0)", on: terminal) }
        witness = try await Witness(terminal, apps: apps)
        desk = try await Peer(terminal)
    }

    /// Who is killed at which step of its next life; the file says which step that was.
    struct Order {
        var program = "batond"
        var step: Int
        var file: String

        var wasCarriedOut: Bool { access(file, F_OK) == 0 }
        var stepName: String { contents(file) ?? "never" }
    }

    func order(_ program: String = "batond", at step: Int) -> Order {
        orders += 1
        return Order(program: program, step: step, file: "\(terminal.folder)/order-\(orders)")
    }

    /// Starts batond, which may be killed before it is ready.
    func start(_ order: Order? = nil) async throws {
        await daemon?.kill()
        current = order
        var environment: [String: String] = [:]
        if let order { environment["BATON_KILL_AT"] = "\(order.program):\(order.step):\(order.file)" }
        let next = try terminal.run(["batond", "--session"], environment: environment)
        daemon = next
        do {
            try await next.line(containing: "the agent has registered")
        } catch {
            guard let order, order.program == "batond", order.wasCarriedOut else { throw error }
        }
    }

    /// One round with these kills, each in a life of batond of its own: a worker comes and goes, and the next one too.
    ///
    /// - Returns: How many of the orders were carried out; the rest were never due.
    func round(_ orders: [Order]) async throws -> Int {
        var rest = orders[...]
        try await start(rest.popFirst())
        try await throughKills(&rest) {
            let epoch = try await self.desk.signIn("ana", pin: "1234")
            self.witness.began(epoch, "ana")
        }
        try await throughKills(&rest) { try await self.settle() }
        try await throughKills(&rest) {
            try await self.desk.signIn("bo", pin: "5678")
            try await self.settle()
        }
        try await throughKills(&rest) { try await self.witness.check(self.desk) }
        return orders.count(where: \.wasCarriedOut)
    }

    /// What batond's end broke off is not tried again: whoever called finds out what became of it, as any caller must.
    func throughKills(_ rest: inout ArraySlice<Order>, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            guard let daemon, let order = current, order.program == "batond", order.wasCarriedOut else { throw error }
            _ = await daemon.end()
            try await start(rest.popFirst())
            try await throughKills(&rest) { try await self.settle() }
        }
    }

    /// Whatever was killed: the device comes to its end by itself and by the worker's sign-out, and is ready.
    func settle() async throws {
        while true {
            let phase = try await desk.phase()
            switch phase {
            case "ready": return
            case "in-use", "clearing":
                if let receipt = try await desk.signOut() { witness.ended(receipt.epoch, receipt.outcome.rawValue) }
            case "signing-in": try await desk.waitForPhase(.inUse)
            case "quarantined" where endsQuarantine: _ = try await desk.call(Administration.endQuarantine, [:])
            default:
                let why = try await desk.call(Device1.getDeviceInformation)["explanation"]?.string ?? ""
                throw TestingError("the device is \(phase): \(why)\n\(daemon?.output ?? "")")
            }
        }
    }

    /// A worker signs in and out as long as batond lives. What is told is written down.
    func turnWhileItLasts() async {
        do {
            try await settle()
            let epoch = try await desk.signIn("ana", pin: "1234")
            witness.began(epoch, "ana")
            try await settle()
            let next = try await desk.signIn("bo", pin: "5678")
            witness.began(next, "bo")
            try await settle()
        } catch {
            // It was killed; what became of that is seen later.
        }
    }

    /// Waits until batond has ended by itself or was killed.
    func daemonEnd() async -> Int32 { await daemon?.end() ?? -1 }

    func end() async {
        witness.stop()
        await daemon?.kill()
    }
}
