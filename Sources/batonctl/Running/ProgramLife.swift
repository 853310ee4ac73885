import Baton
import Glibc
import LinuxSystem
import Processes

/// The program of `run` from start to start: it runs only while nothing of an earlier worker is left, and is gone with all
/// that it started before its folders are wiped.
actor ProgramLife {
    enum News: Sendable {
        /// To be waited for.
        case started(any WrappedProgram, number: Int)
        case ended(code: Int32)
        /// A sign-out is over, and the program is not to be started again.
        case done
        case notStarted(LaunchFault)
    }

    /// What happens, for one consumer.
    nonisolated let news: AsyncStream<News>

    private let tell: AsyncStream<News>.Continuation
    private let command: [String]
    private let folders: ProgramFolders
    private let rule: RestartRule
    private let wrapper: ProgramWrapper
    private let output: RunOutput
    private var running: (any WrappedProgram)?
    private var number = 0
    private var start: Task<Void, Never>?
    private var hasStarted = false
    /// Nothing of an earlier worker is left to clear.
    private var isAdmitted = false
    private var isStopping = false
    private var isClearing = false
    private var quickEnds = 0
    /// Cleared since the program ran last, and found clean.
    private(set) var isClean = true

    init(
        command: [String], folders: ProgramFolders, rule: RestartRule, wrapper: ProgramWrapper, output: RunOutput
    ) {
        self.command = command
        self.folders = folders
        self.rule = rule
        self.wrapper = wrapper
        self.output = output
        (news, tell) = AsyncStream.makeStream(of: News.self)
    }

    // MARK: When it runs

    /// The device says that there is nothing to clear, or no more.
    func admitted() async {
        isAdmitted = true
        if !hasStarted {
            await run()
        } else if rule == .never, running == nil {
            tell.yield(.done)
        }
    }

    func workerCame() async {
        if hasStarted, rule != .never { await run() }
    }

    /// No worker is signed in, and all other apps have cleared too.
    func deviceIsReady() async {
        if hasStarted, rule == .always { await run() }
    }

    private func run() async {
        guard isAdmitted, !isStopping, running == nil, start == nil else { return }
        hasStarted = true
        isClean = false
        number += 1
        let start = Task { await self.begin() }
        self.start = start
        await start.value
    }

    private func begin() async {
        defer { start = nil }
        do {
            let program = try await wrapper.start(
                command, environment: Self.environment, descriptors: Self.standardDescriptors)
            running = program
            output.started(program.proof)
            tell.yield(.started(program, number: number))
        } catch {
            tell.yield(.notStarted(error))
        }
    }

    /// The program itself has ended.
    func ended(_ number: Int, code: Int32) async {
        // Ended by a sign-out, or that is about to be.
        guard number == self.number, !isClearing, let program = running else { return }
        output.ended(code)
        // What it left running was its own.
        if await program.end(limit: TimeLimit(.seconds(5))) == nil, self.number == number { running = nil }
        guard rule == .always, !isStopping else {
            tell.yield(.ended(code: code))
            return
        }
        // A program that always ends at once must not take the machine's time.
        quickEnds = min(quickEnds + 1, 6)
        try? await Task.sleep(for: .milliseconds(50) * (1 << quickEnds))
        await run()
    }

    // MARK: Signals

    /// False: there is no program to pass it to.
    func pass(_ signal: Int32) async -> Bool {
        await start?.value
        guard let running else { return false }
        if [SIGINT, SIGTERM, SIGHUP].contains(signal) {
            // A user who asks twice means it.
            if isStopping { return false }
            isStopping = true
        }
        running.send(signal)
        return true
    }

    // MARK: Clearing

    /// Ends the program and empties its folders.
    ///
    /// - Parameter request: What the device asks; nil: it does not ask.
    func clear(_ request: ClearRequest?) async -> AcknowledgementOutcome {
        isAdmitted = false
        quickEnds = 0
        isClearing = true
        defer { isClearing = false }
        await start?.value
        var time = ClearingTime(request)
        var finding = ClearingFinding(isProgramEnded: running != nil)
        if let running {
            finding.running = await running.end(limit: time.limit)
            finding.proof = running.proof
            if finding.running == nil { self.running = nil }
        }
        // Wiped also when something still runs: less of the worker is left.
        var isOver = false
        while !isOver {
            finding.add(await folders.clear(limit: time.limit))
            isOver = true
            if finding.isLate { isOver = await !time.extend() }
        }
        request?.report(finding.details)
        isClean = finding.problem == nil
        // The signal's answer would have been the program's end, which this was.
        if isStopping, running == nil { tell.yield(.done) }
        let outcome: AcknowledgementOutcome =
            if !isClean {
                .failed
            } else {
                finding.isProgramEnded || !folders.isEmpty ? .cleared : .nothingToClear
            }
        output.cleared(finding, outcome, request)
        return outcome
    }

    // MARK: What the program gets

    static var environment: [String: String] {
        var result: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
            entry += 1
        }
        // The app is this process, and the descriptor stays here.
        result["BATON_TOKEN_FD"] = nil
        return result
    }

    private static var standardDescriptors: [Int32: Descriptor] {
        var result: [Int32: Descriptor] = [:]
        for number in Int32(0)...2 {
            let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
            if copy >= 0 { result[number] = Descriptor(owning: copy) }
        }
        return result
    }
}
