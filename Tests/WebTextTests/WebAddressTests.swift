import Testing
import WebText

@Suite("Web addresses", .timeLimit(.minutes(1)))
struct WebAddressTests {
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

    @Test(arguments: [
        ("127.0.0.1", true), ("localhost", true), ("[::1]", true), ("127.0.0.2", false), ("127.1", false),
    ])
    func `loopback has three common names`(host: String, isCommon: Bool) throws {
        #expect(try #require(WebHost(host[...])).isCommonLoopback == isCommon)
    }

    @Test func `an address has parts`() throws {
        let address = try #require(WebAddress("HTTPS://Id.Example.com:8443/a/b?c=d?e"))
        #expect(address.scheme == "https" && address.host == "id.example.com" && address.port == 8443)
        #expect(address.path == "/a/b" && address.query == "c=d?e" && address.fragment == nil)
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

    @Test(arguments: [
        ("https://a", true), ("https://a/", false), ("https://a?", false), ("https://a#", false), ("https://a:1", true),
    ])
    func `an origin has nothing behind it`(text: String, isBare: Bool) throws {
        #expect(try #require(WebAddress(text)).isBare == isBare)
    }

    @Test(arguments: [
        "", "https", "https:", "https://", "https:///x", "//a", "ftp://a", "http s://a", "https//a", " https://a",
        "https://a b", "https://a/\n", "https://a/\u{0}", "https://ä.example", "https://\u{212A}", "https://a/é",
        "https://me@a", "https://me:pw@a", "https://@a", "https://a@b@c", "https://a\\b", "https://a\\@b",
        "https://a%2e",
        "https://a*", "https://:80", "https://a:0", "https://a:00080000", "https://a:80:80", "https://a:1a",
        "https://a: 1",
        "https://[]", "https://[::1]]", "https://[::1]a:80", "https://[[::1]]", "https://::1",
        "https://[::ffff:127.0.0.1]",
        "https://[::1%25eth0]", "https://#a", "https://?a", "data:,https://a", "a/https://b",
    ])
    func `anything else is no address`(text: String) { #expect(WebAddress(text) == nil) }

    @Test func `an address has a length`() {
        let text = { (count: Int) in "https://a/" + String(repeating: "x", count: count - 10) }
        #expect(WebAddress(text(2048)) != nil && WebAddress(text(2049)) == nil)
        #expect(WebAddress(text(2049), longest: 4096) != nil)
    }

    @Test(arguments: [("https://a/!$&'()*+,;=:@~%5b[]#?", true), ("https://a/|", false), ("https://a/?{x}", false)])
    func `browsers take more characters than addresses have`(text: String, isPlain: Bool) throws {
        #expect(try #require(WebAddress(text)).isPlain == isPlain)
    }

    @Test func `only what travels encrypted or not at all is safe`() {
        #expect(WebAddress("https://a.example")?.isSafe == true && WebAddress("http://127.0.0.1")?.isSafe == true)
        #expect(WebAddress("http://a.example")?.isSafe == false)
    }

    @Test(
        arguments: [
            ("A.example", "a.example", nil), ("a_b-c:80", "a_b-c", 80), ("[::1]", "::1", nil),
            ("[2001:DB8::1]:8443", "2001:db8::1", 8443),
        ] as [(String, String, UInt16?)])
    func `a host can stand alone`(text: String, name: String, port: UInt16?) throws {
        let host = try #require(WebHost(text[...]))
        #expect(host.name == name && host.port == port)
        #expect(host.text == (name.contains(":") ? "[\(name)]" : name))
    }

    @Test(arguments: ["", ":", ":80", "a:", "a/", "me@a", "[", "[]", "[1]", "[::1", "[::1]1", "\u{212A}", "a b"])
    func `anything else is no host`(text: String) { #expect(WebHost(text[...]) == nil) }
}
