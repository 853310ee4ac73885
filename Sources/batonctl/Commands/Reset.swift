import ArgumentParser
import Baton

struct Reset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: Text.Help.reset, discussion: Text.Help.example("batonctl reset"))

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await reporting {
            let (receipt, phase) = try await bus.administering { device in
                let receipt = try await device.endQuarantine()
                // With a journal that can be read again, the turn that it knows of goes on.
                return (receipt, receipt == nil ? try? await device.deviceInformation().phase : nil)
            }
            Terminal.say(
                try output.json
                    ? JSONOutput.document(receipt)
                    : OutputRendering(style: Terminal.styleOfOutput).reset(receipt, now: phase))
        }
    }
}
