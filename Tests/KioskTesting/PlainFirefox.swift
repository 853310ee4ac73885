import FoundationEssentials
import Glibc
import TerminalTesting

/// Firefox as it is, started without Baton: for runs that show what nobody cleared.
public final class PlainFirefox: Sendable {
    private let program: Program

    public var pid: Int32 { program.pid }

    /// - Parameter home: A folder that stands for the person's; `profile` in it is the profile.
    public init(home: String, display: String, addresses: [String], preferences: [(name: String, value: String)]) throws
    {
        let settings = [
            ("browser.shell.checkDefaultBrowser", "false"), ("browser.aboutwelcome.enabled", "false"),
            ("datareporting.policy.dataSubmissionEnabled", "false"), ("app.normandy.enabled", "false"),
            ("toolkit.telemetry.reportingpolicy.firstRun", "false"), ("browser.startup.page", "0"),
            ("network.captive-portal-service.enabled", "false"), ("network.connectivity-service.enabled", "false"),
            ("browser.sessionstore.resume_from_crash", "false"), ("termsofuse.bypassNotification", "true"),
        ]
        try FileManager.default.createDirectory(atPath: "\(home)/profile", withIntermediateDirectories: true)
        let lines = (settings + preferences.map { ($0.name, $0.value) }).map { "user_pref(\"\($0.0)\", \($0.1));\n" }
        try Data(lines.joined().utf8).write(to: URL(filePath: "\(home)/profile/user.js"))
        program = try Program(
            ["firefox-esr", "--no-remote", "--profile", "\(home)/profile"] + addresses,
            environment: [
                "HOME": home, "DISPLAY": display, "DBUS_SESSION_BUS_ADDRESS": "disabled:",
                "MOZ_CRASHREPORTER_DISABLE": "1",
            ])
    }

    /// Lets it end, so that it writes all it has to its profile.
    public func close() async {
        program.signal(SIGTERM)
        _ = await program.end()
    }

    public var output: String { program.output }
}
