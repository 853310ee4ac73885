import BatonMSAL
import Foundation
import Glibc

@main
struct Main {
    private static let usage = """
        usage: baton-example-graph [OPTIONS] [ACTION...]

        Microsoft's tutorial "Sign in users and call the Microsoft Graph" on a shared Linux terminal.

        Actions, one after the other; without any they are read from standard input, one a line:
          call        calls the protected address with a token: silently first, with a page if one is needed
          account     shows the current and the previous account
          device      shows the state of the device
          sign-out    signs the worker out of the whole device

        Options:
          --url URL          the protected address (standard: https://graph.microsoft.com/v1.0/me)
          --scope SCOPE      a scope of the token (standard: those of the sign-in)
          --authority URL    where the app's accounts come from (standard: the device's authority)
          --client-id ID     the app's client id (standard: baton)
          --app-id ID        the app's id on this device (standard: org.example.Graph)
          --help             this text

        It ends with 0 if every action succeeded, 1 if one did not, 64 for wrong usage. It never prints a token.
        """

    static func main() {
        guard let options = Options(CommandLine.arguments.dropFirst()) else {
            say(usage)
            exit(CommandLine.arguments.contains("--help") ? 0 : 64)
        }
        let app = GraphApp(options)
        do {
            try app.initMSAL()
        } catch {
            app.updateLogging(text: "Unable to create the application: \(error.localizedDescription)")
            exit(1)
        }
        if options.actions.isEmpty {
            while let line = readLine() { app.perform(line) }
        } else {
            options.actions.forEach(app.perform)
        }
        app.end()
        exit(app.hasFailed ? 1 : 0)
    }
}

struct Options: Sendable {
    var graphURI = "https://graph.microsoft.com/v1.0/me"
    var scopes: [String] = []
    var authority: String?
    var clientID = "baton"
    var appID = "org.example.Graph"
    var actions: [String] = []

    static let known: Set<String> = ["call", "account", "device", "sign-out"]

    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                guard Self.known.contains(word) else { return nil }
                actions.append(word)
                continue
            }
            guard let value = rest.popFirst() else { return nil }
            switch word {
            case "--url": graphURI = value
            case "--scope": scopes.append(value)
            case "--authority": authority = value
            case "--client-id": clientID = value
            case "--app-id": appID = value
            default: return nil
            }
        }
    }
}

func say(_ text: String) {
    print(text)
    // At once, also into a pipe.
    fflush(nil)
}
