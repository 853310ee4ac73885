import BatonContract
import DBus
import DeviceBus
import Journal
import LocalAccounts
import Log
import Logging
import SessionMachine
import Settings
import Supervisor
import Vocabulary

/// Reading the settings again: all of them are taken over, or none.
extension DaemonLife {
    /// - Parameter by: What the log says of who asked.
    func reload(by: Logger.Metadata) async throws -> ReloadReport {
        try await changes.pass { try await reloadAlone(by) }
    }

    private func reloadAlone(_ by: Logger.Metadata) async throws -> ReloadReport {
        let parsed: Settings.Parsed
        do {
            parsed = try await options.parseSettings()
        } catch {
            log.tell(.settingsFault, .error, "the settings were not applied", ["error": "\(error.message)"])
            throw BatonError(.invalidArgument, error.message)
        }
        let lost = await supervisor.settings.apps.map(\.id).filter { parsed.disabledApps.contains($0) }
        guard lost.isEmpty else {
            // An app that is known now could not be contained any more.
            let why = parsed.appFaults.map { "\($0)" }.joined(separator: "\n")
            log.tell(.settingsFault, .error, "the settings were not applied", ["error": "\(why)"])
            throw BatonError(.invalidArgument, why)
        }
        for fault in parsed.appFaults { log.tell(.settingsFault, .error, "an app is disabled", ["error": "\(fault)"]) }
        guard let access = await Administrators.look(parsed.settings, owner: Self.owner(options), on: connection.thread)
        else {
            log.tell(.settingsFault, .error, "the settings were not applied", ["error": "\(Self.directoryHangs)"])
            throw BatonError(.failed, Self.directoryHangs)
        }
        log.warn(ofUnknown: access)
        let (before, phase) = (await supervisor.settings, await supervisor.machine.phase)
        do {
            try await providers.adopt(parsed.settings)
        } catch {
            log.tell(.settingsFault, .error, "the settings were not applied", ["error": "\(error)"])
            throw error
        }
        adopt(access)
        let report = SettingsChange(
            from: before, to: parsed.settings, start: settings, isInUse: ![.ready, .quarantined].contains(phase),
            appFaults: parsed.appFaults.map { "\($0)" }
        ).report
        await agent.adopt(parsed.settings)
        metrics.adopt(parsed.settings.metrics)
        await supervisor.journal.change(Journal.Retention(parsed.settings))
        log.tell(
            .settingsTaken, .notice, "the settings were reloaded",
            ["changed": "\(report.changed.joined(separator: " "))"])
        log.tell(AccountChange.all(from: before.localAccounts, to: parsed.settings.localAccounts), parsed.settings, by)
        if !report.needsRestart.isEmpty {
            log.warning(
                "these settings take effect when batond is restarted",
                metadata: ["keys": "\(report.needsRestart.joined(separator: " "))"])
        }
        if !report.notTaken.isEmpty {
            log.warning("the mode is set with `batonctl device-mode set` and stays as it is")
        }
        return report
    }
}
