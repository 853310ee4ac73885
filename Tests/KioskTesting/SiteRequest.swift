import FoundationEssentials

/// What the site was asked.
struct SiteRequest: Sendable {
    var method: String
    var target: String
    var headers: [(name: String, value: String)]
    var body: [UInt8] = []
    /// Which connection brought it, and whether that was TLS.
    var connection: Int
    var isSecure: Bool

    var path: String { String(target.prefix { $0 != "?" }) }

    func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }

    /// Values are taken as they stand: tokens and names of runs need no escapes.
    func query(_ name: String) -> String? {
        for pair in target.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.first.map(String.init) == name { return parts.count > 1 ? String(parts[1]) : "" }
        }
        return nil
    }

    func cookie(_ name: String) -> String? {
        for pair in (header("cookie") ?? "").split(separator: ";") {
            let text = pair.drop { $0 == " " }
            if text.hasPrefix("\(name)=") { return String(text.dropFirst(name.utf8.count + 1)) }
        }
        return nil
    }

    /// The password of `Authorization: Basic`.
    var password: String? {
        guard let value = header("authorization"), value.hasPrefix("Basic "),
            let data = Data(base64Encoded: String(value.dropFirst(6)))
        else { return nil }
        let parts = String(decoding: data, as: UTF8.self).split(separator: ":", maxSplits: 1)
        return parts.count == 2 ? String(parts[1]) : nil
    }

    func decoded<Value: Decodable>(_ type: Value.Type) -> Value? {
        try? JSONDecoder().decode(type, from: Data(body))
    }
}

/// What the site answers.
struct SiteAnswer: Sendable {
    var status = 200
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []

    static func text(_ text: String, type: String = "text/plain", status: Int = 200) -> SiteAnswer {
        SiteAnswer(
            status: status, headers: [("Content-Type", "\(type); charset=utf-8"), ("Cache-Control", "no-store")],
            body: Array(text.utf8))
    }

    static func redirect(_ address: String, status: Int = 302) -> SiteAnswer {
        SiteAnswer(status: status, headers: [("Location", address), ("Cache-Control", "no-store")])
    }

    func with(_ name: String, _ value: String) -> SiteAnswer {
        var result = self
        result.headers.removeAll { $0.name == name }
        result.headers.append((name, value))
        return result
    }
}
