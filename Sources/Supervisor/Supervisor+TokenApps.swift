import BatonContract
import Identity
import Log
import Logging
import SessionMachine
import Settings
import Vocabulary

/// Which apps the settings let have tokens, and what is written down when one gets a token.
extension Supervisor {
    /// A line of the log has no more of the scopes than this, in characters.
    private static let scopesTold = 1024

    /// Who asks, as long as neither they nor the settings are what keeps them from tokens.
    func tokenApp(for request: TokenRequest, _ sender: Sender) throws(Refusal) -> AppKey {
        let app = try machine.tokenApp(sender)
        if CommandLineApps.all.contains(app.id) {
            guard settings.commandLineOrigins == nil else { return app }
            throw .notAllowed(
                "Tokens on the command line are off. An administrator allows them with the setting "
                    + "\(SettingsKey.commandLineTokens).")
        }
        let file = "apps.d/\(app.id).yaml"
        guard let listed = settings.apps.first(where: { $0.id == app.id }) else {
            guard settings.tokens == .listed else { return app }
            throw .notAllowed(
                "No file of this device names the app '\(app.id)', and only apps with a file get tokens. An administrator "
                    + "creates \(file) with the app's scopes (scopes: [User.Read]), and reloads.")
        }
        guard !listed.scopes.isEmpty else { return app }
        let allowed = Set(listed.scopes.map { $0.lowercased() })
        for scope in request.scopes + request.extraScopesToConsent
        where !allowed.contains(scope.lowercased()) && !TokenWish.concernsSignIn(scope) {
            throw .notAllowed(
                "This app's file does not list the scope '\(scope.prefix(128))'. An administrator adds it to the scopes of "
                    + "\(file), and reloads.")
        }
        return app
    }

    /// To be called for each token that an app is answered with.
    func note(_ scopes: [String], _ epoch: Epoch, _ app: AppKey, _ sender: Sender) {
        countToken(app, epoch)
        log.tell(
            .tokenGiven, .info, "an app was given a token",
            [
                "app": "\(app.id)", "pid": "\(machine.pid(of: sender) ?? 0)", "epoch": "\(epoch)",
                "scopes": "\(scopes.joined(separator: " ").prefix(Self.scopesTold))",
            ])
    }
}

/// The apps that `batonctl token` and `batonctl call` register as.
enum CommandLineApps {
    static let all: Set<String> = ["org.baton.batonctl.token", "org.baton.batonctl.call"]
}
