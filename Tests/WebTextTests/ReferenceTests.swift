import Testing
import WebText

@Suite("References to addresses", .timeLimit(.minutes(1)))
struct ReferenceTests {
    private static let base = "http://a/b/c/d;p?q"

    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
        (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
        ("../../g", "http://a/g"),
    ])
    func `the normal examples of RFC 3986 hold`(reference: String, address: String) {
        #expect(WebAddress.resolve(reference, from: Self.base) == address)
    }

    @Test(arguments: [
        ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
        ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
        ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
    ])
    func `the abnormal examples of RFC 3986 hold`(reference: String, address: String) {
        #expect(WebAddress.resolve(reference, from: Self.base) == address)
    }

    /// The first and the last of the RFC's examples: right, but no `http` address.
    @Test(arguments: [
        "g:h", "http:g", "https:g", "http:", "http:/g", "HTTP:g", "a:80", ":", ":g", "1:g", "g:/h", "g://h",
    ])
    func `what has a scheme has a host`(reference: String) {
        #expect(WebAddress.resolve(reference, from: Self.base) == nil)
    }

    @Test(arguments: [
        ("https://Host:443/x/../y?a/../b", "https://Host:443/y?a/../b"), ("HTTPS://b", "https://b"),
        ("http://b/..", "http://b/"), ("//[::1]:80/x", "http://[::1]:80/x"), ("//b?c", "http://b?c"),
        ("./g:h", "http://a/b/c/g:h"), ("/g:h", "http://a/g:h"), ("?g:h", "http://a/b/c/d;p?g:h"),
        ("@b", "http://a/b/c/@b"), ("/@b", "http://a/@b"), ("/.//b", "http://a//b"), ("/..//b", "http://a//b"),
        ("x//../y", "http://a/b/c/x/y"), ("...", "http://a/b/c/..."), ("%2e%2e/g", "http://a/b/c/%2e%2e/g"),
        ("?", "http://a/b/c/d;p?"), ("#", "http://a/b/c/d;p?q#"), ("/", "http://a/"), ("./..", "http://a/b/"),
    ])
    func `host and query stay as they were written`(reference: String, address: String) {
        #expect(WebAddress.resolve(reference, from: Self.base) == address)
    }

    @Test(arguments: [
        ("http://a", "g", "http://a/g"), ("http://a", "", "http://a"), ("http://a", "?y", "http://a?y"),
        ("http://a", "../g", "http://a/g"), ("http://a?q/r", "g", "http://a/g"), ("http://a/b#c/d", "g", "http://a/g"),
        ("http://a/b?q#s", "", "http://a/b?q"), ("http://a/x/../b", "", "http://a/x/../b"),
        ("HTTP://A:80/b/c", "g", "http://A:80/b/g"),
    ])
    func `a reference stands where its address has its last slash`(base: String, reference: String, address: String) {
        #expect(WebAddress.resolve(reference, from: base) == address)
    }

    @Test(arguments: [
        "//", "///", "///g", "////g", "//?g", "//#g", "http://", "http:///g", "https://:80", "//:80", "//@", "//me@b",
        "//me:pw@b/", "http://me@a/", "//b:0", "//b:99999", "//b:x", "//[::1", "//b c", "//ä.example", "//b%2e", "//*",
        "ftp://b/", "file:///etc/passwd", "javascript:alert(1)", "javascript://b/%0a", "data:,b",
    ])
    func `a place that cannot be one is refused`(reference: String) {
        #expect(WebAddress.resolve(reference, from: Self.base) == nil)
    }

    @Test(arguments: [
        "\\g", "\\\\b", "/\\b", "\\/b", "http:\\\\b", "//b\\@c", "g\\..\\h", "?\\", "#\\", "\\/..", "g h", " g", "g ",
        "\tg", "g\n", "\n//b", "/\n/b", "g\u{0}", "\u{7F}", "\u{0}/../g", "é", "é/../g", "/\u{301}b",
        "\u{FF0F}\u{FF0F}b",
        "\u{FEFF}g",
    ])
    func `what others may read otherwise is refused, also where dots would remove it`(reference: String) {
        #expect(WebAddress.resolve(reference, from: Self.base) == nil)
    }

    @Test(arguments: [
        "", "a", "/a", "//a", "http:a", "http://", "ftp://a/", "http://me@a/", "http://a\\b", "http://a/ ",
    ])
    func `what stands nowhere means nothing`(base: String) {
        #expect(WebAddress.resolve("g", from: base) == nil && WebAddress.resolve("http://b/", from: base) == nil)
    }

    @Test func `only a scheme or two slashes lead to another origin`() throws {
        let pieces = ["", "/", "//", ".", "..", "a", "@", ":", "?", "#", "http:", "b:1"]
        let origin = try #require(WebAddress(Self.base)).origin
        for first in pieces {
            for second in pieces {
                for third in pieces {
                    let reference = first + second + third
                    guard let address = WebAddress.resolve(reference, from: Self.base) else { continue }
                    let isNamed = reference.hasPrefix("//") || reference.hasPrefix("http://")
                    #expect(isNamed || WebAddress(address)?.origin == origin, "\(reference)")
                }
            }
        }
    }

    @Test func `neither a reference nor what comes of it exceeds the length`() {
        let text = { (count: Int) in String(repeating: "x", count: count) }
        #expect(WebAddress.resolve("/" + text(2038), from: "http://abc") == nil)
        #expect(WebAddress.resolve("/" + text(2037), from: "http://abc")?.utf8.count == 2048)
        #expect(WebAddress.resolve("/" + text(3000), from: "http://abc", longest: 4096)?.utf8.count == 3011)
        // What dots would shorten is too long already.
        #expect(WebAddress.resolve(text(2100) + "/../g", from: Self.base) == nil)
        for unit in ["../", "./", "/", "a/", "a/../", "?", ":", "\\"] {
            let huge = String(repeating: unit, count: 1 << 20)
            #expect(WebAddress.resolve(huge, from: Self.base) == nil)
        }
    }

    @Test(arguments: ["../", "./", "a/", "a/../", "/"])
    func `as many dots as fit are read`(unit: String) {
        let most = 8 << 10
        let reference = "/." + String(repeating: "/" + unit, count: most / (unit.utf8.count + 1) - 8)
        #expect(WebAddress.resolve(reference, from: Self.base, longest: most) != nil)
    }
}
