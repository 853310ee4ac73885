import Glibc
import LinuxSystem
import Testing

@testable import LinuxSystem

@Suite
struct `Reading /proc` {
    @Test func `a command's name cannot forge the fields behind it`() throws {
        let text = "42 (a) R 1 1 (b\n) S 7 8 9 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 12345 0\n"
        let record = try #require(ProcessRecord(stat: Array(text.utf8)))
        #expect(record.pid == 42 && record.name == "a) R 1 1 (b\n" && record.state == UInt8(ascii: "S"))
        #expect(record.parent == 7 && record.group == 8 && record.session == 9 && record.started == 12345)
    }

    @Test(arguments: [
        "", "42", "42 (", "42 )(", "42 (a)", "42 (a) S", "x (a) S 1 1 1", "42 (a) S 1 1 1 0 -1 0 0",
        "99999999999999999999 (a) S 7 8 9 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 12345 0",
        "42 (a) S x 8 9 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 12345 0",
    ])
    func `anything else is no record`(text: String) {
        #expect(ProcessRecord(stat: Array(text.utf8)) == nil)
    }

    @Test func `this process is found with its user`() throws {
        let record = try #require(ProcessRecord(pid: getpid()))
        #expect(record.parent == getppid() && record.session == getsid(0) && !record.isZombie)
        #expect(ProcessRecord.realUser(of: getpid()) == getuid())
        #expect(ProcessRecord.pids()?.contains(getpid()) == true)
        #expect(ProcessRecord.threadStates(of: getpid()).isEmpty == false)
    }
}
