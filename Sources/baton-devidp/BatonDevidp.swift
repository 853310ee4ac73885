import ArgumentParser
import BatonContract
import DevelopmentProvider
import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

@main
struct BatonDevidp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "baton-devidp",
        abstract: "A small OpenID provider for development, tests and the demo.",
        discussion: """
            Listens on this machine only and prints 'ready ISSUER' when it does. Runs in the foreground until \
            SIGTERM. Passwords stand in plain text in its files and it misbehaves on demand: never let it guard \
            anything real. Exit codes: 0 stopped, 64 usage, 69 the port cannot be had, 78 a file cannot be used.

            Example, two people (ana with the password ana, ben with ben) and any client:
              baton-devidp --sample-accounts --port 8090

            Accounts, a YAML list; only username and password are needed:
              - username: ana
                password: ana
                name: Ana Horvat
                email: ana@ward.example
                locale: hr
                oid: GUID          # Microsoft's object id, tenant and kind
                tid: GUID
                personal: false
                home-tid: GUID     # a guest's own tenant, and their object id there
                home-oid: GUID
                sub: text          # derived from the user name when missing

            Clients, a YAML list; only id is needed:
              - id: baton
                redirect-uris:     # none: any loopback or private-use address
                  - http://127.0.0.1/callback
                  - msauth.org.example.app://auth
                post-logout-redirect-uris: ["http://127.0.0.1/signed-out"]
                backchannel-logout-uri: http://127.0.0.1:8091/backchannel
                frontchannel-logout-uri: http://127.0.0.1:8091/frontchannel
                backchannel-logout-session-required: true
                secret: plain text
                public-key: PEM or JSON key set, for private_key_jwt
                require-pushed-authorization: false
                ask-consent: false
                signing-algorithm: RS256  # or ES256

            While it runs, GET /control/state tells counters and lives, and these change it
            (POST, application/json; a page in a browser cannot, for it sends an Origin):
              /control/misbehave    {"set": ["hang@token"], "clear": ["all"]}
              /control/rotate-keys
              /control/end-session  {"username": "ana"}, or {} for all
              /control/approve      {"username": "ana", "user_code": "ABCD-EFGH"}
              /control/deny         {"user_code": "ABCD-EFGH"} or all codes
              /control/expire       {"what": "access-tokens"} or refresh-tokens,
                                    device-codes, sessions, all
            """,
        version: Version.current)

    @OptionGroup(title: "Address") var address: AddressOptions
    @OptionGroup(title: "People and clients") var people: PeopleOptions
    @OptionGroup(title: "Behaviour") var behaviour: BehaviourOptions

    func run() async throws {
        if behaviour.listMisbehaviours { return behaviour.printMisbehaviours() }
        var log = Logger(label: "baton-devidp", factory: StreamLogHandler.standardError(label:))
        log.logLevel = behaviour.logLevel
        let provider: DevelopmentProvider
        do {
            var options = ProviderOptions()
            try address.apply(to: &options)
            try people.apply(to: &options)
            try behaviour.apply(to: &options)
            provider = try DevelopmentProvider(options, log: log)
        } catch let fault as ProviderOptions.Fault {
            throw failure(fault.description, code: fault.isFile ? 78 : 64)
        }
        let silent = Logger(label: "lifecycle") { _ in SwiftLogNoOpLogHandler() }
        let services = ServiceGroup(
            services: [provider, ReadyLine(provider: provider)], gracefulShutdownSignals: [.sigterm, .sigint],
            logger: silent)
        do {
            try await services.run()
        } catch let fault as ProviderOptions.Fault {
            throw failure(fault.description, code: 78)
        } catch {
            throw failure("The provider cannot serve: \(error)", code: 69)
        }
    }

    private func failure(_ message: String, code: Int32) -> ExitCode {
        let bytes = Array("baton-devidp: \(message)\n".utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
        return ExitCode(code)
    }
}
