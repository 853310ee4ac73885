import Testing
import WebText

@testable import Identity

@Suite("Addresses of providers", .timeLimit(.minutes(1)))
struct ProviderAddressTests {
    @Test(arguments: ["https://id.example/a?b=c", "http://[::1]:80/@x", "https://a/!$&'()*+,;=:~%5b[]"])
    func `an address of a provider is any that standards know`(text: String) {
        #expect(WebAddress(ofProvider: text) != nil)
    }

    @Test(arguments: [
        "https://a/#", "https://a/b#c", "https://a/|", "https://a/{b}", "https://a/\\", "https://.a", "ftp://a",
        "https://me@a", "https://" + String(repeating: "a", count: 254),
    ])
    func `a fragment, other characters and a host that has no address are refused`(text: String) {
        #expect(WebAddress(ofProvider: text) == nil)
    }
}
