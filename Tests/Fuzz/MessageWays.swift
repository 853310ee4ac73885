import BatonContract
import CDBus

@testable import DBus
@testable import DeviceBus
@testable import Providers

/// What anybody on the bus sends: whole messages, bodies under a header that is right, and dictionaries.
enum MessageWays {
    static let all: [Way] = [
        Way("message") { bytes in message(bytes) },
        Way("body") { bytes in
            // Its signature stands in the first line.
            let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].count < 256, !parts[0].contains(0) else { return }
            message(header(signature: Array(parts[0]), bodyLength: parts[1].count) + parts[1])
        },
        Way("dictionary") { bytes in
            var input = ComposedValues(bytes)
            let values = input.dictionary()
            use(values)
            _ = copy([.dictionary(values)])
        },
    ]

    // MARK: Messages

    private static func message(_ bytes: [UInt8]) {
        let raw = bytes.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { dbus_message_demarshal($0.baseAddress, Int32($0.count), nil) }
        }
        guard let raw else { return }
        let message = Message(owning: raw)
        _ = (message.kind, message.sender, message.path, message.interface, message.member, message.errorName)
        _ = (message.firstString, NameOwnerChange(message))
        declared(message)
        var reader = ValueReader(message)
        var values: [Variant] = []
        while reader.nextType() != 0, let value = try? Variant(contentsOf: &reader) { values.append(value) }
        for value in values { dictionaries(in: value, use) }
        if let copy = copy(values) { precondition(copy.signature == message.signature, "written as something else") }
    }

    /// The values in a message of their own.
    private static func copy(_ values: [Variant]) -> Message? {
        guard let message = try? Message(.signal) else { return nil }
        do throws(DBus.DBusError) {
            try message.append(within: ConnectionOptions().messageLimits) { writer throws(DBus.DBusError) in
                for value in values { try value.writeContents(to: &writer) }
            }
        } catch {
            return nil
        }
        return message
    }

    /// Whatever the contract declares, where the signature is the right one.
    private static func declared(_ message: Message) {
        func read<Values>(_ arguments: Arguments<Values>) { _ = try? Connection.values(of: message, as: arguments) }
        read(Device1.signIn.input)
        read(Device1.getCurrentAccount.output)
        read(Device1.signIn.output)
        read(Device1.getReceipt.input)
        read(Device1.listReceipts.output)
        read(Device1.signingOut.arguments)
        read(Device1.signedOut.arguments)
        read(Participants.register.input)
        read(Participants.register.output)
        read(Participants.acknowledge.input)
        read(Participants.extend.input)
        read(Tokens.handleResponse.input)
        read(Administration.forgetApp.input)
        read(Administration.exportReceipts.output)
        read(DeviceAgent.launched.input)
        read(Agent1.prepareTurn.input)
        read(Agent1.beginTurn.input)
        read(Agent1.watchProcess.input)
        read(Agent1.contain.input)
        read(Properties.changed.arguments)
    }

    /// A call's header as the bus would pass it on.
    private static func header(signature: [UInt8], bodyLength: Int) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(truncatingIfNeeded: value)) { Array($0) } }
        func padded(_ bytes: [UInt8]) -> [UInt8] {
            bytes + [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
        }
        func text(_ code: UInt8, _ type: Character, _ text: String) -> [UInt8] {
            [code, 1, type.asciiValue ?? 0, 0] + number(text.utf8.count) + Array(text.utf8) + [0]
        }
        let fields =
            padded(text(1, "o", "/org/baton/Device1")) + padded(text(2, "s", "org.baton.Device1"))
            + padded(text(3, "s", "SignIn")) + padded(text(7, "s", ":1.42"))
            + [8, 1, UInt8(ascii: "g"), 0, UInt8(truncatingIfNeeded: signature.count)] + signature + [0]
        return padded([UInt8(ascii: "l"), 1, 0, 1] + number(bodyLength) + number(1) + number(fields.count) + fields)
    }

    // MARK: Dictionaries

    private static func dictionaries(in value: Variant, _ body: (VariantDictionary) -> Void) {
        switch value {
        case .dictionary(let values):
            body(values)
            for value in values.values { dictionaries(in: value, body) }
        case .array(_, let values), .structure(let values): for value in values { dictionaries(in: value, body) }
        case .entries(_, _, let entries): for entry in entries { dictionaries(in: entry.value, body) }
        case .variant(let inner): dictionaries(in: inner, body)
        default: break
        }
    }

    /// What was read is said and read again as the same.
    private static func remains<Message: DictionaryMessage & Equatable>(_: Message.Type, _ given: VariantDictionary) {
        guard let message = try? Message(given) else { return }
        precondition((try? Message(message.dictionary)) == message, "another \(Message.self)")
    }

    /// Read as all that the contract has, and as what batond makes of it.
    private static func use(_ given: VariantDictionary) {
        if let account = Account(given) { _ = Account(account.dictionary) }
        if let receipt = Receipt(given) {
            precondition(Receipt(receipt.dictionary)?.epoch == receipt.epoch, "a receipt of another epoch")
        }
        remains(AgentConfiguration.self, given)
        remains(AgentState.self, given)
        remains(TurnBeginning.self, given)
        remains(ContainmentOrder.self, given)
        remains(ContainmentResult.self, given)
        remains(BrowserSignOut.self, given)
        remains(BrowserSignOutResult.self, given)
        remains(SharedClearing.self, given)
        remains(AgentWelcome.self, given)
        remains(ProviderSignIn.self, given)
        remains(SignOutOptions.self, given)
        remains(ReceiptExportOptions.self, given)
        _ = (try? LocalSignIn(given), try? RegistrationOptions(given), HolderAccount(given))
        _ = (DeviceInformation(given), ParticipantStatus(given), Credentials(given))
        _ = (TokenErrorDetails(given), TokenResult(given), ReloadReport(given).dictionary)
        _ = (ReceiptEntry(given).dictionary, ReceiptChainState(given).dictionary)
        _ = SignInStep(given)?.dictionary
        for silently in [true, false] {
            if let request = try? TokenRequest(given, silently: silently) { _ = request.dictionary }
        }
        if let request = try? SignInRequest(ofProvider: given), let hint = request.loginHint {
            precondition(!hint.contains("\n"), "a hint that breaks a line")
        }
        let limit = 64 << 10
        if let text = try? DetailsText.make(given, limit: limit) {
            precondition(text.utf8.count <= DetailsText.kept, "more details than a receipt keeps")
            precondition(text.unicodeScalars.allSatisfy { $0.value >= 0x20 }, "details that break a line")
        }
    }
}
