import DBus
import Testing
import Vocabulary

@testable import BatonContract

@Suite struct DictionaryMessageTests {
    private static func same<Message: DictionaryMessage & Equatable>(_ message: Message) throws {
        #expect(try Message(message.dictionary) == message)
        for (key, value) in message.dictionary { #expect(Message.types[key] == value.typeSignature, "\(key)") }
    }

    @Test func `what is said is read as the same`() throws {
        var beginning = TurnBeginning()
        (beginning.began, beginning.boottime, beginning.logOuts) = (-5, .max, ["https://id.example/out"])
        (beginning.locale, beginning.keyboard) = ("de_CH", "ch(fr)")
        try Self.same(beginning)
        var order = ContainmentOrder()
        (order.app, order.isListed, order.instances, order.limit) = ("org.example.App", true, [4, 7], .seconds(3))
        try Self.same(order)
        var result = BrowserSignOutResult()
        (result.outcome, result.logOut) = (.clean, .confirmed)
        result.checks = [CheckRow("cover", .clean, ""), CheckRow("browser", .unchecked, "none")]
        try Self.same(result)
        var clearing = SharedClearing()
        (clearing.spare, clearing.listed) = ([1, 2], [3])
        try Self.same(clearing)
        var app = AgentConfiguration.ManagedApp(id: "a", name: "b", command: ["/bin/c"])
        app.environment = ["A": "B=C", "D": ""]
        try Self.same(app)
        try Self.same(AgentConfiguration())
        var desktop = AgentConfiguration.Desktop()
        desktop.hasOwnKeyboards = true
        #expect(desktop.keyboards.add("de-CH", try #require(KeyboardLayout("ch(fr)"))))
        try Self.same(desktop)
        try Self.same(AgentState(proof: .tree, warnings: ["one"]))
        try Self.same(SignInPage(again: true))
        try Self.same(AgentWelcome())
    }

    @Test func `what a client writes batond reads as the same`() throws {
        try Self.same(LocalSignIn(username: "ana"))
        try Self.same(ProviderSignIn())
        try Self.same(
            ProviderSignIn(
                .deviceCode, redirectURI: "x.y://auth", prompt: .selectAccount, maxAge: 0, loginHint: "ana",
                domainHint: "ward.example", correlationID: "c"))
        try Self.same(SignOutOptions(epoch: 7, reason: .administrator, wipesAccount: true))
        try Self.same(RegistrationOptions(token: nil, turn: "word"))
        try Self.same(
            TokenRequest(
                scopes: ["mail"], extraScopesToConsent: ["files"], prompt: .consent, loginHint: "ana",
                domainHint: "ward",
                claims: "{}", extraQueryParameters: ["dc": "eu"], forceRefresh: true, redirectURI: "x.y://auth",
                account: "issuer#ana", correlationID: "c"))
    }

    @Test func `an option that is absent is as the manual says`() throws {
        #expect(try ProviderSignIn([:]) == ProviderSignIn(.browser))
        #expect(try SignOutOptions([:]) == SignOutOptions(epoch: nil, reason: .user, wipesAccount: false))
        #expect(try RegistrationOptions([:]) == RegistrationOptions(token: nil, turn: nil))
        #expect(RegistrationOptions().dictionary.isEmpty && LocalSignIn().dictionary.isEmpty)
    }

    @Test func `an option that is misspelt, of another type or an unknown word is refused by its name`() {
        func expect<Message: DictionaryMessage>(
            _ type: Message.Type, _ key: String, _ value: Variant, _ why: String,
            _ place: SourceLocation = #_sourceLocation
        ) {
            #expect(throws: DBusError.invalidValue(why), sourceLocation: place) { try Message([key: value]) }
        }
        expect(SignOutOptions.self, "epock", .uint64(1), "there is no option 'epock'")
        expect(SignOutOptions.self, "epoch", .string("1"), "'epoch' has type 's' and not 't'")
        expect(
            SignOutOptions.self, "reason", .string("fun"),
            "'reason' is one of user, browser, idle, expired, administrator, provider, sleep, shutdown, lock, agent-lost, recovery"
        )
        expect(SignOutOptions.self, "wipe-account", .string("true"), "'wipe-account' has type 's' and not 'b'")
        expect(RegistrationOptions.self, "tokens", .string(""), "there is no option 'tokens'")
        expect(RegistrationOptions.self, "token", .string(""), "'token' has type 's' and not 'h'")
        expect(RegistrationOptions.self, "turn", .uint64(1), "'turn' has type 't' and not 's'")
        expect(LocalSignIn.self, "method", .string("browser"), "there is no option 'method'")
        expect(LocalSignIn.self, "pin", .string("1234"), "'pin' has type 's' and not 'h'")
        expect(ProviderSignIn.self, "username", .string("ana"), "there is no option 'username'")
        expect(ProviderSignIn.self, "method", .string("fax"), "'method' is one of browser, device-code")
        expect(
            ProviderSignIn.self, "prompt", .string("none"), "'prompt' is one of select-account, login, consent, create")
        expect(ProviderSignIn.self, "max-age", .int64(1), "'max-age' has type 'x' and not 't'")
        for text in ["", "two\nlines", String(repeating: "x", count: 257)] {
            expect(
                ProviderSignIn.self, "login-hint", .string(text), "'login-hint' is a text of 1 to 256 bytes on one line"
            )
        }
        expect(
            TokenRequest.self, "extra-query-parameters", .dictionary(["a": .uint64(1)]),
            "'extra-query-parameters' has texts as values")
    }

    @Test func `the account of a turn is an account with one key more`() throws {
        let account = RecordTests.account
        let told = HolderAccount(account, turn: "word")
        #expect(HolderAccount(told.dictionary) == told && Account(told.dictionary) == account)
        #expect(told.dictionary == account.dictionary.merging(["turn": .string("word")]) { $1 })
        #expect(HolderAccount(account).dictionary == account.dictionary)
        #expect(HolderAccount([:]) == nil && HolderAccount(["turn": .string("word")]) == nil)
    }

    @Test func `an agent reads its journal also in what GetDeviceInformation answers`() {
        var information = DeviceInformation()
        #expect(information.dictionary["journal-before"] == nil)
        (information.journalID, information.journalBefore) = ("new", "old")
        let read = DeviceInformation(information.dictionary)
        #expect(read.journalID == "new" && read.journalBefore == "old")
    }

    @Test func `a missing key, another type and an unknown word are refused, and an unknown key is not`() {
        let order: VariantDictionary = [
            "id": .string("a"), "listed": .boolean(true), "instances": .array(element: "t", []),
        ]
        #expect(throws: Never.self) { try ContainmentOrder(order) }
        #expect(throws: Never.self) { try ContainmentOrder(order.merging(["colour": .string("red")]) { $1 }) }
        for key in order.keys {
            var given = order
            given[key] = nil
            #expect(throws: DBusError.invalidValue("'\(key)' is missing")) { try ContainmentOrder(given) }
            given[key] = .double(1)
            #expect(throws: DBusError.self) { try ContainmentOrder(given) }
        }
        for word in ["Contained", "", "cleared"] {
            #expect(throws: DBusError.self) { try ContainmentResult(["outcome": .string(word)]) }
        }
        #expect(throws: DBusError.self) {
            try BrowserSignOutResult(["outcome": .string("clean"), "log-out": .string("")])
        }
        let row: VariantDictionary = ["holder": .string("x"), "outcome": .string("fine")]
        #expect(throws: DBusError.self) {
            try BrowserSignOutResult(["outcome": .string("clean"), "checks": .dictionaries([row])])
        }
    }

    @Test func `an agent that registers with an unknown option is refused`() throws {
        let registration = AgentRegistration(watching: [7])
        #expect(try AgentRegistration(registration.dictionary) == registration)
        #expect(throws: DBusError.invalidValue("there is no option 'watchings'")) {
            try AgentRegistration(["watchings": [Instance]().variant])
        }
    }

    @Test func `texts of an agent are cut, and a limit is a day at most`() throws {
        let long = String(repeating: "x", count: 5000)
        let result = try ContainmentResult(
            ["outcome": .string("failed"), "proof": .string("tree"), "explanation": .string(long)])
        #expect(result.proof == .tree && result.explanation.count == 1024)
        #expect(throws: DBusError.self) {
            try ContainmentResult(["outcome": .string("failed"), "proof": .string(long)])
        }
        #expect(try AgentState(["warnings": .strings(Array(repeating: long, count: 99))]).warnings.count == 32)
        #expect(try SharedClearing(["limit": .uint64(.max)]).limit == .seconds(86_400))
        var order = BrowserSignOut()
        order.limit = .seconds(Int64.max / 2)
        #expect(order.dictionary["limit"] == .uint64(86_400_000_000))
        order.limit = .seconds(-1)
        #expect(order.dictionary["limit"] == .uint64(0))
    }

    @Test func `the manual says the keys of a receipt and of its rows, of a sign-in and of an account`() throws {
        let text = try ContractFiles.text("org.baton.Device1.xml")
        for (name, manual) in [
            ("@receipt", Receipt.manual), ("participants", Receipt.Participant.manual), ("debts", Receipt.Debt.manual),
            ("shared", Receipt.Check.manual), ("rejected", Receipt.Rejection.manual),
            ("tokens", Receipt.TokenCount.manual), ("release", Receipt.Release.manual),
            ("@options: For local accounts", LocalSignIn.manual),
            ("@options: For local accounts", ProviderSignIn.manual),
            ("An account is a dictionary", Account.manual),
            ("The account of SignedIn", HolderAccount.manualText { Account.types[$0] == nil }),
        ] {
            let keys = try #require(manual)
            let isSaid = text.split(separator: "\n").contains { $0.contains(name) && $0.contains(": \(keys).") }
            #expect(isSaid, "\(name): \(keys)")
        }
    }

    @Test func `a word of a newer daemon in a receipt counts as the worst`() throws {
        var values = RecordTests.receipt.dictionary
        for key in ["outcome", "browser", "provider"] { values[key] = .string("splendid") }
        values["participants"] = .dictionaries([["app": .string("chart"), "outcome": .string("splendid")]])
        values["shared"] = .dictionaries([["holder": .string("clipboard"), "outcome": .string("splendid")]])
        let receipt = try #require(Receipt(values))
        #expect(receipt.outcome == .quarantined && receipt.browser == .failed && receipt.provider == .notTold)
        #expect(receipt.participants.map(\.outcome) == [.unproven] && receipt.shared.map(\.outcome) == [.failed])
        #expect(receipt.unreadable == ["outcome", "participants", "browser", "shared", "provider"])
    }

    @Test func `a reason of a newer daemon is taken for no other`() throws {
        var values = RecordTests.receipt.dictionary
        for word: Variant in [.string("curfew"), .uint64(1)] {
            values["reason"] = word
            #expect(try #require(Receipt(values)).reason == nil)
        }
        values["reason"] = nil
        #expect(try #require(Receipt(values)).reason == nil)
    }

    @Test(arguments: ["participants", "debts", "rejected", "shared", "browser-checks", "tokens", "account", "release"])
    func `what cannot be read of a receipt is named and not silently nothing`(key: String) throws {
        var values = RecordTests.receipt.dictionary
        #expect(try #require(Receipt(values)).unreadable.isEmpty)
        values[key] = .strings(["of another version"])
        #expect(try #require(Receipt(values)).unreadable == [key])
    }

    @Test func `a row that can be read in part is there, and its list is named`() throws {
        var values = RecordTests.receipt.dictionary
        values["debts"] = .dictionaries([["app": .string("old"), "since": .string("yesterday")]])
        let receipt = try #require(Receipt(values))
        #expect(receipt.debts == [Receipt.Debt(app: "old", uid: 0, since: 0)] && receipt.unreadable == ["debts"])
    }

    /// The dictionaries that the manual describes by words: accounts, `SignIn`'s options of two kinds, receipts that stand
    /// elsewhere, and those that are anything or nothing.
    private static let undescribed: Set<String> = [
        "GetCurrentAccount current", "GetCurrentAccount previous", "SignIn options", "SignIn account",
        "SignOut receipt",
        "ListReceipts receipts", "SignedIn account", "SigningOut account", "SignedOut account",
        "Register account",
        "Acknowledge details", "AcquireTokenSilently result", "EndQuarantine options", "EndQuarantine receipt",
    ]

    @Test func `each other dictionary of the contract has a message`() {
        var bare: Set<String> = []
        for interface in Interfaces.device + [Interfaces.agent1] {
            let members =
                interface.methods.map { ($0.name, $0.input + $0.output) }
                + interface.signals.map { ($0.name, $0.arguments) }
            for (name, arguments) in members {
                for argument in arguments where argument.signature.hasSuffix("a{sv}") && argument.manual == nil {
                    bare.insert("\(name) \(argument.name)")
                }
            }
        }
        #expect(bare == Self.undescribed)
    }

    @Test func `the manual says the keys of each message, with their types and words`() throws {
        for (file, interfaces) in [
            ("org.baton.Device1.xml", Interfaces.device), ("org.baton.Agent1.xml", [Interfaces.agent1]),
        ] {
            let text = try ContractFiles.text(file)
            for interface in interfaces {
                let start = try #require(text.firstRange(of: "<interface name=\"\(interface.name)\">")).upperBound
                let members =
                    interface.methods.map { ($0.name, $0.input + $0.output) }
                    + interface.signals.map { ($0.name, $0.arguments) }
                for (name, arguments) in members {
                    let member = try #require(text[start...].firstRange(of: " \(name):\n")).upperBound
                    let comment = text[member...].prefix { $0 != ">" }
                    for argument in arguments {
                        guard let manual = argument.manual else { continue }
                        let line = "@\(argument.name): \(manual)."
                        let isSaid = comment.contains(line)
                        #expect(isSaid, "\(file), \(interface.name), \(name): \(line)")
                    }
                }
            }
        }
    }
}
