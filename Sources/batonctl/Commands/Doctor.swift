import ArgumentParser

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: Text.Help.doctor,
        discussion: Text.Help.doctorDiscussion + "\n\n"
            + Text.Help.example("batonctl doctor", "sudo batonctl doctor --system --json"))

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await reporting {
            let report = await Examination.report(bus: bus.bus, environment: Terminal.environment)
            Terminal.say(
                try output.json
                    ? JSONOutput.document(report) : DoctorRendering(style: Terminal.styleOfOutput).text(report))
            switch report.worst {
            case .ok, .unchecked: break
            case .warning: throw ExitCode(ExitStatus.warnings)
            case .wrong: throw ExitCode(ExitStatus.refused)
            }
        }
    }
}
