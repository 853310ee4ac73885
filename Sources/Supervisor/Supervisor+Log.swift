internal import Logging
internal import Supervision

extension Supervisor {
    /// One line for what an administrator cares about.
    func log(_ remark: Effect.Remark) {
        switch remark {
        case .acknowledgementRefused(let word, let refusal):
            log.warning(
                "acknowledgement refused",
                metadata: [
                    "sender": "\(word.sender)", "instance": "\(word.instance)", "epoch": "\(word.epoch)",
                    "error": "\(refusal.name)",
                ])
        case .outOfPlace(let what): log.debug("out of place", metadata: ["event": "\(what)"])
        case .agentMissing: log.error("the agent is away while a worker is being signed out")
        case .doomed(let why): log.critical("the device is quarantined", metadata: ["reason": "\(why)"])
        case .released(let release):
            log.notice(
                "the quarantine has ended",
                metadata: ["by": "\(release.by)", "explanation": "\(release.explanation)"])
        }
    }
}
