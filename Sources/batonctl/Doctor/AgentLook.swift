import Baton

/// The agent, as batond sees it.
enum AgentLook {
    /// - Parameters:
    ///   - unit: The agent's, as systemd knows it; nil: it was not asked.
    ///   - others: What else was found: without a session, and where the bus lets it not through, the agent does nothing.
    static func findings(
        _ device: DeviceInformation, isSystem: Bool, unit: SystemUnits.Unit? = nil, others: [Finding] = []
    ) -> [Finding] {
        let hasSession = !others.contains { $0.check == "session" && $0.state == .wrong }
        let isLetThrough = !others.contains { $0.check == "policy" && $0.state == .wrong }
        guard device.agent == .present else {
            // Then batond does without: what it would have looked at stands in receipts as unchecked.
            if device.isAgentRequired == false { return [.ok("agent", Text.Doctor.noAgentWanted)] }
            return [away(isSystem, unit, hasSession && isLetThrough)]
        }
        let isThere = Finding.ok("agent", Text.Doctor.agentIsThere(device.containment))
        // What it warns of then has one cause, with a line of its own.
        guard hasSession else { return [isThere] }
        return [isThere] + device.warnings.map { .warning("agent", $0.printable, Text.Doctor.checkAgent) }
    }

    private static func away(_ isSystem: Bool, _ unit: SystemUnits.Unit?, _ canCome: Bool) -> Finding {
        guard let unit, unit.runs, !unit.isMasked else {
            let advice =
                unit?.isMasked == true
                ? Text.Doctor.unmask("baton-agent") : Text.Doctor.startAgent(isSystem: isSystem)
            return .wrong("agent", Text.Doctor.agentIsAway, advice)
        }
        // It waits for its display before it comes to batond. What is in its way has a line of its own.
        guard canCome else { return .unchecked("agent", Text.Doctor.agentCannotCome) }
        return .wrong("agent", Text.Doctor.agentHangs, Text.Doctor.seeAgentsLog)
    }
}
