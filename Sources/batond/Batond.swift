import ArgumentParser
import BatonContract
import CErase
import DeviceBus
import Glibc
import Identity
import Journal
import LinuxSystem
import Log
import Logging
import Providers
import Secrets
import ServiceLifecycle
import Settings
import SystemPackage
import UnixSignals

struct Batond: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batond",
        abstract: "Baton's supervisor: one worker holds the device, every app confirms the hand-over.",
        discussion: """
            Runs in the foreground until SIGTERM; SIGHUP makes it read its settings again. Exit codes: 0 stopped, 64 usage, \
            69 no bus or another batond, 74 the state folder cannot be made or the runtime folder not be written, 78 the settings \
            cannot be used. A journal that cannot be read or written quarantines the device instead.

            With --check and --json, standard output has one object: faults, warnings and unknown (users and groups that this machine \
            does not know; looked for with --system), each a list of objects with text, and \
            where they are known with origin (the file, or where else the value is from), line, key, unreadable-file \
            (which batond's user may not read) and repair (a command that mends it). With --provider it has provider, too: state \
            (ok, wrong or unchecked), text, reason (unreachable, untrusted, client or settings) and redirect-uri. A \
            provider that is wrong makes the exit code 1.

            Example, a terminal of your own on the session bus:
              batond --session
            """,
        version: Version.current)

    @Flag(help: "Serve the session bus: for one user and for trying out.")
    var session = false

    @Flag(help: "Serve the system bus, as in production.")
    var system = false

    @Option(help: ArgumentHelp("Serve the bus at this address.", valueName: "address"))
    var bus: String?

    @Option(
        help: ArgumentHelp("The settings (default: /etc/baton/baton.yaml or the user's).", valueName: "file"),
        completion: .file())
    var config: String?

    @Option(
        help: ArgumentHelp("The folder of the journal (default: /var/lib/baton or the user's).", valueName: "folder"),
        completion: .directory)
    var state: String?

    @Option(
        help: ArgumentHelp("The agent's program (default: beside this one).", valueName: "file"),
        completion: .file())
    var agent: String?

    @Option(
        help: "trace, debug, info, notice, warning, error or critical.",
        completion: .list(Logger.Level.allCases.map(\.rawValue)),
        transform: {
            guard let level = Logger.Level(rawValue: $0) else { throw ValidationError("There is no level '\($0)'.") }
            return level
        })
    var logLevel: Logger.Level = .info

    @Flag(help: "Check the settings and exit: 0 if they are valid, 78 if not.")
    var check = false

    @Flag(help: "With --check: ask the identity provider, too, as a sign-in does.")
    var provider = false

    @Flag(help: "With --check: print one object with what is wrong, for programs.")
    var json = false

    @Flag(help: "Print the introspection of /org/baton/Device1 and exit.")
    var introspect = false

    @Flag(help: "Print the version of the journal's file and exit; an older batond refuses a newer one's.")
    var journalVersion = false

    @Flag(help: "Explain every setting and exit.")
    var helpSettings = false

    @Flag(help: "Print the settings' JSON Schema, for editors and checks, and exit.")
    var settingsSchema = false

    @Flag(help: "Print every setting that is made, with its file and line, and exit.")
    var showSettings = false

    func validate() throws {
        if json, !check, !showSettings { throw ValidationError("--json belongs to --check and --show-settings.") }
        if provider, !check { throw ValidationError("--provider belongs to --check.") }
    }

    func run() throws {
        if helpSettings { return print(Settings.example) }
        if settingsSchema { return print(try SettingsSchema.text) }
        if journalVersion { return print(Journal.schemaVersion) }
        if introspect { return print(Contract.introspection, terminator: "") }
        try Daemon.onThisThread { executor in try await run(on: executor) }
    }

    private func run(on executor: any TaskExecutor) async throws {
        let hangUps = HangUps()
        let options = DaemonOptions(
            bus: try chosenBus(), config: config.map { FilePath($0) }, state: state.map { FilePath($0) },
            agent: agent.map { FilePath($0) }, environment: Self.environment(), reloads: hangUps.wishes,
            executor: executor)
        if check { return try await check(options) }
        if showSettings { return try await show(options) }
        forbidCoreFiles()
        baton_keep_heap_small()
        NetworkThreads.keepToOne()
        // Callers bring descriptors.
        DescriptorLimit.raise(atMost: 16384)
        let logControl = LogControl(identifier: "batond", level: logLevel)
        let stream = Self.environment()["JOURNAL_STREAM"]
        let log = Logger(label: "batond") { _ in logControl.handler(stream: stream) }
        do {
            let daemon = Daemon(options, log: log, logControl: logControl) { baton_let_go() }
            try await ServiceGroup(
                services: [hangUps, daemon], gracefulShutdownSignals: [.sigterm, .sigint],
                logger: Logger(label: "lifecycle") {
                    _ in SwiftLogNoOpLogHandler()
                }
            ).run()
        } catch let fault as DaemonFault {
            log.critical("\(fault.message)")
            throw ExitCode(fault.exitCode)
        }
    }

    private func chosenBus() throws -> DaemonOptions.Bus {
        switch (session, system, bus) {
        case (true, false, nil): .session
        case (false, true, nil): .system
        case (false, false, let address?): .address(address)
        // To check settings, the bus matters only for how strictly files are judged.
        case (false, false, nil) where check: .system
        default: throw ValidationError("Choose one of --session, --system and --bus ADDRESS.")
        }
    }

    /// Says everything that is wrong, one line each.
    private func check(_ options: DaemonOptions) async throws {
        var result: SettingsCheck
        do throws(DaemonFault) {
            let parsed = try await options.parseSettings()
            // Elsewhere than on the terminal itself there may be other users.
            result = SettingsCheck(
                parsed,
                unknown: system ? UnknownNames.of(parsed.settings, file: options.settingsFile?.string ?? "") : [])
            if provider, let openID = parsed.settings.openID {
                result.provider = await ProviderTrial(openID, of: parsed.settings).run()
            }
        } catch {
            guard case .settings(let faults) = error else {
                write(error.message)
                throw ExitCode(error.exitCode)
            }
            result = SettingsCheck(faults: faults)
        }
        if json {
            print(try result.json)
        } else {
            for warning in result.warnings + result.unknown { write("warning: \(warning.text)") }
            for fault in result.faults { write(fault.text) }
            if result.faults.isEmpty { print("The settings are valid.") }
            if let provider = result.provider { write("provider: \(provider.state.rawValue): \(provider.text)") }
        }
        if result.faults.isEmpty, result.provider?.state == .wrong { throw ExitCode(1) }
        if !result.faults.isEmpty { throw ExitCode(DaemonFault.settings(result.faults).exitCode) }
    }

    private func show(_ options: DaemonOptions) async throws {
        do throws(DaemonFault) {
            let listing = SettingsListing(try await options.parseSettings().values)
            print(json ? listing.json : listing.text)
        } catch {
            write(error.message)
            throw ExitCode(error.exitCode)
        }
    }

    private func write(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }

    /// A core file would hold PINs and whatever else is only ever in memory; so would a look into it by any other
    /// program of the same user.
    private func forbidCoreFiles() {
        OwnMemory.shield()
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }

    private static func environment() -> [String: String] {
        var result: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                result[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            next += 1
        }
        return result
    }
}
