import DBus
package import Identity
import SessionMachine
package import Settings
import SystemPackage

extension ClientSettings {
    /// The administrator's settings in the client's terms; reads the credential.
    package init(_ settings: OpenIDSettings) throws(IdentityError) {
        self.init(
            authority: try Authority(settings.authority, type: settings.authorityType),
            clientID: settings.clientID, scopes: settings.scopes, hasDefaultScopes: settings.hasDefaultScopes,
            allowsAnyTenant: settings.allowsAnyTenant, allowsPersonalAccounts: settings.allowsPersonalAccounts,
            allowsGuests: settings.allowsGuests, requestTimeout: settings.requestTimeout)
        do throws(SettingsFault) {
            credential =
                switch settings.credential {
                case .none: .none
                case .secret(let file): .secret(try file.read())
                case .certificate(let file): .certificate(try file.read())
                }
        } catch {
            throw IdentityError(.misconfigured(what: "\(error)"))
        }
        allowedTenants = settings.allowedTenants
        postLogoutRedirectURI = settings.postLogoutRedirectURI
        caFile = settings.caFile?.string
        proxy = settings.proxy
        if let fault = faults.first { throw IdentityError(.misconfigured(what: fault)) }
    }
}

extension IdentityClock {
    /// A sleep that is cancelled, as most of these are, is let go of at once.
    static func system(_ clock: Clock, _ thread: BusThread) -> Self {
        IdentityClock(
            seconds: { clock.now().wall / 1_000_000 }, sleep: { duration in try await thread.sleep(for: duration) },
            executor: thread.tasks)
    }
}

extension Authority {
    /// For `GetDeviceInformation`: the tenant that the authority names; empty where it names none.
    var tenantName: String {
        guard case .entra(let audience) = kind else { return "" }
        return switch audience {
        case .tenant(let tenant): tenant
        case .common: "common"
        case .organizations: "organizations"
        case .consumers: "consumers"
        }
    }
}
