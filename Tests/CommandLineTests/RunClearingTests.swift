import Baton
import BusTesting
import FolderTesting
import Glibc
import TerminalTesting
import Testing

/// What a sign-out leaves of the program that `batonctl run` has started, and of what that has written.
@Suite(.timeLimit(.minutes(3)))
struct RunClearingTests {
    /// Writes what the wipe is about, and leaves processes that nothing but a namespace or a reaper ties to it.
    private static let worker = """
        mkdir -p $DATA/deep/er; echo secret > $DATA/deep/er/file; ln -s /etc/passwd $DATA/link
        (setsid sh -c 'echo stray $$; exec sleep 1000' &)
        sleep 1000 & kill -STOP $!
        echo started; wait
        """

    @Test(arguments: Terminal.runWays)
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
        let run = try terminal.startRun(Self.worker, options, in: wrapper)
        try await run.line(containing: "started")
        try await look(run)
        try await terminal.signIn()
        let receipt = try await terminal.device().signOut().receipt
        let row = try #require(receipt?.participants.first { $0.app == Terminal.runApp })
        #expect(row.outcome == .cleared)
        #expect(row.details.contains(#""proof":"\#(proof)""#), "\(row)")
        #expect(row.details.contains(#""removed":4"#), "\(row)")
        #expect(terminal.exists("data") && names(in: "\(terminal.folder)/data").isEmpty)
        #expect(terminal.processesOfRun.filter { $0.contains("sleep") }.isEmpty)
        withExtendedLifetime(daemon) {}
    }

    @Test(arguments: Terminal.runWays)
    func `what a killed run left is cleared before its program starts again, and nothing of it ran on`(
        _ way: [String]
    ) async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        try await terminal.signIn()
        let script = "ls $DATA | sed 's/^/found /'; echo x > $DATA/x; echo started; sleep 1000 & wait"
        let first = try terminal.startRun(script, way)
        try await first.line(containing: "started")
        await first.kill()
        // Owed: nobody was there to clear.
        #expect(try await terminal.batonctl("sign-out").status == 4)
        #expect(terminal.processesOfRun.filter { $0.contains("sleep") }.isEmpty)
        #expect(names(in: "\(terminal.folder)/data") == ["x"])
        let second = try terminal.startRun(script, way)
        try await second.line(containing: "started")
        #expect(!second.output.contains("found"))
        #expect(try await terminal.device().participants().map(\.owedSince) == [0])
        withExtendedLifetime(daemon) {}
    }

    @Test func `a program whose run was killed while it started ends with all that it has started`() async throws {
        let terminal = try Terminal()
        // To this line nothing can be said, as to a run that is gone.
        let reaper = try terminal.run([
            "sh", "-c", "exec \"$0\" --reap 3 -- /bin/sh -c 'sleep 1000 & wait' 3>/dev/full",
            "\(Terminal.binaries)/batonctl",
        ])
        #expect(await reaper.end() == 0)
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
        let run = try terminal.startRun(script, ["--keep", "\(terminal.folder)/data/conf/keep"])
        try await run.line(containing: "started")
        try await terminal.signIn()
        #expect(try await terminal.batonctl("sign-out").status == 0)
        #expect(names(in: "\(terminal.folder)/data") == ["conf"])
        #expect(names(in: "\(terminal.folder)/data/conf") == ["keep"])
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
                "unshare", "-m", "\(Terminal.binaries)/batonctl", "run", "--app", Terminal.runApp, "--no-namespace",
                "--wipe", "\(terminal.folder)/data", "--", "sh", "-c",
                "mkdir $DATA; mount -t tmpfs none $DATA && echo started; exec sleep 1000",
            ], environment: ["DATA": "\(terminal.folder)/data/mount"])
        try await run.line(containing: "started")
        try await terminal.signIn()
        let receipt = try await terminal.device().signOut().receipt
        let row = try #require(receipt?.participants.first { $0.app == Terminal.runApp })
        #expect(row.outcome != .cleared)
        #expect(row.details.contains("mount"))
        #expect(run.output.contains("not cleared"))
        withExtendedLifetime(daemon) {}
    }
}
