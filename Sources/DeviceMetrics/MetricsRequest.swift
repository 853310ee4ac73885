/// What a caller of the socket wants, as far as it came: the head of an HTTP request.
enum MetricsRequest: Hashable {
    /// Its end has not come yet.
    case unfinished
    case metrics(isHeadOnly: Bool)
    case refused(MetricsResponse)

    /// Of a whole head, in bytes.
    static let longest = 8192

    init(_ bytes: [UInt8]) {
        guard bytes.count <= Self.longest else {
            self = .refused(MetricsResponse(.tooLarge, "The request is longer than \(Self.longest) bytes."))
            return
        }
        guard Self.isWhole(bytes) else {
            self = .unfinished
            return
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, words[2].starts(with: "HTTP/1.".utf8) else {
            self = .refused(MetricsResponse(.invalid, "This is not a request of HTTP/1.1."))
            return
        }
        let (method, path) = (words[0], words[1].prefix { $0 != UInt8(ascii: "?") })
        guard path.elementsEqual(MetricsResponse.path.utf8) else {
            self = .refused(MetricsResponse(.notFound, "Metrics are at \(MetricsResponse.path)."))
            return
        }
        switch String(decoding: method, as: UTF8.self) {
        case "GET": self = .metrics(isHeadOnly: false)
        case "HEAD": self = .metrics(isHeadOnly: true)
        default: self = .refused(MetricsResponse(.wrongMethod, "Metrics can only be read, with GET or HEAD."))
        }
    }

    /// An empty line has come; a line may end with a line feed alone (RFC 9112, section 2.2).
    private static func isWhole(_ bytes: [UInt8]) -> Bool {
        var isEmpty = false
        for byte in bytes where byte != UInt8(ascii: "\r") {
            if byte == UInt8(ascii: "\n"), isEmpty { return true }
            isEmpty = byte == UInt8(ascii: "\n")
        }
        return false
    }
}
