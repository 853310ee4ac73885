/// What the site answers, and what it learns by that.
final class SiteResponder: Sendable {
    typealias Reply = @Sendable (SiteAnswer) -> Void

    struct Record: Sendable {
        var connections = 0
        /// Connections that carried an earlier person's token.
        var used: Set<Int> = []
        /// Connections on which a look came, by its run.
        var looks: [String: Set<Int>] = [:]
        var seedings: [String: Seeding] = [:]
        var strictTransport: Set<String> = []
        var reports: [String: [StateKind: String]] = [:]
        /// Requests that are open for as long as who sent them lives, by connection.
        var alive: [Int: (kind: String, token: String)] = [:]
        /// Pages that wait for an order, by their name.
        var waiting: [String: (connection: Int, reply: Reply)] = [:]
        var log: [String] = []
        var targets: [String] = []
        /// Where a browser asked the proxy to connect it to.
        var tunnels: [String] = []
    }

    struct SeedNotice: Decodable {
        var token: String
        var seeded: [String]
        var failed: [String: String]
    }

    struct LookNotice: Decodable {
        var run: String
        var found: [String: String]
    }

    let record = Watched(Record())
    let pages: SitePages

    init(_ pages: SitePages) { self.pages = pages }

    func newConnection() -> Int {
        record.change { record in
            record.connections += 1
            return record.connections
        }
    }

    func connectionEnded(_ number: Int) {
        record.change { record in
            record.alive[number] = nil
            record.waiting = record.waiting.filter { $0.value.connection != number }
        }
    }

    func answer(_ request: SiteRequest, _ reply: @escaping Reply) {
        let host = (request.header("host") ?? "").prefix { $0 != ":" }
        let port = (request.header("host") ?? "").drop { $0 != ":" }
        record.change { record in
            record.log.append("\(request.connection) \(request.method) \(host)\(request.target)")
            record.targets.append(request.target)
            if request.query("token") != nil || request.header("x-token") != nil {
                record.used.insert(request.connection)
            }
            if let run = request.query("run") { record.looks[run, default: []].insert(request.connection) }
        }
        switch (host, request.path) {
        case ("hsts.test", _): reply(strictTransport(request, port: String(port)))
        case ("live.test", "/live"): stay(request)
        case ("live.test", "/orders"): wait(request, reply)
        case (_, "/seed"):
            reply(.redirect("https://hsts.test\(port)/on?token=\(request.query("token") ?? "")"))
        case (_, "/look"):
            reply(.redirect("http://hsts.test\(port)/look?run=\(request.query("run") ?? "")"))
        case (_, "/seeded"): reply(noteSeeding(request))
        case (_, "/report"): reply(noteReport(request))
        default: reply(pages.answer(request))
        }
    }

    /// A browser that knows the host comes with TLS although the address says http.
    private func strictTransport(_ request: SiteRequest, port: String) -> SiteAnswer {
        let (token, run) = (request.query("token") ?? "", request.query("run") ?? "")
        switch request.path {
        case "/on":
            return .redirect("http://hsts.test\(port)/check?token=\(token)")
                .with("Strict-Transport-Security", "max-age=864000")
        case "/check":
            if request.isSecure { record.change { _ = $0.strictTransport.insert(token) } }
            return .redirect("https://site.test\(port)/seed-page?token=\(token)")
        case "/look":
            if request.isSecure { record.change { _ = $0.strictTransport.insert("run \(run)") } }
            return .redirect("https://site.test\(port)/look-page?run=\(run)")
        default: return .text("", status: 404)
        }
    }

    private func stay(_ request: SiteRequest) {
        guard let kind = request.query("kind"), let token = request.query("token") else { return }
        record.change { $0.alive[request.connection] = (kind, token) }
    }

    private func wait(_ request: SiteRequest, _ reply: @escaping Reply) {
        guard let page = request.query("page")?.replacing("%20", with: " ") else { return }
        record.change { $0.waiting[page] = (request.connection, reply) }
    }

    private func noteSeeding(_ request: SiteRequest) -> SiteAnswer {
        guard let notice = request.decoded(SeedNotice.self) else { return .text("", status: 400) }
        record.change { record in
            var seeding = Seeding(
                seeded: Set(notice.seeded.compactMap(StateKind.init)),
                failed: Dictionary(
                    notice.failed.compactMap { name, why in StateKind(rawValue: name).map { ($0, why) } }
                ) { first, _ in first })
            if record.strictTransport.contains(notice.token) { seeding.seeded.insert(.strictTransport) }
            seeding.seeded.insert(.connection)
            record.used.insert(request.connection)
            record.seedings[notice.token] = seeding
        }
        return .text("")
    }

    private func noteReport(_ request: SiteRequest) -> SiteAnswer {
        guard let notice = request.decoded(LookNotice.self) else { return .text("", status: 400) }
        record.change { record in
            var found: [StateKind: String] = [:]
            for (name, value) in notice.found {
                if let kind = StateKind(rawValue: name) { found[kind] = value }
            }
            if record.strictTransport.contains("run \(notice.run)") { found[.strictTransport] = "upgraded" }
            // A browser opens more connections while it looks, and the report may come on one of those.
            let connections = record.looks[notice.run, default: []].union([request.connection])
            if let old = connections.intersection(record.used).min() { found[.connection] = "connection \(old)" }
            record.reports[notice.run] = found
        }
        return .text("")
    }
}
