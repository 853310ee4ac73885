import Baton
import BusTesting
import DBus
import Glibc
import TerminalTesting
import Testing

@Suite("A disk that fails in the middle", .serialized)
struct BrokenDiskTests {
    /// From which sync on the disk answers with an input/output error; each is another place of a round.
    @Test(.timeLimit(.minutes(2)), arguments: [1, 2, 3, 5, 7, 9, 12])
    func `nothing is promised that it does not hold, and nothing of before is lost`(_ first: Int) async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        var daemon = try await terminal.startDaemon()
        var desk = try await Peer(terminal)
        let before = try await desk.signIn("bo", pin: "5678")
        let earlier = try #require(try await desk.signOut())
        await daemon.kill()

        // The traced one stays our child, so that it is what we kill.
        daemon = try terminal.run([
            "strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync,fsync", "-e",
            "inject=fdatasync,fsync:error=EIO:when=\(first)+", "\(Terminal.binaries)/batond", "--session",
        ])
        try await daemon.line(containing: "] ready")
        try await daemon.line(containing: "the agent has registered")
        let witness = try await Witness(terminal, apps: [])
        var told: Receipt?
        var begun: UInt64?
        if let epoch = try? await desk.signIn("ana", pin: "1234") {
            begun = epoch
            witness.began(epoch, "ana")
            told = try await desk.signOut()
            // What could not be written is never called clean.
            if let told { #expect(told.epoch == epoch) }
        }
        if try await desk.phase() != "ready" {
            #expect(try await desk.phase() == "quarantined")
            #expect(daemon.output.contains("the journal cannot be written"), "\(daemon.output)")
            #expect(!daemon.output.contains("Fatal error"))
        }
        witness.stop()
        await daemon.kill()

        daemon = try await terminal.startDaemon()
        desk = try await Peer(terminal)
        if try await desk.phase() != "ready" { _ = try await desk.call(Administration.endQuarantine, [:]) }
        #expect(try await desk.phase() == "ready")
        #expect(try await desk.receipt(before) == earlier)
        // A turn that was said to have begun has its receipt, and its number is nobody else's.
        if let begun {
            let kept = try #require(try await desk.receipt(begun))
            #expect(kept.account?.username == "ana")
            if let told, told.outcome == .cleared { #expect(kept.outcome == .cleared) }
        }
        let next = try await desk.signIn("bo", pin: "5678")
        #expect(next > (begun ?? before))
        _ = try await desk.signOut()
        #expect(witness.faults.isEmpty, "\(witness.faults)")
        await daemon.kill()
    }

    @Test(.timeLimit(.minutes(1)), .enabled(if: geteuid() == 0, "only root can mount a file system"))
    func `a state folder that became read-only shuts the device and says why`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let state = "\(terminal.folder)/state/baton"
        var daemon = try await terminal.startDaemon()
        var desk = try await Peer(terminal)
        let before = try await desk.signIn("ana", pin: "1234")
        _ = try await desk.signOut()
        let files = contents("\(state)/baton.sqlite")?.count
        await daemon.kill()
        #expect(mount(state, state, nil, UInt(MS_BIND), nil) == 0)
        defer { umount2(state, Int32(MNT_DETACH)) }
        #expect(mount(nil, state, nil, UInt(MS_BIND | MS_REMOUNT | MS_RDONLY), nil) == 0)
        daemon = try terminal.run(["batond", "--session"])
        let status = await daemon.end()
        #expect(status != 0)
        #expect(daemon.output.contains(state) && daemon.output.contains("Read-only"), "\(daemon.output)")
        umount2(state, Int32(MNT_DETACH))
        #expect(contents("\(state)/baton.sqlite")?.count == files)
        daemon = try await terminal.startDaemon()
        desk = try await Peer(terminal)
        #expect(try await desk.epoch() == before)
        #expect(try await desk.receipt(before)?.outcome == .cleared)
        await daemon.kill()
    }
}
