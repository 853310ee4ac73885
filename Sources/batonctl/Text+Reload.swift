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
                lines.append("Holds only when batond is started again: \(list(report.needsRestart)).")
            }
            if !report.nextTurn.isEmpty {
                lines.append("Holds when the worker has left: \(list(report.nextTurn)).")
            }
            if !report.notTaken.isEmpty {
                lines.append("Not taken over: \(list(report.notTaken)), which `batonctl device-mode set` sets.")
            }
            lines += report.appFaults.map { "An app is disabled: \($0.printable)" }
            return lines.joined(separator: "\n")
        }

        private static func list(_ keys: [String]) -> String { keys.map(\.printable).joined(separator: ", ") }
    }
}

extension Text.Help {
    static let reloadDiscussion = """
        The settings are checked first and taken over all or not at all; nobody is signed out, unless their account is gone. \
        It says which changed settings hold only when batond is started again. `systemctl reload batond` does the same.
        """
}
