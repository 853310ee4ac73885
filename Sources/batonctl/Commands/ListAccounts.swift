import ArgumentParser
import LocalAccounts
import Vocabulary

struct ListAccounts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: Text.Help.listAccounts,
        discussion: Text.Help.example("batonctl account list", "batonctl account list --system --json"))

    @OptionGroup var file: AccountFileOptions

    func run() async throws {
        try await reporting {
            let accounts = try await file.accounts().list()
            Terminal.say(
                try file.output.json
                    ? JSONOutput.document(accounts.map(LocalAccountReport.init))
                    : OutputRendering(style: Terminal.styleOfOutput).accounts(accounts))
        }
    }
}

/// The JSON of one row of `account list`.
struct LocalAccountReport: Encodable {
    var username: String
    var name: String
    var locale: String?
    var keyboard: String?
    var hasPIN: Bool

    enum CodingKeys: String, CodingKey {
        case username, name, locale, keyboard
        case hasPIN = "has-pin"
    }

    init(_ account: LocalAccount) {
        username = account.username
        name = account.name
        locale = account.locale
        keyboard = account.keyboard?.text
        hasPIN = account.pin != nil
    }

    func encode(to encoder: any Encoder) throws {
        // Written out, so that a key is there also when it has no value.
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(username, forKey: .username)
        try container.encode(name, forKey: .name)
        try container.encode(locale, forKey: .locale)
        try container.encode(keyboard, forKey: .keyboard)
        try container.encode(hasPIN, forKey: .hasPIN)
    }
}
