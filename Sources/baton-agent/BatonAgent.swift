import Agent
import ArgumentParser
import BatonContract
import CErase
import Glibc
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
            and wipes what did not confirm a sign-out. It waits for a supervisor that is not there yet.

            Run in the session with --check, it says what of it could not be covered, cleared or shut in, and ends.

            Exit codes: 0 asked to stop, or --check found nothing amiss; 1 --check found something; 64 usage, 69 no bus,
            75 batond has begun another journal, and the next agent has to work for it.
            """,
        version: Version.current)

    /// As a program's reaper it is another program, which must not be a process with children of its own.
    static func main() async {
        if let code = Reaper.play(CommandLine.arguments) { Glibc.exit(code) }
        await main(nil)
    }

    @OptionGroup var bus: BusOptions

    @Flag(help: "Look at this session's display, clipboard and sandboxes, say what does not work, and end.")
    var check = false

    @Flag(help: "End when the process that started this one ends.")
    var parentDeath = false

    @Flag(help: "Take from the standard input what batond asks for at registration; batond itself says so.")
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
            // Gone before we could look: there is nobody to work for.
            guard parent != nil else { return }
        }
        let log = Logger(label: "baton-agent", factory: { StreamLogHandler.standardError(label: $0) })
        let service = AgentService(bus: try chosenBus, credential: credential, log: log)
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
            log.notice("the session has changed: another agent has to start")
            throw ExitCode(75)
        } catch AgentService.Fault.outlived {
            throw ExitCode(75)
        } catch AgentService.Fault.noSupervisorUser {
            log.critical("there is no user baton, who runs the supervisor; `make install` makes it")
            throw ExitCode(69)
        }
    }

    private func checkSession() async throws {
        let found = await SessionCheck()
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
