/// What `doctor` found, for people: one line each, and what to do below those that need it.
struct DoctorRendering {
    let style: Style

    func text(_ report: DoctorReport) -> String {
        (report.findings.flatMap(lines) + [Text.Doctor.end(report)]).joined(separator: "\n")
    }

    private func lines(_ finding: Finding) -> [String] {
        let word = finding.state.rawValue.padded(to: 9)
        let state =
            switch finding.state {
            case .ok: style.good(word)
            case .unchecked: style.dim(word)
            case .warning: style.warning(word)
            case .wrong: style.bad(word)
            }
        let line = "\(state)  \(finding.check.padded(to: 10))  \(finding.text.printable)"
        return [finding.advice.isEmpty ? line : "\(line)  → \(finding.advice.printable)"]
    }
}
