import DBus
import Identity
import Logging
import SessionMachine
import Settings
package import Vocabulary

extension OpenIDProvider {
    package func adopt(_ attempt: Attempt, _ epoch: Epoch) async {
        guard let arrival = arrived.removeValue(forKey: attempt) else { return }
        demand = nil
        let session = arrival.session
        remember(session.identity)
        if let older = sessions[epoch]?.session {
            if arrival.isForApp { await older.join(session) } else { await older.replace(with: session) }
            await keep(epoch)
        } else {
            sessions[epoch] = EpochSession(session: session)
            await session.setOnChange { [weak self] in await self?.keep(epoch) }
            await keep(epoch)
            watch(epoch, session)
        }
    }

    package func discard(_ attempt: Attempt) async {
        guard let session = arrived.removeValue(forKey: attempt)?.session else { return }
        let id = TurnAccount(session.identity).id
        let own = sessions.filter { TurnAccount($0.value.session.identity).id == id }
        // The provider may have one session for this sign-in and the turn's: it ends with the turn.
        if let (epoch, kept) = own.max(by: { $0.key < $1.key }) {
            await kept.session.hold(session)
            return await keep(epoch)
        }
        // After a restart that lost the turn's tokens, its worker is known by name.
        if await news?.turn()?.holder.id == id { return await session.discard() }
        // Otherwise it must not stay: its page would let the next one in without a word.
        _ = await session.signOut(within: settings.requestTimeout)
    }

    /// Takes over what an earlier batond left with systemd.
    func restore(_ state: ProviderStart) async {
        for kept in state.kept {
            let epoch = kept.epoch
            guard sessions[epoch] == nil, let secret = kept.session,
                let session = WorkerSession(sealed: secret, client: client), isWanted(session, epoch, state)
            else {
                store.remove(epoch, generation: kept.generation)
                continue
            }
            sessions[epoch] = EpochSession(session: session, generation: kept.generation)
            if epoch == state.kept.map(\.epoch).max() { remember(session.identity) }
            log.notice("the worker's session was taken over", metadata: ["epoch": "\(epoch)"])
            switch state.turn {
            case .some(let turn) where turn.epoch == epoch && turn.isOpen:
                await session.setOnChange { [weak self] in await self?.keep(epoch) }
            case .some(let turn) where turn.epoch == epoch && !turn.isTold:
                // The sign-out goes on, and asks for it.
                break
            default: retry(epoch, session)
            }
        }
        if let turn = state.turn, turn.isOpen { watch(turn.epoch, sessions[turn.epoch]?.session) }
    }

    private func isWanted(_ session: WorkerSession, _ epoch: Epoch, _ state: ProviderStart) -> Bool {
        guard let turn = state.turn, turn.epoch == epoch else { return epoch <= state.lastEnded }
        return TurnAccount(session.identity).id == turn.holder.id
    }

    private func keep(_ epoch: Epoch) async {
        guard let session = sessions[epoch]?.session else { return }
        let sealed = await session.sealed()
        // Changed while it was sealed; the task that changed it is on the way here too.
        guard var kept = sessions[epoch] else { return }
        kept.generation &+= 1
        sessions[epoch] = kept
        store.keep(sealed, of: epoch, generation: kept.generation)
    }

    func forget(_ epoch: Epoch) {
        guard let kept = sessions.removeValue(forKey: epoch) else { return }
        store.remove(epoch, generation: kept.generation)
    }

    /// Keeps the session's tokens fresh, and ends a turn whose provider was away for too long; also of a turn whose
    /// tokens were lost.
    private func watch(_ epoch: Epoch, _ session: WorkerSession?) {
        keeper?.cancel()
        guard let news else { return }
        let keeper = SessionRefresher(
            session: session, client: client, offline: settings.offline, clock: clock, thread: thread,
            log: log)
        self.keeper = Task(executorPreference: thread.tasks) {
            switch await keeper.run() {
            case .cancelled: return
            case .awayTooLong: news.signOut(epoch, .expired)
            case .ended: await self.end(epoch)
            }
        }
    }

    /// A log-out that the provider tells of; whether it was about a worker that is known here.
    ///
    /// - Parameter isSigned: The provider signed it, which proves that its session has ended.
    func notice(_ notice: LogoutNotice?, isSigned: Bool) async -> Bool {
        guard let notice else { return false }
        var isKnown = false
        for (epoch, kept) in sessions where await kept.session.isMeant(by: notice) {
            isKnown = true
            if isSigned { await kept.session.endedByNotice() }
            end(epoch)
        }
        // After a restart that lost the tokens, the worker is still known by name. As long as there are tokens, they say
        // which of the worker's sessions is this one.
        if !isKnown, let subject = notice.subject, let turn = await news?.turn(), sessions[turn.epoch] == nil,
            turn.holder.id == TurnAccount.id(issuer: notice.issuer, subject: subject)
        {
            isKnown = true
            end(turn.epoch)
        }
        return isKnown
    }

    func end(_ epoch: Epoch) {
        log.notice("the provider has ended the session", metadata: ["epoch": "\(epoch)"])
        news?.signOut(epoch, .provider)
    }
}
