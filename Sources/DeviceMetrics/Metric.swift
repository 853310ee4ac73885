/// One name in the table of metrics.
package struct Metric: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    package let name: String
    package let kind: Kind
    /// One line that says what is counted or measured.
    package let help: String

    private init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    // Labels have values from fixed lists, but for the version and the newest receipt, of which there is one at a time: never
    // a worker, an account, an app or a host.
    static let build = Metric("baton_build_info", .gauge, "Always 1; the label has the version of this batond.")
    static let started = Metric(
        "baton_start_time_seconds", .gauge, "Unix time at which this batond started; its counters begin at 0 there.")
    static let phase = Metric("baton_device_phase", .gauge, "1 for the phase that the device is in, 0 for all others.")
    static let quarantined = Metric(
        "baton_quarantined_since_timestamp_seconds", .gauge,
        "Unix time since when the device is quarantined; absent while it is not.")
    static let turns = Metric("baton_turns_total", .counter, "Turns of workers that began.")
    static let signOuts = Metric("baton_sign_outs_total", .counter, "Sign-outs that ended, by outcome.")
    static let barrier = Metric(
        "baton_barrier_seconds", .histogram, "How long sign-outs took, from their begin to the receipt.")
    static let owing = Metric(
        "baton_apps_owing", .gauge, "Apps that owe a clearing and get nothing until they cleared.")
    static let agent = Metric("baton_agent_present", .gauge, "1 while the agent is registered, else 0.")
    static let provider = Metric(
        "baton_provider_reachable", .gauge,
        "Whether the identity provider answered the last request; absent until it was asked.")
    static let providerChecked = Metric(
        "baton_provider_checked_timestamp_seconds", .gauge,
        "Unix time of the last answer or failure of the identity provider; absent until it was asked.")
    static let journal = Metric(
        "baton_journal_size_bytes", .gauge, "Size of the journal's files; absent if it cannot be looked at.")
    static let journalFailed = Metric(
        "baton_journal_failed", .gauge, "1 while the journal cannot be read or written, else 0.")
    static let receipts = Metric(
        "baton_receipt_chain_entries", .gauge,
        "Number of the newest entry in the chain of receipts, which counts up; absent if the journal cannot be read.")
    static let receiptHead = Metric(
        "baton_receipt_head_info", .gauge,
        "Always 1; the label has number and hash of the newest entry in the chain of receipts.")

    /// In the order in which they are written.
    package static let all = [
        build, started, phase, quarantined, turns, signOuts, barrier, owing, agent, provider, providerChecked, journal,
        journalFailed, receipts, receiptHead,
    ]
}
