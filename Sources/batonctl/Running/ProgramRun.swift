import Baton
import Processes
import UnixSignals

/// One `batonctl run`: the device, the program and the signals together.
struct ProgramRun: Sendable {
    let app: String
    /// The program as it was named, for people.
    let program: String
    let device: Device
    let life: ProgramLife
    let rule: RestartRule
    let output: RunOutput

    private enum End: Sendable {
        case exit(Int32)
        case failed(any Error)
        /// Asked to, with no program to ask instead.
        case interrupted
    }

    /// Runs until the program or another process ends it; what the program left is cleared by then.
    ///
    /// - Returns: What batonctl ends with.
    func run() async throws -> Int32 {
        let signals = await UnixSignalsSequence(
            trapping: .sigint, .sigterm, .sighup, .sigquit, .sigusr1, .sigusr2, .sigwinch)
        // Not before: a Ctrl-C that comes as soon as it is read must not be lost.
        if try await !device.isPresent() { Terminal.complain(Text.Run.waits(program, on: device.bus)) }
        let end = await withTaskGroup(of: End?.self) { group in
            group.addTask { await participate() }
            group.addTask { await follow() }
            group.addTask {
                for await signal in signals {
                    if await !life.pass(signal.rawValue), signal.isEnd { return .interrupted }
                }
                return nil
            }
            if rule == .always {
                group.addTask {
                    await watchPhases()
                    return nil
                }
            }
            var end: End?
            while end == nil, let next = await group.next() { end = next }
            group.cancelAll()
            // Taking part ends with a clearing, and with leaving.
            await group.waitForAll()
            return end
        }
        // The device was not there to ask, so nothing is cleared yet.
        if await !life.isClean { _ = await life.clear(nil) }
        let isClean = await life.isClean
        switch end {
        case .exit(0), .interrupted, nil: return isClean ? 0 : ExitStatus.refused
        // What is left behind is worse than whatever the program had to say.
        case .exit(let code): return isClean ? code : ExitStatus.refused
        case .failed(let error): throw error
        }
    }

    private func participate() async -> End? {
        do {
            try await withThrowingDiscardingTaskGroup { group in
                let (admissions, admission) = AsyncStream.makeStream(of: Void.self)
                group.addTask {
                    for await _ in admissions { await life.admitted() }
                }
                defer { admission.finish() }
                try await device.participate(onBehalfOf: app) {
                    await life.workerCame()
                } admitted: {
                    admission.yield()
                } postponed: { error in
                    output.postponed(error)
                } clear: { request in
                    await life.clear(request)
                }
            }
            return nil
        } catch is CancellationError {
            return nil
        } catch {
            return .failed(error)
        }
    }

    /// Waits for each program's end.
    private func follow() async -> End? {
        await withTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            for await news in life.news {
                switch news {
                case .started(let program, let number):
                    group.addTask {
                        guard let code = await program.exit() else { return }
                        await life.ended(number, code: code)
                    }
                case .ended(let code): return .exit(code)
                case .done: return .exit(0)
                case .notStarted(let fault): return .failed(fault)
                }
            }
            return nil
        }
    }

    private func watchPhases() async {
        guard let events = try? await device.events() else { return }
        for await event in events {
            if event == .phaseChanged(.ready) { await life.deviceIsReady() }
        }
    }
}

extension UnixSignal {
    fileprivate var isEnd: Bool { [.sigint, .sigterm, .sighup].contains(self) }
}
