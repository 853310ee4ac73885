import ArgumentParser
import DevelopmentProvider

struct PeopleOptions: ParsableArguments {
    @Option(
        help: "The kind of provider to imitate: openid, entra, b2c, external or adfs.",
        transform: {
            guard let kind = ProviderKind(rawValue: $0) else { throw ValidationError("There is no kind '\($0)'.") }
            return kind
        })
    var kind = ProviderKind.openid

    @Option(help: ArgumentHelp("The home tenant, for kinds with tenants.", valueName: "guid"))
    var tenant: String?

    @Option(help: ArgumentHelp("Accounts, with passwords in plain text.", valueName: "file"))
    var accounts: String?

    @Flag(help: "Have ana and ben, each with the name as password (with --kind entra also pat, a personal account).")
    var sampleAccounts = false

    @Option(help: ArgumentHelp("Clients; without this, every client id is accepted.", valueName: "file"))
    var clients: String?

    @Option(name: .customLong("client"), help: ArgumentHelp("Accept this client id; may be repeated.", valueName: "id"))
    var clientIDs: [String] = []

    @Option(
        name: .customLong("redirect-uri"),
        help: ArgumentHelp(
            "A redirect URI of every --client, or of all; may be repeated. On loopback any port fits.",
            valueName: "uri"))
    var redirectURIs: [String] = []

    @Option(
        name: .customLong("post-logout-redirect-uri"),
        help: ArgumentHelp("A post-log-out redirect URI of every --client; may be repeated.", valueName: "uri"))
    var postLogoutRedirectURIs: [String] = []

    @Option(
        name: .customLong("backchannel-logout-uri"),
        help: ArgumentHelp("The back-channel log-out address of clients that name none.", valueName: "uri"))
    var backchannelLogoutURI: String?

    @Option(
        name: .customLong("frontchannel-logout-uri"),
        help: ArgumentHelp("The front-channel log-out address of clients that name none.", valueName: "uri"))
    var frontchannelLogoutURI: String?

    func validate() throws {
        guard clients == nil || clientIDs.isEmpty else {
            throw ValidationError("Name clients with --clients or with --client.")
        }
    }

    func apply(to options: inout ProviderOptions) throws {
        options.kind = kind
        if let tenant { options.tenant = tenant }
        if let accounts { options.accounts = try ProviderOptions.accounts(file: accounts) }
        if sampleAccounts {
            let present = Set(options.accounts.map(\.username))
            let samples = DevelopmentAccount.samples + (kind == .entra ? [.personalSample] : [])
            options.accounts += samples.filter { !present.contains($0.username) }
        }
        if let clients {
            options.clients = try ProviderOptions.clients(file: clients)
        } else if !clientIDs.isEmpty {
            options.clients = clientIDs.map {
                DevelopmentClient(
                    id: $0, redirectURIs: redirectURIs, postLogoutRedirectURIs: postLogoutRedirectURIs)
            }
        }
        options.redirectURIs = redirectURIs
        options.backchannelLogoutURI = backchannelLogoutURI
        options.frontchannelLogoutURI = frontchannelLogoutURI
    }
}
