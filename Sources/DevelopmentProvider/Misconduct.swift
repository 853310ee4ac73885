/// Which misbehaviours are on, and at which endpoints.
public struct Misconduct: Sendable, Equatable {
    public enum Fault: Error, Equatable, CustomStringConvertible {
        case unknownName(String)
        case unknownEndpoint(String)

        public var description: String {
            switch self {
            case .unknownName(let name): "There is no misbehaviour '\(name)'; --list-misbehaviours names them all."
            case .unknownEndpoint(let name):
                "There is no endpoint '\(name)'; there are \(Endpoint.allCases.map(\.rawValue).joined(separator: ", "))."
            }
        }
    }

    /// An empty set stands for every endpoint.
    private var places: [Misbehaviour: Set<Endpoint>] = [:]

    public init(_ misbehaviours: [Misbehaviour] = []) {
        for misbehaviour in misbehaviours { places[misbehaviour] = [] }
    }

    /// Turns one on: `hang` everywhere, `hang@token` at the token endpoint only.
    public mutating func set(_ text: String) throws(Fault) {
        let (misbehaviour, endpoint) = try Self.read(text)
        guard let endpoint else { return places[misbehaviour] = [] }
        if let present = places[misbehaviour], present.isEmpty { return }
        places[misbehaviour, default: []].insert(endpoint)
    }

    /// Turns one off: `hang` everywhere, `hang@token` at that endpoint; `all` turns everything off.
    public mutating func clear(_ text: String) throws(Fault) {
        if text == "all" { return places = [:] }
        let (misbehaviour, endpoint) = try Self.read(text)
        guard let endpoint, var present = places[misbehaviour] else { return places[misbehaviour] = nil }
        if present.isEmpty { present = Set(Endpoint.allCases) }
        present.remove(endpoint)
        places[misbehaviour] = present.isEmpty ? nil : present
    }

    public func contains(_ misbehaviour: Misbehaviour) -> Bool { places[misbehaviour] != nil }

    func contains(_ misbehaviour: Misbehaviour, at endpoint: Endpoint) -> Bool {
        guard let present = places[misbehaviour] else { return false }
        return present.isEmpty || present.contains(endpoint)
    }

    /// As they are written for `set`, in order.
    public var names: [String] {
        places.flatMap { misbehaviour, endpoints in
            endpoints.isEmpty
                ? [misbehaviour.rawValue] : endpoints.map { "\(misbehaviour.rawValue)@\($0.rawValue)" }
        }.sorted()
    }

    private static func read(_ text: String) throws(Fault) -> (Misbehaviour, Endpoint?) {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let name = parts.first, let misbehaviour = Misbehaviour(rawValue: name) else {
            throw .unknownName(String(text.prefix(100)))
        }
        guard parts.count > 1, let place = parts.last else { return (misbehaviour, nil) }
        guard let endpoint = Endpoint(rawValue: place) else { throw .unknownEndpoint(String(place.prefix(100))) }
        return (misbehaviour, endpoint)
    }
}
