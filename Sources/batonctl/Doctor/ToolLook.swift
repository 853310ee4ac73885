import Baton
import Glibc

/// The programs that the agent starts.
enum ToolLook {
    /// - Parameter device: What batond says of itself; nil: it was not asked.
    static func findings(_ device: DeviceInformation?) -> [Finding] {
        let missing = ["bwrap", "xdg-dbus-proxy"].filter { access("/usr/bin/\($0)", X_OK) != 0 }
        let sandbox: Finding =
            missing.isEmpty
            ? .ok("sandbox", Text.Doctor.sandboxIsThere)
            : .warning(
                "sandbox", Text.Doctor.noTools(missing),
                "apt install " + missing.map { $0 == "bwrap" ? "bubblewrap" : $0 }.joined(separator: " "))
        return [sandbox] + (device.map { [browser($0)] } ?? [])
    }

    private static func browser(_ device: DeviceInformation) -> Finding {
        guard device.browser.isManaged else { return .ok("browser", Text.Doctor.noBrowserWanted) }
        // With its version, when the agent has found one.
        if let path = device.browserExecutable {
            return ProgramPath.find(path).map { .ok("browser", Text.Doctor.browserIsThere($0)) }
                ?? .wrong("browser", Text.Doctor.noBrowserThere(path), Text.Doctor.correctBrowser)
        }
        // What is looked for is what the agent starts; another one in the caller's own path does not help the agent.
        guard let kind = device.browser.kind else {
            let name = device.browser.rawValue.printable
            return .wrong("browser", Text.Doctor.unknownBrowser(name), Text.Doctor.sameVersions)
        }
        let path = kind.standardExecutable
        return ProgramPath.find(path).map { .ok("browser", Text.Doctor.browserIsThere($0)) }
            ?? .wrong(
                "browser", Text.Doctor.noTools([path]), "apt install \(kind == .firefox ? "firefox-esr" : "chromium")")
    }
}
