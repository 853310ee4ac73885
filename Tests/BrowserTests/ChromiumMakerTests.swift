import BusTesting
import FolderTesting
import Glibc
import KioskTesting
import LinuxSystem
import Processes
import Testing
import Vocabulary

@testable import Browsers
@testable import Sandbox

@Suite(.asOrdinaryUser, .withChromium, .serialized, .timeLimit(.minutes(3))) struct ChromiumMakerTests {
    @Test func `it says its version`() async throws {
        let version = await ChromiumScene.maker(display: nil).version(ChromiumScene.executable)
        #expect(version?.hasPrefix("Chromium ") == true)
        #expect(await ChromiumScene.maker(display: nil).version("/usr/bin/none") == nil)
    }

    @Test func `a program that is not there is named`() async throws {
        let setup = BrowserSetup(executable: "/usr/bin/none", address: ChromiumScene.address)
        await #expect(throws: BrowserFault.notStarted("/usr/bin/none cannot be run")) {
            try await ChromiumScene.maker(display: nil).start(setup, pages: RecordingPages())
        }
    }

    @Test func `a program that is no Chromium is refused`() async throws {
        let setup = BrowserSetup(executable: "/usr/bin/true", address: ChromiumScene.address)
        await #expect(throws: BrowserFault.self) {
            try await ChromiumScene.maker(display: nil).start(setup, pages: RecordingPages())
        }
    }

    @Test(arguments: [
        "--remote-debugging-port=9222", "--user-data-dir=/tmp/x", "--disable-setuid-sandbox", "page.html",
    ])
    func `arguments that would open it to others are refused`(argument: String) async throws {
        await #expect(throws: BrowserFault.self) {
            try await ChromiumScene.maker(display: nil)
                .start(ChromiumScene.setup(arguments: [argument]), pages: RecordingPages())
        }
    }

    private struct AttachToTarget: ChromiumCommand {
        static let method = "Target.attachToTarget"

        var targetId: String
    }

    @Test func `with our policies it can be managed, and developer tools are not to be had`() async throws {
        let folder = try TemporaryFolder.withPolicies()
        let confiner = await ChromiumScene.confiner(display: nil)
        let maker = ChromiumMaker(start: { program async throws(LaunchFault) in
            var program = program
            program.shares.append(ConfinedProgram.Share(folder.path, as: "/etc/chromium"))
            return try await confiner.start(program)
        })
        let pages = RecordingPages()
        let browser = try await maker.start(ChromiumScene.setup(), pages: pages)
        let chromium = try #require(browser as? Chromium)
        try await browser.open("https://baton.invalid/")
        #expect(await pages.request(to: "/") != nil)
        var target = ""
        // It has its address when it has its answer.
        try await eventually {
            let targets = try await chromium.link.call(GetTargets()).targetInfos
            target = targets.first { $0.type == "page" && $0.url == "https://baton.invalid/" }?.targetId ?? ""
            return !target.isEmpty
        }
        let result = await browser.logOut(
            at: "https://baton.invalid/hop", answer: "https://baton.invalid/hop", first: .seconds(20),
            whole: .seconds(20))
        #expect(result == .confirmed)
        await #expect(throws: BrowserFault.self) { try await chromium.link.call(AttachToTarget(targetId: target)) }
        #expect(await browser.end(limit: TimeLimit(.seconds(20))) == nil)
    }

    /// It stands between the agent and a Chromium, and keeps the requests of hidden pages to itself.
    private static let silent = """
        #!/usr/bin/python3
        import os, sys, threading
        wishes, answers = os.dup(3), os.dup(4)
        (told, tell), (heard, hear) = os.pipe(), os.pipe()
        if os.fork() == 0:
            os.dup2(told, 3)
            os.dup2(hear, 4)
            os.execv("\(ChromiumScene.executable)", sys.argv)
        os.close(told)
        os.close(hear)
        def forward():
            while data := os.read(wishes, 65536):
                os.write(tell, data)
            os.close(tell)
        threading.Thread(target=forward).start()
        rest = b""
        while data := os.read(heard, 65536):
            *messages, rest = (rest + data).split(b"\\0")
            for message in messages:
                if b"Fetch.requestPaused" not in message or b"/trial-" not in message:
                    os.write(answers, message + b"\\0")

        """

    @Test func `one that loads hidden pages without asking is not taken`() async throws {
        let folder = try TemporaryFolder("silent")
        try folder.write(Self.silent, to: "chromium", mode: 0o755)
        let confiner = await ChromiumScene.confiner(display: nil)
        let start: ChromiumMaker.Start = { program async throws(LaunchFault) in
            var program = program
            program.shares.append(ConfinedProgram.Share(folder.path, as: folder.path))
            return try await confiner.start(program)
        }
        let maker = ChromiumMaker(start: start, patience: .seconds(4))
        let setup = BrowserSetup(executable: folder.path(of: "chromium"), address: ChromiumScene.address)
        let browser = try await maker.start(setup, pages: RecordingPages())
        await #expect(throws: BrowserFault.unfit("it does not ask before it loads a page")) {
            try await browser.open("https://baton.invalid/")
        }
        #expect(await browser.end(limit: TimeLimit(.seconds(20))) == nil)
    }
}
