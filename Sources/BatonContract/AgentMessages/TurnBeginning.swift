import DBus

/// How a turn begins, or goes on after the agent was away: the options of `BeginTurn`.
public struct TurnBeginning: DictionaryMessage, Hashable {
    /// Unix time in microseconds; 0: not known.
    public var began: Int64 = 0
    /// The same on CLOCK_BOOTTIME; the greatest number: in an earlier boot; nil: not known.
    public var boottime: UInt64?
    /// Which turn user the turn's programs run as; nil: as the agent's own user.
    public var number: UInt32?
    /// The provider's issuer; empty: there is no provider with pages.
    public var issuer = ""
    /// The provider's log-out address; empty: it has none.
    public var endSession = ""
    /// Others that end the same session.
    public var logOuts: [String] = []

    /// The worker's locale, such as de_AT; empty: not known.
    public var locale = ""
    /// The layout of the worker's keyboard, such as ch(fr); empty: as the settings say for the locale.
    public var keyboard = ""

    public init() {}

    public static let fields: [MessageField<Self>] = [
        .value("began", \.began, "Unix time in microseconds; 0: unknown"),
        .optional("began-boottime", \.boottime, Self.boottimeMeaning),
        .optional("turn-user", \.number, "the turn's programs run as baton-turn-N; absent: as the agent's user"),
        .value("issuer", \.issuer, "empty: no provider with pages"),
        .value("end-session", \.endSession, "the provider's log-out address; empty: it has none"),
        .value("log-outs", \.logOuts, "others that end the same session"),
        .value("locale", \.locale, "the worker's; empty: not known"),
        .value(
            "keyboard", \.keyboard, "the worker's layout, such as ch(fr); empty: as the settings say for the locale"),
    ]

    static let boottimeMeaning =
        "the same on CLOCK_BOOTTIME; the greatest number: in an earlier boot; absent: unknown"
}
