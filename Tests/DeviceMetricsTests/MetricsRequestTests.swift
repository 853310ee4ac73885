import Testing

@testable import DeviceMetrics

@Suite("What is asked of metrics")
struct MetricsRequestTests {
    @Test(arguments: [
        ("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", MetricsRequest.metrics(isHeadOnly: false)),
        ("GET /metrics HTTP/1.0\n\n", .metrics(isHeadOnly: false)),
        ("GET /metrics?name[]=up HTTP/1.1\r\n\r\nmore", .metrics(isHeadOnly: false)),
        ("HEAD /metrics HTTP/1.1\r\n\r\n", .metrics(isHeadOnly: true)),
        ("", .unfinished), ("GET /metrics HTTP/1.1\r\n", .unfinished), ("GET", .unfinished),
        ("GET /metrics HTTP/1.1\r\nHost: localhost\r\n", .unfinished),
    ])
    func `a request is understood when all of it is there`(text: String, expected: MetricsRequest) {
        #expect(MetricsRequest(Array(text.utf8)) == expected)
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\n\r\n", "404"), ("GET /metrics/ HTTP/1.1\r\n\r\n", "404"),
        ("POST /metrics HTTP/1.1\r\n\r\n", "405"), ("get /metrics HTTP/1.1\r\n\r\n", "405"),
        ("GET /metrics\r\n\r\n", "400"), ("GET /metrics HTTP/2\r\n\r\n", "400"), ("\r\n\r\n", "400"), ("\n\n", "400"),
        ("GET  /metrics HTTP/1.1\r\n\r\n", "400"), ("\u{0}\u{FFFD}\n\n", "400"),
        ("GET /metrics HTTP/1.1\r\nX: \(String(repeating: "x", count: 9000))", "431"),
    ])
    func `anything else is refused with what is wrong`(text: String, status: String) {
        guard case .refused(let response) = MetricsRequest(Array(text.utf8)) else {
            Issue.record("not refused")
            return
        }
        let answer = String(decoding: response.bytes, as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
        #expect(answer.contains("\r\nConnection: close\r\n") && answer.hasSuffix(".\n"))
    }
}
