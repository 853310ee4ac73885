import Glibc
import KioskTesting
import Processes
import Testing

@Suite(.asOrdinaryUser, .timeLimit(.minutes(1))) struct AbandonedStartTests {
    /// As bubblewrap's own child does, which waits for a word of the process that has made it.
    @Test func `a start that is given up leaves none of its processes`() async throws {
        let output = try Output()
        let child = try await Launcher().start(
            ["/bin/sh", "-c", "(echo ready >&3; exec sleep 1000) & wait"], environment: ["PATH": "/usr/bin:/bin"],
            descriptors: [3: try #require(output.takeWriting())])
        #expect(await output.line() == "ready")
        child.abandon()
        #expect(await child.exit(limit: .long) == 128 + SIGKILL)
        // The other one had the pipe too.
        #expect(await output.line() == "")
        // Reaped, its number may be anybody's.
        child.abandon()
    }
}
