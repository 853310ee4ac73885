import Baton
import BusTesting
import Testing

/// `batonctl call` as the real program, against a device and a web server of its own.
@Suite(.timeLimit(.minutes(1))) struct CallCommandTests {
    /// A server that tells each request's headers, and answers as its path says.
    private static let server = """
        import http.server, json, sys
        class Site(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                print(self.path, self.headers.get("Authorization"), flush=True)
                if self.path == "/moved":
                    self.send_response(302); self.send_header("Location", sys.argv[1] + "/me"); self.end_headers()
                    return
                if self.path == "/large":
                    body = b"x" * (2 << 20)
                else:
                    body = b'{"name": "Ana"}\\n\\x1b[2J'
                self.send_response(404 if self.path == "/missing" else 200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body))); self.end_headers()
                try:
                    self.wfile.write(body)
                except OSError:
                    pass
            def log_message(self, *arguments): pass
        server = http.server.HTTPServer(("127.0.0.1", 0), Site)
        print("http://127.0.0.1:%d" % server.server_port, flush=True)
        server.serve_forever()
        """

    private func server(_ elsewhere: String = "") async throws -> (program: ChildProcess, origin: String) {
        let program = try ChildProcess(["python3", "-c", Self.server, elsewhere])
        guard let origin = await program.nextLine() else { throw TestingError("no server") }
        return (program, origin)
    }

    private func call(_ arguments: [String], origins: [String]) async throws -> (output: String, status: Int32) {
        let place = try Workplace()
        return try await withPrivateBus { bus in
            let device = try await TokenDevice(on: bus, origins: origins)
            let run = try await place.batonctl(["call"] + arguments, on: bus).end()
            // Whatever happens, the app is gone from the device's list.
            let asked = device.heard.contains { if case .token = $0 { true } else { false } }
            #expect(!asked || device.heard.last == .left)
            await device.close()
            return run
        }
    }

    @Test func `the body of the answer is printed as it is`() async throws {
        let (program, origin) = try await server()
        let run = try await call(["\(origin)/me", "--scope", "mail"], origins: [origin])
        try #require(run.status == 0, "\(run.output)")
        #expect(run.output == "{\"name\": \"Ana\"}\n\u{1B}[2J")
        #expect(await program.nextLine() == "/me Bearer \(TokenDevice.secret)")
    }

    @Test func `a program gets status and body as JSON`() async throws {
        let (site, origin) = try await server()
        let run = try await call(["\(origin)/missing", "--json"], origins: [origin])
        #expect(run.status == 4)
        #expect(run.output.contains(#""status" : 404"#) && run.output.contains(#""content-type" : "application/json""#))
        #expect(run.output.contains(#""body" : "{\"name\": \"Ana\"}\n\u001b[2J""#), "\(run.output)")
        withExtendedLifetime(site) {}
    }

    @Test func `an origin that is not listed gets no token, and the setting is named`() async throws {
        let (site, origin) = try await server()
        let run = try await call(["\(origin)/me"], origins: ["https://graph.microsoft.com"])
        #expect(run.status == 77)
        #expect(run.output.contains("command-line-tokens lists https://graph.microsoft.com"), "\(run.output)")
        withExtendedLifetime(site) {}
    }

    @Test func `a redirect elsewhere is followed without the token`() async throws {
        let (other, elsewhere) = try await server()
        let (site, origin) = try await server(elsewhere)
        let run = try await call(["\(origin)/moved"], origins: [origin, elsewhere])
        try #require(run.status == 0, "\(run.output)")
        #expect(run.output.contains("the token is not sent there"))
        #expect(await other.nextLine() == "/me None")
        withExtendedLifetime(site) {}
    }

    @Test func `more than a mebibyte is not taken`() async throws {
        let (site, origin) = try await server()
        let run = try await call(["\(origin)/large"], origins: [origin])
        #expect(run.status == 1 && run.output.contains("too large"), "\(run.output.prefix(200))")
        withExtendedLifetime(site) {}
    }

    @Test func `nobody there is said so`() async throws {
        let run = try await call(["http://127.0.0.1:1/me"], origins: ["http://127.0.0.1:1"])
        #expect(run.status == 1 && run.output == "The address cannot be reached.\n", "\(run.output)")
    }

    @Test func `on a terminal nothing of the answer steers it`() async throws {
        let (site, origin) = try await server()
        let place = try Workplace()
        try await withPrivateBus { bus in
            let device = try await TokenDevice(on: bus, origins: [origin])
            let run = try await ChildProcess(
                ["script", "--quiet", "--return", "--command", "batonctl call \(origin)/me", "/dev/null"],
                environment: place.environment(bus)
            ).end()
            #expect(
                run.status == 0 && run.output.contains("?[2J") && !run.output.contains("\u{1B}[2J"), "\(run.output)")
            await device.close()
        }
        withExtendedLifetime(site) {}
    }
}
