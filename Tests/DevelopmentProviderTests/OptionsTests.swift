import DevelopmentProvider
import FolderTesting
import Testing

@Suite struct OptionsTests {
    @Test(arguments: ["0.0.0.0", "192.168.1.5", "::", "example.com", "127.0.0.1.example.com", "127.1", ""])
    func `Only a loopback address is listened on`(host: String) {
        var options = ProviderOptions()
        options.host = host
        #expect(throws: ProviderOptions.Fault.notLoopback(host)) { try DevelopmentProvider(options) }
        options.host = "127.0.0.1"
        options.hostName = host
        #expect(throws: ProviderOptions.Fault.notLoopback(host)) { try DevelopmentProvider(options) }
    }

    @Test func `Other options that cannot be are refused`() {
        func fault(_ change: (inout ProviderOptions) -> Void) -> ProviderOptions.Fault? {
            var options = ProviderOptions()
            change(&options)
            do {
                _ = try DevelopmentProvider(options)
                return nil
            } catch { return error as? ProviderOptions.Fault }
        }
        #expect(fault { $0.port = 65_536 } == .port(65_536))
        #expect(fault { $0.keyFile = "/tmp/key" } == .certificateWithoutKey)
        #expect(fault { $0.tenant = "common" } == .tenant)
        #expect(fault { $0.deviceInterval = 0 } == .seconds("The polling interval"))
        #expect(fault { $0.host = "::1" } == nil)
    }

    static func inFile<Value>(_ text: String, _ body: (String) throws -> Value) throws -> Value {
        let folder = try TemporaryFolder("devidp")
        return try body(try folder.write(text, to: "file.yaml"))
    }

    @Test func `Accounts are read from a file`() throws {
        let text = """
            - {username: ana, password: secret, name: Ana, email: ana@ward.example, locale: hr}
            - {username: pat, password: secret, personal: true, oid: an-oid, tid: a-tid, sub: a-sub}
            """
        let accounts = try Self.inFile(text) { try ProviderOptions.accounts(file: $0) }
        #expect(accounts.count == 2 && accounts.first?.locale == "hr")
        #expect(accounts.last?.isPersonal == true && accounts.last?.subject == "a-sub")
    }

    @Test func `Clients are read from a file`() throws {
        let text = """
            - id: baton
              redirect-uris: ["http://127.0.0.1/callback"]
              post-logout-redirect-uris: ["http://127.0.0.1/signed-out"]
              backchannel-logout-uri: http://127.0.0.1:8091/backchannel
              backchannel-logout-session-required: true
              secret: plain
              require-pushed-authorization: true
              signing-algorithm: ES256
            """
        let client = try #require(try Self.inFile(text) { try ProviderOptions.clients(file: $0) }.first)
        #expect(client.redirectURIs == ["http://127.0.0.1/callback"] && client.secret == "plain")
        #expect(client.isBackchannelSessionRequired && client.requiresPushedAuthorization)
        #expect(client.signingAlgorithm == .es256)
    }

    @Test(arguments: [
        ("- {username: ana}", "'password' is missing at [0]"),
        ("- {username: ana, password: a, pasword: b}", "unknown key 'pasword'"),
        ("- {username: [], password: a}", "a value has the wrong type at [0].username"),
        ("- {username: ana, password: a}\n- {username: Ana, password: b}", "the user name 'ana' is there twice"),
        ("- [", "is not right"),
    ])
    func `A wrong file is explained without its passwords`(text: String, reason: String) throws {
        try Self.inFile(text) { path in
            let error = #expect(throws: ProviderOptions.Fault.self) { try ProviderOptions.accounts(file: path) }
            #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
        }
    }
}
