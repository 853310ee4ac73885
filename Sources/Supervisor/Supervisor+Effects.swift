import Checkpoints
import DBus
import Journal
import Logging
import Providers
import SessionMachine
import Vocabulary

extension Supervisor {
    /// Performs what is written.
    func perform(_ events: [HandledEvent]) {
        opening?()
        opening = nil
        for event in events {
            for effect in event.effects {
                if effect.records.isEmpty { checkpoint("before \(effect)") }
                perform(effect, event.state)
            }
        }
        checkpoint("after the effects")
        noteFigures(of: events)
    }

    private func perform(_ effect: Effect, _ state: PublicState) {
        switch effect {
        case .journal(let records): log(records)
        case .mark: attempt { () throws(JournalFault) in try marker.set() }
        case .rememberSignOut: attempt { () throws(JournalFault) in try marker.set(.asked) }
        case .unmark: attempt { () throws(JournalFault) in try marker.clear() }
        case .publish:
            if let published { outlet?.publish(published, state) }
            published = state
        case .announce(let announcement):
            if case .signingOut(let epoch, _, _, _) = announcement {
                endTokenWaits(of: epoch)
                turnPIN = .none
            }
            outlet?.announce(announcement)
            log(announcement)
            if case .signedOut = announcement { thread.performLater(whenCalm) }
        case .reply(let call, let answer):
            signInRequests[call] = nil
            answers.removeValue(forKey: call)?(answer)
        case .authenticate(let plan): authenticate(plan)
        case .abandon(let attempt): signIns.removeValue(forKey: attempt)?.cancel()
        case .adopt(let attempt, let epoch): tellProvider { await $0.adopt(attempt, epoch) }
        case .discard(let attempt): tellProvider { await $0.discard(attempt) }
        case .askForPages(let epoch, let agent): askForPages(epoch, for: agent)
        case .signOutAtProvider(let epoch): signOutAtProvider(epoch)
        case .agent(let request, let agent): ask(request, of: agent)
        case .chooseTurnUser(let last, let current): chooseTurnUser(after: last, beside: current)
        case .endTurn(let epoch, let user, let limit): endTurn(epoch, user, limit: limit)
        case .endTurns(let kept): endTurns(except: kept)
        case .allowPowerDown: outlet?.allowPowerDown()
        case .log(let remark): log(remark)
        }
    }

    private func attempt(_ action: () throws(JournalFault) -> Void) {
        do throws(JournalFault) {
            try action()
        } catch {
            log.error("\(error)")
        }
    }
}
