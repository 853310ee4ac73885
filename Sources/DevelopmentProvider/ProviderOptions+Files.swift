import FoundationEssentials
import Yams

extension ProviderOptions {
    /// Reads accounts from a YAML list. Their passwords are in plain text: use none that is used elsewhere.
    public static func accounts(file path: String) throws(Fault) -> [DevelopmentAccount] {
        let accounts: [DevelopmentAccount] = try list(path)
        if let twice = firstRepeated(accounts.map { $0.username.lowercased() }) {
            throw .file(path: path, reason: "the user name '\(twice)' is there twice")
        }
        return accounts
    }

    /// Reads clients from a YAML list.
    public static func clients(file path: String) throws(Fault) -> [DevelopmentClient] {
        let clients: [DevelopmentClient] = try list(path)
        if let twice = firstRepeated(clients.map(\.id)) {
            throw .file(path: path, reason: "the client '\(twice)' is there twice")
        }
        return clients
    }

    /// Reads the RSA key that is to sign, PEM without a pass phrase.
    public static func signingKeys(file path: String) throws(Fault) -> ProviderSigningKeys {
        guard let text = try? String(contentsOf: URL(filePath: path), encoding: .utf8) else {
            throw .file(path: path, reason: "cannot be read")
        }
        guard let keys = try? ProviderSigningKeys(rsa: text) else {
            throw .file(path: path, reason: "not an RSA private key of 2048 bits or more (PEM, without a pass phrase)")
        }
        return keys
    }

    private static func list<Item: Decodable>(_ path: String) throws(Fault) -> [Item] {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw .file(path: path, reason: "cannot be read")
        }
        do {
            return try YAMLDecoder().decode([Item].self, from: data)
        } catch DecodingError.keyNotFound(let key, let context) {
            throw .file(path: path, reason: "'\(key.stringValue)' is missing\(place(context.codingPath))")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            throw .file(path: path, reason: "a value has the wrong type\(place(context.codingPath))")
        } catch DecodingError.dataCorrupted(let context) {
            let known = context.debugDescription.hasPrefix("unknown key") ? context.debugDescription : "is not right"
            throw .file(path: path, reason: known + place(context.codingPath))
        } catch {
            throw .file(path: path, reason: "is not YAML")
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        let text = path.map { key in key.intValue.map { "[\($0)]" } ?? "." + key.stringValue }.joined()
        return text.isEmpty ? "" : " at \(text)"
    }

    private static func firstRepeated(_ names: [String]) -> String? {
        var seen: Set<String> = []
        return names.first { !seen.insert($0).inserted }
    }
}
