import Glibc

/// The programs that the agent starts.
enum ToolLook {
    /// - Parameter browser: What batond says of it; nil: it was not asked.
    static func findings(browser: String?) -> [Finding] {
        var result: [Finding] = []
        let missing = ["bwrap", "xdg-dbus-proxy"].filter { access("/usr/bin/\($0)", X_OK) != 0 }
        result.append(
            missing.isEmpty
                ? .ok("sandbox", Text.Doctor.sandboxIsThere)
                : .warning(
                    "sandbox", Text.Doctor.noTools(missing),
                    "apt install " + missing.map { $0 == "bwrap" ? "bubblewrap" : $0 }.joined(separator: " ")))
        guard let browser, browser != "none", !browser.isEmpty else {
            if browser != nil { result.append(.ok("browser", Text.Doctor.noBrowserWanted)) }
            return result
        }
        let isFirefox = browser.hasPrefix("firefox")
        let names = isFirefox ? ["firefox-esr", "firefox"] : ["chromium", "google-chrome"]
        if let found = names.lazy.compactMap({ ProgramPath.find($0) }).first {
            result.append(.ok("browser", Text.Doctor.browserIsThere(found)))
        } else {
            result.append(.wrong("browser", Text.Doctor.noTools([names[0]]), "apt install \(names[0])"))
        }
        return result
    }
}
