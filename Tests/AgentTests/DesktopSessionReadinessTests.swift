import CLinux
import FolderTesting
import Glibc
import Testing

@testable import Agent

@Suite("A session that is just being started", .timeLimit(.minutes(1)))
struct DesktopSessionReadinessTests {
    @Test func `is waited for, and no longer than it may take`() async throws {
        let folder = try TemporaryFolder("session")
        let runtime = "\(folder.path)/run"
        let readiness = DesktopSessionReadiness(environment: [
            "XDG_RUNTIME_DIR": runtime, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(runtime)/bus,guid=1",
        ])
        #expect(await readiness.wait(atMost: .milliseconds(300)) == [runtime, "\(runtime)/bus"])
        let waiting = Task { await readiness.wait(atMost: .seconds(50)) }
        mkdir(runtime, 0o700)
        let listener = try listen("\(runtime)/bus")
        #expect(await waiting.value == [])
        close(listener)
        #expect(await readiness.missing() == ["\(runtime)/bus"])
    }

    @Test func `is complete where nothing of it is named`() async {
        #expect(await DesktopSessionReadiness(environment: ["DISPLAY": ""]).missing() == [])
    }

    @Test func `has a display that cannot be reached`() async {
        let readiness = DesktopSessionReadiness(environment: ["DISPLAY": ":7654"])
        #expect(await readiness.missing() == ["the X server :7654"])
    }

    private func listen(_ path: String) throws -> Int32 {
        let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0 && Glibc.listen(file, 1) == 0)
        return file
    }
}
