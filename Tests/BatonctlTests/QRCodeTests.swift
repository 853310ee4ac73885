import BusTesting
import QRCodes
import Testing

@testable import BatonctlProgram

@Suite(.timeLimit(.minutes(1))) struct QRCodeTests {
    static let addresses = [
        "https://id.example/device?user_code=ABCD-EFGH", "a",
        "http://127.0.0.1:8080/" + String(repeating: "x", count: 400),
    ]

    /// The text as a picture, eight points to a module, which is what a camera sees of a dark-on-light screen.
    private func picture(_ lines: [String]) -> String {
        var rows: [String] = []
        for line in lines {
            for half in 0..<2 {
                let row = line.map { character in
                    switch character {
                    case "█": true
                    case "▀": half == 0
                    case "▄": half == 1
                    default: false
                    }
                }
                let points = row.map { String(repeating: $0 ? "1" : "0", count: 8) }.joined()
                rows += Array(repeating: points, count: 8)
            }
        }
        return "P1\n\(rows.first?.count ?? 0) \(rows.count)\n" + rows.joined(separator: "\n") + "\n"
    }

    @Test(arguments: addresses)
    func `A reader finds the address in the lines of text`(_ address: String) async throws {
        let place = try Workplace()
        let code = try #require(QRCode(address))
        let file = try place.write(picture(code.lines(isColored: false)), to: "code.pbm")
        let run = try await ChildProcess(
            ["zbarimg", "--quiet", "--nodbus", "--raw", file], environment: place.environment()
        ).end()
        #expect(run.output == address + "\n")
    }

    @Test(arguments: addresses)
    func `The quiet zone is four modules wide on every side`(_ address: String) throws {
        let code = try #require(QRCode(address))
        let lines = code.lines(isColored: false)
        #expect(lines.allSatisfy { $0.count == code.columns && $0.hasPrefix("    ") && $0.hasSuffix("    ") })
        #expect(lines.prefix(2).allSatisfy { line in line.allSatisfy { $0 == " " } })
        #expect(lines.suffix(2).allSatisfy { line in line.allSatisfy { $0 == " " } })
        #expect(lines.dropFirst(2).first?.dropFirst(4).hasPrefix("█▀▀▀▀▀█") == true)
    }

    @Test func `With colours it is the same, black on white`() throws {
        let code = try #require(QRCode(Self.addresses[0]))
        #expect(
            code.lines(isColored: true)
                == code.lines(isColored: false).map { "\u{1B}[38;5;16;48;5;231m\($0)\u{1B}[0m" })
    }

    @Test func `What does not fit is no code`() {
        #expect(QRCode(String(repeating: "x", count: 2953)) != nil)
        #expect(QRCode(String(repeating: "x", count: 2954)) == nil)
        #expect(QRCode("") == nil)
    }
}
