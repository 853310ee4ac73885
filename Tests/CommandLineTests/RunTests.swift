import Baton
import BusTesting
import Glibc
import TerminalTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct RunTests {
    static let ways = Permitted.namespaces ? [[], ["--no-namespace"]] : [["--no-namespace"]]
    static let app = "org.example.Wrapped"

    /// A terminal with batond, and `batonctl run` on it.
    ///
    /// - Parameter wrapper: Runs it, as the command that follows.
    private func start(
        _ script: String, on terminal: Terminal, _ options: [String] = [], wipe: Bool = true, in wrapper: [String] = []
    ) throws -> Program {
        let folders = wipe ? ["--wipe", "\(terminal.folder)/data"] : []
        return try terminal.run(
            wrapper + ["\(Terminal.binaries)/batonctl", "run", "--app", Self.app] + folders + options
                + ["--", "sh", "-c", script],
            environment: ["DATA": "\(terminal.folder)/data"])
    }

    private func signIn(_ terminal: Terminal, _ name: String = "ana") async throws {
        let (status, output) = try await terminal.batonctl(
            "sign-in", name, "--pin-stdin", input: name == "ana" ? "1234" : "5678")
        try #require(status == 0, "\(output)")
    }

    /// Writes what the wipe is about, and leaves processes that nothing but a namespace or a reaper ties to it.
    private static let worker = """
        mkdir -p $DATA/deep/er; echo secret > $DATA/deep/er/file; ln -s /etc/passwd $DATA/link
        (setsid sh -c 'echo stray $$; exec sleep 1000' &)
        sleep 1000 & kill -STOP $!
        echo started; wait
        """

    @Test(arguments: ways)
    func `a sign-out ends the program with all that it started, empties its folders, and says so`(
        _ way: [String]
    ) async throws {
        try await expectCleared(proof: way.isEmpty ? "namespace" : "tree", way)
    }

    /// Takes namespaces away from the command that follows, and from nothing else on the machine: it runs in a user
    /// namespace in which no other can be made, without the capabilities with which root needs none. Its uid stays what
    /// it was, since by that the bus knows who speaks.
    private static let withoutNamespaces = [
        "unshare", "--user", "--map-current-user", "--keep-caps", "sh", "-c",
        """
        echo 0 > /proc/sys/user/max_user_namespaces &&
            exec setpriv --inh-caps=-all --ambient-caps=-all --bounding-set=-all -- "$@"
        """,
        "sh",
    ]

    @Test(
        .enabled("needs a machine that lets this user make user namespaces") {
            (try? await Program(withoutNamespaces + ["true"]).end()) == 0
        })
    func `where no namespace is to be had a sign-out leaves as little, and the proof is the tree`() async throws {
        var stray: Int32 = 0
        try await expectCleared(proof: "tree", in: Self.withoutNamespaces) { run in
            stray = try #require(Int32(try await run.line(containing: "stray ").dropFirst("stray ".count)))
            // Whoever started it is gone, and so it is tied to nothing but the reaper.
            #expect(getsid(stray) == stray)
        }
        #expect(!Puppet.isRunning(stray))
        if Puppet.isRunning(stray) { kill(stray, SIGKILL) }
    }

    /// - Parameters:
    ///   - proof: How the sign-out is to know that all of it has ended.
    ///   - look: Called while it runs.
    private func expectCleared(
        proof: String, _ options: [String] = [], in wrapper: [String] = [],
        _ look: (Program) async throws -> Void = { _ in }
    ) async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        let run = try start(Self.worker, on: terminal, options, in: wrapper)
        try await run.line(containing: "started")
        try await look(run)
        try await signIn(terminal)
        let receipt = try await terminal.device().signOut().receipt
        let row = try #require(receipt?.participants.first { $0.app == Self.app })
        #expect(row.outcome == "cleared")
        #expect(row.details.contains(#""proof":"\#(proof)""#), "\(row)")
        #expect(row.details.contains(#""removed":4"#), "\(row)")
        #expect(try names(in: "\(terminal.folder)/data").isEmpty)
        #expect(Self.processes(with: terminal.folder).filter { $0.contains("sleep") }.isEmpty)
        withExtendedLifetime(daemon) {}
    }

    @Test func `the next worker gets the program anew`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        let run = try start(
            "ls $DATA | sed 's/^/found /'; echo x > $DATA/x; echo started; exec sleep 1000", on: terminal)
        try await run.line(containing: "started")
        try await signIn(terminal)
        #expect(try await terminal.batonctl("sign-out").status == 0)
        try await signIn(terminal, "bo")
        try await run.line(containing: "started", count: 2)
        #expect(!run.output.contains("found"))
        #expect(try await terminal.batonctl("sign-out").status == 0)
        withExtendedLifetime(daemon) {}
    }

    @Test(arguments: ways)
    func `a program that ends by itself gives batonctl its exit code, and leaves nothing`(_ way: [String]) async throws
    {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        try await signIn(terminal)
        let run = try start("echo x > $DATA/x; (setsid sleep 1000 &) ; exit 7", on: terminal, way)
        #expect(await run.end() == 7)
        #expect(try names(in: "\(terminal.folder)/data").isEmpty)
        // It left, so that nobody waits for it.
        #expect(try await terminal.device().participants().allSatisfy { $0.owedSince == 0 })
        #expect(try await terminal.batonctl("sign-out").status == 0)
        let killed = try start("kill -9 $$", on: terminal, way)
        #expect(await killed.end() == 137)
        withExtendedLifetime(daemon) {}
    }

    @Test(arguments: ways)
    func `signals reach the program, and its answer is the end`(_ way: [String]) async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        let run = try start(
            "trap 'echo one' USR1; trap 'echo bye; exit 42' INT; echo started; while :; do sleep 0.05; done",
            on: terminal, way)
        try await run.line(containing: "started")
        run.signal(SIGUSR1)
        try await run.line(containing: "one")
        run.signal(SIGINT)
        #expect(await run.end() == 42)
        #expect(run.output.contains("bye"))
        withExtendedLifetime(daemon) {}
    }

    @Test func `a second Ctrl-C ends a program that ignores the first`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        let run = try start("trap 'echo no' INT; echo started; while :; do sleep 0.05; done", on: terminal)
        try await run.line(containing: "started")
        run.signal(SIGINT)
        try await run.line(containing: "no")
        run.signal(SIGINT)
        #expect(await run.end() == 0)
        #expect(Self.processes(with: terminal.folder).isEmpty)
        withExtendedLifetime(daemon) {}
    }

    @Test(arguments: ways)
    func `what a killed run left is cleared before its program starts again, and nothing of it ran on`(
        _ way: [String]
    ) async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        try await signIn(terminal)
        let script = "ls $DATA | sed 's/^/found /'; echo x > $DATA/x; echo started; sleep 1000 & wait"
        let first = try start(script, on: terminal, way)
        try await first.line(containing: "started")
        await first.kill()
        // Owed: nobody was there to clear.
        #expect(try await terminal.batonctl("sign-out").status == 4)
        #expect(Self.processes(with: terminal.folder).filter { $0.contains("sleep") }.isEmpty)
        #expect(try names(in: "\(terminal.folder)/data") == ["x"])
        let second = try start(script, on: terminal, way)
        try await second.line(containing: "started")
        #expect(!second.output.contains("found"))
        #expect(try await terminal.device().participants().map(\.owedSince) == [0])
        withExtendedLifetime(daemon) {}
    }

    @Test func `with never, batonctl ends with the sign-out; with always, the program runs again on the free device`()
        async throws
    {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        let never = try start("echo started; exec sleep 1000", on: terminal, ["--restart", "never"])
        try await never.line(containing: "started")
        try await signIn(terminal)
        #expect(try await terminal.batonctl("sign-out").status == 0)
        #expect(await never.end() == 0)
        let always = try start("echo started; exec sleep 1000", on: terminal, ["--restart", "always"])
        try await always.line(containing: "started")
        try await signIn(terminal)
        #expect(try await terminal.batonctl("sign-out").status == 0)
        try await always.line(containing: "started", count: 2)
        always.signal(SIGTERM)
        #expect(await always.end() == 143)
        withExtendedLifetime(daemon) {}
    }

    @Test func `a program that was asked to end and is ended by a sign-out ends batonctl too`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        try await signIn(terminal)
        let run = try start(
            "trap 'echo no' TERM; echo started; while :; do sleep 0.05; done", on: terminal, ["--restart", "always"])
        try await run.line(containing: "started")
        run.signal(SIGTERM)
        try await run.line(containing: "no")
        #expect(try await terminal.batonctl("sign-out").status == 0)
        #expect(await run.end() == 0)
        #expect(Self.processes(with: terminal.folder).isEmpty)
        withExtendedLifetime(daemon) {}
    }

    @Test func `it waits for a batond that is not there`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let run = try start("echo started; exec sleep 1000", on: terminal)
        try await run.line(containing: "batond is not there")
        let daemon = try await terminal.startDaemon()
        try await run.line(containing: "started")
        run.signal(SIGTERM)
        #expect(await run.end() == 143)
        withExtendedLifetime(daemon) {}
    }

    @Test func `what cannot work is refused at the start`() async throws {
        let terminal = try Terminal()
        func refuse(_ options: [String], program: String = "true", _ environment: [String: String] = [:]) async throws
            -> Int32
        {
            try await terminal.run(
                ["batonctl", "run", "--app", Self.app] + options + ["--", program], environment: environment
            ).end()
        }
        #expect(try await refuse(["--wipe", "\(terminal.folder)/home"]) == 64)
        #expect(try await refuse(["--wipe", terminal.folder]) == 64)
        #expect(try await refuse(["--wipe", "/"]) == 64)
        #expect(try await refuse(["--wipe", "\(terminal.folder)/data", "--keep", "/etc/passwd"]) == 64)
        #expect(try await refuse(["--restart", "sometimes"]) == 64)
        #expect(try await refuse([], program: "/nonexistent/program") == 127)
        #expect(try await refuse([], ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"]) == 69)
    }

    @Test func `a wipe keeps what it is told to keep, and takes hard links and depths`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        let script = """
            mkdir -p $DATA/conf; echo keep > $DATA/conf/keep; echo go > $DATA/conf/go
            ln $DATA/../outside $DATA/hard; ln -s ../home $DATA/link; mkfifo $DATA/fifo
            cd $DATA; n=0; while [ $n -lt 400 ]; do mkdir d; cd d; n=$((n+1)); done; echo started; exec sleep 1000
            """
        try terminal.write("outside", to: "outside")
        try terminal.write("home", to: "home/file")
        let run = try start(script, on: terminal, ["--keep", "\(terminal.folder)/data/conf/keep"])
        try await run.line(containing: "started")
        try await signIn(terminal)
        #expect(try await terminal.batonctl("sign-out").status == 0)
        #expect(try names(in: "\(terminal.folder)/data") == ["conf"])
        #expect(try names(in: "\(terminal.folder)/data/conf") == ["keep"])
        #expect(terminal.exists("outside"))
        #expect(terminal.exists("home/file"))
        withExtendedLifetime(daemon) {}
    }

    @Test(.needsMounts)
    func `what cannot be emptied is said to be left, with the reason, and the device stops the app`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        // The terminal's own folder is new, so that the first start wipes: what is in the way comes after it.
        let run = try terminal.run(
            [
                "unshare", "-m", "\(Terminal.binaries)/batonctl", "run", "--app", Self.app, "--no-namespace", "--wipe",
                "\(terminal.folder)/data", "--", "sh", "-c",
                "mkdir $DATA; mount -t tmpfs none $DATA && echo started; exec sleep 1000",
            ], environment: ["DATA": "\(terminal.folder)/data/mount"])
        try await run.line(containing: "started")
        try await signIn(terminal)
        let receipt = try await terminal.device().signOut().receipt
        let row = try #require(receipt?.participants.first { $0.app == Self.app })
        #expect(row.outcome != "cleared")
        #expect(row.details.contains("mount"))
        #expect(run.output.contains("not cleared"))
        withExtendedLifetime(daemon) {}
    }

    // MARK: Looking

    /// The command lines of processes that have this folder in their environment, apart from Baton's own.
    private static func processes(with folder: String) -> [String] {
        guard let pids = try? names(in: "/proc").compactMap({ Int32($0) }) else { return [] }
        return pids.compactMap { pid in
            guard text("/proc/\(pid)/environ").contains(folder), Puppet.isRunning(pid) else { return nil }
            let command = text("/proc/\(pid)/cmdline")
            return command.contains("/baton") ? nil : command
        }
    }

    private static func text(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count).map { $0 == 0 ? 32 : $0 }, as: UTF8.self)
    }
}

/// The names in a folder, sorted.
func names(in folder: String) throws -> [String] {
    guard let stream = opendir(folder) else { throw TestingError("cannot read \(folder)") }
    defer { closedir(stream) }
    var result: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { result.append(name) }
    }
    return result.sorted()
}
