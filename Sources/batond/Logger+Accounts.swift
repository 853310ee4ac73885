import LocalAccounts
import Log
import Logging
import Settings

extension Logger {
    /// A line for each account that was added, changed or removed.
    ///
    /// - Parameter by: Who had the settings read.
    func tell(_ changes: [AccountChange], _ settings: Settings, _ by: Metadata) {
        for change in changes {
            var fields = by
            fields["account"] = "\(settings.log.names == .plain ? change.username : MaskedName.of(change.username))"
            fields["fields"] = "\(change.fields.joined(separator: " "))"
            fields["outcome"] = "\(change.kind.rawValue)"
            tell(.accountChanged, .notice, "a local account was \(change.kind.rawValue)", fields)
        }
    }
}

extension Settings {
    /// None where a provider has them.
    var localAccounts: [LocalAccount] {
        guard case .local(let accounts) = identity else { return [] }
        return accounts
    }
}
