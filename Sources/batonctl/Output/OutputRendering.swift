import Baton
import LinuxSystem
import LocalAccounts
import Presentation

/// Text for people, from one place.
struct OutputRendering: Sendable {
    var style: Style
    var time: LocalTime = .standard

    func outcome(_ outcome: Outcome) -> String {
        let text = Text.outcome(outcome)
        return switch outcome {
        case .cleared: style.good(text)
        case .owed, .contained: style.warning(text)
        case .quarantined: style.bad(text)
        }
    }

    private func phase(_ phase: Phase) -> String {
        let text = Text.phase(phase)
        return switch phase {
        case .ready: style.good(text)
        case .signingIn, .inUse: text
        case .clearing: style.warning(text)
        case .quarantined: style.bad(text)
        }
    }

    /// Rows of a label and a value.
    private func rows(_ rows: [(label: String, value: String)]) -> String {
        let width = rows.map(\.label.count).max() ?? 0
        return rows.map { style.dim($0.label.padded(to: width + 2)) + $0.value }.joined(separator: "\n")
    }

    /// Columns as wide as their widest cell; `style` comes after the widths are known.
    private func table(_ lines: [[String]], indent: String = "  ") -> [String] {
        let columns = lines.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            lines.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        return lines.map { line in
            let cells = zip(line, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
            return indent + String(cells.reversed().drop { $0 == " " }.reversed())
        }
    }

    // MARK: Status

    func status(_ report: StatusReport) -> String {
        let device = report.device
        let participants = report.participants ?? []
        var phase =
            if device.mode == .personal && device.phase == .ready {
                Text.worker(\.notShared)
            } else if device.missing.isEmpty {
                self.phase(device.phase)
            } else {
                style.warning(Text.worker(\.notReady, ["why": device.missing.printable]))
            }
        if device.countdownEnds > 0 {
            phase += ", " + style.warning(Text.worker(\.signsOut, ["seconds": Self.secondsLeft(device.countdownEnds)]))
        }
        let slow = participants.filter(\.slow).map(\.app.printable)
        if !slow.isEmpty {
            phase += ", " + style.warning(Text.worker(\.waitingFor, ["apps": slow.joined(separator: ", ")]))
        }
        var lines: [(String, String)] = [
            (Text.worker(\.device), "\(device.hostname.printable) (\(device.bus?.rawValue ?? UnknownWord.text) bus)"),
            (Text.worker(\.mode), Text.modeOfStatus(device.mode)),
            (Text.worker(\.phase), phase),
        ]
        if !device.explanation.isEmpty { lines.append((Text.worker(\.why), device.explanation.printable)) }
        var holder = style.bold(report.current.map { Text.person($0).printable } ?? Text.worker(\.none))
        if report.current != nil {
            holder += ", \(Text.worker(\.turn, ["turn": "\(device.epoch)"]))"
            if device.since > 0 { holder += ", \(Text.worker(\.since, ["time": time.text(device.since)]))" }
        }
        lines.append((Text.worker(\.holder), holder))
        if device.lockEnds > 0 {
            let left = Self.secondsLeft(device.lockEnds)
            lines.append((Text.worker(\.screen), style.bold(Text.worker(\.isLocked, ["seconds": left]))))
        }
        lines.append((Text.Label.previous, Text.person(report.previous)))
        if device.identity == .oidc { lines.append((Text.Label.identity, Text.identityProvider(device))) }
        lines.append((Text.Label.agent, Text.agent(device)))
        lines.append((Text.Label.browser, device.browser.rawValue.printable))
        if !device.session.isEmpty { lines.append((Text.Label.session, device.session.printable)) }
        lines += device.warnings.map { (Text.Label.warning, style.warning($0.printable)) }
        lines.append((Text.Label.idle, Text.idle(device.idle)))
        lines.append((Text.Label.last, report.lastReceipt.map { line(of: $0) } ?? Text.noReceipts))
        lines.append((Text.Label.apps, Text.isRegistered(participants.count)))
        return ([rows(lines)] + (participants.isEmpty ? [] : table(participants.map(cells)))).joined(separator: "\n")
    }

    /// - Parameter end: CLOCK_BOOTTIME in microseconds.
    private static func secondsLeft(_ end: UInt64) -> String {
        let now = BootClock.now
        return "\(end > now ? (end - now) / 1_000_000 : 0)"
    }

    // MARK: Apps

    func participants(_ apps: [ParticipantStatus]) -> String {
        apps.isEmpty ? Text.noAppIsRegistered : table(apps.map(cells), indent: "").joined(separator: "\n")
    }

    private func cells(_ app: ParticipantStatus) -> [String] {
        var notes = [app.identity.rawValue]
        if app.slow { notes.append(Text.slow) }
        if app.owedSince > 0 { notes.append(Text.debtSince(app.owedSince)) }
        return [
            app.app.printable, Text.participantState(app.state), "uid \(app.uid)", app.pid > 0 ? "pid \(app.pid)" : "",
            notes.joined(separator: ", "),
        ]
    }

    func accounts(_ accounts: [LocalAccount]) -> String {
        guard !accounts.isEmpty else { return Text.noLocalAccounts }
        let lines = accounts.map { account in
            [
                account.username.printable, account.name.printable, account.locale?.printable ?? "",
                account.keyboard.map { Text.keyboard($0.text) } ?? "",
                account.pin != nil ? "" : style.warning(Text.noPIN),
            ]
        }
        return table(lines, indent: "").joined(separator: "\n")
    }

    func attempts(_ attempts: [PINAttemptsStatus]) -> String {
        guard !attempts.isEmpty else { return Text.noWrongPINs }
        let lines = attempts.map { row in
            [
                row.username.printable,
                row.lockedUntil > 0
                    ? style.warning(Text.lockedUntil(time.text(row.lockedUntil))) : Text.wrongPINs(row.wrongPINs),
                row.isFromStartPage ? Text.typedAtStartPage : Text.typedElsewhere,
            ]
        }
        return table(lines, indent: "").joined(separator: "\n")
    }

    /// What changed between two looks at the apps while they clear, one line a change.
    func progress(from before: [ParticipantStatus], to now: [ParticipantStatus]) -> [String] {
        func key(_ app: ParticipantStatus) -> String { "\(app.uid) \(app.instance) \(app.app)" }
        let old = Dictionary(before.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
        return now.compactMap { app in
            if let last = old[key(app)] {
                guard last.state != app.state || last.slow != app.slow else { return nil }
            } else if app.state != .clearing, app.state != .containing {
                // Who owes from before has no part in this one, and who was quick is in the receipt.
                return nil
            }
            let state = Text.participantState(app.state) + (app.slow ? ", \(Text.slow)" : "")
            return "  \(app.app.printable): \(app.slow ? style.warning(state) : state)"
        }
    }

    // MARK: Receipts

    func line(of receipt: Receipt) -> String {
        let who = receipt.account.map { Text.person($0).printable }
        let notable = receipt.participants
            .filter { ![.cleared, .nothingToClear].contains($0.outcome) }
            .map { "\($0.app.printable) \(Text.appOutcome($0.outcome))" }
        return [
            Text.receiptTitle(receipt) + (who.map { " of \($0)" } ?? ""), time.text(receipt.ended),
            outcome(receipt.outcome), Text.took(receipt.milliseconds), notable.joined(separator: ", "),
            receipt.unreadable.isEmpty ? "" : style.warning(Text.isReadInPart),
        ].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    func receipts(_ receipts: [Receipt]) -> String {
        guard let last = receipts.last else { return Text.noReceipts }
        let rest = last.leftOut.map { [Text.receiptsLeftOut($0)] } ?? []
        return (receipts.map { line(of: $0) } + rest).joined(separator: "\n")
    }

    func receipt(_ receipt: Receipt) -> String {
        var lines = [
            style.bold(Text.receiptTitle(receipt)) + " – "
                + (receipt.account.map { Text.person($0).printable } ?? Text.hidden) + " – \(outcome(receipt.outcome))",
            "\(time.text(receipt.started)), \(Text.took(receipt.milliseconds)): \(Text.reason(receipt.reason))",
        ]
        if !receipt.explanation.isEmpty { lines.append(style.bad(receipt.explanation.printable)) }
        if !receipt.unreadable.isEmpty { lines.append(style.warning(Text.unreadable(receipt.unreadable))) }
        let isWithoutApps = receipt.participants.isEmpty && !receipt.unreadable.contains("participants")
        lines += isWithoutApps ? ["  " + Text.nothingToClear] : table(receipt.participants.map(cells))
        if !receipt.debts.isEmpty { lines.append(Text.debts(receipt.debts)) }
        lines.append(Text.browser(receipt))
        lines += receipt.browserChecks.map { "  " + Text.check($0) }
        if let provider = Text.provider(receipt) { lines.append(provider) }
        if let tokens = Text.tokens(receipt) { lines.append(tokens) }
        lines += receipt.shared.map(Text.holder)
        lines += receipt.rejected.map(Text.rejected)
        if receipt.restarts > 0 { lines.append(Text.restarts(receipt.restarts)) }
        if let release = receipt.release { lines.append(Text.release(release, time.text(release.when))) }
        return lines.joined(separator: "\n")
    }

    private func cells(_ app: Receipt.Participant) -> [String] {
        [
            app.app.printable, Text.appOutcome(app.outcome), Text.took(app.milliseconds),
            app.proof.map(Text.proof) ?? "", app.explanation.printable,
        ]
    }

    /// The end of `sign-out`.
    /// - Parameter phase: What the device is in now.
    func signedOut(_ receipt: Receipt?, now phase: Phase? = nil) -> String {
        let isQuarantined = phase == .quarantined
        guard let receipt else { return isQuarantined ? Text.outcomeSentence(.quarantined) : Text.nothingToSignOut }
        let isReleased = receipt.release != nil && !isQuarantined
        return self.receipt(receipt) + "\n"
            + (isReleased ? Text.quarantineEnded : Text.outcomeSentence(isQuarantined ? .quarantined : receipt.outcome))
    }

    /// The end of `reset`: what it could not prove comes first.
    /// - Parameter phase: What the device is in now, where there is no receipt.
    func reset(_ receipt: Receipt?, now phase: Phase? = nil) -> String {
        guard let receipt else { return Text.quarantineEnded(now: phase) }
        var unproven = receipt.participants
            .filter { [.owed, .unproven].contains($0.outcome) }
            .map { $0.app.printable + ($0.explanation.isEmpty ? "" : " (\($0.explanation.printable))") }
        if receipt.browser == .failed || receipt.browser == .unchecked { unproven.append(Text.browser(receipt)) }
        unproven += receipt.browserChecks.filter { $0.outcome == .failed }.map(Text.check)
        unproven += receipt.shared.filter { $0.outcome != .clean }.map(Text.holder)
        if let release = receipt.release, !release.explanation.isEmpty {
            unproven.append(release.explanation.printable)
        }
        if !receipt.unreadable.isEmpty { unproven.append(Text.unreadable(receipt.unreadable)) }
        return (unproven.isEmpty ? Text.everythingProven : style.warning(Text.unproven(unproven))) + "\n"
            + Text.quarantineEnded
    }
}
