import Baton
import BusTesting
import FolderTesting
import Glibc
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

    @Test(.enabled(if: geteuid() == 0, "only root becomes another user"))
    func `who is refused has a line without a name, and leaves one thread behind at most`() async throws {
        let terminal = try Terminal(
            settings: "agent: {required: false, start: false}\n" + Terminal.patient, isOpen: true)
        let hanging = try await terminal.preload(
            """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <pwd.h>
            #include <unistd.h>
            int getpwuid_r(uid_t user, struct passwd *entry, char *buffer, size_t size, struct passwd **result) {
                int (*real)(uid_t, struct passwd *, char *, size_t, struct passwd **) = dlsym(RTLD_NEXT, "getpwuid_r");
                while (user == 65534) pause();
                return real(user, entry, buffer, size, result);
            }
            """)
        let daemon = try terminal.run(["batond", "--session"], environment: hanging)
        try await daemon.line(containing: "] ready")
        let before = names(in: "/proc/\(daemon.pid)/task").count
        // Three lines, of which two come when the directory is known to hang.
        for count in 1...3 {
            while daemon.output.split(separator: "\n").count(where: { $0.contains("the mode was to be set: refused") })
                < count
            {
                let stranger = try terminal.run([
                    "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "busctl",
                    "--address=\(terminal.bus.rawAddress)", "call", "org.baton.Device1", "/org/baton/Device1",
                    "org.baton.Device1.Administration", "SetDeviceMode", "s", "default",
                ])
                #expect(await stranger.end() == 1)
            }
        }
        let line = try await daemon.line(containing: "the mode was to be set: refused", count: 3)
        #expect(line.contains(" uid=65534 ") && !line.contains("user=nobody"), "\(line)")
        let after = names(in: "/proc/\(daemon.pid)/task").count
        #expect(after <= before + 2, "\(before) threads, then \(after)")
        await daemon.kill()
    }
}
