import BatonContract
import Display
import LinuxSystem
import Logging
import Vocabulary

// Whether the worker is still there.
extension Kiosk {
    /// Watches from the begin of a turn on: what was before it is no idleness of this worker's.
    ///
    /// - Parameter start: CLOCK_BOOTTIME in microseconds.
    func watchIdle(in epoch: Epoch, since start: UInt64) {
        endIdleWatch()
        let span = configuration.idleAfter
        guard span > .zero else { return }
        idleWatch = Task { [weak self] in
            var start = start
            // What was not there before may be there by now.
            if await self?.foundIdle.source == .nothing, await self?.findIdle() == .nothing { return }
            while !Task.isCancelled {
                if let watch = await self?.foundIdle.watch(span, start) {
                    await withTaskCancellationHandler {
                        for await event in watch.events { await self?.heard(event, in: epoch) }
                    } onCancel: {
                        watch.stop()
                    }
                }
                // It is gone, and may come back, or another in its place.
                await self?.heard(.active, in: epoch)
                start = BootClock.now
                try? await OwnTasks.sleep(for: .seconds(2))
                if !Task.isCancelled { await self?.findIdle() }
            }
        }
    }

    /// Looks for a source of idleness where none is known. True: there is one now.
    func findFirstIdle() async -> Bool {
        guard foundIdle.source == .nothing else { return false }
        let found = await parts.findIdle(state == nil)
        // A turn may have found one meanwhile.
        guard foundIdle.source == .nothing else { return false }
        foundIdle = found
        return found.source != .nothing
    }

    /// Looks for the source of idleness anew, and says so if it is another one.
    @discardableResult
    private func findIdle() async -> IdleSource {
        let found = await parts.findIdle(false)
        // A search that is broken off finds nothing.
        guard !Task.isCancelled else { return foundIdle.source }
        let (problem, last) = (idleProblem, foundIdle.source)
        // Of the same kind it may be another one all the same, such as that of another session.
        foundIdle = found
        guard found.source != last else { return last }
        log.notice("idleness is told by another source", metadata: ["source": "\(found.source)"])
        guard var state else { return found.source }
        state.idle = found.source
        state.warnings.removeAll { $0 == problem }
        if let idleProblem { state.warnings.append(idleProblem) }
        self.state = state
        await link.hasChanged(state)
        return found.source
    }

    /// Why idle workers are not signed out here, or not always; nil: they are, or the settings do not want it.
    var idleProblem: String? {
        guard configuration.idleAfter > .zero else { return nil }
        if foundIdle.source == .nothing {
            return
                "this session does not say how long there was no input, so idle workers are not signed out: "
                + "use an X server, GNOME, KWin or a wlroots compositor, or set \(SettingsKey.automaticSignOutIdle) to off "
                + "and \(SettingsKey.automaticSignOutTurn) to the longest time of a turn"
        }
        if foundIdle.source == .logind {
            return
                "of this session only logind says how long there was no input, and that only if the desktop tells it: try whether "
                + "idle workers are signed out here, or set \(SettingsKey.automaticSignOutTurn) to the longest time of a turn"
        }
        guard foundIdle.source.mindsInhibitors else { return nil }
        return "a program that keeps the screen on, such as a page with a video, also keeps its worker signed in: "
            + "this desktop has no ext-idle-notify-v1 of version 2"
    }

    func endIdleWatch() {
        idleWatch?.cancel()
        idleWatch = nil
        idleSince = nil
    }

    /// The worker has said that they are there, and perhaps touched nothing for it.
    func watchIdleAnew() {
        guard let turn, idleSince != nil else { return }
        watchIdle(in: turn.epoch, since: BootClock.now)
    }

    /// Said again to a batond that has started since.
    func sayIdle(in epoch: Epoch) async {
        if let idleSince { await link.idle(epoch, since: idleSince) }
    }

    private func heard(_ event: IdleWatch.Event, in epoch: Epoch) async {
        guard turn?.epoch == epoch, gate.admits(epoch) else { return }
        switch event {
        case .idle(let since):
            log.info("the device has no input", metadata: ["epoch": "\(epoch)"])
            idleSince = since
            await link.idle(epoch, since: since)
        case .active:
            guard idleSince != nil else { return }
            idleSince = nil
            await link.idle(epoch, since: nil)
        }
    }
}
