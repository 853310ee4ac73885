/// A mistake that well-known systems make, put into the machine to see that the explorer notices.
public enum Fault: String, CaseIterable, Sendable {
    case notJournalled = "the state of a sign-out is not journalled"
    case noEpoch = "acknowledgements carry no epoch"
    case disconnectCounts = "leaving the bus counts as an acknowledgement"
    case lateJoinersIgnored = "apps that join late are ignored"
    case noWipe = "after the time-out it goes on without wiping"
    case earlyWord = "an app may write after its word"
    case pastPays = "an acknowledgement pays for another process that ends after it"
    case lastAgent = "an answer of the agent before this one counts"
    case lateTurn = "a turn is handed to the agent when its sign-out has begun"
    case latePIN = "a PIN that comes when the sign-out has begun shows the screen"
    case anyPhone = "any account at the provider shows a locked screen"
    case freshTries = "a supervisor that is started anew gives a lock its tries anew"
    case fullSlice = "a slice that is not empty counts as empty"
    case sameUser = "a worker gets the user as whom another one's sign-in had its page"
    case forger = "another connection may acknowledge"
}
