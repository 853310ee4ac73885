import Baton

extension Text {
    // MARK: Reload

    enum Reload {
        static func text(_ report: ReloadReport) -> String {
            var lines = [
                report.changed.isEmpty
                    ? "batond has read its settings again; nothing has changed."
                    : "batond has read its settings again. Changed: \(list(report.changed))."
            ]
            if !report.needsRestart.isEmpty {
                lines.append("Takes effect when batond is restarted: \(list(report.needsRestart)).")
            }
            if !report.nextTurn.isEmpty {
                lines.append("Takes effect when the worker has left: \(list(report.nextTurn)).")
            }
            if !report.notTaken.isEmpty {
                lines.append("Not changed: \(list(report.notTaken)). Use `batonctl device-mode set`.")
            }
            lines += report.appFaults.map { "An app is disabled: \($0.printable)" }
            return lines.joined(separator: "\n")
        }

        private static func list(_ keys: [String]) -> String { keys.map(\.printable).joined(separator: ", ") }
    }
}

extension Text.Help {
    static let reloadDiscussion = """
        batond checks the settings first, and applies all of them or none. It signs the worker out only if their account is \
        gone. The output lists the changed settings that need a restart of batond. `systemctl reload batond` does the same.
        """
}
