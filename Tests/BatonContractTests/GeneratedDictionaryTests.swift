import BatonContract
import DBus
import GeneratedInput
import Testing

@Suite("Dictionaries that nobody composed", .timeLimit(.minutes(2)))
struct GeneratedDictionaryTests {
    private static let keys = [
        "id", "username", "name", "epoch", "outcome", "participants", "holders", "rejected", "explanation", "account",
        "reason",
        "started", "ended", "release", "debts", "mode", "phase", "device-id", "since", "warnings", "browser", "kind",
        "url",
        "expires", "scopes", "access-token", "changed", "needs-restart", "app", "uid", "instance", "state", "checks",
        "apps",
        "holder", "proof", "milliseconds", "count", "restarts", "journal-id", "declined-scopes", "error-codes", "limit",
    ]

    private static func value(_ input: inout GeneratedInput, _ depth: Int = 0) -> Variant {
        switch input.number(below: depth < 3 ? 14 : 10) {
        case 0: .boolean(input.next() & 1 == 0)
        case 1: .byte(.max)
        case 2: .int32(.min)
        case 3: .uint32(.max)
        case 4: .int64(.min)
        case 5: .uint64(input.next())
        case 6: .double([.nan, .infinity, -0.0, 1e308][input.number(below: 4)])
        case 7: .string(input.changed("org.example.App"))
        case 8: .bytes([0, 255])
        case 9: .array(element: "s", [.string(""), .string("\u{1B}[2J")])
        case 10, 11: .dictionary(dictionary(&input, depth + 1))
        case 12: .array(element: "a{sv}", (0..<3).map { _ in .dictionary(dictionary(&input, depth + 1)) })
        default: .structure([value(&input, depth + 1), value(&input, depth + 1)])
        }
    }

    private static func dictionary(_ input: inout GeneratedInput, _ depth: Int = 0) -> VariantDictionary {
        var result: VariantDictionary = [:]
        for _ in 0..<input.number(below: depth == 0 ? 30 : 10) {
            result[input.pick(keys) ?? ""] = value(&input, depth)
        }
        return result
    }

    @Test func `are read as whatever they claim to be, or not at all`() {
        var input = GeneratedInput(seed: 11)
        var accounts = 0
        for _ in 0..<4000 {
            let given = Self.dictionary(&input)
            if Account(given) != nil { accounts += 1 }
            if let receipt = Receipt(given) { #expect(Receipt(receipt.dictionary)?.epoch == receipt.epoch) }
            _ = (DeviceInformation(given), ParticipantStatus(given))
            _ = (try? AgentState(given), try? AgentConfiguration(given), try? AgentRegistration(given))
            _ = (try? ContainmentOrder(given), try? ContainmentResult(given), try? BrowserSignOut(given))
            _ = (try? BrowserSignOutResult(given), try? SharedClearing(given), try? TurnBeginning(given))
            _ = (try? LocalSignIn(given), try? ProviderSignIn(given), try? SignOutOptions(given))
            _ = (try? RegistrationOptions(given), try? TokenRequest(given), HolderAccount(given))
            _ = (TokenErrorDetails(given), TokenResult(given), SignInStep(given), ReloadReport(given))
        }
        #expect(accounts > 0)
    }
}
