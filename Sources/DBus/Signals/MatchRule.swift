/// Which signals the bus is to send here.
struct MatchRule: Hashable, Sendable {
    var sender: BusName?
    var path: ObjectPath?
    var interface: InterfaceName
    var member: MemberName
    /// The first argument, when it is a string.
    var firstArgument: String?

    init<Values>(
        sender: BusName? = nil, path: ObjectPath? = nil, signal: Signal<Values>, firstArgument: String? = nil
    ) {
        self.sender = sender
        self.path = path
        self.interface = signal.interface
        self.member = signal.name
        self.firstArgument = firstArgument
    }

    /// The rule in the bus's notation. Only the first argument may contain anything that needs quoting.
    var text: String {
        var parts = ["type='signal'", "interface='\(interface)'", "member='\(member)'"]
        if let sender { parts.append("sender='\(sender)'") }
        if let path { parts.append("path='\(path)'") }
        if let firstArgument {
            let quoted = firstArgument.split(separator: "'", omittingEmptySubsequences: false)
            parts.append("arg0='" + quoted.joined(separator: #"'\''"#) + "'")
        }
        return parts.joined(separator: ",")
    }
}
