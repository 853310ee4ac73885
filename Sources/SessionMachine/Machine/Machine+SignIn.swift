import Vocabulary

extension Machine {
    mutating func signIn(_ call: Call, _ sender: Sender, _ now: Moment) {
        guard mode == .shared else { return refuse(call, .notShared) }
        guard !journalBroken || phase == .quarantined else { return refuseUnwritten(call) }
        switch phase {
        case .ready:
            guard agentPresent || !policy.agentRequired else { return refuse(call, .agentMissing) }
            signIn = begin(call, sender, now)
            emit(.publish)
        case .inUse where signInAgain == nil:
            signInAgain = begin(call, sender, now)
        case .signingIn, .inUse: refuse(call, .signingIn)
        case .clearing: refuse(call, .signingOut)
        case .quarantined: refuse(call, .quarantined)
        }
    }

    mutating func begin(_ call: Call, _ sender: Sender, _ now: Moment) -> SignIn {
        attempts = attempts.next
        emit(.authenticate(SignInPlan(attempt: attempts, call: call, sender: sender, holder: holder)))
        return SignIn(
            attempt: attempts, call: call, sender: sender, deadline: now.monotonic.adding(policy.signInTimeout))
    }

    mutating func signInUsesBrowser(_ attempt: Attempt) {
        if signIn?.attempt == attempt {
            signIn?.usesBrowser = true
            markTurnUser()
        }
        if signInAgain?.attempt == attempt { signInAgain?.usesBrowser = true }
    }

    mutating func signInSucceeded(_ attempt: Attempt, _ holder: TurnAccount, _ now: Moment) {
        if let again = signInAgain, again.attempt == attempt {
            signInAgain = nil
            if again.usesBrowser, agentPresent { tell(.closeSignIn) }
            guard let call = again.call else { return emit(.discard(attempt)) }
            guard let turn = ledger.device.turn, turn.holder.id == holder.id else {
                emit(.discard(attempt))
                return refuse(call, .accountMismatch)
            }
            if again.unlocks != nil {
                // It shows who is there, and brings nothing along.
                emit(.discard(attempt))
                return unlocked(call)
            }
            emit(.adopt(attempt, turn.epoch))
            return reply(call, .signedIn(turn.epoch, turn.holder))
        }
        // Only the attempt that is still wanted takes the device: one that was cancelled comes too late.
        guard let current = signIn, current.attempt == attempt, let call = current.call, phase == .signingIn else {
            emit(.discard(attempt))
            return emit(.log(.outOfPlace(.signIn)))
        }
        guard !journalBroken, ledger.device.epoch < .greatest else {
            emit(.discard(attempt))
            return finishSignIn(.journalFailed)
        }
        guard !policy.hasTurnUsers || ledger.device.nextUser != nil else {
            // The look at what is left of them is short, and answers in any case.
            signIn?.proven = holder
            return
        }
        // The browser of the sign-in, if there is one, becomes the worker's.
        signIn = nil
        let epoch = ledger.device.epoch.next
        write(.began(epoch, holder, wall: now.wall))
        updateDevice {
            $0.epoch = epoch
            let began = Ledger.Begin(wall: now.wall, boottime: now.boottime, bootID: $0.bootID)
            $0.turn = Ledger.TurnRecord(
                epoch: epoch, holder: holder, when: now.wall, began: began, user: $0.nextUser)
            $0.lastUser = $0.nextUser
            $0.nextUser = nil
        }
        enterPresent()
        emit(.adopt(attempt, epoch))
        // What ended before holds nothing of this worker.
        endedInstances = [:]
        beginTurn()
        chooseTurnUser()
        emit(.publish)
        emit(.announce(.signedIn(epoch, holder)))
        reply(call, .signedIn(epoch, holder))
    }

    mutating func signInFailed(_ attempt: Attempt, _ refusal: Refusal, _ now: Moment) {
        if let again = signInAgain, again.attempt == attempt {
            finishSignInAgain(refusal)
            if again.unlocks != nil { unlockFailed(refusal, now) }
        } else if signIn?.attempt == attempt {
            finishSignIn(refusal)
        }
    }

    /// The one that runs and can be cancelled.
    private var runningSignIn: SignIn? { signIn.flatMap { $0.call == nil ? nil : $0 } ?? signInAgain }

    /// The worker at the start page does not wait for a process that tries PINs, each of which may take its time.
    mutating func giveWay(to sender: Sender) {
        guard let current = runningSignIn, current.sender != sender else { return }
        abandon(.byAgentOrAdministrator, again: current == signInAgain)
    }

    mutating func cancelSignIn(_ call: Call, _ sender: Sender, _ privileged: Bool) {
        guard let current = runningSignIn else { return refuse(call, .notSigningIn) }
        guard privileged || current.sender == sender else { return refuse(call, .notAuthorizedToCancel) }
        abandon(current.sender == sender ? .byCaller : .byAgentOrAdministrator, again: current == signInAgain)
        reply(call, .done)
    }

    /// Ends a sign-in that has not come to its end by itself.
    mutating func abandon(_ cause: Refusal.Cancellation, again: Bool) {
        guard let current = again ? signInAgain : signIn, current.call != nil else { return }
        emit(.abandon(current.attempt))
        if again { finishSignInAgain(.canceled(cause)) } else { finishSignIn(.canceled(cause)) }
    }

    mutating func finishSignInAgain(_ refusal: Refusal) {
        guard let current = signInAgain else { return }
        signInAgain = nil
        if current.usesBrowser, agentPresent { tell(.closeSignIn) }
        if let call = current.call { refuse(call, refusal) }
    }

    /// Answers the caller; the device is ready again only when no page of the sign-in is left.
    mutating func finishSignIn(_ refusal: Refusal) {
        guard var current = signIn, let call = current.call else { return }
        current.call = nil
        if current.usesBrowser {
            signIn = current
            if agentPresent { tell(.closeSignIn) } else { seal(.openSignInPage) }
        } else {
            signIn = nil
        }
        emit(.publish)
        refuse(call, refusal)
    }

    mutating func signInBrowserClosed(_ clean: Bool) {
        asked.remove(.signInBrowserClosed)
        renewTurnUser()
        if sealed == .openSignInPage {
            if clean {
                unseal()
                replyToResetting(.receipt(nil))
            }
            refuseResetting()
            return answerWaiting()
        }
        // What is left of an earlier supervisor's sign-in closes the gate too, as long as no worker has passed it.
        guard phase == .ready || phase == .signingIn, clean || signIn?.call == nil else { return }
        guard let current = signIn else {
            if !clean { seal(.openSignInPage) }
            return
        }
        guard current.call == nil else { return }
        signIn = nil
        if clean { emit(.publish) } else { seal(.openSignInPage) }
    }

    /// Quarantines a device that has no barrier.
    mutating func seal(_ why: Seal) {
        signIn = nil
        sealed = why
        emit(.log(.doomed([.sealed(why)])))
        emit(.publish)
    }

    mutating func unseal() {
        guard sealed != nil else { return }
        sealed = nil
        emit(.unmark)
        emit(.publish)
    }
}
