import BusTesting
import CLinux
import FoundationEssentials
import Glibc
import LinuxSystem
import Synchronization
import Testing

@testable import Browsers

/// The channel with the test at its other end.
@Suite(.timeLimit(.minutes(1))) struct ChromiumLinkTests {
    private struct Ends {
        let channel: PipeChannel
        /// What a browser would read and write.
        let reading: Descriptor
        let writing: Descriptor

        init(_ limits: PipeChannel.Limits = .init()) throws {
            var out: [CInt] = [-1, -1]
            var back: [CInt] = [-1, -1]
            try #require(baton_pipe(&out, 0) == 0 && baton_pipe(&back, 0) == 0)
            reading = Descriptor(owning: out[0])
            writing = Descriptor(owning: back[1])
            channel = try #require(
                PipeChannel(reading: Descriptor(owning: back[0]), writing: Descriptor(owning: out[1]), limits: limits))
        }

        /// The next command.
        func heard() async throws -> (id: Int, method: String) {
            struct Command: Decodable {
                var id: Int
                var method: String
            }
            let descriptor = reading.raw
            let bytes = await onThreadOfItsOwn {
                var bytes: [UInt8] = []
                var byte: UInt8 = 0
                while read(descriptor, &byte, 1) == 1, byte != 0 { bytes.append(byte) }
                return bytes
            }
            let command = try JSONDecoder().decode(Command.self, from: Data(bytes))
            return (command.id, command.method)
        }

        func say(_ text: String) {
            let bytes = Array(text.utf8) + [0]
            _ = write(writing.raw, bytes, bytes.count)
        }
    }

    @Test func `garbage is passed over and the next message counts`() async throws {
        let ends = try Ends()
        let link = ChromiumLink(ends.channel)
        let (events, event) = AsyncStream.makeStream(of: ChromiumEvent.self)
        try link.start(handle: { event.yield($0) }, ended: { event.finish() })
        let deep = String(repeating: "[", count: 20000)
        let number = #"{"id":99999999999999999999999}"#
        for garbage in [
            "", "{", "nonsense", "[]", "null", deep, number, #"{"id":-1,"result":{}}"#, #"{"id":1.5}"#,
            #"{"method":"Fetch.requestPaused"}"#, #"{"method":"Fetch.requestPaused","params":{"requestId":7}}"#,
            #"{"method":"Target.targetCreated","params":{"targetInfo":{"type":"page"}}}"#, "\u{FEFF}{}", "\"\\ud800\"",
        ] { ends.say(garbage) }
        var raw: [UInt8] = [0xff, 0xfe, 0x22, 0]
        _ = write(ends.writing.raw, &raw, raw.count)
        // A title with half a character in it, as a page may have it.
        ends.say(
            #"{"method":"Target.targetCreated","params":{"targetInfo":{"targetId":"A","type":"page","title":"\ud800","url":"x"}}}"#
        )
        ends.say(#"{"method":"Target.targetDestroyed","params":{"targetId":"B"}}"#)
        var seen: [String] = []
        for await event in events {
            switch event {
            case .target(let target): seen.append(target.targetId)
            case .targetGone(let id), .targetCrashed(let id): seen.append(id)
            case .paused, .attached: Issue.record("there was no request and no session")
            }
            if seen.last == "B" { break }
        }
        #expect(seen == ["A", "B"])
        link.close()
    }

    @Test func `an answer that makes no sense is a refusal`() async throws {
        let ends = try Ends()
        let link = ChromiumLink(ends.channel)
        try link.start(handle: { _ in }, ended: {})
        ends.say(#"{"id":7,"result":{}}"#)
        async let answer = Result { () async throws(BrowserFault) in try await link.call(GetVersion()) }
        let count = await OwnThread.run { [reading = ends.reading] in
            var bytes = [UInt8](repeating: 0, count: 4096)
            return bytes.prefix(max(0, read(reading.raw, &bytes, bytes.count))).count
        }
        #expect((count ?? 0) > 0)
        ends.say(#"{"id":1,"result":{"product":7}}"#)
        #expect(await answer.fault == .refused("Browser.getVersion", "an answer that makes no sense"))
        link.close()
    }

    @Test func `a browser that does not answer in time is silent`() async throws {
        let ends = try Ends()
        let link = ChromiumLink(ends.channel)
        try link.start(handle: { _ in }, ended: {})
        await #expect(throws: BrowserFault.silent) { try await link.call(GetVersion(), limit: .milliseconds(20)) }
        link.close()
    }

    @Test func `what a stopped browser does not read is refused at the limit, and nobody waits`() async throws {
        var limits = PipeChannel.Limits()
        limits.outgoing = 1 << 20
        let ends = try Ends(limits)
        let started = ends.channel.start(receive: { _ in }, ended: {})
        #expect(started)
        let message = [UInt8](repeating: 65, count: 10000)
        var sent = 0
        while sent < 1000, ends.channel.send(message) { sent += 1 }
        #expect(sent >= 100 && sent < 300)
        ends.channel.close()
        #expect(!ends.channel.send([65]))
    }

    @Test func `a page is spoken to in its first session, whatever is attached to after it`() throws {
        let ends = try Ends()
        let link = ChromiumLink(ends.channel)
        let rules = try #require(RequestRules(ChromiumScene.setup()))
        let traffic = ChromiumTraffic(
            link, rules: rules, pages: RecordingPages(), browser: ObjectIdentifier(link))
        func attach(_ target: String, _ session: String) {
            traffic.handle(.attached(TargetInfo(targetId: target, type: "page", url: ""), session: session))
        }
        attach("new", "first")
        // A window of another page, and the page once more as a window that was opened.
        attach("other", "second")
        attach("new", "third")
        #expect(traffic.session(ofNew: "new") == "first")
        traffic.handle(.targetGone("new"))
        #expect(traffic.session(ofNew: "new") == nil)
        link.close()
    }

    @Test func `a page loads nothing before its process has said that it knows the language`() async throws {
        let ends = try Ends()
        let link = ChromiumLink(ends.channel)
        let rules = try #require(RequestRules(ChromiumScene.setup()))
        let traffic = ChromiumTraffic(
            link, rules: rules, pages: RecordingPages(), browser: ObjectIdentifier(link))
        try link.start(handle: { traffic.handle($0) }, ended: {})
        traffic.language = PageLanguage(locale: "de")
        traffic.handle(.attached(TargetInfo(targetId: "new", type: "page", url: ""), session: "first"))
        async let isLed = traffic.lead("new", to: "https://page.example/", limit: .seconds(50))
        var said: [(id: Int, method: String)] = []
        while said.last?.method != "Page.navigate" {
            said.append(try await ends.heard())
            // The browser may take what it is told in any time; what comes next must wait for this answer.
            if said.count == 5 { ends.say(#"{"id":\#(said[4].id),"result":{},"sessionId":"first"}"#) }
        }
        #expect(
            said.map(\.method) == [
                "Target.setAutoAttach", "Emulation.setLocaleOverride", "Network.setUserAgentOverride",
                "Runtime.runIfWaitingForDebugger", "Network.setUserAgentOverride", "Page.navigate",
            ])
        #expect(try await isLed)
        #expect(try await !traffic.lead("other", to: "https://page.example/", limit: .seconds(50)))
        link.close()
    }

    @Test func `a message above the limit is left out`() {
        var messages = MessageAssembly(limit: 5)
        var received: [String] = []
        let bytes = Array("123\u{0}12345\u{0}123456\u{0}1234567890123\u{0}\u{0}ok\u{0}rest".utf8)
        for size in [1, 4, 7, 100] {
            received = []
            messages = MessageAssembly(limit: 5)
            var rest = bytes[...]
            while !rest.isEmpty {
                messages.add(rest.prefix(size)) { received.append(String(decoding: $0, as: UTF8.self)) }
                rest = rest.dropFirst(size)
            }
            #expect(received == ["123", "12345", "", "ok"])
        }
    }

    @Test func `the channel ends when the other side is gone`() async throws {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let channel: PipeChannel
        do {
            let ends = try Ends()
            channel = ends.channel
            let started = channel.start(receive: { _ in }, ended: { end.finish() })
            #expect(started)
        }
        for await _ in ended {}
        #expect(!channel.send([65]))
    }
}

extension Result {
    fileprivate init(_ body: () async throws(Failure) -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }

    fileprivate var fault: Failure? {
        if case .failure(let fault) = self { return fault }
        return nil
    }
}
