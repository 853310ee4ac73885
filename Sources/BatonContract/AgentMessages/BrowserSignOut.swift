import DBus
public import Vocabulary

/// How the browser is signed out: the options of `SignOutBrowser`.
public struct BrowserSignOut: DictionaryMessage, Hashable {
    public var limit = Duration.seconds(8)
    /// The provider's log-out page; nil: there is none.
    public var logOutURL: String?
    /// Where that page leads when the worker is signed out there; nil or empty: nowhere.
    public var logOutAnswer: String?

    public init() {}

    public static let fields: [MessageField<Self>] = [
        .duration("limit", \.limit, "microseconds that it may take"),
        .optional("log-out-url", \.logOutURL, "the provider's log-out page with its parameters; absent: there is none"),
        .optional(
            "log-out-answer", \.logOutAnswer,
            "where that page sends the browser when the worker is signed out there; absent or empty: nowhere"),
    ]
}

/// What came of it.
public struct BrowserSignOutResult: DictionaryMessage, Hashable {
    public var outcome = CheckOutcome.failed
    public var explanation = ""
    public var checks: [CheckRow] = []
    /// Nil: no log-out page was opened.
    public var logOut: PageLogOut?

    public init() {}

    public static let fields: [MessageField<Self>] = [
        .word("outcome", \.outcome),
        .text("explanation", \.explanation, atMost: 1024),
        .messages("checks", \.checks, atMost: 64),
        .optionalWord(
            "log-out", \.logOut,
            "how the log-out page ended: confirmed, when it led to log-out-answer; answered; silent; absent: there was none"
        ),
    ]
}
