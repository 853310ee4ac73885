import Glibc
import LinuxSystem
import SystemPackage

/// The kiosk user's session, where the agent shows and clears: whether its display and its bus are where the agent is told.
struct SessionLook {
    /// Nil: there is no such file.
    var file = SessionFile()
    /// The user that the agent runs as, if this machine knows it.
    let kiosk: UserAccount?
    /// The desktop that Baton brings.
    let desktop: SystemUnits.Unit?
    /// False: batond manages no browser, and the agent can do without a display.
    let needsDisplay: Bool
    /// Whether something listens at a socket.
    var answers: (String) -> Bool = { Descriptor.connected(to: $0) != nil }
    var displays: () -> [String] = {
        (try? TextFile.names(in: "/tmp/.X11-unix"))?.filter { $0.hasPrefix("X") }.map { ":\($0.dropFirst())" }.sorted()
            ?? []
    }

    func findings() -> [Finding] {
        guard let file else {
            return [.wrong("session", Text.Doctor.noSessionFile, Text.Doctor.makeSessionFile)]
        }
        // The display's socket may be in that folder.
        let faults = [folder(file), display(file), bus(file)].compactMap(\.self)
        guard faults.isEmpty else { return faults }
        return [.ok("session", Text.Doctor.sessionIsThere(file["WAYLAND_DISPLAY"] ?? file["DISPLAY"]))]
    }

    /// Beside the fault of the folder, those of what lies in it say nothing new.
    private func folder(_ file: SessionFile) -> Finding? {
        guard let folder = file["XDG_RUNTIME_DIR"] else { return nil }
        guard let facts = FileFacts(path: folder), facts.isDirectory else {
            return .wrong("session", Text.Doctor.noFolder(folder), repair("XDG_RUNTIME_DIR", ownFolder))
        }
        guard let kiosk, facts.owner != kiosk.id else { return nil }
        return .wrong(
            "session", Text.Doctor.foreignFolder(folder, UserName.of(facts.owner)), repair("XDG_RUNTIME_DIR", ownFolder)
        )
    }

    private func display(_ file: SessionFile) -> Finding? {
        func fault(_ text: String, _ advice: String) -> Finding {
            Finding(check: "session", state: needsDisplay ? .wrong : .warning, text: text, advice: advice)
        }
        if let name = file["WAYLAND_DISPLAY"] {
            guard name.hasPrefix("/") || file["XDG_RUNTIME_DIR"] != nil else {
                return fault(Text.Doctor.noRuntimeFolder, repair("XDG_RUNTIME_DIR", ownFolder))
            }
            let path = name.hasPrefix("/") ? name : "\(file["XDG_RUNTIME_DIR"] ?? "")/\(name)"
            return answers(path) ? nil : fault(Text.Doctor.noCompositor(path), startDesktop)
        }
        guard let name = file["DISPLAY"] else {
            return fault(Text.Doctor.noDisplayNamed, Text.Doctor.nameDisplay)
        }
        // One of another machine is not looked at.
        guard name.hasPrefix(":"), let number = name.dropFirst().split(separator: ".").first, Int(number) != nil else {
            return nil
        }
        if answers("/tmp/.X11-unix/X\(number)") { return nil }
        let others = displays().filter { answers("/tmp/.X11-unix/X\($0.dropFirst())") }
        if others.count == 1, let other = others.first {
            return fault(Text.Doctor.otherDisplay(name, other), repair("DISPLAY", other))
        }
        return fault(Text.Doctor.noDisplay(name), startDesktop)
    }

    private func bus(_ file: SessionFile) -> Finding? {
        guard let address = file["DBUS_SESSION_BUS_ADDRESS"] else { return nil }
        let prefix = "unix:path="
        // Others than this kind are not looked at.
        guard address.hasPrefix(prefix), !address.contains(";") else { return nil }
        let path = String(address.dropFirst(prefix.count).prefix { $0 != "," })
        guard !answers(path) else { return nil }
        return .wrong(
            "session", Text.Doctor.noSessionBus(path), repair("DBUS_SESSION_BUS_ADDRESS", "\(prefix)\(ownFolder)/bus"))
    }

    private var ownFolder: String { "/run/user/\(kiosk.map { "\($0.id)" } ?? "UID")" }

    /// Where the display is not there at all.
    private var startDesktop: String {
        guard let desktop, desktop.isThere, desktop.isEnabled, !desktop.runs else { return Text.Doctor.startDesktop }
        return "systemctl start baton-kiosk"
    }

    private func repair(_ name: String, _ value: String) -> String {
        // The folder is there from the user's first session on, and with that it is at each start of the machine.
        let isMissing = value.contains(ownFolder) && FileFacts(path: ownFolder) == nil
        let linger = isMissing ? kiosk.map { "loginctl enable-linger \($0.name); " } ?? "" : ""
        return "\(linger)sed -i 's|^\(name)=.*|\(name)=\(value)|' \(SessionFile.path); systemctl restart baton-agent"
    }
}
