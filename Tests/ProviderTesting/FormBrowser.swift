import BusTesting

/// Goes through pages that are plain HTML forms, such as those of `baton-devidp`.
///
/// It knows fields by what their names say, so it needs to know no provider's pages exactly.
public struct FormBrowser: ProviderBrowser {
    public let client: WebClient
    private static let mostSteps = 20
    private static let refusals = ["cancel", "deny", "no", "reject", "decline", "other", "back"]

    public init(caFile: String? = nil) {
        client = WebClient(caFile: caFile)
    }

    public func signIn(at url: String, as account: ProviderAccount) async throws -> String {
        guard let redirect = try await walk(from: url, as: account, saying: true) else {
            throw TestingError("the sign-in ended on a page of the provider")
        }
        return redirect
    }

    /// Opens a sign-in's address and presses what cancels it; returns the redirect to the app.
    public func cancel(at url: String) async throws -> String {
        guard let redirect = try await walk(from: url, as: nil, saying: false) else {
            throw TestingError("the sign-in ended on a page of the provider")
        }
        return redirect
    }

    public func answerDevice(at url: String, as account: ProviderAccount, approves: Bool) async throws {
        let redirect = try await walk(from: url, as: account, saying: approves)
        guard redirect == nil else { throw TestingError("a device code led away from the provider") }
    }

    public func signOut(at url: String) async throws -> String? {
        try await walk(from: url, as: nil, saying: true)
    }

    /// Presses what says yes on a page's first form and returns the page that comes.
    public func confirm(_ page: WebClient.Answer) async throws -> WebClient.Answer {
        guard var form = HTMLForm.all(in: page.text).first else { throw TestingError("a page without a form") }
        if let button = Self.button(of: form, saying: true), !button.name.isEmpty {
            form.fields.append((name: button.name, value: button.value))
        }
        return try await client.post(WebAddress.resolve(form.action, from: page.url), form: form.fields)
    }

    /// Follows redirects and fills forms until the way leads away from the provider, or to a page without a form.
    private func walk(from url: String, as account: ProviderAccount?, saying yes: Bool) async throws -> String? {
        let origin = WebAddress.origin(url)
        var answer = try await client.get(url)
        var lastPage = ""
        for _ in 0..<Self.mostSteps {
            if let location = answer.location ?? Self.refresh(of: answer) {
                guard WebAddress.origin(location) == origin else { return location }
                answer = try await client.get(location)
                continue
            }
            guard var form = HTMLForm.all(in: answer.text).first else {
                guard answer.status < 400 else { throw TestingError("\(answer.url): status \(answer.status)") }
                return nil
            }
            guard answer.text != lastPage else { throw TestingError("the page comes again: \(answer.text)") }
            lastPage = answer.text
            try Self.fill(&form, account)
            if let button = Self.button(of: form, saying: yes), !button.name.isEmpty {
                form.fields.append((name: button.name, value: button.value))
            }
            let target = WebAddress.resolve(form.action, from: answer.url)
            // A form that answers the app directly.
            guard WebAddress.origin(target) == origin else {
                return target + (target.contains("?") ? "&" : "?") + WebAddress.encoded(form.fields)
            }
            answer =
                form.isPost
                ? try await client.post(target, form: form.fields)
                : try await client.get(target + "?" + WebAddress.encoded(form.fields))
        }
        throw TestingError("too many pages")
    }

    private static func fill(_ form: inout HTMLForm, _ account: ProviderAccount?) throws {
        for index in form.fields.indices {
            let name = form.fields[index].name.lowercased()
            let isPassword = name.contains("password") || name == "pin"
            guard isPassword || ["username", "user", "login", "email"].contains(name) else { continue }
            guard let account else { continue }
            form.fields[index].value = isPassword ? account.password : account.username
        }
    }

    /// The button that says yes or no; where only one is there, that one.
    private static func button(of form: HTMLForm, saying yes: Bool) -> HTMLForm.Button? {
        let says = form.buttons.first { button in
            refusals.contains { button.value.lowercased() == $0 || button.label.lowercased() == $0 } != yes
        }
        return says ?? form.buttons.first
    }

    /// Where a page leads by itself, as log-out pages do.
    private static func refresh(of answer: WebClient.Answer) -> String? {
        guard let start = answer.text.firstRange(of: "http-equiv=\"refresh\""),
            let link = answer.text[start.upperBound...].firstRange(of: "url=")
        else { return nil }
        let text = answer.text[link.upperBound...].prefix { $0 != "\"" }
        let url = text.replacing("&amp;", with: "&").replacing("&#39;", with: "'")
        return WebAddress.resolve(String(url), from: answer.url)
    }
}
