import Baton
import BatonMSAL
import Foundation
import Testing

// The documents' snippets, as they stand there: that they compile is half of the test.

private func handover() async throws {
    let device = try await Device.connect()
    try await device.participate(
        as: "org.example.Handover",
        signedIn: { account, epoch in show("Hello \(account.name)") },
        clear: { request in
            try removeEverythingOf(request.account)
            return .cleared
        })
}

private func wardList() async throws {
    let device = try await Device.connect()
    try await device.participate(as: "org.example.WardList") { account, epoch in
        await notes.open(for: account)
    } clear: { request in
        try await notes.remove()
        return .cleared
    }
}

private func moreTime(device: Device) async throws {
    try await device.participate(as: "org.example.WardList") { request in
        try await request.extend(by: .seconds(3))
        try await notes.remove()
        return .cleared
    }
}

private func priceCheck() async throws -> Int {
    let device = try await Device.connect()
    let price = try await device.participating(as: "org.example.PriceCheck") { request in
        try await notes.remove()
        return .cleared
    } _: {
        try await lookUpPrice()
    }
    return price
}

private func watching() async throws {
    let device = try await Device.connect()
    for await event in try await device.events() {
        show(event)
    }
}

private func till() async throws {
    let device = try await Device.connect()
    try await device.participate(as: "org.example.Till") { account, epoch in
        do {
            show(try await device.acquireTokenSilently(TokenRequest(scopes: ["User.Read"])))
        } catch let error as BatonError where error.code == .interactionRequired {
            // A page of the provider, when the worker wants it: device.acquireToken(TokenRequest(scopes: ["User.Read"]))
        } catch {
            show(error)
        }
    } clear: { _ in
        try forget()
        return .cleared
    }
}

private func msal(authorityURL: URL, kClientID: String, kScopes: [String], account: MSALAccount) throws {
    let authority = try MSALAADAuthority(url: authorityURL)
    let configuration = MSALPublicClientApplicationConfig(clientId: kClientID, redirectUri: nil, authority: authority)
    let application = try MSALPublicClientApplication(
        configuration: configuration, appID: "org.example.Till"
    ) { request in
        try await notes.remove()
        return .cleared
    }
    let parameters = MSALSilentTokenParameters(scopes: kScopes, account: account)
    application.acquireTokenSilent(with: parameters) { result, error in
        if let error = error as NSError?, error.domain == MSALErrorDomain,
            error.code == MSALError.interactionRequired.rawValue
        {
            show(error.userInfo)
        }
    }
}

/// What the snippets call, which the app brings.
private actor Notes {
    func open(for account: Account) {}
    func remove() throws {}
}

private let notes = Notes()
private func show<Value>(_ value: Value) {}
private func forget() throws {}
private func removeEverythingOf(_ account: Account?) throws {}
private func lookUpPrice() async throws -> Int { 1 }

struct DocumentSnippetTests {
    private static let package = #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 }
    private static let catalog = "Sources/Baton/Baton.docc/"

    /// The lines as they count: how deep they stand, and what they import, is the page's affair.
    private static func code(_ lines: some Sequence<Substring>) -> String {
        lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty && !$0.hasPrefix("import ") }
            .map { $0 + "\n" }.joined()
    }

    private static func snippets(of page: String) throws -> [String] {
        let text = try String(contentsOfFile: "\(package)/\(page)", encoding: .utf8)
        var found: [String] = []
        var block: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "```swift" {
                block = []
            } else if line == "```", let lines = block {
                found.append(code(lines))
                block = nil
            } else {
                block?.append(line)
            }
        }
        return found
    }

    @Test(
        arguments: [
            ("README.md", 1), ("docs/apps.md", 3), (catalog + "Baton.md", 1), (catalog + "TakingPart.md", 4),
            (catalog + "AskingForTokens.md", 1), ("Sources/BatonMSAL/BatonMSAL.docc/BatonMSAL.md", 1),
        ])
    func `a page's Swift is what this file compiles`(page: String, count: Int) throws {
        let compiled = Self.code(try String(contentsOfFile: #filePath, encoding: .utf8).split(separator: "\n"))
        let snippets = try Self.snippets(of: page)
        #expect(snippets.count == count)
        for snippet in snippets { #expect(compiled.contains(snippet), "\(snippet)") }
    }
}
