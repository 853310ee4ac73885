import Baton
import Browsers
import Clearing
import DBus
import Display
import Glibc
import LinuxSystem
import Logging
import Processes
import Sandbox
import TurnControl

/// The session in which this agent runs: its display, its buses, what its programs can be shut into.
struct DesktopSession: Sendable {
    let kiosk: Kiosk

    /// - Parameters:
    ///   - connection: The one on which the agent registers.
    ///   - participants: The processes of the apps that take part.
    init(
        _ connection: Connection, bus: BusAddress, log: Logger, participants: @escaping @Sendable () async -> Set<Int32>
    ) async {
        let launcher = Launcher()
        var surroundings = Surroundings()
        switch bus {
        case .session: surroundings.sessionBus = surroundings.environment["DBUS_SESSION_BUS_ADDRESS"]
        case .system: surroundings.systemBus = surroundings.environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? Self.systemBus
        case .address(let address): surroundings.sessionBus = address
        }
        let folder = surroundings.folder
        let confiner = await Confiner.detect(surroundings, launcher: launcher)
        let display = await SessionDisplay(environment: surroundings.environment, logger: log)
        let keymap = await Self.keymap(display, surroundings, launcher)
        let desktop = await Self.desktop(bus, connection, surroundings.environment)
        let system = bus == .system ? connection : nil
        let holders = Holders(surroundings: surroundings, launcher: launcher, desktop: desktop)
        let link = BusDeviceLink(connection, bus: bus, log: log)
        let apps = ManagedApps(home: surroundings.home, link: link, log: log) {
            program, isSandboxed async throws(LaunchFault) in
            var program = program
            program.seesEverything = !isSandboxed
            return try await confiner.start(program)
        }
        let notice = desktop.map { desktop in
            CountdownNotice(connection: desktop, logger: log) { _ = await link.keepSignedIn() }
        }
        let strays = Strays(
            home: surroundings.home, environment: surroundings.environment, folder: folder, log: log,
            participants: participants, display: display.server)
        let parts = Kiosk.Parts(
            proof: confiner.proof, display: display.kind, screen: display.screen,
            setLook: {
                let (look, warning) = await SiteLookReader(folder: folder, launcher: launcher).read($0)
                SiteLook.current = look
                return warning
            },
            maker: { kind in
                guard kind == .firefox else { return ChromiumMaker(start: confiner.start) }
                return FirefoxMaker(
                    start: confiner.start, launcher: launcher, folder: folder,
                    hasDisplay: !display.kind.isEmpty,
                    size: display.size)
            },
            windowArguments: { kind in
                guard kind == .chromium, let size = display.size else { return [] }
                return ["--window-position=0,0", "--window-size=\(size.width),\(size.height)"]
            },
            executable: { settings in
                settings.executable.isEmpty ? settings.kind.standardExecutable : settings.executable
            },
            findIdle: { await FoundIdle.find(display, desktop: desktop, system: system, waits: $0) },
            sweep: { await confiner.sweep(limit: TimeLimit(.seconds(5))) },
            holders: { configuration in
                holders.all.filter { holder in
                    configuration.holders.contains { $0.rawValue == holder.name }
                }
            },
            strays: strays, forgetWindows: display.forgetWindows,
            server: display.keeper(ignoring: TurnNumber.all.map(\.user)),
            keyboard: keymap.map {
                Kiosk.Keyboard(keymap: $0, note: KeymapNote(folder: folder), server: display.server)
            },
            warnings: { configuration in
                var warnings = configuration.browser.kind == .none ? [] : await display.warnings()
                for holder in holders.all where configuration.holders.contains(where: { $0.rawValue == holder.name }) {
                    if let warning = await holder.warning() { warnings.append("\(holder.name): \(warning)") }
                }
                if let weakness = confiner.weakness,
                    configuration.browser.kind != .none || !configuration.apps.isEmpty
                {
                    warnings.append(weakness)
                }
                if configuration.desktop.wantsKeyboards {
                    let none =
                        "workers have the device's own keyboard layout: it can be set on X servers and under sway only"
                    if let warning = keymap == nil ? none : keymap?.warning { warnings.append(warning) }
                }
                return warnings
            },
            notice: CountdownDisplays(
                screen: display.notice(logger: log) { Task { _ = await link.keepSignedIn() } }, desktop: notice),
            bar: { display.bar($0, logger: log, pressed: $1) },
            languageEnvironment: { [own = surroundings.environment] in
                ProgramLanguage.environment(locale: $0, own: own)
            },
            admit: { user in
                // A Wayland compositor is connected to by the agent.
                guard display.kind != "wayland" else { return }
                let limit = TimeLimit(.seconds(2))
                let refused = TurnNumber.all.filter { $0 != user }.map(\.user)
                if await display.change(admit: [user].compactMap { $0?.user }, refuse: refused, limit: limit) { return }
                log.error("the display does not let the turn's user in")
            })
        kiosk = Kiosk(parts: parts, link: link, apps: apps, log: log)
    }

    private static func keymap(
        _ display: SessionDisplay, _ surroundings: Surroundings, _ launcher: Launcher
    ) async -> (any SessionKeymap)? {
        guard display.kind == "wayland" else {
            return XKeymap(environment: surroundings.environment, folder: surroundings.folder, launcher: launcher)
        }
        return await display.sway(environment: surroundings.environment).map {
            SwayKeymap($0, folder: surroundings.folder)
        }
    }

    private static let systemBus = "unix:path=/run/dbus/system_bus_socket"

    /// The kiosk user's session bus, where keyring and notifications are; nil: there is none.
    private static func desktop(
        _ bus: BusAddress, _ connection: Connection, _ environment: [String: String]
    ) async -> Connection? {
        guard case .system = bus else { return connection }
        guard let address = environment["DBUS_SESSION_BUS_ADDRESS"] else { return nil }
        return try? await Connection.open(.address(address))
    }
}
