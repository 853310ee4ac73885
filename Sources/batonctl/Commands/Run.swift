import ArgumentParser
import Baton
import Glibc
import Processes
import SystemPackage

struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: Text.Help.run,
        discussion: Text.Help.runDiscussion + "\n\n"
            + Text.Help.example(
                "batonctl run --app org.example.Viewer --wipe ~/.cache/viewer -- viewer --fullscreen",
                "batonctl run --app org.example.Till --wipe ~/.till --keep ~/.till/printer.conf --restart always -- till",
                "batonctl run --app org.example.Viewer --json-fd 3 -- viewer 3>events.jsonl"
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

    @Option(name: .customLong("json-fd"), help: ArgumentHelp(Text.Help.jsonDescriptor, valueName: Text.Help.descriptor))
    var jsonDescriptor: Int32?

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

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
            let events = try events()
            let device = try await bus.device()
            let life = ProgramLife(
                command: [program] + command.dropFirst(), folders: folders, rule: restart,
                wrapper: await .detect(namespace: !isWithoutNamespace), output: events)
            let run = ProgramRun(
                app: app, program: command[0], device: device, life: life, rule: restart, output: events)
            let status = try await run.run()
            if status != 0 { throw ExitCode(status) }
        }
    }

    private func events() throws -> RunOutput {
        guard let number = jsonDescriptor else {
            return RunOutput(lines: output.json ? EventLines(to: .standardError) : nil)
        }
        let mode = fcntl(number, F_GETFL)
        guard number > 0, mode >= 0, mode & O_ACCMODE != O_RDONLY else {
            throw ValidationError(Text.Run.notWritable(number))
        }
        // The program has no part in it.
        if number > 2 { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        return RunOutput(lines: EventLines(to: FileDescriptor(rawValue: number)))
    }
}
