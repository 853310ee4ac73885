import Identity
import Logging
import SessionMachine
import Settings

/// When a worker showed the provider who they are.
struct Login: Sendable, Equatable {
    var issuer: String
    var subject: String
    /// Unix time in seconds, by the provider's clock.
    var time: Int64
    /// When we learnt of it, in microseconds since this machine started.
    var learnt: UInt64
}

/// That the next worker does not become the one before.
extension OpenIDProvider {
    func remember(_ identity: WorkerIdentity) {
        guard let time = identity.authenticationTime else { return }
        lastLogin = Login(issuer: identity.issuer, subject: identity.subject, time: time, learnt: clock.now().boottime)
    }

    /// Refuses a sign-in that the provider answered with the login of the turn before, and ends its session there, as far
    /// as it lets us.
    ///
    /// - Parameter asked: When the sign-in began, in microseconds since this machine started.
    func refuseLastLogin(_ signedIn: SignedIn, asked: UInt64) async throws {
        let identity = signedIn.identity
        guard let last = lastLogin, let time = identity.authenticationTime, last.issuer == identity.issuer,
            last.subject == identity.subject
        else { return }
        // Two logins can have the same second only if no second lies between the first and the question for the other.
        let canBeAnother = asked.subtracting(last.learnt) < 1_000_000
        guard time < last.time || (time == last.time && !canBeAnother) else { return }
        log.warning("the provider answered a sign-in with the login of the turn before")
        _ = await signedIn.session.signOut(within: settings.signOutWait)
        throw IdentityError(.noFreshLogin(isKnown: true))
    }

    /// Whether the provider is asked once more, in words that more of them obey.
    func asksAgain(_ error: IdentityError, _ request: AuthorizationRequest) -> Bool {
        guard case .noFreshLogin = error.cause, settings.withoutFreshLogin == .ask, !request.asksWithMaxAge else {
            return false
        }
        log.notice("the provider did not prove a fresh login; it is asked with max_age=1")
        asksWithMaxAge = true
        return true
    }
}
