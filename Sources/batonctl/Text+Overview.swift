import Vocabulary

extension Text {
    /// Of `batonctl` alone.
    enum Overview {
        static let noDaemon = "No batond runs on this bus."
        static let notAllowed = "The bus does not let this user ask batond."
        static let personal = "This device is not shared: no worker signs in."
        static let free = "This terminal is free."
        static func notReady(_ why: String) -> String { "This terminal is free, and not ready yet: \(why)." }
        static let signingIn = "A worker is signing in."
        static let aWorker = "A worker"
        static func inUse(_ worker: String, _ turn: Epoch) -> String { "\(worker) holds this terminal (turn \(turn))." }
        static func locked(_ worker: String) -> String { "\(worker) holds this terminal; its screen is locked." }
        static func clearing(_ worker: String) -> String { "\(worker) is being signed out." }
        static func quarantined(_ why: String) -> String {
            "This terminal is out of service" + (why.isEmpty ? "." : ": \(why).")
        }
        static let all = "batonctl --help shows all commands."

        static let findOut = "find out what is wrong, and what to do"
        static let ownSession = "ask the batond of your own session"
        static let tryOut = "start one, to try it out"
        static let share = "have workers sign in again, as an administrator"
        static let signIn = "sign in"
        static let receipts = "how the last sign-outs ended"
        static let giveUp = "give the sign-in up"
        static let watch = "see what happens"
        static let unlock = "show the screen again, with the worker's PIN"
        static let signOut = "sign out: every app clears"
        static let lock = "lock the screen, and come back with your PIN"
        static let apps = "which apps have cleared"
        static let again = "try again what is missing"
        static let reset = "put it back into service, as an administrator"
        static let status = "all about this terminal"
    }
}
