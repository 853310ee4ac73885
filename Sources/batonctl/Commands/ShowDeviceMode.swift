import ArgumentParser
import Baton

struct ShowDeviceMode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device-mode", abstract: Text.Help.deviceMode,
        discussion: Text.Help.example("batonctl device-mode", "batonctl device-mode set shared"),
        subcommands: [SetDeviceMode.self])

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await reporting {
            let mode = try await bus.device().requireDeviceMode()
            Terminal.say(try output.json ? JSONOutput.document(ModeReport(mode: mode)) : mode.rawValue)
        }
    }
}
