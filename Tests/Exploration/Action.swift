import SessionMachine

/// One thing that can happen in the world; apps and processes are named by their place.
enum Action: Hashable, Sendable {
    enum Crash: UInt8, CaseIterable, Sendable { case supervisor, bus, reboot }

    case tick
    case crash(Crash)

    case signIn
    case signInUsesBrowser
    case signInSucceeds
    case signInFails
    case cancelSignIn
    case anotherSignsIn
    case signOut
    case signOutOld

    case start(Int)
    case register(Int, Int)
    case clear(Int, Int)
    case fail(Int, Int)
    case guess(Int, Int)
    case deliver(Int, Int, Int)
    case duplicate(Int, Int, Int)
    case forge(Int, Int)
    case extend(Int, Int)
    case leave(Int, Int)
    case disconnect(Int, Int)
    case reconnect(Int, Int)
    case exit(Int, Int)
    case exitReported(Int, Int)

    case providerAnswers
    /// It names its pages for the turn that has been asked for longest.
    case providerNamesPages

    case agentReturns
    case agentLost
    case agentWorks(Int)
    case agentReports(Int)
    case agentFails(Int)
    /// The word of an agent that has left is heard only now.
    case staleAnswer(Int)

    case lock
    /// The worker asks to come back, and their PIN is looked at.
    case unlock
    /// They ask to come back by phone.
    case unlockByPhone
    /// Of the worker, or not; by phone it is the account.
    case rightPIN, wrongPIN

    /// The agent has seen no input from now on, so long that the countdown should be under way, or for a long time, or sees input again.
    case idle, lateIdle, longIdle, touch
    /// The worker says that they are still there.
    case stay
    case shiftEnds
    /// The machine is about to sleep, or does not after all.
    case powersDown, staysUp

    /// The answers about the turn users and their slices.
    case turnUserFound, noTurnUserFound
    case sliceEnds, sliceStays

    /// Faults are counted: a path may hold only so many.
    var isFault: Bool {
        switch self {
        case .fail, .guess, .duplicate, .forge, .extend, .leave, .disconnect, .agentLost, .agentFails, .exit,
            .noTurnUserFound, .sliceStays:
            true
        default: false
        }
    }
}
