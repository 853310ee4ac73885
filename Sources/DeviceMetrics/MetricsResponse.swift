/// An answer of HTTP. The connection ends with it.
struct MetricsResponse: Hashable {
    enum Status: String {
        case metrics = "200 OK"
        case invalid = "400 Bad Request"
        case notFound = "404 Not Found"
        case wrongMethod = "405 Method Not Allowed"
        case tooLarge = "431 Request Header Fields Too Large"
    }

    static let path = "/metrics"

    private let status: Status
    private let text: String
    private let isHeadOnly: Bool

    /// - Parameter text: For people.
    init(_ status: Status, _ text: String) {
        self.init(status, text: text + "\n", isHeadOnly: false)
    }

    init(metrics: String, isHeadOnly: Bool) {
        self.init(.metrics, text: metrics, isHeadOnly: isHeadOnly)
    }

    private init(_ status: Status, text: String, isHeadOnly: Bool) {
        self.status = status
        self.text = text
        self.isHeadOnly = isHeadOnly
    }

    var bytes: [UInt8] {
        let type = status == .metrics ? "text/plain; version=0.0.4; charset=utf-8" : "text/plain; charset=utf-8"
        var fields = ["Content-Type: \(type)", "Content-Length: \(text.utf8.count)", "Connection: close"]
        if status == .wrongMethod { fields.append("Allow: GET, HEAD") }
        let head = (["HTTP/1.1 \(status.rawValue)"] + fields).map { $0 + "\r\n" }.joined() + "\r\n"
        return Array(head.utf8) + (isHeadOnly ? [] : Array(text.utf8))
    }
}
