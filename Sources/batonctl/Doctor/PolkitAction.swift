import FoundationEssentials

/// An action as polkit knows it, of which this is what counts here.
struct PolkitAction: Decodable, Equatable {
    let id: String
    let annotations: [String: String]

    /// - Parameter answer: What busctl prints of `EnumerateActions`: each is `(ssssssuuua{ss})`.
    static func list(_ answer: String) -> [PolkitAction]? {
        struct Answer: Decodable { let data: [[PolkitAction]] }
        return (try? JSONDecoder().decode(Answer.self, from: Data(answer.utf8)))?.data.first
    }

    init(id: String, annotations: [String: String]) {
        self.id = id
        self.annotations = annotations
    }

    init(from decoder: any Decoder) throws {
        var fields = try decoder.unkeyedContainer()
        id = try fields.decode(String.self)
        // Description, message, vendor, its address, icon.
        for _ in 0..<5 { _ = try fields.decode(String.self) }
        // What is needed of any, of inactive and of active callers.
        for _ in 0..<3 { _ = try fields.decode(UInt32.self) }
        annotations = try fields.decode([String: String].self)
    }
}
