import Testing

@testable import Identity

@Suite(.timeLimit(.minutes(2))) struct TokenFuzzTests {
    /// SplitMix64: the same inputs in each run of a seed.
    private struct Seeded: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }

    private static let seeds: [String] = [
        "http://127.0.0.1:8765/auth?code=abc&state=s-1&iss=https%3A%2F%2Flogin.example",
        "msauth.app://auth?error=access_denied&error_description=AADSTS65004%3a+no&state=%41#x",
        #"{"access_token":"a","token_type":"Bearer","expires_in":3600,"refresh_token":"r","id_token":"i.j.k","scope":"a b"}"#,
        #"{"error":"invalid_grant","error_description":"AADSTS50076: x","error_codes":[50076],"suberror":"basic_action"}"#,
        #"{"device_code":"d","user_code":"U","verification_uri":"https://x/","expires_in":900,"interval":5}"#,
    ]
    private static let pieces: [String] = [
        "%", "%0", "%00", "%FF", "&", "=", "+", "?", "#", ":", "://", "/", "null", "true", "-1", "1e999", "0.1",
        "9223372036854775808", "-9223372036854775808", "[]", "{}", "[[[[", "\"", "\\u0000", "\\ud800", "\u{0}", "ä",
        "\u{202e}",
        "state=", "code=", "AADSTS", "AADSTS99999999", "{tenantid}", "\r\n", " ", String(repeating: "a", count: 4096),
    ]

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `No input makes a parser trap, hang or say more than it may`(seed: UInt64) async {
        var random = Seeded(state: seed)
        for round in 1...800 {
            // Others wait for this thread, some of them with a limit.
            if round.isMultiple(of: 16) { await Task.yield() }
            var bytes = Array((Self.seeds.randomElement(using: &random) ?? "").utf8)
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes.insert(contentsOf: (Self.pieces.randomElement(using: &random) ?? "").utf8, at: place)
                case 1: bytes.removeSubrange(place..<Int.random(in: place...bytes.count, using: &random))
                case 2: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
                case 3: bytes += bytes.prefix(min(place, 2048))
                default: if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
                }
            }
            let status = [302, 400, 401, 500, 999].randomElement(using: &random) ?? 400
            let errors = [
                FlowFuzzEntry.redirect(bytes), FlowFuzzEntry.tokenAnswer(bytes), FlowFuzzEntry.deviceAnswer(bytes),
                FlowFuzzEntry.errorAnswer(bytes, status: status),
            ]
            for error in errors.compactMap(\.self) {
                let text = "\(error)"
                guard text.utf8.count < 1024, text.utf8.allSatisfy({ (32...126).contains($0) }) else {
                    Issue.record("an error that says too much: \(text.debugDescription)")
                    return
                }
            }
        }
    }

    @Test func `What is longest is read in a moment`() {
        let body = [UInt8](repeating: UInt8(ascii: "["), count: HTTPResponse.largestBody)
        let redirect = "http://127.0.0.1/?state=a&code=" + String(repeating: "%41", count: RedirectAnswer.longest / 3)
        let names = (0..<20_000).map { "\($0)=" }.joined(separator: "&")
        // What took longer than a moment would run into the suite's time limit.
        for _ in 0..<20 {
            #expect(FlowFuzzEntry.tokenAnswer(body) != nil)
            _ = FlowFuzzEntry.errorAnswer(body, status: 400)
            _ = FlowFuzzEntry.redirect(Array(redirect.utf8))
            _ = FlowFuzzEntry.redirect(Array("http://127.0.0.1/?\(names)".utf8))
        }
    }
}
