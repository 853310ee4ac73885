import ArgumentParser
import Baton

struct SignOut: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out", abstract: Text.Help.signOut,
        discussion: Text.Help.example("batonctl sign-out", "batonctl sign-out --reason administrator --json"))

    /// Those that a person may give; all others are batond's and the agent's.
    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case user, administrator
    }

    @Option(help: ArgumentHelp(Text.Help.reason))
    var reason: Choice = .user

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await reporting {
            let device = try await bus.device()
            let rendering = OutputRendering(style: Terminal.styleOfOutput)
            let (reason, json): (SignOutReason, Bool) = (reason == .user ? .user : .administrator, output.json)
            let receipt: Receipt?
            do {
                receipt = try await interruptibly {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        if !json { group.addTask { await Self.showProgress(on: device, rendering) } }
                        let receipt =
                            reason == .administrator
                            ? try await device.administering { try await $0.signOut(reason: reason).receipt }
                            : try await device.signOut(reason: reason).receipt
                        group.cancelAll()
                        return receipt
                    }
                }
            } catch is Interrupted {
                // polkit may still have been asking, and then nothing has begun.
                let mayNotHaveBegun = reason == .administrator && PasswordAgent.isOfUse
                Terminal.complain(mayNotHaveBegun ? Text.signOutMayGoOn : Text.signOutGoesOn)
                throw ExitCode(ExitStatus.refused)
            }
            // A quarantine may have ended with this, or be none that a receipt tells of.
            let phase = try? await device.deviceInformation().phase
            Terminal.say(try json ? JSONOutput.document(receipt) : rendering.signedOut(receipt, now: phase))
            let status = ExitStatus.of(receipt, now: phase)
            if status != 0 { throw ExitCode(status) }
        }
    }

    /// Looks at the apps a few times a second until it is cancelled.
    private static func showProgress(on device: Device, _ rendering: OutputRendering) async {
        var before: [ParticipantStatus] = []
        while !Task.isCancelled, let now = try? await device.participants() {
            for line in rendering.progress(from: before, to: now) { Terminal.say(line) }
            before = now
            try? await Task.sleep(for: .milliseconds(300))
        }
    }
}
