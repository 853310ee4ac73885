import Agent
import ArgumentParser
import BatonContract
import CErase
import Glibc
import Log
import Logging
import Processes
import Secrets
import ServiceLifecycle
import UnixSignals

struct BatonAgent: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "baton-agent",
        abstract: "Contains apps for the Baton supervisor inside the kiosk user's session.",
        discussion: """
            It registers with the supervisor on the bus, watches the processes of apps that take part, and stops \
            and wipes each app that did not confirm a sign-out. If the supervisor is not running yet, the agent waits.

            Run in the session with --check, it lists what it could not cover, clear or confine there, and exits.

            Exit codes: 0 asked to stop, or --check found no problem; 1 --check found a problem; 64 usage, 69 no bus,
            75 batond has begun another journal, which needs a new agent.
            """,
        version: Version.current)

    @OptionGroup var bus: BusOptions

    @Flag(help: "Check this session's display, clipboard and sandboxes, list the problems, and exit.")
    var check = false

    @Flag(help: "Exit when the parent process ends.")
    var parentDeath = false

    @Flag(help: "Read the credential for the registration from standard input; batond sets this option.")
    var credentialStdin = false

    func validate() throws {
        if !check { _ = try bus.choice }
    }

    func run() async throws {
        if check { return try await checkSession() }
        // Before anything secret comes in: browsers tell it their pages' addresses and cookies.
        OwnMemory.shield()
        baton_keep_heap_small()
        let credential = credentialStdin ? LaunchCredential.takeFromInput() : nil
        var parent: ParentWatch?
        if parentDeath {
            parent = ParentWatch()
            // The parent ended before we could look: no process is left to work for.
            guard parent != nil else { return }
        }
        let control = LogControl(identifier: "baton-agent", level: .info)
        let stream = Self.variable("JOURNAL_STREAM")
        let log = Logger(label: "baton-agent") { _ in control.handler(stream: stream) }
        let manager = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"].map { ($0, Self.variable($0)) }
        let service = AgentService(
            bus: try chosenBus, credential: credential,
            service: Dictionary(manager.compactMap { name, value in value.map { (name, $0) } }) { $1 }, log: log)
        let group = ServiceGroup(
            services: [service], gracefulShutdownSignals: [.sigterm, .sigint],
            logger: Logger(label: "lifecycle") { _ in SwiftLogNoOpLogHandler() })
        do {
            try await withThrowingTaskGroup(of: Bool.self) { tasks in
                if let parent {
                    tasks.addTask {
                        await parent.untilGone()
                        await group.triggerGracefulShutdown()
                        return false
                    }
                }
                tasks.addTask {
                    try await group.run()
                    return true
                }
                while let hasStopped = try await tasks.next(), !hasStopped {}
                tasks.cancelAll()
            }
        } catch AgentService.Fault.noBus(let reason) {
            log.critical("the bus is not there: \(reason)")
            throw ExitCode(69)
        } catch AgentService.Fault.otherSession {
            log.notice("the session has changed: a new agent must start")
            throw ExitCode(75)
        } catch AgentService.Fault.outlived {
            throw ExitCode(75)
        } catch AgentService.Fault.noSupervisorUser {
            log.critical("there is no user baton, which runs the supervisor; `make install` creates it")
            throw ExitCode(69)
        }
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    private func checkSession() async throws {
        let found = await DesktopSessionCheck()
        print("Display   \(found.display.isEmpty ? "none" : found.display)")
        print("Programs  shut in with proof: \(found.proof.rawValue)")
        for warning in found.warnings { print("Warning   \(warning)") }
        if !found.warnings.isEmpty { throw ExitCode(1) }
    }

    private var chosenBus: AgentService.Bus {
        get throws {
            switch try bus.choice {
            case .session: .session
            case .system: .system
            case .address(let address): .address(address)
            }
        }
    }
}
