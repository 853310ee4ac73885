import Baton
import TerminalTesting
import Testing

extension Rounds {
    @Suite("A whole round with the example apps", .timeLimit(.minutes(2)))
    struct ExampleRoundTests {
        @Test func `three apps in three languages hear of a worker and clear when they leave`() async throws {
            let terminal = try Terminal(settings: Terminal.patient)
            let daemon = try await terminal.startDaemon()
            let data = "\(terminal.folder)/data"
            let examples = "\(Terminal.package)/Examples"
            let apps = try [
                terminal.run(["baton-example-handover", data]),
                terminal.run(["\(examples)/ward-list.py", data]),
                terminal.run(["\(examples)/price-check.sh", data]),
            ]
            for app in apps { try await app.line(containing: "ready") }

            #expect(try await terminal.batonctl("sign-in", "ana", "--pin-stdin", input: "1234").status == 0)
            try await apps[0].line(containing: "Ana Horvat")
            try await apps[1].line(containing: "Ana Horvat")
            try await apps[2].line(containing: "turn")
            for file in ["handover.txt", "ward-list.txt", "searches.txt"] { #expect(terminal.exists("data/\(file)")) }

            let signOut = try await terminal.batonctl("sign-out")
            #expect(signOut.status == 0, "\(signOut.output)")
            for file in ["handover.txt", "ward-list.txt", "searches.txt"] { #expect(!terminal.exists("data/\(file)")) }

            let receipt = try #require(try await terminal.device().receipts(newest: 1).first)
            #expect(receipt.outcome == .cleared)
            #expect(Set(receipt.participants.map(\.outcome)) == [.cleared])
            #expect(receipt.participants.count == 3)
            for app in apps { await app.kill() }
            daemon.signal(15)
            #expect(await daemon.end() == 0)
        }
    }
}
