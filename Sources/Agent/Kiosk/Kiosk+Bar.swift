import BatonContract
import Vocabulary

extension Kiosk {
    /// Shows the bar, or takes it away, as all else on the screen has it now. Not waited for: nothing depends on it.
    func renewBar() { Task { await bar.show(barFace) } }

    /// Beside a cover or a countdown, each would try to be the highest.
    private var barFace: WorkerBar.Face? {
        let place = configuration.startPage.bar
        guard place != .off, !holder.isEmpty, let turn, gate.admits(turn.epoch), locked == nil, countdown == nil,
            !isCovered
        else { return nil }
        return WorkerBar.Face(epoch: turn.epoch, name: holder, language: language, place: place)
    }
}
