import Baton
import SystemPackage
import Testing

@testable import BatonctlProgram

/// Programs read this: a change here is a change of the interface.
@Suite struct JSONTests {
    @Test func `the keys of status are stable`() throws {
        let report = StatusReport(
            device: Fixtures.device, current: Fixtures.ana, participants: [Fixtures.apps[1]], lastReceipt: nil)
        #expect(
            try JSONOutput.line(report)
                == #"{"current":{"environment":"local","home-account-id":"","id":"local#ana","locale":"hr","#
                + #""name":"Ana Horvat","tenant":"","username":"ana"},"#
                + #""device":{"agent":"present","boot-id":"b","browser":"none","bus":"system","containment":"","countdown-ends":0,"device-id":"d","epoch":8,"#
                + #""explanation":"","hostname":"ward-3","identity":"local","idle":"no source","issuer":"","journal-id":"j","lock-ends":0,"#
                + #""locked-accounts":0,"missing":"","mode":"shared","participants":2,"phase":"in-use","session":"","since":2,"started":1,"tenant":"","#
                + #""version":"1.0","warnings":[],"wrong-pins":0},"last-receipt":null,"#
                + #""participants":[{"app":"org.example.Old","clear-through":7,"identity":"claimed","instance":0,"#
                + #""listed":false,"owed-since":3,"pid":0,"sender":"","slow":false,"state":"owed","uid":1000}],"#
                + #""previous":null}"#)
    }

    @Test func `the keys of a receipt are stable`() throws {
        #expect(
            try JSONOutput.line(Fixtures.receipt)
                == #"{"account":{"environment":"","home-account-id":"","id":"local#bo","locale":"","name":"Bo Larsen","#
                + #""tenant":"","username":"bo"},"browser":"none","browser-checks":[],"browser-explanation":"","#
                + #""debts":[{"app":"org.example.Old","since":3,"uid":1000}],"ended":20,"epoch":7,"explanation":"","#
                + #""journal-id":"j","milliseconds":1234,"outcome":"contained","participants":["#
                + #"{"app":"org.example.WardList","details":"","explanation":"","identity":"claimed","#
                + #""milliseconds":12,"outcome":"cleared","proof":"","uid":1000},"#
                + #"{"app":"org.example.Hung","details":"","explanation":"did not answer","identity":"proven","#
                + #""milliseconds":1200,"outcome":"contained","proof":"cgroup","uid":1000}],"provider":"none","provider-explanation":"","#
                + #""reason":"user","rejected":[{"app":"","count":2,"error":"NotRegistered","sender":":1.9"}],"#
                + #""restarts":0,"shared":[{"explanation":"","holder":"clipboard","outcome":"clean"}],"started":10,"tokens":[],"#
                + #""tokens-explanation":""}"#)
    }

    @Test func `a receipt names what could not be read, and an unknown reason is unknown`() throws {
        var receipt = Fixtures.receipt
        (receipt.reason, receipt.unreadable) = (nil, ["participants"])
        let line = try JSONOutput.line(receipt)
        #expect(line.contains(#""reason":"unknown""#) && line.hasSuffix(#","unreadable":["participants"]}"#))
    }

    @Test func `account always has its three keys`() throws {
        let report = AccountReport(account: CurrentAccount(epoch: 8, current: nil, previous: nil))
        #expect(try JSONOutput.line(report) == #"{"current":null,"epoch":8,"previous":null}"#)
    }

    @Test func `a step of a sign-in is one line with all its keys`() throws {
        let step = SignInStep(kind: .openURL, url: "https://id.example/a?b=c", opener: .agent, expires: 7)
        #expect(
            try JSONOutput.line(SignInStepReport(step: step))
                == #"{"step":{"expires":7,"kind":"open-url","opens":"agent","url":"https://id.example/a?b=c","#
                + #""user-code":"","verification-uri-complete":""}}"#)
    }

    @Test(arguments: [
        (DeviceEvent.vanished, #"{"event":"vanished"}"#),
        (.modeChanged(.personal), #"{"event":"mode-changed","mode":"default"}"#),
        (.phaseChanged(.inUse), #"{"event":"phase-changed","phase":"in-use"}"#),
        (
            .signingOut(epoch: 8, account: nil, reason: .agentLost, deadline: 5),
            #"{"deadline":5,"epoch":8,"event":"signing-out","reason":"agent-lost"}"#
        ),
        (
            .signingOut(epoch: 8, account: nil, reason: nil, deadline: 5),
            #"{"deadline":5,"epoch":8,"event":"signing-out","reason":"unknown"}"#
        ),
        (.signedOut(epoch: 8, account: nil, outcome: .owed), #"{"epoch":8,"event":"signed-out","outcome":"owed"}"#),
        (
            .automaticSignOutPending(reason: .idle, deadline: 9),
            #"{"deadline":9,"event":"automatic-sign-out-pending","reason":"idle"}"#
        ),
        (.automaticSignOutCancelled, #"{"event":"automatic-sign-out-cancelled"}"#),
    ])
    func `each event is one line`(event: DeviceEvent, line: String) throws {
        #expect(try JSONOutput.line(EventReport(event, at: 7)) == line.dropLast() + #","time":7}"#)
    }

    @Test func `the keys of an event of participate and run are stable`() throws {
        var report = ParticipantReport(.notCleared)
        #expect(try JSONOutput.line(report) == #"{"event":"not-cleared","time":0}"#)
        report.epoch = 8
        report.account = Fixtures.ana
        report.outcome = .nothingToClear
        report.proof = "tree"
        report.removed = 3
        report.code = 137
        report.problem = "p"
        report.dropped = 2
        #expect(
            try JSONOutput.line(report)
                == #"{"account":{"environment":"local","home-account-id":"","id":"local#ana","locale":"hr","#
                + #""name":"Ana Horvat","tenant":"","username":"ana"},"code":137,"dropped":2,"epoch":8,"#
                + #""event":"not-cleared","outcome":"nothing-to-clear","problem":"p","proof":"tree","removed":3,"time":0}"#
        )
    }

    @Test func `a reader that does not read holds nothing up, and hears how much it missed`() throws {
        let (reading, writing) = try FileDescriptor.pipe()
        defer { for end in [reading, writing] { try? end.close() } }
        let lines = EventLines(to: writing)
        // More than any pipe holds.
        for _ in 0..<20_000 { lines.write(ParticipantReport(.cleared)) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let first = try buffer.withUnsafeMutableBytes { try reading.read(into: $0) }
        #expect(first > 4096 && buffer.prefix(first).split(separator: 10).allSatisfy { $0.first == UInt8(ascii: "{") })
        lines.write(ParticipantReport(.ready))
        let second = try buffer.withUnsafeMutableBytes { try reading.read(into: $0) }
        let text = String(decoding: buffer.prefix(second), as: UTF8.self)
        #expect(text.contains(#""event":"ready""#) && text.contains(#"{"dropped":1"#), "\(text)")
    }
}
