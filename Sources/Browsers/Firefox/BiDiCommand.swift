/// A command of WebDriver BiDi (https://w3c.github.io/webdriver-bidi) as a value: its properties are the parameters.
protocol BiDiCommand: Encodable, Sendable {
    associatedtype Answer: Decodable, Sendable
    static var method: String { get }
}

/// The protocol's modules and their commands.
enum BiDi {}

/// Of answers that say nothing.
struct BiDiNothing: Codable, Sendable {}

/// What goes over the wire.
struct BiDiRequest<Command: BiDiCommand>: Encodable {
    var id: Int
    var command: Command

    enum Key: String, CodingKey { case id, method, params }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(Command.method, forKey: .method)
        try container.encode(command, forKey: .params)
    }
}

/// What every message from the browser has: an answer its id, an event its method.
struct BiDiHead: Decodable {
    var id: Int?
    var method: String?
    /// Of an error.
    var error: String?
    var message: String?
}

struct BiDiAnswer<Answer: Decodable>: Decodable {
    var result: Answer
}

struct BiDiNotice<Params: Decodable>: Decodable {
    var params: Params
}
