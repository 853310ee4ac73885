import Vocabulary

/// A machine that is about to sleep or to be switched off, and waits a while for the device to be free.
extension Machine {
    mutating func powersDown(_ reason: SignOutReason, _ now: Moment) {
        powerDown = reason
        // A worker who is signed in according to the journal that cannot be read is to leave too.
        if hasNoJournal { return emit(.rememberSignOut) }
        switch phase {
        case .inUse where mode == .shared: beginBarrier(reason, now)
        case .signingIn: abandon(.bySignOut, again: false)
        case .inUse, .ready, .clearing, .quarantined: break
        }
    }

    mutating func staysUp() { powerDown = nil }

    /// There is no worker to be signed out any more, or nothing that could be waited for.
    mutating func allowPowerDown() {
        guard powerDown != nil else { return }
        let isBusy = phase == .clearing || phase == .signingIn || phase == .inUse && mode == .shared
        guard !isBusy || hasNoJournal else { return }
        powerDown = nil
        emit(.allowPowerDown)
    }
}
