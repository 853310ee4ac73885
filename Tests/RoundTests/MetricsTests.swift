import Baton
import BusTesting
import DBus
import FolderTesting
import Glibc
import TerminalTesting
import Testing

extension Rounds {
    @Suite("Metrics of a real terminal", .timeLimit(.minutes(3)))
    struct MetricsTests {
        private static let brief = "barrier: {soft: 300ms, hard: 1s, containment: 3s, absolute: 5s}\n"
        private static let alone = "agent: {required: false, start: false}\n" + Terminal.patient

        @Test func `follow turns, a debt, a containment, a quarantine and a restart`() async throws {
            let terminal = try ListedApp.terminal(Self.brief)
            try terminal.configure(Self.brief + terminal.metricsSettings)
            var daemon = try await terminal.startDaemon()
            let desk = try await Peer(terminal)
            try await terminal.eventually("agent_present", "1")
            #expect(try await terminal.metric("start_time_seconds") != nil)
            #expect(try await terminal.metric("provider_reachable") == nil, "local accounts have none")
            #expect(try await terminal.metric("receipt_head_info") == nil)

            try await desk.signIn("ana", pin: "1234")
            try await terminal.eventually(#"device_phase{phase="in-use"}"#, "1")
            #expect(try await desk.signOut()?.outcome == .cleared)

            var app = try await Puppet(terminal)
            try await app.peer.register("org.example.Unlisted")
            try await desk.signIn("bo", pin: "5678")
            await app.program.kill()
            #expect(try await desk.signOut()?.outcome == .owed)
            try await terminal.eventually("apps_owing", "1")

            app = try await Puppet(terminal)
            try await app.peer.register(ListedApp.id)
            try await desk.signIn("ana", pin: "1234")
            await app.program.kill()
            #expect(try await desk.signOut()?.outcome == .contained)

            app = try await Puppet(terminal)
            try await app.peer.register(ListedApp.id)
            let epoch = try await desk.signIn("ana", pin: "1234")
            let agent = try await AgentProcess(of: daemon, on: terminal)
            agent.pause()
            #expect(try await desk.signOut()?.outcome == .quarantined)
            try await terminal.eventually(#"device_phase{phase="quarantined"}"#, "1")
            let since = try #require(try await terminal.metric("quarantined_since_timestamp_seconds"))
            #expect(since.prefix { $0 != "." }.count == 10)
            agent.resume()
            #expect(try await desk.receipt(epoch, or: desk.signOut()).release?.by == .retry)
            try await terminal.eventually(#"device_phase{phase="ready"}"#, "1")
            #expect(try await terminal.metric("quarantined_since_timestamp_seconds") == nil)

            let expected = [
                ("turns_total", "4"), (#"sign_outs_total{outcome="cleared"}"#, "1"),
                (#"sign_outs_total{outcome="owed"}"#, "1"), (#"sign_outs_total{outcome="contained"}"#, "1"),
                (#"sign_outs_total{outcome="quarantined"}"#, "1"), ("barrier_seconds_count", "4"),
                (#"barrier_seconds_bucket{le="+Inf"}"#, "4"), ("apps_owing", "1"), ("journal_failed", "0"),
                // The release has an entry of its own.
                ("receipt_chain_entries", "5"),
            ]
            for (name, value) in expected { #expect(try await terminal.metric(name) == value, "\(name)") }
            let head = try #require(
                try await daemon.line(containing: "the quarantine has ended").split(separator: " ")
                    .first { $0.contains("receipt-head=") }?.split(separator: "=").last.map(String.init))
            #expect(try await terminal.metric(#"receipt_head_info{head="\#(head)"}"#) == "1")
            #expect(Int(try await terminal.metric("journal_size_bytes") ?? "") ?? 0 > 4096)

            // The file says the same, for any user to read, and nothing in either names anybody.
            let text = try await terminal.scrape()
            try await eventually { terminal.metricsFile?.contains("\nbaton_turns_total 4\n") == true }
            let series = { (text: String) in text.split(separator: "\n").map { $0.prefix { $0 != " " } } }
            try await eventually { series(terminal.metricsFile ?? "") == series(text) }
            for word in ["ana", "Ana", "bo ", "Horvat", "org.example", "Unlisted", ListedApp.id] {
                #expect(!text.contains(word), "\(word)")
            }
            #expect(text.split(separator: "\n").count { !$0.hasPrefix("#") } < 50)
            let tool = try terminal.run(["sh", "-c", "promtool check metrics <\"$0\"", terminal.metricsPath])
            #expect(await tool.end() == 0, "\(tool.output)")

            await daemon.kill()
            daemon = try await terminal.startDaemon()
            try await terminal.eventually("agent_present", "1")
            for (name, value) in [
                ("turns_total", "0"), ("barrier_seconds_count", "0"), ("apps_owing", "1"),
                ("receipt_chain_entries", "5"), (#"receipt_head_info{head="\#(head)"}"#, "1"),
            ] {
                #expect(try await terminal.metric(name) == value, "\(name) after a restart")
            }
            // Nothing is left for a collector that no batond stands for.
            daemon.signal(SIGTERM)
            #expect(await daemon.end() == 0)
            #expect(!terminal.exists("metrics/baton.prom") && !terminal.exists("metrics/baton.sock"))
        }

        @Test func `callers of the socket who say nothing delay no sign-out, and are thrown out`() async throws {
            let terminal = try Terminal(settings: "")
            try terminal.configure(Self.alone + terminal.metricsSettings)
            let daemon = try await terminal.startDaemon(agent: false)
            let desk = try await Peer(terminal)
            try await eventually { terminal.exists("metrics/baton.sock") }
            let silent = try terminal.run([
                "python3", "-c",
                """
                import socket, sys
                callers = []
                for number in range(16):
                    callers.append(socket.socket(socket.AF_UNIX))
                    callers[-1].connect(sys.argv[1])
                print('silent', flush=True)
                print('thrown out', [caller.recv(1) for caller in callers].count(b''), flush=True)
                """, terminal.socketPath,
            ])
            try await silent.line(containing: "silent")
            for _ in 1...3 {
                try await desk.signIn("ana", pin: "1234")
                let receipt = try #require(try await desk.signOut())
                #expect(receipt.outcome == .cleared && receipt.explanation.isEmpty)
            }
            // It waits until there is a place.
            #expect(try await terminal.scrape().contains("\nbaton_turns_total 3\n"))
            try await silent.line(containing: "thrown out 16")
            withExtendedLifetime(daemon) {}
        }

        @Test func `a folder that is missing is one warning each, sign-outs go on, and a reload repairs it`()
            async throws
        {
            let terminal = try Terminal(settings: "")
            try terminal.configure(Self.alone + terminal.metricsSettings(in: "nowhere"))
            let daemon = try await terminal.startDaemon(agent: false)
            let desk = try await Peer(terminal)
            for _ in 1...3 {
                try await desk.signIn("ana", pin: "1234")
                #expect(try await desk.signOut()?.outcome == .cleared)
            }
            try await daemon.line(containing: "the file of metrics cannot be written")
            try await daemon.line(containing: "the socket of metrics cannot be made")
            #expect(
                daemon.output.split(separator: "\n").count { $0.contains("warning") && $0.contains("metrics") } == 2)

            try terminal.configure(Self.alone + terminal.metricsSettings)
            #expect(try await terminal.batonctl("reload").status == 0)
            try await eventually { terminal.metricsFile?.contains("\nbaton_turns_total 3\n") == true }
            try await eventually { terminal.exists("metrics/baton.sock") }
            #expect(try await terminal.scrape().contains("\nbaton_turns_total 3\n"))
            try terminal.configure(Self.alone)
            #expect(try await terminal.batonctl("reload").status == 0)
            try await eventually {
                !terminal.exists("metrics/baton.prom") && !terminal.exists("metrics/baton.sock")
            }
        }

        @Test(.needsMounts)
        func `a disk that is full is one warning, and sign-outs go on`() async throws {
            let terminal = try Terminal(settings: "")
            try terminal.configure(Self.alone + terminal.metricsSettings(in: "small"))
            try terminal.write("", to: "small/none")
            let small = "\(terminal.folder)/small"
            #expect(mount("none", small, "tmpfs", 0, "size=8k") == 0)
            defer { umount2(small, Int32(MNT_DETACH)) }
            try terminal.write(String(repeating: "x", count: 8192), to: "small/full")
            let daemon = try await terminal.startDaemon(agent: false)
            let desk = try await Peer(terminal)
            try await daemon.line(containing: "the file of metrics cannot be written")
            for _ in 1...3 {
                try await desk.signIn("ana", pin: "1234")
                #expect(try await desk.signOut()?.outcome == .cleared)
            }
            #expect(!terminal.exists("small/baton.prom") && !terminal.exists("small/baton.prom.new"))
            unlink("\(small)/full")
            try await desk.signIn("ana", pin: "1234")
            try await daemon.line(containing: "the file of metrics can be written again")
            #expect(daemon.output.split(separator: "\n").count { $0.contains("cannot be written") } == 1)
        }
    }
}

extension Terminal {
    fileprivate var metricsSettings: String { metricsSettings(in: "metrics") }

    fileprivate func metricsSettings(in folder: String) -> String {
        if folder == "metrics" { mkdir("\(self.folder)/metrics", 0o755) }
        return "metrics: {textfile: \(self.folder)/\(folder)/baton.prom, socket: \(self.folder)/\(folder)/baton.sock}\n"
    }

    fileprivate var metricsPath: String { "\(folder)/metrics/baton.prom" }
    fileprivate var socketPath: String { "\(folder)/metrics/baton.sock" }
    fileprivate var metricsFile: String? { contents(metricsPath) }

    /// What an administrator's `curl` reads at the socket.
    fileprivate func scrape() async throws -> String {
        let curl = try run([
            "curl", "--silent", "--show-error", "--unix-socket", socketPath, "http://localhost/metrics",
        ])
        let status = await curl.end()
        guard status == 0 else { throw TestingError("curl: \(status) \(curl.output)") }
        return curl.output + "\n"
    }

    /// The value of a series, or of the only one with that name; nil: there is none.
    fileprivate func metric(_ series: String) async throws -> String? {
        try await scrape().split(separator: "\n").first { line in
            line.hasPrefix("baton_\(series) ") || !series.contains("{") && line.hasPrefix("baton_\(series){")
        }.flatMap { $0.split(separator: " ").last.map(String.init) }
    }

    fileprivate func eventually(_ series: String, _ value: String) async throws {
        try await BusTesting.eventually { exists("metrics/baton.sock") }
        try await BusTesting.eventually { try await metric(series) == value }
    }
}
