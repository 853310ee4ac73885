import Baton
import DBus
import Glibc

/// Leads an app through everything that a terminal does to it, and says how it fared.
struct Trial: Sendable {
    let terminal: TrialTerminal
    let app: TrialApp
    let device: Device
    /// The id that the app should have; nil: any.
    let id: String?
    let data: DataFolders
    /// Told each step when it is done.
    let tell: @Sendable (TrialStep) -> Void

    /// How long an app may take to register, and to clear what it missed.
    static let patience = Duration.seconds(10)

    /// After this many milliseconds a terminal calls an app slow, unless its settings say otherwise.
    private static let soft: UInt32 = 1500

    private static let ping = Method("org.freedesktop.DBus.Peer", "Ping")

    func run() async throws -> TrialReport {
        var report = TrialReport()
        func add(_ step: TrialStep) {
            report.steps.append(step)
            tell(step)
        }
        let (first, name) = try await register()
        report.app = name
        add(first)
        // Nothing that comes after could mean anything.
        guard first.passed, let name else { return report }
        for play in [signOut, missedSignOut, killedWhileClearing, straightOver, daemonRestart] {
            try await bringBack(name)
            add(try await play(name))
        }
        return report
    }

    // MARK: Steps

    private func register() async throws -> (TrialStep, String?) {
        var step = TrialStep("register")
        try await app.start()
        guard let row = try await registration(of: nil) else {
            if let code = await app.exitCode {
                step.fail(Text.TestApp.endedBeforeRegistering(code))
            } else {
                step.fail(Text.TestApp.neverRegistered)
            }
            return (step, nil)
        }
        if let id, row.app != id {
            step.fail(Text.TestApp.otherID(row.app, id))
        } else {
            step.note(Text.TestApp.registered(row.app))
        }
        return (step, row.app)
    }

    private func signOut(_ name: String) async throws -> TrialStep {
        var step = TrialStep("sign-out")
        try await signIn("ana", &step)
        judge(try await device.signOut().receipt, name, &step)
        return step
    }

    private func missedSignOut(_ name: String) async throws -> TrialStep {
        var step = TrialStep("missed-sign-out")
        try await signIn("ben", &step)
        await app.end()
        _ = try await device.signOut()
        try await app.start()
        try await judgeReturn(name, &step)
        return step
    }

    private func killedWhileClearing(_ name: String) async throws -> TrialStep {
        var step = TrialStep("killed-while-clearing")
        try await signIn("ana", &step)
        let events = try await device.events()
        async let ended = device.signOut()
        for await event in events {
            if case .signingOut = event { break }
        }
        await letHear(name)
        await app.end()
        let receipt = try await ended.receipt
        if row(receipt, name)?.outcome == .cleared || row(receipt, name)?.outcome == .nothingToClear {
            // It owes nothing, so coming back shows nothing.
            step.notExercised(Text.TestApp.clearedBeforeKill)
            check(&step)
            return step
        }
        try await app.start()
        try await judgeReturn(name, &step)
        return step
    }

    private func straightOver(_ name: String) async throws -> TrialStep {
        var step = TrialStep("straight-over")
        try await signIn("ana", &step)
        judge(try await device.signOut().receipt, name, &step)
        let epoch = try await terminal.signIn("ben")
        // An app that takes Ben's turn for Ana's shows it here.
        guard try await registration(of: name, where: { $0.clearThrough < epoch }) != nil else {
            step.fail(Text.TestApp.gone)
            return step
        }
        await waitForData()
        judge(try await device.signOut().receipt, name, &step)
        return step
    }

    private func daemonRestart(_ name: String) async throws -> TrialStep {
        var step = TrialStep("daemon-restart")
        try await signIn("ben", &step)
        let before = try await registration(of: name)?.instance
        let work: FileWatch?
        do {
            work = try FileWatch(data)
        } catch {
            step.notExercised(Text.TestApp.workUnchecked(error))
            work = nil
        }
        try await terminal.restartDaemon()
        // A registration outlives batond on the same bus; an app that asks anew has to be waited for all the same.
        if let back = try await registration(of: name, within: .seconds(3), where: { $0.instance != before }) {
            step.note(Text.TestApp.backAfterRestart)
            // First it pays what it may owe, then it learns who holds the device, and may show that worker's data again.
            _ = try await registration(of: name, where: { $0.instance == back.instance && $0.clearThrough == 0 })
            await waitForData()
            await letHear(name)
        } else if try await registration(of: name, where: { ![.gone, nil].contains($0.state) }) != nil {
            step.note(Text.TestApp.keptAfterRestart)
        } else {
            step.fail(Text.TestApp.notBackAfterRestart)
            _ = try await device.signOut()
            return step
        }
        if let work {
            let lost = work.lost()
            if let first = lost.first { step.fail(Text.TestApp.lostWork(first, lost.count)) }
            if lost.isEmpty { step.note(Text.TestApp.keptWork) }
        }
        judge(try await device.signOut().receipt, name, &step)
        return step
    }

    // MARK: Parts

    /// For a step that begins with a registered app, whatever the one before did to it.
    private func bringBack(_ name: String) async throws {
        if await !app.isRunning { try await app.start() }
        _ = try await registration(of: name, where: { $0.owedSince == 0 })
    }

    private func signIn(_ worker: String, _ step: inout TrialStep) async throws {
        _ = try await terminal.signIn(worker)
        let files = await waitForData()
        if !data.paths.isEmpty {
            if let files { step.note(Text.TestApp.holds(files)) } else { step.notExercised(Text.TestApp.holdsNothing) }
        }
    }

    /// An app that keeps data writes it soon after it has heard of the worker; there is no event for that.
    @discardableResult
    private func waitForData() async -> Int? {
        guard !data.paths.isEmpty else { return nil }
        let deadline = ContinuousClock.now + .seconds(2)
        while ContinuousClock.now < deadline, !Task.isCancelled {
            if let found = data.files() { return found.count }
            try? await Task.sleep(for: .milliseconds(50))
        }
        return nil
    }

    /// Returns when the app has heard of the sign-out: what it is sent comes in order, so that it answers this after that. An
    /// app that clears before it answers anything is in the middle of that when the time is over.
    private func letHear(_ name: String) async {
        guard let row = try? await device.participants().first(where: { $0.app == name && $0.instance != 0 }),
            let sender = BusName(row.sender), let connection = try? await Connection.open(.address(terminal.address))
        else { return }
        _ = try? await connection.call(Self.ping, to: sender, at: Device1.path, timeout: .seconds(1))
        await connection.close()
    }

    /// The app's registration, when it looks as asked; nil: it did not in time, or the app has ended. Registrations are no
    /// signals, so this looks again and again.
    private func registration(
        of name: String?, within patience: Duration = Self.patience,
        where fits: (ParticipantStatus) -> Bool = { _ in true }
    ) async throws -> ParticipantStatus? {
        let deadline = ContinuousClock.now + patience
        while ContinuousClock.now < deadline {
            let rows = (try? await device.participants()) ?? []
            if let row = rows.first(where: { $0.instance != 0 && (name == nil || $0.app == name) && fits($0) }) {
                return row
            }
            if await !app.isRunning, rows.allSatisfy({ $0.instance == 0 }) { return nil }
            try await Task.sleep(for: .milliseconds(50))
        }
        return nil
    }

    private func row(_ receipt: Receipt?, _ name: String) -> Receipt.Participant? {
        receipt?.participants.first { $0.app == name }
    }

    private func judge(_ receipt: Receipt?, _ name: String, _ step: inout TrialStep) {
        guard let row = row(receipt, name) else {
            step.fail(Text.TestApp.notInReceipt)
            return
        }
        step.outcome = row.outcome.rawValue
        step.milliseconds = row.milliseconds
        switch row.outcome {
        case .cleared: step.note(Text.TestApp.cleared(row.milliseconds))
        case .nothingToClear: step.note(Text.TestApp.nothingToClear(row.milliseconds))
        case .contained, .owed, .unproven:
            step.fail(Text.TestApp.stopped(row.outcome, row.explanation, row.milliseconds))
            if row.outcome == .owed { step.note(Text.TestApp.owed) }
        }
        if step.passed, row.milliseconds >= Self.soft { step.note(Text.TestApp.slow(row.milliseconds)) }
        if step.passed { check(&step) }
    }

    /// It came back in debt: it must pay before it gets anything.
    private func judgeReturn(_ name: String, _ step: inout TrialStep) async throws {
        guard try await registration(of: name) != nil else {
            step.fail(Text.TestApp.notBack)
            return
        }
        let start = ContinuousClock.now
        guard try await registration(of: name, where: { $0.owedSince == 0 && $0.clearThrough == 0 }) != nil else {
            step.fail(Text.TestApp.didNotPay)
            return
        }
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        step.milliseconds = UInt32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
        step.note(Text.TestApp.paid)
        check(&step)
    }

    /// The folders are the proof that an app's word lacks.
    private func check(_ step: inout TrialStep) {
        if let left = data.files() { step.fail(Text.TestApp.lied(left.first, left.count)) }
    }
}
