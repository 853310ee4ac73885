/// A command of the debugging protocol: its stored properties are its parameters.
protocol ChromiumCommand: Encodable, Sendable {
    associatedtype Answer: Decodable & Sendable = NoAnswer

    static var method: String { get }
}

/// The answer of commands that only succeed.
struct NoAnswer: Decodable, Sendable {}

/// What is written to the pipe.
struct ChromiumMessage<Command: ChromiumCommand>: Encodable {
    let id: Int
    let method = Command.method
    let params: Command
    /// Of one target; nil: of the browser.
    var sessionId: String?

    private enum CodingKeys: CodingKey { case id, method, params, sessionId }
}

/// What comes back.
struct ChromiumReply<Answer: Decodable>: Decodable {
    struct Fault: Decodable {
        var message: String
    }

    var result: Answer?
    var error: Fault?
}
