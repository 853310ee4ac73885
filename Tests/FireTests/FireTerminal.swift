import Baton
import BusTesting
import DBus
import FolderTesting
import Glibc
import TerminalTesting
import Testing

/// A terminal on which programs are killed in the middle of whole rounds: a worker signs in, three apps take part, the
/// worker signs out.
final class FireTerminal {
    let terminal: Terminal
    let apps: [AppUnderFire]
    let witness: Witness
    let bookkeeper: Bookkeeper
    let desk: Peer
    private(set) var daemon: Program?
    private var orders = 0
    private var isWarm = false
    /// When an administrator ends a quarantine; in any other the round has failed.
    var release = Release.never
    /// Of batond's present life.
    private var current: Order?

    enum Release {
        case never
        /// Batond was killed for the third time in that one sign-out.
        case afterThreeRestarts
        /// A kill may leave behind what nobody can prove.
        case always
    }

    /// Nobody who waits is contained meanwhile: a kill must be what stands in an app's way, never the time.
    init(settings: String = "barrier: {soft: 4s, hard: 14s, containment: 5s, absolute: 20s}\n") async throws {
        let terminal = try Terminal(settings: settings + "limits: {receipts: 10000}\n")
        try ContainedApp.list(on: terminal)
        self.terminal = terminal
        apps = ["Ward", "Till", "Stock"].map { AppUnderFire("org.example.\($0)", on: terminal) }
        witness = try await Witness(terminal, apps: apps)
        bookkeeper = try await Bookkeeper(terminal)
        desk = try await Peer(terminal)
    }

    /// Who is killed at which step of its next life; the file says which step that was.
    struct Order {
        var program = "batond"
        var step: Int
        var file: String
        /// Only steps whose names begin so are counted.
        var beginning = ""

        var value: String { "\(program):\(step):\(file)" + (beginning.isEmpty ? "" : ":\(beginning)") }
        var wasCarriedOut: Bool { access(file, F_OK) == 0 }
        var stepName: String { contents(file) ?? "never" }
    }

    func order(_ program: String = "batond", at step: Int, beginning: String = "") -> Order {
        orders += 1
        return Order(
            program: program, step: step, file: "\(terminal.folder)/order-\(orders)", beginning: beginning)
    }

    var faults: [String] { witness.faults + bookkeeper.faults }

    /// Starts batond, which may be killed before it is ready.
    func start(_ order: Order? = nil) async throws {
        await daemon?.kill()
        current = order
        var environment: [String: String] = [:]
        if let order { environment["BATON_KILL_AT"] = order.value }
        let next = try terminal.run(["batond", "--session"], environment: environment)
        daemon = next
        do {
            try await next.line(containing: "the agent has registered")
        } catch {
            guard let order, order.program == "batond", order.wasCarriedOut else { throw error }
        }
    }

    /// A turn that nobody breaks off, so that all three apps take part in those that follow.
    func warmUp() async throws {
        guard !isWarm else {
            // The last round's order may be due even now, as when its app leaves the bus.
            if current?.program == "batond" { try await start() }
            return
        }
        try await start()
        let epoch = try await desk.signIn("ana", pin: "1234")
        witness.began(epoch, "ana")
        for app in apps { await app.holds(epoch) }
        try await settle()
        try await witness.check(desk)
        isWarm = true
    }

    /// What came of a round.
    struct Round {
        /// How many of the orders were carried out; the rest were never due.
        var kills = 0
        /// Of the sign-out that saw most of them.
        var restarts: UInt32 = 0
    }

    /// One round with these kills, each in a life of batond of its own: a worker comes and goes, and the next one too.
    /// Nobody but batond is killed, so all apps must have cleared, and stand so in the receipts.
    func round(_ orders: [Order]) async throws -> Round {
        try await warmUp()
        let before = try await desk.epoch()
        var rest = orders[...]
        try await start(rest.popFirst())
        try await throughKills(&rest) {
            try await self.bookkeeper.enter()
            let epoch = try await self.desk.signIn("ana", pin: "1234")
            self.witness.began(epoch, "ana")
        }
        try await throughKills(&rest) { try await self.settle() }
        try await throughKills(&rest) {
            try await self.desk.signIn("bo", pin: "5678")
            try await self.settle()
        }
        try await throughKills(&rest) {
            try await self.bookkeeper.leave()
            try await self.witness.check(self.desk)
        }
        let receipts = try await receipts(after: before)
        for receipt in receipts { look(at: receipt) }
        return Round(
            kills: orders.count(where: \.wasCarriedOut), restarts: receipts.map(\.restarts).max() ?? 0)
    }

    /// Each turn has one, and it says so once.
    private func receipts(after epoch: Epoch) async throws -> [Receipt] {
        let newest = try await desk.call(Device1.listReceipts, 8).compactMap { Receipt($0) }.filter { $0.epoch > epoch }
        let numbers = newest.map(\.epoch).sorted()
        let last = try await desk.epoch()
        if numbers != (epoch..<last).map(\.next) {
            witness.note("there were the turns \(epoch.next) to \(last), and there are receipts of \(numbers)")
        }
        return newest
    }

    private func look(at receipt: Receipt) {
        let clean: [ParticipantOutcome] = [.cleared, .nothingToClear]
        if receipt.outcome != .cleared || !receipt.participants.allSatisfy({ clean.contains($0.outcome) }) {
            witness.note("not all apps cleared: \(receipt)")
        }
        let missing = apps.map(\.id).filter { receipt.participant($0) == nil }
        if !missing.isEmpty { witness.note("\(missing) took part, and the receipt has nothing of it: \(receipt)") }
        if let fault = bookkeeper.fault(in: receipt) { witness.note(fault) }
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

    /// What is only looked at is looked at again.
    func againAfterKill<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch {
            var none: ArraySlice<Order> = []
            try await throughKills(&none) { throw error }
            return try await body()
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
            case "quarantined" where try await mayEndQuarantine():
                // A retry may have ended it meanwhile.
                let refusal = try await desk.refusal { _ = try await desk.call(Administration.endQuarantine, [:]) }
                guard refusal == nil || refusal == "InvalidArgument" else {
                    throw TestingError("the quarantine was not ended: \(refusal ?? "")")
                }
            default:
                let why = try await desk.call(Device1.getDeviceInformation)["explanation"]?.string ?? ""
                throw TestingError("the device is \(phase): \(why)\n\(daemon?.output ?? "")")
            }
        }
    }

    private func mayEndQuarantine() async throws -> Bool {
        switch release {
        case .never: false
        case .always: true
        case .afterThreeRestarts: try await desk.receipt(desk.epoch()).map { $0.restarts >= 3 } ?? false
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
        // Else there was no round, and maybe no journal.
        guard isWarm else { return }
        do {
            for fault in try JournalPages(of: terminal).faults { witness.note(fault) }
        } catch {
            witness.note("the journal cannot be read: \(error)")
        }
    }
}
