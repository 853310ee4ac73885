internal import Supervision

extension Policy {
    /// The settings in the machine's terms.
    init(_ settings: Settings) {
        self.init()
        soft = settings.barrier.soft.microseconds
        hard = settings.barrier.hard.microseconds
        absolute = settings.barrier.absolute.microseconds
        containment = settings.barrier.containment.microseconds
        unproven = settings.barrier.unproven
        acceptsUnlistedApps = settings.barrier.unlistedApps == .accept
        listedApps = Set(settings.apps.map(\.id))
        provenApps = Set(settings.apps.filter { $0.participant == .required }.map(\.id))
        countdown = settings.automaticSignOut.countdown.microseconds
        signInTimeout = settings.signInTimeout.microseconds
        providerWait = settings.openID?.signOutWait.microseconds
        agentRequired = settings.agent.required
        agentGrace = settings.agent.grace.microseconds
        pagePatience = settings.browser.isManaged ? settings.browser.startLimit.microseconds : nil
        remembersPrevious =
            switch settings.rememberPrevious {
            case .always: .always
            case .off: .off
            case .duration(let span): .duration(span.microseconds)
            }
        participants = settings.limits.participants
        participantsPerUser = settings.limits.participantsPerUser
        debtsPerUser = settings.limits.debtsPerUser
    }
}

extension Duration {
    /// Whole microseconds, within what fits.
    var microseconds: UInt64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000)
        let (sum, more) = product.addingReportingOverflow(UInt64(clamping: attoseconds / 1_000_000_000_000))
        return overflow || more ? .max : sum
    }
}
