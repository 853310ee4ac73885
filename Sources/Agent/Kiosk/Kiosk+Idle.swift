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
        guard span > .zero, parts.idleSource != .nothing else { return }
        idleWatch = Task { [weak self, parts] in
            var start = start
            while !Task.isCancelled {
                if let watch = parts.watchIdle(span, start) {
                    await withTaskCancellationHandler {
                        for await event in watch.events { await self?.heard(event, in: epoch) }
                    } onCancel: {
                        watch.stop()
                    }
                }
                // The display is gone, and may come back.
                await self?.heard(.active, in: epoch)
                start = BootClock.now
                try? await OwnTasks.sleep(for: .seconds(2))
            }
        }
    }

    /// Why idle workers are not signed out here, or not always; nil: they are, or the settings do not want it.
    var idleProblem: String? {
        guard configuration.idleAfter > .zero else { return nil }
        if parts.idleSource == .nothing {
            return
                "this session does not say how long there was no input, so idle workers are not signed out: "
                + "use an X server, GNOME, KWin or a wlroots compositor, or set \(SettingsKey.automaticSignOutIdle) to off "
                + "and \(SettingsKey.automaticSignOutTurn) to the longest time of a turn"
        }
        if parts.idleSource == .logind {
            return
                "of this session only logind says how long there was no input, and that only if the desktop tells it: try whether "
                + "idle workers are signed out here, or set \(SettingsKey.automaticSignOutTurn) to the longest time of a turn"
        }
        guard parts.idleSource.mindsInhibitors else { return nil }
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
