import BusTesting
import FoundationEssentials
import TerminalTesting

/// The site's pages and resources; each resource answers otherwise with the header `x-token` than without it.
struct SitePages: Sendable {
    private let scripts: [String: String]

    init() throws {
        var scripts: [String: String] = [:]
        for name in ["state", "seed", "look", "embedded", "worker", "shared"] {
            guard
                let data = FileManager.default.contents(
                    atPath: "\(Terminal.package)/Tests/KioskTesting/site/\(name).js")
            else { throw TestingError("no \(name).js") }
            scripts[name] = String(decoding: data, as: UTF8.self)
        }
        self.scripts = scripts
    }

    func answer(_ request: SiteRequest) -> SiteAnswer {
        let token = request.header("x-token")
        switch request.path {
        case "/seed-page": return page(["state", "seed"], icon: "/icon?token=\(request.query("token") ?? "")")
        case "/look-page": return page(["state", "look"])
        case "/standby":
            return page(["state"], script: "standBy()")
        case "/embedded": return page(["embedded"])
        case "/worker.js", "/shared.js":
            return .text(scripts[String(request.path.dropFirst().dropLast(3))] ?? "", type: "text/javascript")
        case "/set-cookie":
            return .text("").with("Set-Cookie", "hidden=\(token ?? ""); Path=/; Secure; HttpOnly; Max-Age=864000")
        case "/cookie": return .text(request.cookie("hidden") ?? "")
        case "/immutable":
            guard let token else { return .text("") }
            return .text(token).with("Cache-Control", "max-age=31536000, immutable")
        case "/tagged":
            // The browser brings the tag back; the body alone would show a cache without it.
            let tag = token ?? request.header("if-none-match")?.filter { $0 != "\"" } ?? ""
            return .text(tag).with("ETag", "\"\(tag)\"").with("Cache-Control", "private, no-cache")
        case "/moved":
            guard let token else { return .text("") }
            return .redirect("/moved-to?token=\(token)", status: 301).with("Cache-Control", "max-age=31536000")
        case "/private/enter":
            if request.password != nil { return .text("") }
            return .text("", status: 401).with("WWW-Authenticate", "Basic realm=\"worker\"")
        case "/private/look": return .text(request.password ?? "")
        case "/download":
            return .text(request.query("token") ?? "", type: "application/octet-stream")
                .with("Content-Disposition", "attachment; filename=\"worker.bin\"")
        case "/moved-to", "/icon", "/form-ready": return .text("")
        case "/form":
            return .text(
                "<!doctype html><title>form</title><form action=/arrived><input name=remembered autofocus></form>"
                    + "<script>onload = () => fetch('/form-ready')</script>",
                type: "text/html")
        case "/", "/arrived": return page([])
        default: return .text("", status: 404)
        }
    }

    private func page(_ names: [String], script: String = "", icon: String = "data:,") -> SiteAnswer {
        let scripts = names.map { self.scripts[$0] ?? "" } + [script]
        return .text(
            "<!doctype html><meta charset=utf-8><title>site</title><link rel=icon href=\"\(icon)\"><body><p>site</p>"
                + scripts.filter { !$0.isEmpty }.map { "<script>\n\($0)\n</script>" }.joined(),
            type: "text/html")
    }
}
