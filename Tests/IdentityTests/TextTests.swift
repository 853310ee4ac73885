import Testing

@testable import Identity

@Suite("Addresses from outside", .timeLimit(.minutes(1)))
struct TextTests {
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
