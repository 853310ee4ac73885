import BatonContract
import Display
import Logging
import Processes
import Testing

@testable import Agent
@testable import Clearing

extension Kiosk {
    /// One with scripted browsers, on a display that is given.
    static func scripted(
        in folder: String, screen: (any Screen)? = nil, server: XServerKeeper? = nil, keyboard: Kiosk.Keyboard? = nil,
        link: NoLink = NoLink(), adapt: (inout Parts) -> Void = { _ in }
    ) -> Kiosk {
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let maker = ScriptedMaker()
        var parts = Parts(
            proof: .namespace, display: "x11", screen: screen, maker: { _ in maker }, windowArguments: { _ in [] },
            executable: { _ in "/x" }, sweep: { [] }, holders: { _ in [] },
            strays: Strays(home: folder, environment: [:], folder: folder, log: log, participants: { [] }),
            forgetWindows: { _ in }, server: server, keyboard: keyboard, warnings: { _ in [] }, notice: nil)
        adapt(&parts)
        let apps = ManagedApps(home: folder, link: link, log: log) { _, _ async throws(LaunchFault) in
            throw .failed("nothing is started")
        }
        return Kiosk(parts: parts, link: link, apps: apps, log: log)
    }

    static var scriptedConfiguration: AgentConfiguration {
        var configuration = AgentConfiguration()
        configuration.browser.kind = .chromium
        configuration.browser.address = "https://baton.invalid"
        configuration.browser.leftAfter = .seconds(60)
        configuration.browser.startLimit = .seconds(30)
        configuration.browser.isSignOutEnforced = true
        configuration.browser.hasSpare = true
        return configuration
    }
}
