import Baton

/// The agent, as batond sees it.
enum AgentLook {
    static func findings(_ device: DeviceInformation, isSystem: Bool) -> [Finding] {
        guard device.agent == .present else {
            // Then batond does without: what it would have looked at stands in receipts as unchecked.
            if device.isAgentRequired == false { return [.ok("agent", Text.Doctor.noAgentWanted)] }
            return [.wrong("agent", Text.Doctor.agentIsAway, Text.Doctor.startAgent(isSystem: isSystem))]
        }
        return [.ok("agent", Text.Doctor.agentIsThere(device.containment))]
            + device.warnings.map { .warning("agent", $0.printable, Text.Doctor.checkAgent) }
    }
}
