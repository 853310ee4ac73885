public import WebText

/// Whose accounts may hold the device.
public struct AccountRule: Sendable {
    public init() {}

    /// Call with what was verified, and with nothing else.
    ///
    /// - Throws: `accountNotAllowed` with a sentence that names the rule and no person.
    public func check(
        _ identity: WorkerIdentity, claims: [String: JSONValue], settings: ClientSettings
    ) throws(IdentityError) {
        guard !identity.issuer.isEmpty, !identity.subject.isEmpty else {
            throw Self.fault("the provider does not identify the account")
        }
        let tenants = Set(
            [claims["tid"]?.string, settings.authority.hasTenants ? nil : claims["hd"]?.string]
                .compactMap { $0?.lowercased() })
        if case .entra(let audience) = settings.authority.kind {
            try checkEntra(identity.tenant, audience, settings)
            if !settings.allowsGuests { try checkMember(identity, claims) }
        }
        guard !settings.allowedTenants.isEmpty else { return }
        let isPersonal = identity.tenant == MicrosoftCloud.personalTenant && settings.allowsPersonalAccounts
        guard isPersonal || settings.allowedTenants.contains(where: { tenants.contains($0.lowercased()) }) else {
            throw Self.fault("this account belongs to none of the allowed tenants")
        }
    }

    private func checkEntra(
        _ tenant: String, _ audience: Authority.EntraAudience, _ settings: ClientSettings
    ) throws(IdentityError) {
        guard !tenant.isEmpty else { throw Self.fault("the provider does not name the tenant of this account") }
        let isPersonal = tenant == MicrosoftCloud.personalTenant
        if isPersonal, !settings.allowsPersonalAccounts || audience == .organizations {
            throw Self.fault("personal Microsoft accounts may not hold this device")
        }
        switch audience {
        case .tenant(let wanted):
            guard !IdentityText.isGUID(wanted) || tenant == wanted.lowercased() else {
                throw Self.fault("this account belongs to another tenant")
            }
        case .common, .organizations, .consumers:
            guard !settings.allowedTenants.isEmpty || settings.allowsAnyTenant else {
                throw Self.fault(
                    "the authority takes accounts of all tenants; the settings must name the allowed tenants")
            }
            guard audience != .consumers || isPersonal else {
                throw Self.fault("only personal Microsoft accounts may hold this device")
            }
        }
    }

    /// `acct` says it, an optional claim; without it a worker with another tenant of their own is a guest.
    private func checkMember(_ identity: WorkerIdentity, _ claims: [String: JSONValue]) throws(IdentityError) {
        let isMember: Bool
        if let status = claims["acct"] {
            isMember = status.lenientInteger == 0
        } else {
            guard !identity.homeTenant.isEmpty else {
                throw Self.fault("the provider does not say whether this account is a guest's")
            }
            isMember = identity.homeTenant == identity.tenant
        }
        guard isMember else { throw Self.fault("guests of the tenant may not hold this device") }
    }

    private static func fault(_ sentence: String) -> IdentityError {
        IdentityError(.accountNotAllowed(what: sentence))
    }
}
