package import Identity
import SessionMachine
import Vocabulary

extension Refusal {
    /// What the caller of `SignIn` hears of a failure at the provider.
    init(_ error: IdentityError) {
        self =
            switch error.cause {
            case .network, .tls, .timeout, .unavailable: .providerUnreachable(error.text)
            case .denied: .canceled(.atProvider)
            case .expired: .canceled(.codeExpired)
            case .unfinished: .canceled(.timedOut)
            case .canceled: .canceled(.byCaller)
            case .accountNotAllowed: .accountNotAllowed(error.text)
            case .rejected, .interactionRequired, .invalidAnswer, .notTrusted, .noFreshLogin, .clocksDiffer,
                .unsupported, .misconfigured:
                .providerRejected(error.text)
            }
    }
}

extension IdentityError {
    private static func span(_ seconds: UInt64) -> String {
        seconds < 600 ? "\(seconds) s" : seconds < 36_000 ? "\((seconds + 30) / 60) min" : "\(seconds / 3600) h"
    }

    private var reason: String { detail.isEmpty ? "" : ": \(detail)" }

    /// A sentence for people: what happened, and what can be done.
    package var text: String {
        let what =
            switch cause {
            case .network: "The identity provider cannot be reached\(reason). Check the network."
            case .tls:
                "The connection to the identity provider is not secure\(reason). Check its certificate, \(SettingsKey.identityCAFile) and this "
                    + "device's clock."
            case .timeout: "The identity provider did not answer in time. Try again."
            case .unavailable(let status):
                "The identity provider does not work at present (status \(status)). Try again"
                    + (retryAfter.map { " in \(Self.span(UInt64(clamping: $0)))." } ?? ".")
            case .rejected(let code, let status):
                "The identity provider refused (\(code.isEmpty ? "status \(status)" : code))."
            case .interactionRequired(let code): "The worker has to sign in again (\(code))."
            case .denied: "The sign-in was cancelled or denied at the identity provider."
            case .expired: "The code expired before it was used. Try again."
            case .unfinished: "The sign-in took too long and was cancelled. Try again."
            case .invalidAnswer(let what): "The identity provider sent an answer that breaks the standard: \(what)."
            case .notTrusted(let what): "The identity provider's answer cannot be trusted: \(what)."
            case .noFreshLogin(isKnown: true):
                "The identity provider reused an earlier login instead of asking the worker to authenticate for "
                    + "this sign-in. Try again, or sign out there first."
            case .noFreshLogin(isKnown: false):
                "The identity provider does not say when the worker signed in. Let its ID tokens have auth_time, or see "
                    + "\(SettingsKey.identityWithoutFreshLogin)."
            case .clocksDiffer(let seconds):
                "The identity provider's clock is \(Self.span(seconds.magnitude)) \(seconds > 0 ? "ahead of" : "behind") "
                    + "this device's, and 2 min are allowed. Set the device's clock."
            case .accountNotAllowed(let what): "This account may not use this device: \(what)."
            case .unsupported(let what): "The identity provider does not offer this: \(what)."
            case .misconfigured(let what): "The settings do not fit the identity provider: \(what)."
            case .canceled: "The sign-in was cancelled."
            }
        let codes = errorCodes.isEmpty ? "" : " (AADSTS" + errorCodes.map(String.init).joined(separator: ", ") + ")"
        return what + codes + (correlationID.isEmpty ? "" : " Correlation id: \(correlationID).")
    }
}
