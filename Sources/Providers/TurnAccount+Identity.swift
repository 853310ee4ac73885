import Identity
package import SessionMachine

extension TurnAccount {
    /// The worker as the machine knows them: issuer and subject are who they are, the rest is for people.
    init(_ identity: WorkerIdentity) {
        self.init(
            id: Self.id(issuer: identity.issuer, subject: identity.subject),
            attributes: [
                "username": identity.username, "name": identity.name, "locale": identity.locale,
                "tenant": identity.tenant, "environment": identity.environment,
                "home-account-id": identity.homeAccountID,
            ].filter { !$0.value.isEmpty })
    }

    /// An issuer has no fragment, so the first # ends it.
    static func id(issuer: String, subject: String) -> String { "\(issuer)#\(subject)" }

    /// Whether an app that says this means this worker.
    package func isCalled(_ account: String) -> Bool { account == id || account == attributes["home-account-id"] }

    /// An issuer has no fragment.
    package var issuer: String { String(id.prefix { $0 != "#" }) }
}
