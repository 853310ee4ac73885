import DBus

/// How the page of a sign-in is opened: the options of `OpenSignIn`.
public struct SignInPage: DictionaryMessage, Hashable {
    /// The holder proves themselves again, in a browser of its own.
    public var isAgain = false

    public init() {}

    public init(again: Bool) { isAgain = again }

    public static let fields: [MessageField<Self>] = [
        .value("again", \.isAgain, "the holder authenticates again, in a separate browser")
    ]
}
