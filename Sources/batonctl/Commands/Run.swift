import ArgumentParser
import Baton
import Processes

struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: Text.Help.run,
        discussion: Text.Help.runDiscussion + "\n\n"
            + Text.Help.example(
                "batonctl run --app org.example.Viewer --wipe ~/.cache/viewer -- viewer --fullscreen",
                "batonctl run --app org.example.Till --wipe ~/.till --keep ~/.till/printer.conf --restart always -- till"
            ))

    @Option(help: ArgumentHelp(Text.Help.appID, valueName: Text.Help.appIDName))
    var app: String

    @Option(help: ArgumentHelp(Text.Help.wipe, valueName: Text.Help.folder), completion: .directory)
    var wipe: [String] = []

    @Option(help: ArgumentHelp(Text.Help.keep, valueName: Text.Help.path), completion: .file())
    var keep: [String] = []

    @Option(help: ArgumentHelp(Text.Help.restart))
    var restart: RestartRule = .atSignIn

    @Flag(name: .customLong("no-namespace"), help: ArgumentHelp(Text.Help.noNamespace))
    var isWithoutNamespace = false

    @OptionGroup var bus: BusOptions

    @Argument(parsing: .postTerminator, help: ArgumentHelp(Text.Help.runCommand, valueName: Text.Help.command))
    var command: [String] = []

    func validate() throws {
        if command.isEmpty { throw ValidationError(Text.Run.noCommand) }
    }

    func run() async throws {
        Terminal.outliveReaders()
        try await reporting {
            let folders: ProgramFolders
            do {
                folders = try ProgramFolders(wipe: wipe, keep: keep)
            } catch let error as ProgramFolders.Refused {
                throw ValidationError(error.text)
            }
            guard let program = ProgramPath.find(command[0]) else {
                Terminal.complain(Text.Run.notThere(command[0]))
                throw ExitCode(ExitStatus.noProgram)
            }
            let device = try await bus.device()
            if try await !device.isPresent() { Terminal.complain(Text.Run.waits(command[0], on: device.bus)) }
            let life = ProgramLife(
                command: [program] + command.dropFirst(), folders: folders, rule: restart,
                wrapper: await .detect(namespace: !isWithoutNamespace))
            let status = try await ProgramRun(app: app, device: device, life: life, rule: restart).run()
            if status != 0 { throw ExitCode(status) }
        }
    }
}
