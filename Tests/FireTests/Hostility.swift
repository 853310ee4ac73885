import Glibc
import Testing

/// What a process that means ill does, and what the receipt must say of it afterwards.
struct Hostility: Sendable, CustomTestStringConvertible {
    /// What the receipt says of it.
    enum Told: Sendable {
        /// Its words were refused with these errors, or it did too much of something, beside its row.
        case refused([String])
        /// Its row alone. None of what it did was a word about a sign-out that was refused, for this reason.
        case row(String)
        /// Nothing: it was in no turn.
        case nothing
    }

    enum Moment { case ready, done, gone }

    let kind: String
    let told: Told
    /// What its row says.
    var outcomes: Set<String> = ["owed"]
    /// The agent had to stop it, and says how it knows that it is gone.
    var isStopped = true
    /// What it is to be done with before the worker comes. A moment later it would have been shown an account, or asked.
    var first = Moment.ready
    /// What else it prints before the worker comes.
    var before: String?
    /// What it prints when it is done with what it does in the turn.
    var inTurn: String?
    /// An app that registers, is gone before the agent can hold on to its process, and lives on is not proven gone.
    var mayQuarantine = false
    /// It works until it answers, for which a busy machine gets its time.
    var isBusy = false
    /// KiB that batond may take more in the middle of it. Beside busy processes more waits to be read: up to 4200 were seen.
    var peak = 8 * 1024
    var testDescription: String { kind }

    private static var wanted: String? { getenv("BATON_HOSTILE").map { String(cString: $0) } }

    /// `BATON_HOSTILE` names the one to be looked at.
    static var all: [Hostility] { known.filter { kind in wanted.map { $0 == kind.kind } ?? true } }

    private static let known = [
        Hostility(kind: "silent", told: .row("it says nothing")),
        Hostility(kind: "stopped", told: .row("it says nothing")),
        Hostility(kind: "slow", told: .row("it is in time"), outcomes: ["cleared"], isStopped: false),
        // In time by so little that only batond's answer tells.
        Hostility(
            kind: "last", told: .row("whatever counts is taken"), outcomes: ["cleared", "owed", "contained"],
            isStopped: false),
        // The agent has been asked by then, and its report decides.
        Hostility(
            kind: "late", told: .row("what comes late is taken, and too late to help"),
            outcomes: ["owed", "contained"]),
        Hostility(kind: "dies-before", told: .nothing, outcomes: ["none"], isStopped: false, first: .gone),
        Hostility(kind: "dies-during", told: .row("it says nothing"), isStopped: false),
        Hostility(
            kind: "dies-speaking", told: .row("its word came or did not"), outcomes: ["cleared", "owed"],
            isStopped: false),
        Hostility(kind: "dies-after", told: .row("its word was good"), outcomes: ["cleared"], isStopped: false),
        Hostility(
            kind: "forges", told: .refused(["NotAuthorized", "NotRegistered"]), outcomes: ["cleared"], isStopped: false,
            before: "the victim is there", isBusy: true),
        Hostility(
            kind: "early", told: .refused(["StaleEpoch"]), first: .done, inTurn: "too early in the turn"),
        Hostility(
            kind: "replays", told: .refused(["StaleEpoch"]), outcomes: ["cleared"], isStopped: false, isBusy: true),
        Hostility(kind: "extends", told: .refused(["LimitExceeded"])),
        Hostility(kind: "forks", told: .row("whom it starts is no word")),
        Hostility(
            kind: "steals", told: .refused(["NotAuthorized"]), outcomes: ["cleared"], isStopped: false, isBusy: true),
        Hostility(
            kind: "leaves", told: .refused(["TooManyAbandoned"]), mayQuarantine: true),
        Hostility(kind: "wrong-signatures", told: .refused(["TooManyRefusals"]), before: " members"),
        Hostility(
            kind: "large", told: .refused(["LimitExceeded"]), outcomes: ["cleared"], isStopped: false, isBusy: true,
            peak: 48 * 1024),
        Hostility(
            kind: "registers", told: .refused(["TooManyCalls"]), first: .done),
        Hostility(
            kind: "crowds", told: .row("a refused registration has no part in the sign-out"), first: .done,
            isBusy: true),
        Hostility(
            kind: "comes-and-goes", told: .row("each good-bye is taken"), inTurn: "gone again"),
        // These two go on with it until they are stopped.
        Hostility(kind: "calls", told: .refused(["TooManyCalls"]), inTurn: "a hundred thousand calls"),
        Hostility(
            kind: "floods", told: .refused(["TooManyCalls"]), before: "all are registered",
            inTurn: "a hundred thousand calls"),
        Hostility(
            kind: "descriptors", told: .refused(["TooManyRefusals"]), inTurn: "six hundred descriptors"),
    ]
}
