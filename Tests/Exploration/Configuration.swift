/// How large a world is explored.
public struct Configuration: Sendable {
    public var participants = 2
    public var epochs = 2
    public var crashes = 1
    public var faults = 1
    /// Of the faults only deaths, and words that are repeated, forged or too early.
    public var onlyPlainFaults = false
    /// Of the faults only those of the agent.
    public var onlyAgentFaults = false
    /// How many times apps may be started again in all.
    public var restarts = 1
    /// The mistake that is put into the machine; nil: none.
    public var fault: Fault?
    /// Stops there and says so; 0: never.
    public var limitMinutes = 0.0
    /// Sign-ins that open a page, which the agent must close again.
    public var pages = false
    /// An identity provider that has to be told of each sign-out, and may not answer.
    public var provider = false
    /// Each turn has a Unix user, and the last app is one of the first turn's.
    public var turnUsers = false
    /// While a turn goes on, the choice of the next one's user may take its time.
    public var lateChoices = false
    /// Apps remember no epoch and register with 0 each time.
    public var forgets = false
    /// What an agent that has left said is heard at any later time.
    public var staleAnswers = false
    /// Workers lock the screen and come back with a PIN.
    public var locks = false
    /// Workers leave the device alone, and the machine is about to sleep.
    public var away = false
    /// Restarts of the whole machine and of the bus too.
    public var reboots = false

    public init() {}

    public init(participants: Int, epochs: Int, crashes: Int, faults: Int, restarts: Int = 0, plain: Bool = false) {
        self.participants = participants
        self.epochs = epochs
        self.crashes = crashes
        self.faults = faults
        self.restarts = restarts
        onlyPlainFaults = plain
    }

    /// What a test run of that day explores: together, in six days, every pair of what can go wrong. Of the
    /// six largest each has its day, and so has each of the three with turns' users.
    ///
    /// - Parameter day: Days since 1970; nil: all of them.
    public static func standard(on day: Int?) -> [Self] {
        var alone = Configuration(participants: 1, epochs: 2, crashes: 1, faults: 1, restarts: 1)
        alone.pages = true
        alone.reboots = true
        var told = Configuration(participants: 1, epochs: 1, crashes: 1, faults: 1, restarts: 1)
        told.provider = true
        told.reboots = true
        var forgetful = Configuration(participants: 1, epochs: 2, crashes: 1, faults: 0, restarts: 1)
        forgetful.forgets = true
        let largest = [
            Configuration(participants: 3, epochs: 1, crashes: 0, faults: 1, plain: true), alone,
            Configuration(participants: 2, epochs: 2, crashes: 0, faults: 1),
        ]
        let large = [
            Configuration(participants: 2, epochs: 1, crashes: 1, faults: 1),
            Configuration(participants: 2, epochs: 2, crashes: 1, faults: 0), told,
        ]
        let ofDay = day.map { [turnUsers[Int($0.magnitude % 3)], (large + largest)[Int($0.magnitude % 6)]] }
        return [forgetful, staleAnswers, locks, away] + (ofDay ?? turnUsers + large + largest)
    }

    /// Turns with users of their own: two in a row, and one with an app that stays and one that runs as the turn's user.
    private static var turnUsers: [Self] {
        [
            Configuration(participants: 1, epochs: 2, crashes: 1, faults: 0),
            Configuration(participants: 1, epochs: 1, crashes: 1, faults: 1, plain: true),
            Configuration(participants: 2, epochs: 1, crashes: 0, faults: 1, plain: true),
        ].map { configuration in
            var configuration = configuration
            configuration.turnUsers = true
            configuration.reboots = true
            configuration.pages = configuration.epochs == 2
            configuration.lateChoices = configuration.crashes == 1 && configuration.faults == 1
            return configuration
        }
    }

    /// Agents that come and go, with sign-ins that open pages.
    public static var staleAnswers: Self {
        var configuration = Configuration(participants: 1, epochs: 1, crashes: 0, faults: 2)
        configuration.staleAnswers = true
        configuration.onlyAgentFaults = true
        configuration.pages = true
        return configuration
    }

    /// A screen that is locked in a turn, with an agent that may fail, and a supervisor that may be killed.
    public static var locks: Self {
        var configuration = Configuration(participants: 0, epochs: 1, crashes: 1, faults: 1)
        configuration.locks = true
        configuration.reboots = true
        return configuration
    }

    /// A worker who goes away, comes back, says that they stay or does not, with an agent that may fail, and a supervisor that may be
    /// killed.
    public static var away: Self {
        var configuration = Configuration(participants: 0, epochs: 1, crashes: 1, faults: 1)
        configuration.away = true
        return configuration
    }

    /// The world in which alone a mistake can show; nil: it shows in others too.
    static func only(for fault: Fault) -> Self? {
        var configuration: Self
        switch fault {
        case .lastAgent: configuration = .staleAnswers
        case .latePIN, .anyPhone, .freshTries: configuration = .locks
        case .noCountdown, .deafIdle, .deafStay, .earlySleep: configuration = .away
        case .fullSlice:
            configuration = Configuration(participants: 1, epochs: 1, crashes: 0, faults: 1)
            configuration.turnUsers = true
        case .sameUser:
            configuration = Configuration(participants: 1, epochs: 1, crashes: 0, faults: 0)
            configuration.turnUsers = true
            configuration.pages = true
        case .lateTurn:
            configuration = Configuration(participants: 1, epochs: 1, crashes: 0, faults: 0)
            configuration.provider = true
        default: return nil
        }
        configuration.fault = fault
        return configuration
    }

    /// What takes many minutes.
    public static var large: [Self] {
        var rebooted = Configuration(participants: 2, epochs: 2, crashes: 1, faults: 0, restarts: 1)
        rebooted.reboots = true
        var withUsers = Configuration(participants: 2, epochs: 2, crashes: 1, faults: 1, plain: true)
        withUsers.turnUsers = true
        withUsers.lateChoices = true
        return [
            Configuration(participants: 2, epochs: 2, crashes: 1, faults: 1),
            Configuration(participants: 3, epochs: 1, crashes: 0, faults: 2, plain: true),
            Configuration(participants: 3, epochs: 1, crashes: 1, faults: 1, plain: true),
            Configuration(participants: 2, epochs: 1, crashes: 2, faults: 2, restarts: 1),
            rebooted,
            withUsers,
        ]
    }
}
