import DBus
import SessionMachine
import Settings
import TurnControl
import Vocabulary

/// The turn users: each answer is an event.
extension Supervisor {
    func chooseTurnUser(after last: TurnUser?, beside current: TurnUser?) {
        Task(executorPreference: thread.tasks) { [turns] in
            await self.post(.turnUserChosen(await turns?.choose(after: last, beside: current)))
        }
    }

    /// - Parameter limit: In microseconds.
    func endTurn(_ epoch: Epoch, _ user: TurnUser, limit: UInt64) {
        let hierarchy = turns?.hierarchy ?? TurnSlice.hierarchy
        Task(executorPreference: thread.tasks) {
            let end = await TurnKeeper.end(user, in: hierarchy, limit: .microseconds(Int64(clamping: limit)))
            await self.post(.turnEnded(epoch, end))
        }
    }

    func endTurns(except kept: [TurnUser]) {
        Task(executorPreference: thread.tasks) { [turns] in await turns?.endAll(except: kept) }
    }

    func policy(_ settings: Settings) -> Policy { Policy(settings, turns) }
}
