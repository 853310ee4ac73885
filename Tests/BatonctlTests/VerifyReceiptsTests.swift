import ArgumentParser
import Baton
import BusTesting
import ReceiptChain
import Testing

@testable import BatonctlProgram

/// `batonctl receipts verify --export`, on a machine without batond.
@Suite(.timeLimit(.minutes(2))) struct VerifyReceiptsTests {
    private func verify(
        _ export: String, _ sample: ExportSample, _ more: String...
    ) async throws -> (output: String, status: Int32) {
        let place = try Workplace()
        let file = try place.write(export, to: "receipts.jsonl")
        let key = try place.write(sample.key.publicKey.pem, to: "receipts.pem")
        return try await place.batonctl(["receipts", "verify", "--export", file, "--key", key] + more).end()
    }

    @Test func `an export is verified with the public key, and what was not looked at is said`() async throws {
        let sample = try ExportSample(4)
        let run = try await verify(sample.text, sample)
        #expect(run.status == 0, "\(run.output)")
        for text in [
            "Entries 1 to 4 are as batond signed them", "Head: \(sample.head)", "Key: \(sample.key.publicKey.id)",
            "Give a published head with --head.",
        ] {
            #expect(run.output.contains(text), "\(run.output)")
        }
        let headed = try await verify(sample.text, sample, "--head", sample.head)
        #expect(headed.status == 0 && !headed.output.contains("with --head"), "\(headed.output)")
        let json = try await verify(sample.text, sample, "--json")
        #expect(json.status == 0)
        for text in [#""verified" : true"#, #""fault" : null"#, #""entries" : 4"#, #""first" : 1"#] {
            #expect(json.output.contains(text), "\(json.output)")
        }
    }

    private static let manipulations: [(String, @Sendable (inout [String]) -> Void, String)] = [
        (
            "a name", { $0[1] = $0[1].replacing("Ana", with: "Bo") },
            "The receipt of entry 2 (turn 101, line 2) was changed"
        ),
        (
            "a time", { $0[1] = $0[1].replacing("1790", with: "1791") },
            "Entry 2 (turn 101, line 2) was changed or forged"
        ),
        ("a deletion", { $0.remove(at: 1) }, "Entry 2 is missing before entry 3"),
        ("two deletions", { $0.removeSubrange(1...2) }, "Entries 2 to 3 are missing before entry 4"),
        ("another order", { $0.swapAt(2, 3) }, "Entry 3 is missing before entry 4"),
        ("a repetition", { $0.insert($0[0], at: 3) }, "Entry 1 (turn 100, line 4) stands behind entry 3"),
        ("a receipt less", { $0[1] = withoutReceipt($0[1]) }, "The receipt of entry 2 (turn 101, line 2) was deleted."),
        ("an empty line", { $0.insert("", at: 1) }, "Line 2 is no entry"),
        ("another text", { $0.append("garbage") }, "Line 6 is no entry"),
        ("a list", { $0[0] = "[\($0[0])]" }, "Line 1 is no entry"),
        (
            "a number as a text", { $0[0] = $0[0].replacing(#""sequence":1"#, with: #""sequence":"1""#) },
            "Line 1 is no entry"
        ),
        (
            "a negative number", { $0[0] = $0[0].replacing(#""sequence":1"#, with: #""sequence":-1"#) },
            "Line 1 is no entry"
        ),
        (
            "a huge number", { $0[0] = $0[0].replacing(#""sequence":1"#, with: #""sequence":1e300"#) },
            "Line 1 is no entry"
        ),
        ("depth", { $0[0] = String(repeating: "[", count: 100_000) }, "Line 1 is no entry"),
        ("nothing", { $0 = [] }, "There is no entry."),
    ]

    private static func withoutReceipt(_ line: String) -> String {
        guard let start = line.firstRange(of: #""receipt":"#), let end = line.firstRange(of: #","receipt-sha256""#)
        else {
            return line
        }
        return line[..<start.lowerBound] + String(line[end.lowerBound...].dropFirst())
    }

    @Test(arguments: manipulations.indices)
    func `each manipulation of a file is found and named`(index: Int) async throws {
        let (what, change, text) = Self.manipulations[index]
        let sample = try ExportSample(5)
        var lines = sample.lines
        change(&lines)
        let run = try await verify(lines.map { $0 + "\n" }.joined(), sample)
        #expect(run.status == 1 && run.output.contains(text), "\(what): \(run.output)")
    }

    @Test func `no byte of an export can be changed unseen`() throws {
        let sample = try ExportSample(2)
        let place = try Workplace()
        let bytes = Array(sample.text.utf8)
        // White space may take the place of the last line's end.
        for index in stride(from: 0, to: bytes.count - 1, by: 3) {
            for bit: UInt8 in [0x01, 0x20] {
                var changed = bytes
                changed[index] ^= bit
                let file = try place.write(changed, to: "receipts.jsonl")
                var verifier = ChainVerifier(keys: [sample.key.publicKey], published: nil)
                #expect(throws: ChainFault.self, "byte \(index)") {
                    try ExportFile.read(file) { entry throws(ChainFault) in
                        try verifier.add(ChainEntry(entry), receipt: entry.receipt)
                    }
                    _ = try verifier.end()
                }
            }
        }
    }

    @Test func `a file that ends in the middle of a line was cut off there`() async throws {
        let sample = try ExportSample(3)
        let run = try await verify(String(sample.text.dropLast(40)), sample)
        #expect(run.status == 1 && run.output.contains("Line 3 is no entry"), "\(run.output)")
        // The end of the last line alone says nothing.
        #expect(try await verify(String(sample.text.dropLast()), sample).status == 0)
    }

    @Test func `a line that is far too long is refused before it fills the memory`() async throws {
        let sample = try ExportSample(1)
        let run = try await verify(sample.text + String(repeating: "x", count: 40 << 20), sample)
        #expect(run.status == 1 && run.output.contains("Line 2 is no entry"), "\(run.output)")
    }

    @Test func `an end that was cut off is found by the published head`() async throws {
        var sample = try ExportSample(5)
        let cut = sample.lines.prefix(3).map { $0 + "\n" }.joined()
        #expect(try await verify(cut, sample).status == 0)
        let run = try await verify(cut, sample, "--head", sample.head, "--json")
        #expect(run.status == 1 && run.output.contains(#""kind" : "cut-off""#), "\(run.output)")
        let head = sample.head
        try sample.add(900)
        #expect(
            try await verify(sample.text, sample, "--head", head).output.contains("written after the published")
                == false)
        let late = try await verify(sample.lines[5] + "\n", sample, "--head", head)
        #expect(late.status == 1 && late.output.contains("begins behind entry 5"), "\(late.output)")
        let other = try await verify(sample.text, sample, "--head", "5:" + ChainEntry.beginning)
        #expect(other.status == 1 && other.output.contains("is not the one that was published"), "\(other.output)")
    }

    @Test func `an export that another key has signed is found`() async throws {
        let (sample, forged) = (try ExportSample(2), try ExportSample(2))
        let run = try await verify(forged.text, sample)
        #expect(
            run.status == 1 && run.output.contains("signed with another key, \(forged.key.publicKey.id)"),
            "\(run.output)")
        let both = try await verify(forged.text, sample, "--key", forged.key.publicKey.base64)
        #expect(both.status == 0, "\(both.output)")
    }

    @Test func `what a log store adds and how it orders keys changes nothing`() async throws {
        let sample = try ExportSample(2)
        let lines = sample.lines.map { #"{"host":"ward-3","tags":[1,{"a":null}],"# + $0.dropFirst() }
        #expect(try await verify(lines.joined(separator: "\n"), sample).status == 0)
    }

    @Test func `a receipt that is no longer kept is said`() async throws {
        var sample = try ExportSample(3)
        sample.lines[0] = Self.withoutReceipt(sample.lines[0])
        try sample.add(100, .pruned)
        let run = try await verify(sample.text, sample)
        #expect(run.status == 0 && run.output.contains("A receipt of which only the entry is left"), "\(run.output)")
    }

    @Test func `a key that is none, a private key and no key are refused`() async throws {
        let sample = try ExportSample(1)
        let place = try Workplace()
        let file = try place.write(sample.text, to: "receipts.jsonl")
        let secret = try place.write("-----BEGIN PRIVATE KEY-----\nAAAA\n", to: "key.pem")
        func run(_ more: String...) async throws -> (output: String, status: Int32) {
            try await place.batonctl(["receipts", "verify", "--export", file] + more).end()
        }
        #expect(try await run().status == 64)
        let isPrivate = try await run("--key", secret)
        #expect(isPrivate.status == 1 && isPrivate.output.contains("has a private key"), "\(isPrivate.output)")
        #expect(try await run("--key", file).status == 1)
        #expect(try await run("--key", "\(place.folder)/none").status == 1)
        #expect(try await run("--key", sample.key.publicKey.base64, "--head", "1:x").status == 64)
        let missing = try await place.batonctl(
            ["receipts", "verify", "--export", "/nowhere", "--key", sample.key.publicKey.base64]
        ).end()
        #expect(missing.status == 1 && !missing.output.isEmpty)
    }

    @Test(arguments: [
        ("17", ReceiptsSince.epoch(17)), ("2026-11-22T06:00:00Z", .time(1_795_327_200_000_000)),
        ("2026-11-22T06:00Z", .time(1_795_327_200_000_000)),
    ])
    func `a number is a turn, and a time is a time`(text: String, since: ReceiptsSince) {
        #expect(ReceiptsSince(argument: text) == since)
    }

    @Test(arguments: ["2026-11-22", "2026-11-22 06:00", "2026-11-22T06:00:01"])
    func `a time without a zone is the device's own`(text: String) {
        guard case .time = ReceiptsSince(argument: text) else {
            Issue.record("not a time: \(text)")
            return
        }
    }

    @Test(arguments: [
        "", "-1", "yesterday", "2026-11-22x", "2026-13-01", "2026-11-22 06:00 +1", "18446744073709551616",
    ])
    func `any other text is neither`(text: String) { #expect(ReceiptsSince(argument: text) == nil) }

    @Test func `the receipts are shown without a subcommand, as before`() throws {
        let shown = try #require(try Batonctl.parseAsRoot(["receipts", "17", "--session"]) as? ShowReceipts)
        #expect(shown.epoch == 17 && shown.bus.session)
        #expect(try Batonctl.parseAsRoot(["receipts", "--newest", "5", "--json"]) is ShowReceipts)
        #expect(try Batonctl.parseAsRoot(["receipts", "key"]) is ShowReceiptKey)
    }
}
