import Testing

@testable import Identity

@Suite("Texts, numbers and JSON from outside", .timeLimit(.minutes(1)))
struct TextTests {
    @Test func `JSON is read within bounds`() {
        #expect(
            JSONValue(Array("[[1, 2.5, true, null, \"x\", {\"a\": 9007199254740993}]]".utf8))
                == [[1, .number(2.5), true, nil, "x", ["a": 9_007_199_254_740_993]]])
        let nested = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        #expect(JSONValue(Array(nested(32).utf8)) != nil && JSONValue(Array(nested(33).utf8)) == nil)
        let wide = { (count: Int) in "[" + String(repeating: "0,", count: count) + "0]" }
        #expect(JSONValue(Array(wide(4_999).utf8)) != nil && JSONValue(Array(wide(5_000).utf8)) == nil)
        // Marks in texts are no structure, whatever is escaped before them.
        #expect(JSONValue(Array(#"{"a":"\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\\"}"#.utf8)) != nil)
        for text in ["", "{", "[1,,]", "{\"a\" 1}", "nul", "\"\\ud800\"", "[1e999]", "]", "\u{FEFF}x"] {
            #expect(JSONValue(Array(text.utf8)) == nil, "\(text)")
        }
    }

    @Test func `the largest JSON that is read takes little time`() {
        let clock = ContinuousClock()
        for unit in ["[],", "{},", "true,", "1.5,", "\"x\","] {
            let text =
                "[" + String(repeating: unit, count: 4_990 / (unit.contains("]") || unit.contains("}") ? 2 : 1)) + "0]"
            let time = clock.measure { #expect(JSONValue(Array(text.utf8)) != nil) }
            #expect(time < .seconds(10))
        }
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.255.254", true), ("localhost", true), ("LOCALHOST", true), ("[::1]", true),
        ("128.0.0.1", false), ("127.0.0.1.example", false), ("127.0.0", false), ("127.0.0.256", false),
        ("127.0.0.01", false), ("127.0.0.-0", false), ("localhost.example", false), ("[::2]", false),
        ("example.com", false),
    ])
    func `loopback is what cannot leave the machine`(host: String, isLoopback: Bool) throws {
        let address = try #require(WebAddress("http://\(host):80/x"))
        #expect(address.isLoopback == isLoopback)
    }

    @Test func `an address has parts`() throws {
        let address = try #require(WebAddress("HTTPS://Id.Example.com:8443/a/b?c=d?e"))
        #expect(address.scheme == "https" && address.host == "id.example.com" && address.port == 8443)
        #expect(address.path == "/a/b" && address.query == "c=d?e")
        #expect(address.origin == "https://id.example.com:8443" && address.pathParts == ["a", "b"])
        #expect(WebAddress("https://a:443/")?.origin == "https://a")
        #expect(WebAddress("http://[::1]:80")?.origin == "http://[::1]")
        for text in [
            "https://a:", "https://a:+1", "https://a:65536", "https://[::1", "https://[x]", "https://[::1]x",
            "https:/a",
        ] {
            #expect(WebAddress(text) == nil, "\(text)")
        }
    }
}
