import LocalAccounts
import Vocabulary

/// Reads `identity`: its kind, and what belongs to that kind.
enum IdentityReader {
    /// - Parameters:
    ///   - files: Nil: nothing on the disk is looked at.
    ///   - accounts: The accounts' own file; nil: there is none.
    static func read(
        from reader: inout SettingsReader, files: ReferencedFiles?, accounts: SettingsFile?
    ) -> Settings.Identity {
        let kinds = IdentityKind.allCases.map(\.rawValue).joined(separator: " or ")
        let isSet = reader.isSet(.identityKind)
        let written = reader.optional(.identityKind, expected: kinds, IdentityKind.init(rawValue:))
        for key in AccountsReader.keys + OpenIDReader.keys { _ = reader.isSet(key) }
        // Where the kind is wrong, nothing can be said of the rest.
        guard let kind = written ?? (isSet ? nil : .local) else { return .local([]) }
        switch kind {
        case .local:
            refuse(OpenIDReader.keys, "belongs to kind: oidc, but the kind is local", in: &reader)
            _ = reader.count(.identityLeastPINLength, default: PINHash.shortestPIN, in: 1...64)
            return .local(AccountsReader.read(from: &reader, file: accounts))
        case .oidc:
            refuse(AccountsReader.keys, "belongs to kind: local, but the kind is oidc", in: &reader)
            AccountsReader.ignore(accounts, in: &reader)
            return .oidc(OpenIDReader.read(from: &reader, files: files))
        }
    }

    private static func refuse(_ keys: [SettingsKey], _ message: String, in reader: inout SettingsReader) {
        for key in keys where reader.isSet(key) {
            reader.refuse(key, message)
        }
    }
}
