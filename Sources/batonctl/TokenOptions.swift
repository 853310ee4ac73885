import ArgumentParser
import Baton

/// Which token to ask for.
struct TokenOptions: ParsableArguments {
    @Option(name: .customLong("scope"), help: ArgumentHelp(Text.Help.scope, valueName: "scope"))
    var scopes: [String] = []

    @Flag(help: ArgumentHelp(Text.Help.forceRefresh))
    var forceRefresh = false

    @Flag(help: ArgumentHelp(Text.Help.interactive))
    var interactive = false

    /// Silent first; with a page only where one is needed and the caller wants it.
    func acquire(on device: Device) async throws -> TokenResult {
        let request = TokenRequest(scopes: scopes, forceRefresh: forceRefresh)
        do {
            return try await device.acquireTokenSilently(request)
        } catch let error as BatonError
            where interactive && [.interactionRequired, .notSignedIn].contains(error.code)
        {
            // JSON is for what comes of it; what the worker has to do is always for people.
            let display = SignInDisplay(isJSON: false, opensPages: true, showsQRCode: false)
            return try await display.follow { step in try await device.acquireToken(request, step: step) }
        }
    }
}
