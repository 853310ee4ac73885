import ArgumentParser
import Baton
import DBus
import Glibc
import SystemPackage

struct InstallScheme: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install-scheme", abstract: Text.Help.installScheme,
        discussion: Text.Help.installSchemeDiscussion + "\n\n"
            + Text.Help.example(
                "batonctl apps install-scheme --dry-run", "batonctl apps install-scheme --app org.example.WardList",
                "batonctl apps install-scheme --remove"))

    @Option(help: ArgumentHelp(Text.Help.schemeApp, valueName: Text.Help.appIDName))
    var app: String?

    @Flag(help: ArgumentHelp(Text.Help.schemeUser))
    var user = false

    @Flag(help: ArgumentHelp(Text.Help.schemeSystem))
    var system = false

    @Flag(help: ArgumentHelp(Text.Help.schemeRemove))
    var remove = false

    @Flag(help: ArgumentHelp(Text.Help.dryRun))
    var dryRun = false

    @Option(help: ArgumentHelp(Text.Help.config, valueName: Text.Help.file), completion: .file())
    var config: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if user, system { throw ValidationError(Text.Schemes.oneFolder) }
        if let app, !RedirectScheme.isAppID(app) { throw ValidationError(Text.Schemes.noAppID) }
    }

    func run() async throws {
        try await reporting {
            let isSystem = system || (!user && geteuid() == 0)
            let environment = Terminal.environment
            guard let folder = Self.folder(isSystem: isSystem, environment: environment) else {
                Terminal.complain(Text.Schemes.noFolder)
                throw ExitCode(ExitStatus.settings)
            }
            var listing = RedirectScheme.Listing()
            var nothing = Text.Schemes.nothingToRemove
            if !remove {
                let settings = try SettingsLocation.file(
                    explicit: config, bus: isSystem ? .system : nil, environment: environment
                ).path
                let apps = settings.removingLastComponent().appending("apps.d")
                listing = try RedirectScheme.list(in: apps)
                nothing = Text.Schemes.nothing(apps.string)
                if let app { listing.schemes = listing.schemes.filter { $0.app == app } }
                if let app, listing.schemes.isEmpty {
                    Terminal.complain(listing.faults.first?.printable ?? Text.Schemes.noScheme(app, apps.string))
                    throw ExitCode(ExitStatus.refused)
                }
                // What an unreadable file would say must not be taken away.
                guard listing.faults.isEmpty else {
                    for fault in listing.faults { Terminal.complain(fault.printable) }
                    throw ExitCode(ExitStatus.settings)
                }
            }
            let program = try Self.program()
            let handlers = listing.schemes.map { SchemeHandler(scheme: $0, program: program) }
            let lines = try await SchemeFolder(path: folder, isUsers: !isSystem, isRehearsal: dryRun)
                .set(handlers, only: app)
            if output.json { return Terminal.say(try JSONOutput.document(SchemesReport(done: lines))) }
            for line in lines.isEmpty ? [nothing] : lines { Terminal.say(line.printable) }
        }
    }

    static func folder(isSystem: Bool, environment: [String: String]) -> FilePath? {
        if isSystem { return "/usr/local/share/applications" }
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
            return FilePath(data).appending("applications")
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return FilePath(home).appending(".local/share/applications")
    }

    /// This program, wherever it lies.
    private static func program() throws -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { throw Errno(rawValue: errno) }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
