/// The owner of a well-known name whose signals a subscriber takes.
struct TrackedOwner {
    var owner: BusName?
    /// The bus has told of a change since it was asked, which is never older than its answer.
    var isKnown = false
    var users = 0
}

/// One consumer of a signal.
struct Subscription {
    var rule: MatchRule
    var deliver: @Sendable (Message, BusName) -> Void
    /// Ends the stream; with an error when the bus was lost.
    var end: @Sendable (DBusError?) -> Void

    /// The bus has matched already, but for all subscriptions together, and any peer may send a signal to us alone.
    func takes(_ message: Message, from sender: BusName, owners: [BusName: TrackedOwner]) -> Bool {
        guard message.interface == rule.interface.rawValue, message.member == rule.member.rawValue else {
            return false
        }
        if let wanted = rule.sender, wanted != sender, owners[wanted]?.owner != sender { return false }
        if let path = rule.path, message.path != path { return false }
        if let firstArgument = rule.firstArgument, message.firstString != firstArgument { return false }
        return true
    }
}
