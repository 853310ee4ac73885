import FolderTesting
import Glibc
import TerminalTesting
import Testing

@testable import TurnControl

@Suite("What is left of a turn's user")
struct TurnResidueTests {
    /// As the kernel writes it for user 61001, who has something of each kind, and 61002, who has nothing.
    private static func places(_ folder: TemporaryFolder) throws -> TurnResidue.Places {
        try folder.write(
            "    0:   136 135/135 99/1000000 1777/25000000\n61001:     5 4/4 4/200 24/20000\n61003:     2 2/2 2/200 30/20000\n",
            to: "proc/key-users")
        let heading = "       key      shmid perms                  size  cpid  lpid nattch   uid   gid  cuid  cgid\n"
        try folder.write(heading + "         0          0   600 4096 1 1 0 61001 1 0 0\n", to: "proc/sysvipc/shm")
        try folder.write("       key      semid perms      nsems   uid   gid  cuid  cgid\n", to: "proc/sysvipc/sem")
        try folder.write(
            "       key      msqid perms cbytes qnum lspid lrpid uid gid cuid cgid\n 0 1 600 0 0 0 0 0 0 61001 0\n",
            to: "proc/sysvipc/msg")
        try folder.write("", to: "linger/baton-turn-1")
        var places = TurnResidue.Places()
        places.proc = folder.path(of: "proc")
        places.linger = folder.path(of: "linger")
        return places
    }

    @Test func `is each key, each IPC object that it owns or made, and lingering`() throws {
        let folder = try TemporaryFolder("residue")
        let places = try Self.places(folder)
        #expect(TurnResidue.look(for: 61001, named: "baton-turn-1", in: places) == [.linger, .keys(2), .ipcObjects(2)])
        #expect(TurnResidue.look(for: 61002, named: "baton-turn-2", in: places) == [])
        #expect(TurnResidue.look(for: 61003, named: "baton-turn-3", in: places) == [])
    }

    @Test func `is unknown where the kernel cannot be read, which is not nothing`() throws {
        let folder = try TemporaryFolder("residue")
        let places = try Self.places(folder)
        try folder.write("nothing of this kind\n", to: "proc/sysvipc/shm")
        let found = TurnResidue.look(for: 61002, named: "baton-turn-2", in: places)
        #expect(found == [.unknown(what: "\(places.proc)/sysvipc/shm has no owners")])
    }

    @Test func `is each process of the folder that is looked at, and of no other`() throws {
        let folder = try TemporaryFolder("residue")
        var places = try Self.places(folder)
        // More than any kernel gives, so that no process of this machine has it.
        let pid = Int32.max
        try folder.write("State:\tS (sleeping)\nUid:\t61002\t61002\t61002\t61002\n", to: "proc/\(pid)/status")
        #expect(TurnResidue.look(for: 61002, named: "baton-turn-2", in: places) == [.processes([pid])])
        places.proc = "\(folder.path)/nowhere"
        #expect(TurnResidue.look(for: 61002, named: "baton-turn-2", in: places) == [.unknown(what: places.proc)])
    }

    @Test(.enabled("needs to become other users") { geteuid() == 0 })
    func `is each of its processes, wherever they are`() async throws {
        let program = try Program([
            "setpriv", "--reuid", "61014", "--clear-groups", "sh", "-c", "echo up; exec sleep 1000",
        ])
        try await program.line(containing: "up")
        #expect(TurnResidue.look(for: 61014, named: "baton-turn-14") == [.processes([program.pid])])
        await program.kill()
        #expect(TurnResidue.look(for: 61014, named: "baton-turn-14") == [])
    }
}
