/// Whether batond and the agent are started with the terminal.
enum UnitLook {
    /// - Parameter units: Nil: systemd did not answer.
    static func findings(_ units: SystemUnits?) -> [Finding] {
        guard let units else { return [.unchecked("units", Text.Doctor.noSystemd)] }
        var findings: [Finding] = []
        for (name, unit) in [("batond", units.batond), ("baton-agent", units.agent)] {
            if !unit.isThere {
                findings.append(.wrong("units", Text.Doctor.noUnit(name), Text.Doctor.installAgain))
            } else if unit.isMasked {
                findings.append(.wrong("units", Text.Doctor.isMasked(name), Text.Doctor.unmask(name)))
            } else if !unit.isEnabled {
                findings.append(.wrong("units", Text.Doctor.isDisabled(name), Text.Doctor.enable(name)))
            }
        }
        // Another desktop may be the terminal's.
        if units.kiosk.runs, !units.kiosk.isEnabled {
            findings.append(
                .wrong("units", Text.Doctor.isDisabled("baton-kiosk"), Text.Doctor.enable("baton-kiosk")))
        }
        return findings.isEmpty ? [.ok("units", Text.Doctor.unitsAreOn)] : findings
    }
}
