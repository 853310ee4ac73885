import Baton
import Identity
import Vocabulary

extension Text {
    // MARK: Tokens on the command line

    enum CommandLine {
        static let off = """
            The command line gets no tokens of this device: the setting \(SettingsKey.commandLineTokens) is off. An administrator sets \
            it in baton.yaml to a list of the origins that a token may be sent to, such as \
            [https://graph.microsoft.com], and runs `batonctl reload`.
            """

        static func notListed(_ refused: CallOrigin.Refused) -> String {
            let origins = refused.listed.map(\.printable).joined(separator: ", ")
            return
                "No token is sent to \(refused.origin.printable): the setting \(SettingsKey.commandLineTokens) lists "
                + (origins.isEmpty ? "no origin." : "\(origins).")
        }

        static func isToken(_ token: TokenResult, until time: String) -> String {
            let scopes =
                token.scopes.isEmpty ? "the sign-in's scopes" : token.scopes.map(\.printable).joined(separator: " ")
            return
                "An access token of \(person(token.account).printable) for \(scopes), valid until \(time). A "
                + "program or person that has it can act as this worker: keep it secret."
        }

        static let callForm = "Give one address: https://…, or http://… of this machine's own loopback."
        static let tooManyRedirects = "Too many redirects."
        static let redirectedBadly = "The response redirects to an address that is neither https nor on loopback."
        static func status(_ status: Int) -> String { "Status \(status)." }
        static func tokenDropped(_ origin: String) -> String {
            "The response redirects to \(origin.printable); the token is not sent there."
        }

        static func callFailed(_ error: IdentityError) -> String {
            switch error.cause {
            case .network: "The address cannot be reached."
            case .tls: "The connection is not secure: the certificate is not trusted. See --ca-file."
            case .timeout: "The request timed out."
            case .canceled: interrupted
            case .invalidAnswer(let what), .misconfigured(let what): "The call failed: \(what.printable)."
            default: "The call failed."
            }
        }
    }
}
