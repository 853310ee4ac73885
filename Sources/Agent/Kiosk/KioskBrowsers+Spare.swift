import BatonContract
import Browsers
import LinuxSystem
import Logging
import TurnControl

/// The browser that stands by, without a window, so that none has to be started while a person waits.
extension KioskBrowsers {
    /// Starts the one that stands by, where the kind can. Beside a worker it is the next one's where no program of the worker's
    /// can reach it, so that the start page comes at once when the turn has ended.
    func prepareSpare() {
        guard isOpen, settings.hasSpare, maker.canWait, spare == nil, spareTask == nil else { return }
        let isForNext = settings.hasTurnUser && isIsolated && turn != nil
        spareUser = isForNext ? users.next : nil
        guard !isForNext || spareUser != nil else { return }
        spareTask = Task {
            let instance = await start(as: spareUser)
            spareTask = nil
            guard let instance else { return }
            guard isOpen else { return leaving.append(instance) }
            // batond has said another meanwhile.
            guard instance.user == users.wanted || instance.user == users.next else { return discard(instance) }
            spare = instance
            watchSpare(instance)
            // It may have been started before the turn began.
            standBy()
        }
    }

    /// batond has said whose the next turn is while one goes on.
    func standBy() {
        // Nothing takes the processor from a page that a worker waits for; then it comes afterwards.
        guard isOpen, isIsolated, turn != nil, front != nil else { return }
        if let other = spare, other.user != users.next {
            spare = nil
            discard(other)
        }
        prepareSpare()
    }

    /// One that a process has stopped would only be found when it is needed.
    private func watchSpare(_ instance: BrowserInstance) {
        Task { [weak self] in
            while (try? await OwnTasks.sleep(for: .seconds(60))) != nil, await self?.isFine(spare: instance) == true {}
        }
    }

    private func isFine(spare instance: BrowserInstance) async -> Bool {
        guard spare === instance else { return false }
        if await answers(instance) { return true }
        guard spare === instance else { return false }
        log.warning("the browser that stood by does not answer")
        spare = nil
        discard(instance)
        prepareSpare()
        return false
    }

    /// The one that stands by belongs to a turn that ends, unless it is the next one's.
    func leaveSpare() {
        guard let instance = spare, instance.user != users.next else { return }
        spare = nil
        leaving.append(instance)
    }
    /// Opens the start page in the next turn's browser before this turn's slice has ended, where no program of the turn reaches its
    /// window. Not waited for: the page comes as soon as it can.
    func bringSpare() {
        guard isIsolated, spare != nil else { return }
        Task {
            _ = await ensureFront { browsers in
                guard let ready = browsers.spare, ready.user == browsers.users.next else { return nil }
                browsers.spare = nil
                if await browsers.answers(ready) { return ready }
                browsers.discard(ready)
                return nil
            }
        }
    }
}
