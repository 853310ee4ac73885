import ArgumentParser
import Baton

/// What `batonctl` says when it is asked for nothing: where one stands, and what can be done now.
struct Overview: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: Text.Help.overview, discussion: Text.Help.example("batonctl", "batonctl overview --json"))

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let report: OverviewReport
        do {
            let device = try await bus.device()
            report = OverviewReport(
                try await device.deviceInformation(), try await device.getCurrentAccount().current)
        } catch DeviceError.noDaemon {
            report = .noDaemon
        } catch DeviceError.notAllowed {
            report = .notAllowed
        } catch {
            return try await reporting { throw error }
        }
        if output.json { return Terminal.say(try JSONOutput.document(report)) }
        let width = report.commands.map(\.line.count).max() ?? 0
        let lines = report.commands.map { "  \($0.line.padded(to: width))  \($0.purpose)" }
        Terminal.say(([report.state.printable, ""] + lines + ["", Text.Overview.all]).joined(separator: "\n"))
    }
}

/// The JSON of `overview`.
struct OverviewReport: Encodable, Equatable {
    struct Command: Encodable, Equatable {
        var line: String
        var purpose: String

        init(_ line: String, _ purpose: String) {
            self.line = line
            self.purpose = purpose
        }
    }

    /// One sentence, for people.
    var state: String
    /// The commands that fit it, the likeliest first.
    var commands: [Command]

    static let noDaemon = OverviewReport(
        state: Text.Overview.noDaemon,
        commands: [
            Command("batonctl doctor", Text.Overview.findOut), Command("batonctl --session", Text.Overview.ownSession),
            Command("batond --session", Text.Overview.tryOut),
        ])

    static let notAllowed = OverviewReport(
        state: Text.Overview.notAllowed,
        commands: [
            Command("batonctl doctor", Text.Overview.findOut), Command("batonctl --session", Text.Overview.ownSession),
        ])

    private init(state: String, commands: [Command]) {
        self.state = state
        self.commands = commands
    }

    /// - Parameter holder: Who holds the device; nil: no worker, or the caller may not know.
    init(_ device: DeviceInformation, _ holder: Account?) {
        let status = Command("batonctl status", Text.Overview.status)
        let worker = holder.map(Text.person) ?? Text.Overview.aWorker
        switch device.phase {
        case _ where device.mode == .personal && device.phase == .ready:
            state = Text.Overview.personal
            commands = [Command("batonctl device-mode set shared", Text.Overview.share), status]
        case .ready where !device.missing.isEmpty:
            state = Text.Overview.notReady(device.missing)
            commands = [Command("batonctl doctor", Text.Overview.findOut), status]
        case .ready:
            state = Text.Overview.free
            let name = device.identity == .local ? " NAME" : ""
            commands = [
                Command("batonctl sign-in\(name)", Text.Overview.signIn),
                Command("batonctl receipts", Text.Overview.receipts), status,
            ]
        case .signingIn:
            state = Text.Overview.signingIn
            commands = [
                Command("batonctl sign-out", Text.Overview.giveUp), Command("batonctl watch", Text.Overview.watch),
                status,
            ]
        case .inUse where device.lockEnds > 0:
            state = Text.Overview.locked(worker)
            commands = [
                Command("batonctl unlock", Text.Overview.unlock), Command("batonctl sign-out", Text.Overview.signOut),
                status,
            ]
        case .inUse:
            state = Text.Overview.inUse(worker, device.epoch)
            commands = [
                Command("batonctl sign-out", Text.Overview.signOut), Command("batonctl lock", Text.Overview.lock),
                status,
            ]
        case .clearing:
            state = Text.Overview.clearing(worker)
            commands = [
                Command("batonctl watch", Text.Overview.watch), Command("batonctl apps", Text.Overview.apps), status,
            ]
        case .quarantined:
            state = Text.Overview.quarantined(device.explanation)
            commands = [
                Command("batonctl sign-out", Text.Overview.again), Command("batonctl doctor", Text.Overview.findOut),
                Command("batonctl reset", Text.Overview.reset),
            ]
        }
    }
}
