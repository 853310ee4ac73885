import Glibc
import TerminalTesting
import Testing

/// `docs/schemas/baton.json` is what scripts rely on.
@Suite("JSON for programs", .timeLimit(.minutes(3)))
struct JSONOutputTests {
    @Test(
        .enabled(if: access("/usr/lib/python3/dist-packages/jsonschema", F_OK) == 0, "needs python3-jsonschema"),
        .enabled(if: access("/usr/bin/Xvfb", X_OK) == 0, "needs Xvfb"))
    func `each command prints what its schema says, and no schema takes anything else`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let script = try terminal.run([
            "/usr/bin/python3", "\(Terminal.package)/Tests/json-outputs", Terminal.binaries,
        ])
        #expect(await script.end() == 0, "\(script.output)")
        #expect(script.output.hasPrefix("ok: "), "\(script.output)")
    }
}
