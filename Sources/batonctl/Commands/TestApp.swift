import ArgumentParser
import Baton
import Processes

struct TestApp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test-app", abstract: Text.Help.testApp,
        discussion: Text.Help.testAppDiscussion + "\n\n"
            + Text.Help.example(
                "batonctl test-app --app org.example.WardList --data /tmp/ward -- ./ward-list.py /tmp/ward"))

    @Option(help: ArgumentHelp(Text.Help.testAppID, valueName: Text.Help.appIDName))
    var app: String?

    @Option(help: ArgumentHelp(Text.Help.testAppData, valueName: Text.Help.folder), completion: .directory)
    var data: [String] = []

    @OptionGroup var output: OutputOptions

    @Argument(parsing: .postTerminator, help: ArgumentHelp(Text.Help.runCommand, valueName: Text.Help.command))
    var command: [String] = []

    func validate() throws {
        if command.isEmpty { throw ValidationError(Text.Run.noCommand) }
    }

    func run() async throws {
        try await reporting {
            guard let program = ProgramPath.find(command[0]) else {
                Terminal.complain(Text.Run.notThere(command[0]))
                throw ExitCode(ExitStatus.noProgram)
            }
            let whole = [program] + command.dropFirst()
            let data = DataFolders(paths: data.map(AbsolutePath.of))
            let (id, json) = (app, output.json)
            let report: TrialReport
            do {
                report = try await interruptibly { try await Self.run(whole, id, data, json) }
            } catch let fault as TrialTerminal.Fault {
                Terminal.complain(Text.TestApp.fault(fault))
                throw ExitCode(ExitStatus.noDaemon)
            } catch is CancellationError {
                throw Interrupted()
            }
            if data.paths.isEmpty { Terminal.complain(Text.TestApp.noData) }
            Terminal.say(try json ? JSONOutput.document(report) : Text.TestApp.verdict(report))
            if !report.passed { throw ExitCode(ExitStatus.refused) }
        }
    }

    private static func run(
        _ command: [String], _ id: String?, _ data: DataFolders, _ json: Bool
    ) async throws -> TrialReport {
        // A namespace would hide from the app's developer whose processes these are.
        let wrapper = await ProgramWrapper.detect(namespace: false)
        let terminal = try await TrialTerminal.start(wrapper)
        var environment = ProgramLife.environment
        for name in ["DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS"] { environment[name] = terminal.address }
        environment["BATON_BUS"] = "session"
        environment["XDG_STATE_HOME"] = "\(terminal.folder)/app-state"
        let app = TrialApp(command: command, environment: environment, wrapper: wrapper)
        let result: Result<TrialReport, any Error>
        do {
            try await terminal.startDaemon()
            let trial = Trial(terminal: terminal, app: app, device: try await terminal.device(), id: id, data: data) {
                step in
                if !json { Terminal.say(Text.TestApp.step(step, Terminal.styleOfOutput)) }
            }
            result = .success(try await trial.run())
        } catch {
            result = .failure(error)
        }
        // Also when this was interrupted: a task of its own, which nothing cancels.
        await Task {
            await app.end()
            await terminal.stop()
        }.value
        return try result.get()
    }
}
