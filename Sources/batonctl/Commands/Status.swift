import ArgumentParser
import Baton

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: Text.Help.status, discussion: Text.Help.example("batonctl status", "batonctl status --json"))

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await reporting {
            let device = try await bus.device()
            let account = try await device.getCurrentAccount()
            let report = StatusReport(
                device: try await device.deviceInformation(), current: account.current, previous: account.previous,
                participants: try await device.participants(),
                lastReceipt: try await device.receipts(newest: 1).first)
            Terminal.say(
                try output.json
                    ? JSONOutput.document(report)
                    : OutputRendering(style: Terminal.styleOfOutput).status(report))
        }
    }
}
