import Baton
import DBus
import Glibc
import LinuxSystem

/// Looks at a terminal from the bus down to the kernel; each look stands for itself, so that it also works when nothing runs.
struct Examination {
    let bus: BusAddress?
    let environment: [String: String]
    private var isSystem: Bool
    private var device: Device?
    private var information: DeviceInformation?
    private var findings: [Finding] = []

    init(bus: BusAddress?, environment: [String: String]) {
        self.bus = bus
        self.environment = environment
        isSystem = bus == .system || (bus == nil && environment["BATON_BUS"] == "system")
    }

    static func report(bus: BusAddress?, environment: [String: String]) async -> DoctorReport {
        var examination = Examination(bus: bus, environment: environment)
        await examination.run()
        return DoctorReport(findings: examination.findings)
    }

    private mutating func run() async {
        await lookAtBus()
        let units = isSystem ? await SystemUnits.ask() : nil
        await lookAtDaemon(units)
        let kiosk = Self.user(of: units?.agent, "kiosk")
        if isSystem {
            let service = Self.user(of: units?.batond, "baton")
            findings += UnitLook.findings(units)
            findings += PolicyLook(users: [service, kiosk]).findings()
            findings.append(await PolkitLook(service: service).finding())
        }
        let session = isSystem ? lookAtSession(UserAccount(named: kiosk), units) : []
        findings += StateLook(
            isSystem: isSystem, environment: environment, information: information,
            hasSession: !session.contains { $0.state == .wrong }
        ).findings()
        findings += await SettingsLook(
            bus: bus, isSystem: isSystem, isRunning: information != nil,
            isOpenID: information.flatMap(\.identity).map { $0 == .oidc }
        ).findings()
        findings.append(await ClockLook.finding(newest: newestReceipt()))
        findings += await KernelLook.findings()
        if isSystem, information != nil { findings.append(await SleepLook.finding()) }
        if isSystem { findings += TurnLook.findings() }
        if let information {
            findings += PINLook.findings(information)
            findings += AgentLook.findings(
                information, isSystem: isSystem, unit: units?.agent, others: findings + session)
        }
        findings += session + ToolLook.findings(information)
        if isSystem { findings += BrowserPolicyLook().findings(information) }
    }

    /// What keeps batond away, as far as its unit says.
    private static func absence(of unit: SystemUnits.Unit?, isSystem: Bool) -> Finding {
        if isSystem, let unit {
            if unit.isMasked { return .wrong("daemon", Text.Doctor.noDaemon, Text.Doctor.unmask("batond")) }
            // To start it once more would end in the same way.
            if unit.runs || unit.active == "failed" {
                return .wrong("daemon", Text.Doctor.daemonDoesNotStart, Text.Doctor.seeLog(isSystem: isSystem))
            }
        }
        return .wrong("daemon", Text.Doctor.noDaemon, Text.Doctor.startDaemon(isSystem: isSystem))
    }

    /// As whom a unit's processes run.
    ///
    /// - Parameter installed: As whom those of Baton's own unit do.
    private static func user(of unit: SystemUnits.Unit?, _ installed: String) -> String {
        guard let name = unit?.user, !name.isEmpty else { return installed }
        return name
    }

    private func lookAtSession(_ kiosk: UserAccount?, _ units: SystemUnits?) -> [Finding] {
        // Others do not reach what is in the kiosk user's folders.
        guard geteuid() == 0 || geteuid() == kiosk?.id else {
            return [.unchecked("session", Text.Doctor.sessionIsHidden, Text.Doctor.asRoot)]
        }
        return SessionLook(
            kiosk: kiosk, desktop: units?.kiosk, needsDisplay: information?.browser.isManaged != false
        ).findings()
    }

    private mutating func lookAtBus() async {
        do {
            let device: Device =
                if let bus { try await Device.connect(bus) } else { try await Device.connect() }
            if device.bus == .system { isSystem = true }
            self.device = device
            findings.append(.ok("bus", Text.Doctor.busIsThere(isSystem: isSystem)))
        } catch {
            if bus == nil, environment["BATON_BUS"] == nil,
                environment["DBUS_SESSION_BUS_ADDRESS"] == nil || Device.isInstalled
            {
                isSystem = true
            }
            findings.append(
                .wrong("bus", Text.failure(error), Text.Doctor.startBus(isSystem: isSystem)))
        }
    }

    private mutating func lookAtDaemon(_ units: SystemUnits?) async {
        guard let device else { return }
        guard (try? await device.isPresent()) == true else {
            findings.append(Self.absence(of: units?.batond, isSystem: isSystem))
            return
        }
        do {
            let information = try await device.deviceInformation()
            self.information = information
            isSystem = information.bus == .system
            if information.version == Version.current {
                findings.append(.ok("daemon", Text.Doctor.daemonRuns(information.version)))
            } else {
                findings.append(
                    .wrong(
                        "daemon", Text.Doctor.otherVersion(information.version, Version.current),
                        Text.Doctor.restartDaemon(isSystem: isSystem)))
            }
        } catch DeviceError.notAllowed {
            findings.append(.wrong("daemon", Text.Doctor.notLetIn, Text.Doctor.letIn(isRoot: geteuid() == 0)))
            return
        } catch {
            findings.append(
                .wrong("daemon", Text.failure(error), Text.Doctor.seeLog(isSystem: isSystem)))
            return
        }
        let service = Self.user(of: units?.batond, "baton")
        let expected = isSystem ? UserName.id(of: service) : geteuid()
        let owner = try? await device.daemonUser()
        if owner == expected, let owner {
            findings.append(.ok("owner", Text.Doctor.owner(UserName.of(owner))))
        } else {
            findings.append(
                .wrong(
                    "owner",
                    Text.Doctor.wrongOwner(
                        owner.map(UserName.of), isSystem ? service : UserName.of(geteuid())),
                    Text.Doctor.installPolicy))
        }
    }

    private func newestReceipt() async -> Receipt? {
        guard information != nil else { return nil }
        return try? await device?.receipts(newest: 1).first
    }
}
