import Baton
import BusTesting
import TerminalTesting
import Testing

@Suite("A directory of users that does not answer", .timeLimit(.minutes(2)))
struct HangingDirectoryTests {
    @Test func `batond begins without its administrators, and says so`() async throws {
        let terminal = try Terminal(settings: "administrators: [\"%ward-it\"]\n")
        let hanging = try await terminal.preload(
            """
            #include <grp.h>
            #include <unistd.h>
            int getgrnam_r(const char *name, struct group *group, char *buffer, size_t size, struct group **result) {
                for (;;) pause();
            }
            """)
        let daemon = try terminal.run(["batond", "--session"], environment: hanging)
        // 20 s later: a machine that starts waits for its directory a little.
        try await daemon.line(containing: "Looking up the administrators timed out")
        try await daemon.line(containing: "the agent has registered")
        let worker = try await Peer(terminal)
        let epoch = try await worker.signIn("ana", pin: "1234")
        #expect(try await worker.signOut()?.epoch == epoch)
        await daemon.kill()
    }
}
