import BatonContract
import DBus
import Testing

@Suite
struct SignInStepTests {
    static let page = SignInStep(kind: .openURL, url: "https://id.example/authorize?x=1", opener: .agent, expires: 5)
    static let code = SignInStep(
        kind: .deviceCode, url: "http://127.0.0.1:8080/device", userCode: "ABCD-EFGH",
        verificationURIComplete: "http://127.0.0.1:8080/device?code=ABCD-EFGH", expires: 7)

    @Test(arguments: [page, code])
    func `A step comes back as it was sent`(_ step: SignInStep) {
        #expect(SignInStep(step.dictionary) == step)
    }

    @Test(arguments: [page, code], ["kind", "url", "opens", "user-code", "verification-uri-complete", "expires"])
    func `A key that is missing or of another type is no trap`(_ step: SignInStep, _ key: String) {
        var values = step.dictionary
        for value in [nil, Variant.double(1), .string(""), .string("\u{1B}[2J"), .bytes([0])] {
            values[key] = value
            let read = SignInStep(values)
            if key == "kind" || key == "url" { #expect(read == nil) }
            if let read {
                #expect(SignInStep.isWebAddress(read.url))
                #expect(!read.userCode.contains("\u{1B}"))
            }
        }
    }

    @Test func `Whatever is generated, what gets through can be shown on a terminal and given to a program`() {
        var random = SystemRandomNumberGenerator()
        let parts = [
            "https://", "http://", "localhost", "127.0.0.1", "@", "/", "?", "#", ":", "[::1]", "\\", "\u{1B}", "\u{0}",
            "\n", " ", "-", "%00", "\u{202E}", "a", "9", "\u{E9}", "//", "file:", "javascript:",
        ]
        for _ in 0..<20_000 {
            func text() -> String {
                (0..<Int.random(in: 0..<8, using: &random)).compactMap { _ in parts.randomElement(using: &random) }
                    .joined()
            }
            let values: VariantDictionary = [
                "kind": .string(["open-url", "device-code"].randomElement(using: &random) ?? ""),
                "url": .string(text()), "user-code": .string(text()), "verification-uri-complete": .string(text()),
                "opens": .string(text()), "expires": .uint64(.random(in: 0 ... .max, using: &random)),
            ]
            guard let step = SignInStep(values) else { continue }
            for address in [step.url, step.verificationURIComplete] where !address.isEmpty {
                #expect(address.lowercased().hasPrefix("http"))
                #expect(address.utf8.allSatisfy { (0x21...0x7E).contains($0) })
            }
            #expect(step.userCode.utf8.allSatisfy { (0x20...0x7E).contains($0) })
        }
    }

    @Test func `Who opens the page is the caller where nobody is named`() {
        #expect(SignInStep(["kind": .string("open-url"), "url": .string("https://id.example")])?.opener == .caller)
    }

    @Test func `A device code without a code, and a code without a device code, are no steps`() {
        #expect(SignInStep(["kind": .string("device-code"), "url": .string("https://id.example")]) == nil)
        var values = Self.page.dictionary
        values["user-code"] = .string("A")
        #expect(SignInStep(values) == nil)
    }

    @Test(arguments: [
        "https://id.example", "HTTPS://id.example/a?b#c", "http://localhost/", "http://127.0.0.1:1/",
        "http://[::1]:2/x",
        "https://" + String(repeating: "a", count: SignInStep.longestURL - 8),
    ])
    func `Addresses of web pages are taken`(_ url: String) {
        #expect(SignInStep.isWebAddress(url))
    }

    @Test(arguments: [
        "", "https://", "https:", "--help", "file:///etc/passwd", "javascript:alert(1)", "https:///path",
        "http://id.example/", "http://127.0.0.1.evil.example/", "http://localhost@evil.example/",
        "https://good.example@evil.example/", "http://127.1/", "http://127.0.0.256/", "https://a b", "https://a\n",
        "https://a\u{1B}[2J", "https://\u{E4}.example", "https://a\u{0}b",
        "https://" + String(repeating: "a", count: SignInStep.longestURL - 7),
    ])
    func `Anything else is not`(_ url: String) {
        #expect(!SignInStep.isWebAddress(url))
        #expect(SignInStep(["kind": .string("open-url"), "url": .string(url)]) == nil)
    }
}
