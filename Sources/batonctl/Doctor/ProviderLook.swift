import Baton

/// Whether the identity provider would let workers sign in; batond has asked it.
enum ProviderLook {
    /// - Parameters:
    ///   - found: Nil: it was not asked.
    ///   - isOpenID: Whether accounts come from a provider; nil: not known.
    static func findings(_ found: SettingsCheck.ProviderFinding?, isOpenID: Bool?) -> [Finding] {
        guard let found else {
            return isOpenID == true ? [.unchecked("provider", Text.Doctor.providerIsHidden, Text.Doctor.asRoot)] : []
        }
        switch found.state {
        case .ok: return [.ok("provider", found.text)]
        case .unchecked: return [.unchecked("provider", found.text, Text.Doctor.tryProvider)]
        case .wrong: return [.wrong("provider", found.text, advice(found))]
        }
    }

    private static func advice(_ found: SettingsCheck.ProviderFinding) -> String {
        switch found.reason {
        case .client: Text.Doctor.registerClient(found.redirectURI ?? "")
        case .untrusted: Text.Doctor.trustProvider
        case .unreachable: Text.Doctor.reachProvider
        case .settings, nil: Text.Doctor.correctProvider
        }
    }
}
