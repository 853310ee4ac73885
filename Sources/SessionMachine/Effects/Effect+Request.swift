public import Vocabulary

extension Effect {
    /// Something that only the agent can do, with all that it needs for it.
    public enum Request: Hashable, Sendable {
        /// Asked of an agent that has just come: to hold on to all processes that take part. It is registered when it has been
        /// asked for each.
        case prepare([WatchPlan])
        /// - again: It did not answer before, so there is no hurry.
        case watch(WatchPlan, again: Bool)
        /// What is made ready for the next turn runs as this user. Nothing waits for an answer.
        ///
        /// - beside: The turn that goes on: nothing of the next one is shown before it has ended.
        case prepareTurn(TurnUser, beside: Epoch?)
        /// Nothing waits for an answer.
        case beginTurn(TurnPlan)
        case contain(ContainmentPlan)
        case signOutBrowser(BrowserPlan)
        case clearSharedHolders(SharedHoldersPlan)
        case closeSignIn
        case lock(LockPlan)
        /// The worker is back.
        case unlock(Epoch)
        /// Containments that have not been sent yet shall not be: the sign-out waits for them no more. Nil: of all apps.
        case withdraw(AppKey?)

        /// What the machine waits for after a request.
        package enum Awaited: Hashable, Sendable {
            case contained(AppKey, [Instance])
            case browserSignedOut(Epoch)
            case sharedHoldersCleared(Epoch)
            case signInBrowserClosed
            case locked(Epoch)
            case unlocked(Epoch)
        }

        /// Nil: nothing.
        package var awaited: Awaited? {
            switch self {
            case .contain(let plan): .contained(plan.app, plan.instances)
            case .signOutBrowser(let plan): .browserSignedOut(plan.epoch)
            case .clearSharedHolders(let plan): .sharedHoldersCleared(plan.epoch)
            case .closeSignIn: .signInBrowserClosed
            case .lock(let plan): .locked(plan.epoch)
            case .unlock(let epoch): .unlocked(epoch)
            case .prepare, .watch, .prepareTurn, .beginTurn, .withdraw: nil
            }
        }
    }
}
