import DevelopmentProvider
import FolderTesting
import Glibc
import TerminalTesting
import Testing
import WebText

@Suite(.serialized, .timeLimit(.minutes(2))) struct ProviderProgramTests {
    static func start(_ arguments: [String]) throws -> Program {
        try Program(["\(Terminal.binaries)/baton-devidp"] + arguments)
    }

    @Test(arguments: [SIGTERM, SIGINT]) func `It says when it is ready and ends at a signal`(signal: Int32) async throws
    {
        let program = try Self.start(["--sample-accounts"])
        let line = try await program.line(containing: "ready ")
        let base = String(line.dropFirst("ready ".count))
        #expect(base.hasPrefix("http://127.0.0.1:"))
        let page = try await Browser().get(base + "/.well-known/openid-configuration")
        #expect(page.json["issuer"] == .string(base))
        program.signal(signal)
        #expect(await program.end() == 0)
    }

    @Test func `It ends at a signal also while requests hang`() async throws {
        let program = try Self.start(["--misbehave", "hang@keys"])
        let base = String(try await program.line(containing: "ready ").dropFirst("ready ".count))
        await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<5 { group.addTask { _ = try await Browser().get(base + "/jwks") } }
            // The requests have arrived when they are counted.
            while true {
                let state = try? await Browser().get(base + "/control/state").json
                if state?["requests"]?["keys"] == 5 { break }
            }
            program.signal(SIGTERM)
            #expect(await program.end() == 0)
            while let result = await group.nextResult() {
                #expect(throws: (any Error).self) { try result.get() }
            }
        }
    }

    @Test(arguments: [
        (["--host", "0.0.0.0"], 64 as Int32, "not a loopback address"),
        (["--misbehave", "nonsense"], 64, "no misbehaviour 'nonsense'"),
        (["--accounts", "/nonexistent/accounts.yaml"], 78, "cannot be read"),
        (["--signing-key", "/nonexistent/key.pem"], 78, "cannot be read"),
        (["--signing-key", "/etc/passwd"], 78, "not an RSA private key"),
        (["--certificate", "/nonexistent/a", "--key", "/nonexistent/b"], 78, "certificate"),
        (["--list-misbehaviours"], 0, "wrong-signature"), (["--help"], 0, "--sample-accounts"),
    ])
    func `Its exit code and its words say what is wrong`(arguments: [String], code: Int32, text: String) async throws {
        let program = try Self.start(arguments)
        #expect(await program.end() == code)
        #expect(program.output.contains(text))
    }

    @Test func `With a signing key of a file its key set is the same after a restart`() async throws {
        let folder = try TemporaryFolder("devidp")
        let file = folder.path(of: "key.pem")
        let openssl = try Program(["openssl", "genpkey", "-algorithm", "RSA", "-out", file])
        #expect(await openssl.end() == 0)
        var sets: [JSONValue?] = []
        for _ in 0..<2 {
            let program = try Self.start(["--signing-key", file])
            let base = String(try await program.line(containing: "ready ").dropFirst("ready ".count))
            sets.append(try await Browser().get(base + "/jwks").json["keys"]?.array?.first)
            program.signal(SIGTERM)
            #expect(await program.end() == 0)
        }
        #expect(sets[0] != nil && sets[0] == sets[1])
    }

    @Test func `A port that is taken is told`() async throws {
        let first = try Self.start([])
        let base = String(try await first.line(containing: "ready ").dropFirst("ready ".count))
        let port = String(base.split(separator: ":").last ?? "")
        let second = try Self.start(["--port", port])
        #expect(await second.end() == 69)
        #expect(second.output.contains("cannot serve"))
        await first.kill()
    }
}
