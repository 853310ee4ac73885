import BatonContract
import Clearing
import LinuxSystem
import Logging
import Processes
import Sandbox
import Synchronization
import Testing
import TurnControl
import Vocabulary

@testable import Agent

/// Apps that run as the users of turns.
@Suite(.timeLimit(.minutes(1))) struct TurnAppsTests {
    /// What was to be started; nothing is.
    private final class Started: Sendable {
        private let programs = Mutex<[ConfinedProgram]>([])

        func note(_ program: ConfinedProgram) { programs.withLock { $0.append(program) } }
        var users: [TurnNumber?] { programs.withLock { $0.map(\.user) } }
        var commands: [[String]] { programs.withLock { $0.map(\.command) } }
        var environments: [[String: String]] { programs.withLock { $0.map(\.environment) } }
        var shares: [ConfinedProgram.Share] { programs.withLock { $0.flatMap(\.shares) } }
    }

    private let started = Started()
    private let apps: ManagedApps
    private let numbers = TurnNumber.all

    init() {
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        apps = ManagedApps(home: "/home/kiosk", link: NoLink(), log: log) {
            [started] program, _ async throws(LaunchFault) in
            started.note(program)
            throw .failed("nothing is started")
        }
        apps.users.configure(isNeeded: true)
    }

    private func open(_ change: (inout AgentConfiguration.ManagedApp) -> Void = { _ in }) async -> String {
        var app = AgentConfiguration.ManagedApp(id: "org.example.Till", name: "Till", command: ["/usr/bin/till"])
        app.isSandboxed = true
        change(&app)
        await apps.configure([app])
        return await apps.open(app.id, in: 1)
    }

    @Test func `one that keeps nothing runs as the user of the turn`() async {
        apps.users.begin(numbers[3])
        _ = await open()
        #expect(started.users == [numbers[3]])
    }

    @Test func `what it keeps and reads comes from its own folders, which PID 1 gives to each turn's user`() async {
        apps.users.begin(numbers[3])
        _ = await open {
            $0.keep = ["~/.config/till"]
            $0.readOnly = ["~/Documents/Prices"]
        }
        #expect(started.users == [numbers[3]])
        #expect(
            started.shares == [
                .init(
                    "/var/lib/baton-keep/org.example.Till/.config/till", as: "/home/baton-turn/.config/till",
                    isWritable: true),
                .init(
                    "/var/lib/baton-read-only/org.example.Till/Documents/Prices",
                    as: "/home/baton-turn/Documents/Prices"),
            ])
    }

    @Test
    func
        `programs of a turn speak its worker's language, and a desktop has their keyboard, until it ends`()
        async throws
    {
        apps.users.begin(numbers[3])
        var desktop = AgentConfiguration.Desktop()
        desktop.command = ["/usr/bin/sway"]
        await apps.setTurnEnvironment(
            ["LANG": "de_AT.UTF-8", "LANGUAGE": "de_AT:de"], keyboard: KeyboardLayout("ch(fr)"))
        await apps.configure([], desktop: desktop)
        _ = await apps.startDesktop(in: 1)
        let names = ["LANG", "LANGUAGE", "XKB_DEFAULT_LAYOUT", "XKB_DEFAULT_VARIANT"]
        #expect(
            names.map { started.environments.last?[$0] } == ["de_AT.UTF-8", "de_AT:de", "ch", "fr"])
        _ = await open { $0.environment = ["LANG": "hu_HU.UTF-8"] }
        #expect(
            names.map { started.environments.last?[$0] } == ["hu_HU.UTF-8", "de_AT:de", nil, nil],
            "its own go before")
        // It outlasts the turn.
        _ = await open { $0.isSandboxed = false }
        #expect(names.map { started.environments.last?[$0] } == [nil, nil, nil, nil])
        _ = await apps.endSandboxes(of: 0, limit: TimeLimit(.seconds(20)))
        _ = await open()
        #expect(names.map { started.environments.last?[$0] } == [nil, nil, nil, nil])
    }

    @Test func `a session bus of its own comes before it, and ends with it`() async {
        apps.users.begin(numbers[3])
        _ = await open { $0.hasSessionBus = true }
        #expect(started.commands == [["/usr/bin/dbus-run-session", "--", "/usr/bin/till"]])
    }

    @Test func `a desktop starts as the turn's user, with the template's files, and is no app of the start page`() async
    {
        apps.users.begin(numbers[3])
        var desktop = AgentConfiguration.Desktop()
        (desktop.command, desktop.home) = (["/usr/bin/sway"], "/etc/skel")
        await apps.configure([], desktop: desktop)
        #expect(await apps.startDesktop(in: 1) == "The desktop could not be started.")
        #expect(started.users == [numbers[3]])
        #expect(
            started.commands.first?.suffix(5) == [
                "sh", "/etc/skel", "/usr/bin/dbus-run-session", "--", "/usr/bin/sway",
            ])
        #expect(await apps.offered.isEmpty)
    }

    @Test func `without users of the turns no desktop starts, and none starts when the turn has ended`() async {
        var desktop = AgentConfiguration.Desktop()
        desktop.command = ["/usr/bin/sway"]
        await apps.configure([], desktop: desktop)
        apps.users.configure(isNeeded: false)
        #expect(await apps.startDesktop(in: 1) == "The desktop could not be started.")
        apps.users.configure(isNeeded: true)
        apps.users.begin(numbers[3])
        apps.gate.close(1)
        #expect(await apps.startDesktop(in: 1) == "No worker is signed in.")
        #expect(started.users.isEmpty)
    }

    @Test func `where the settings name no desktop none starts`() async {
        apps.users.begin(numbers[3])
        await apps.configure([])
        #expect(await apps.startDesktop(in: 1).isEmpty)
        #expect(started.users.isEmpty)
    }

    @Test func `one without a sandbox runs as the agent's own user`() async {
        apps.users.begin(numbers[3])
        _ = await open { $0.isSandboxed = false }
        #expect(started.users == [nil] && started.shares.isEmpty)
    }

    @Test func `none is started as the next turn's user`() async {
        apps.users.prepare(numbers[3])
        #expect(await open() == "Till could not be started.")
        #expect(started.users.isEmpty)
    }

    @Test func `none is started when the end of the turn was asked for`() async {
        apps.users.begin(numbers[3])
        apps.users.end()
        #expect(await open() == "Till could not be started.")
        #expect(started.users.isEmpty)
    }

    @Test func `one whose start hangs does not hold up the end of the turn that ends it`() async {
        let (begun, begins) = AsyncStream.makeStream(of: Void.self)
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let apps = ManagedApps(home: "/home/kiosk", link: NoLink(), log: log) { _, _ async throws(LaunchFault) in
            begins.yield()
            // As PID 1 does in a slice that is closed: it says nothing.
            try? await Task.sleep(for: .seconds(600))
            throw .failed("it was not started")
        }
        apps.users.configure(isNeeded: true)
        apps.users.begin(numbers[3])
        var app = AgentConfiguration.ManagedApp(id: "org.example.Till", name: "Till", command: ["/usr/bin/till"])
        app.isSandboxed = true
        await apps.configure([app])
        async let answer = apps.open("org.example.Till", in: 1)
        for await _ in begun { break }
        let row = await apps.endSandboxes(of: 1, limit: TimeLimit(.seconds(50)))
        #expect(row == HolderReport("apps", .clean, "no sandbox was open"))
        #expect(await answer == "Till could not be started.")
    }

    @Test func `where turns have no users each runs as the agent's own`() async {
        apps.users.configure(isNeeded: false)
        _ = await open { $0.keep = ["~/.config/till"] }
        #expect(started.users == [nil])
        #expect(started.shares == [.init("/home/kiosk/.config/till", isWritable: true)])
    }
}
