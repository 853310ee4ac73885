import Testing
import WebText

@Suite("Parts of addresses", .timeLimit(.minutes(1)))
struct AddressPartsTests {
    @Test func `an address is cut at its marks and not judged`() throws {
        let parts = try #require(AddressParts("HTTPS://me:pw@x@Host*!:80a/a@b:c?d?e/f#g#h?i"))
        #expect(parts.scheme == "https" && parts.authority == "me:pw@x@Host*!:80a" && parts.userInfo == "me:pw@x")
        #expect(parts.host == "host*!" && parts.port == "80a")
        #expect(parts.path == "/a@b:c" && parts.query == "d?e/f" && parts.fragment == "g#h?i")
    }

    @Test(
        arguments: [
            ("a://", "", nil), ("a://b", "b", nil), ("a://b:", "b", ""), ("a://:1", "", "1"),
            ("a://[::1]", "[::1]", nil),
            ("a://[::1]:2", "[::1]", "2"), ("a://[::1]x:2", "[::1]x:2", nil), ("a://[::1", "[", ":1"),
            ("a://u@[::A]:", "[::a]", ""),
        ] as [(String, String, String?)])
    func `host and port are what stands there`(text: String, host: String, port: String?) throws {
        let parts = try #require(AddressParts(text))
        #expect(parts.host == host && parts.port.map(String.init) == port && parts.path.isEmpty)
        #expect(parts.query == nil && parts.fragment == nil)
    }

    @Test func `what is missing is not what is empty`() throws {
        let parts = try #require(AddressParts("a://b?#"))
        #expect(parts.query == "" && parts.fragment == "" && parts.path == "" && parts.userInfo == nil)
        #expect(try #require(AddressParts("a://b#?")).query == nil)
        #expect(try #require(AddressParts("a://@b")).userInfo == "")
    }

    @Test func `an accent does not hide a mark`() throws {
        let parts = try #require(AddressParts("https://a.example/\u{301}b?\u{301}c"))
        #expect(parts.host == "a.example" && parts.query?.unicodeScalars.count == 2)
    }

    @Test(arguments: ["", ":", "a", "a:", "a:/", "a:b://c", "a/b://c", "?://a", "//a"])
    func `without a scheme there are no parts`(text: String) { #expect(AddressParts(text) == nil) }
}
