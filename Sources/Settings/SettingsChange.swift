package import BatonContract
import Vocabulary

/// What a reload changed, in the settings' own keys, and what of it does not hold yet.
package struct SettingsChange: Sendable, Equatable {
    package var report: ReloadReport

    /// - Parameters:
    ///   - old: The settings until now.
    ///   - start: Those that batond started with, of which some parts stay as they are.
    ///   - isInUse: A worker holds the device, whose browser and desktop are not taken away.
    package init(from old: Settings, to new: Settings, start: Settings, isInUse: Bool, appFaults: [String] = []) {
        report = ReloadReport()
        report.changed = Self.differences(old, new)
        if start.agent.user != new.agent.user { report.needsRestart.append(SettingsKey.agentUser.name) }
        if start.agent.start != new.agent.start { report.needsRestart.append(SettingsKey.agentStart.name) }
        if isInUse, old.browser != new.browser { report.nextTurn.append(SettingsKey.browser.name) }
        if isInUse, old.startPage != new.startPage { report.nextTurn.append(SettingsKey.startPage.name) }
        if isInUse, old.desktop != new.desktop { report.nextTurn.append(SettingsKey.desktop.name) }
        // Since the first start the mode is what an administrator set on the bus.
        if start.mode != new.mode { report.notTaken.append(SettingsKey.mode.name) }
        report.appFaults = appFaults
    }

    private static func differences(_ old: Settings, _ new: Settings) -> [String] {
        var keys: [String] = []
        func compare<Value: Equatable>(_ key: SettingsKey, _ part: KeyPath<Settings, Value>) {
            if old[keyPath: part] != new[keyPath: part] { keys.append(key.name) }
        }
        compare(.mode, \.mode)
        compare(.identity, \.identity)
        compare(.barrier, \.barrier)
        compare(.automaticSignOut, \.automaticSignOut)
        compare(.browser, \.browser)
        compare(.startPage, \.startPage)
        compare(.desktop, \.desktop)
        compare(.agent, \.agent)
        compare(.strays, \.strays)
        compare(.sharedHolders, \.holders)
        compare(.tokens, \.tokens)
        compare(.commandLineTokens, \.commandLineOrigins)
        compare(.signInTimeout, \.signInTimeout)
        compare(.limits, \.limits)
        compare(.log, \.log)
        compare(.metrics, \.metrics)
        compare(.administrators, \.administrators)
        compare(.rememberPrevious, \.rememberPrevious)
        compare(.keepReceipts, \.keepReceipts)
        for app in Set(old.apps.map(\.id)).union(new.apps.map(\.id)).sorted()
        where old.apps.first(where: { $0.id == app }) != new.apps.first(where: { $0.id == app }) {
            keys.append(AppKeys.file(app))
        }
        return keys
    }
}
