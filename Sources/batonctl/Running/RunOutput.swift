import Baton

/// What `run` tells of its program: to people only what went wrong, to a program every event.
struct RunOutput: Sendable {
    /// Nil: text for people.
    var lines: EventLines?

    func postponed(_ error: BatonError) {
        guard let lines else { return Terminal.complain(Text.postponed(error)) }
        var report = ParticipantReport(.postponed)
        report.problem = error.message
        lines.write(report)
    }

    func started(_ proof: Proof) {
        var report = ParticipantReport(.started)
        report.proof = proof.rawValue
        lines?.write(report)
    }

    func ended(_ code: Int32) {
        var report = ParticipantReport(.ended)
        report.code = code
        lines?.write(report)
    }

    /// - Parameter request: Nil: the device did not ask.
    func cleared(_ finding: ClearingFinding, _ outcome: AcknowledgementOutcome, _ request: ClearRequest?) {
        guard let lines else {
            if let problem = finding.problem { Terminal.complain(Text.Run.notCleared(problem)) }
            return
        }
        var report = ParticipantReport(finding.problem == nil ? .cleared : .notCleared)
        report.epoch = request?.epoch
        report.outcome = outcome
        report.removed = finding.removed
        report.proof = finding.running == nil ? finding.proof?.rawValue : nil
        report.problem = finding.problem.map { String($0.prefix(1000)) }
        lines.write(report)
    }
}
