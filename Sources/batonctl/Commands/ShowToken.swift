import ArgumentParser
import Baton

struct ShowToken: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: Text.Help.token,
        discussion: Text.Help.tokenDiscussion + "\n\n"
            + Text.Help.example(
                "batonctl token --scope User.Read", "batonctl token --scope User.Read --json | jq -r '.\"expires\"'"))

    @OptionGroup var options: TokenOptions
    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await reporting {
            let device = try await bus.device()
            _ = try await CommandLineTokens.origins(of: device)
            let options = options
            let token = try await interruptibly {
                try await CommandLineTokens.participating(on: device, as: CommandLineTokens.tokenApp) {
                    try await options.acquire(on: device)
                }
            }
            if Terminal.isInteractive {
                let time = LocalTime.standard.text(Int64(clamping: token.expires).multipliedClamping(by: 1_000_000))
                Terminal.complain(Text.CommandLine.isToken(token, until: time))
            }
            Terminal.say(try output.json ? JSONOutput.document(TokenReport(token)) : token.accessToken)
        }
    }
}

/// The JSON of `token`.
struct TokenReport: Encodable {
    var accessToken: String
    var tokenType: String
    var expires: UInt64
    var scopes: [String]
    var declinedScopes: [String]
    var account: Account
    var authority: String
    var correlationID: String
    var epoch: Epoch

    enum CodingKeys: String, CodingKey {
        case expires, scopes, account, authority, epoch
        case accessToken = "access-token"
        case tokenType = "token-type"
        case declinedScopes = "declined-scopes"
        case correlationID = "correlation-id"
    }

    init(_ token: TokenResult) {
        accessToken = token.accessToken
        tokenType = token.tokenType
        expires = token.expires
        scopes = token.scopes
        declinedScopes = token.declinedScopes
        account = token.account
        authority = token.authority
        correlationID = token.correlationID
        epoch = token.epoch
    }
}

extension Int64 {
    func multipliedClamping(by factor: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? .max : product
    }
}
