import BatonMSAL
import Foundation
import Testing

@testable import BatonMSAL

struct ErrorTableTests {
    /// The numbers that MSAL documents.
    private static let names: [(MSALError, Int)] = [
        (.internal, -50000), (.workplaceJoinRequired, -50001), (.interactionRequired, -50002),
        (.serverDeclinedScopes, -50003), (.serverProtectionPoliciesRequired, -50004), (.userCanceled, -50005),
        (.serverError, -50006), (.insufficientDeviceStrength, -50007), (.mdmEnrollmentCompletedNeedsRetry, -50008),
        (.serverInvalidRequestResetPasswordRequired, -50142),
    ]

    private static let table: [(BatonError.Code, Int, Int?)] = [
        (.notSignedIn, -50002, -42106), (.alreadySignedIn, -50000, -42102), (.signingIn, -50000, -42402),
        (.signingOut, -50000, -42401), (.quarantined, -50000, -42501), (.accountMismatch, -50000, -42101),
        (.interactionRequired, -50002, nil), (.userCanceled, -50005, nil), (.serverDeclinedScopes, -50003, nil),
        (.invalidRedirectURI, -50000, -42011), (.redirectSchemeNotRegistered, -50000, -42001),
        (.invalidArgument, -50000, -42000), (.notAuthorized, -50000, -42006), (.notRegistered, -50000, -42003),
        (.staleEpoch, -50000, -42703), (.limitExceeded, -50000, -42002), (.providerUnreachable, -50006, nil),
        (.providerRejected, -50000, -42104), (.agentMissing, -50000, -42403), (.notShared, -50000, -42711),
        (.failed, -50000, -42008), (.pinRequired, -50002, -42501),
    ]

    @Test func `the names have MSAL's numbers`() {
        #expect(Set(Self.names.map(\.0)) == Set(MSALError.allCases))
        for (name, number) in Self.names { #expect(name.rawValue == number) }
    }

    @Test func `every error of the bus has one entry, and no two have the same`() {
        #expect(Set(Self.table.map(\.0)) == Set(BatonError.Code.allCases))
        for (code, number, inner) in Self.table {
            let entry = MSALErrorTable.entry(for: code)
            #expect(entry.code.rawValue == number, "\(code)")
            #expect(entry.internalCode?.rawValue == inner, "\(code)")
        }
        #expect(Set(BatonError.Code.allCases.map(MSALErrorTable.entry)).count == BatonError.Code.allCases.count)
    }

    @Test func `only an internal error without a finer code would say nothing`() {
        for code in BatonError.Code.allCases {
            let entry = MSALErrorTable.entry(for: code)
            #expect(entry.code != .internal || entry.internalCode != nil, "\(code)")
        }
    }

    @Test(arguments: MSALErrorTable.reasons.map(\.word), [0, 1])
    func `a reason with a code of its own has it, wherever it stands`(word: String, place: Int) throws {
        var details = TokenErrorDetails(reason: "interaction_required")
        if let number = UInt64(word) {
            details.errorCodes = [1, number]
        } else if place == 0 {
            details.reason = word
        } else {
            details.subError = word
        }
        let wanted = try #require(MSALErrorTable.reasons.first { $0.word == word }).entry
        for code in [BatonError.Code.interactionRequired, .providerRejected] {
            #expect(MSALErrorTable.entry(for: BatonError(code, "", details: details.dictionary)) == wanted)
        }
    }

    @Test(arguments: [
        "login_required", "consent_required", "interaction_required", "invalid_grant", "account_selection_required",
        "additional_action", "basic_action", "message_only", "restarted", "",
    ])
    func `every other reason to ask the worker is one to ask the worker`(reason: String) {
        let error = BatonError(.interactionRequired, "", details: TokenErrorDetails(reason: reason).dictionary)
        #expect(MSALErrorTable.entry(for: error) == .init(.interactionRequired))
    }

    @Test(arguments: [
        (BatonError.Code.providerUnreachable, ["network", "tls", "timeout", "temporarily_unavailable"]),
        (.userCanceled, ["access_denied", "expired", "canceled"]), (.notAuthorized, ["account_not_allowed"]),
        (.serverDeclinedScopes, ["scopes_declined", "consent_declined"]),
        (.providerRejected, ["invalid_answer", "not_trusted", "unsupported", "misconfigured", "local_accounts"]),
    ])
    func `batond's own reasons change nothing of the entry`(code: BatonError.Code, reasons: [String]) {
        for reason in reasons {
            let error = BatonError(code, "", details: TokenErrorDetails(reason: reason).dictionary)
            #expect(MSALErrorTable.entry(for: error) == MSALErrorTable.entry(for: code), "\(reason)")
        }
    }

    @Test(arguments: [
        ("invalid_request", -42002), ("invalid_client", -42003), ("invalid_grant", -42004), ("invalid_scope", -42005),
        ("unauthorized_client", -42006), ("unsupported_response_type", -42104), ("", -42104),
    ])
    func `a provider's refusal keeps its reason`(reason: String, number: Int) {
        let error = BatonError(.providerRejected, "", details: TokenErrorDetails(reason: reason).dictionary)
        #expect(MSALErrorTable.entry(for: error).internalCode?.rawValue == number)
    }

    @Test func `an app is told in NSErrors what batond said`() {
        let details = TokenErrorDetails(
            reason: "consent_required", subError: "basic_action", errorCodes: [65001], correlationID: "c-1")
        let error =
            MSALErrorTable.error(
                BatonError(.interactionRequired, "Ask.", details: details.dictionary)) as NSError
        #expect(error.domain == MSALErrorDomain && error.code == MSALError.interactionRequired.rawValue)
        #expect(error.localizedDescription == "Ask.")
        #expect(error.userInfo[MSALErrorDescriptionKey] as? String == "Ask.")
        #expect(error.userInfo[MSALOAuthErrorKey] as? String == "consent_required")
        #expect(error.userInfo[MSALOAuthSubErrorKey] as? String == "basic_action")
        #expect(error.userInfo[MSALSTSErrorCodesKey] as? [Int] == [65001])
        #expect(error.userInfo[MSALCorrelationIDKey] as? String == "c-1")
        #expect(error.userInfo[BatonErrorNameKey] as? String == "org.baton.Error.InteractionRequired")
        #expect(error.userInfo[MSALInternalErrorCodeKey] == nil)
    }

    @Test func `declined scopes are told with those that were granted`() {
        let details = TokenErrorDetails(grantedScopes: ["mail"], declinedScopes: ["files"])
        let error =
            MSALErrorTable.error(
                BatonError(.serverDeclinedScopes, "", details: details.dictionary)) as NSError
        #expect(error.userInfo[MSALGrantedScopesKey] as? [String] == ["mail"])
        #expect(error.userInfo[MSALDeclinedScopesKey] as? [String] == ["files"])
    }

    @Test func `whatever is thrown can be caught as the tutorials catch it`() {
        struct Other: Error {}
        let all: [any Error] = [
            BatonError(.failed, "x"), DeviceError.noDaemon("x"), DeviceError.timedOut, DeviceError.notAllowed("x"),
            DeviceError.unexpected("x"), ClientFault.clientID, Other(),
        ]
        for error in all {
            do {
                throw MSALErrorTable.error(error)
            } catch let error as NSError {
                #expect(error.domain == MSALErrorDomain)
                #expect(error.userInfo[MSALInternalErrorCodeKey] is Int)
            }
        }
        #expect(MSALErrorTable.error(CancellationError()) is CancellationError)
        let own = NSError(domain: "x", code: 1)
        #expect(MSALErrorTable.error(own) as NSError == own)
    }

    @Test func `without batond the text says what to do`() {
        let error = MSALErrorTable.error(DeviceError.noDaemon("batond does not run on this bus")) as NSError
        #expect(error.localizedDescription.contains("Start batond"))
    }

    @Test func `the page for app developers has every error with its numbers`() throws {
        let package = #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 }
        let page = try String(contentsOfFile: package + "/docs/apps.md", encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
        for (code, number, inner) in Self.table {
            let row = try #require(rows.first { $0.hasPrefix("| `\(code.rawValue)`") }, "\(code)")
            #expect(row.contains("\(number)"), "\(row)")
            if let inner { #expect(row.contains("\(inner)"), "\(row)") }
        }
        for (word, _) in MSALErrorTable.reasons { #expect(page.contains("`\(word)`"), "\(word)") }
    }
}
