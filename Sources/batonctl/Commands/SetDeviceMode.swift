import ArgumentParser
import Baton

struct SetDeviceMode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: Text.Help.setDeviceMode,
        discussion: Text.Help.example("batonctl device-mode set default"))

    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case shared
        case personal = "default"
    }

    @Argument(help: ArgumentHelp(Text.Help.mode))
    var mode: Choice

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await reporting {
            let chosen: DeviceMode = mode == .shared ? .shared : .personal
            try await bus.administering { try await $0.setDeviceMode(chosen) }
            Terminal.say(
                try output.json
                    ? JSONOutput.document(ModeReport(mode: chosen)) : "\(Text.modeSet) \(Text.mode(chosen)).")
        }
    }
}
