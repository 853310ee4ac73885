import Baton
import DBus
// All of Foundation, for NSError alone, and only here. Code written for MSAL catches `let error as NSError`, which Swift
// takes for every error there is; an error that is none would end the program.
import Foundation

extension MSALErrorTable {
    /// The error that an app is told; a cancelled task's stays what it is.
    static func error(_ error: any Error) -> any Error {
        switch error {
        case let error as BatonError:
            nsError(entry(for: error), SwiftCallNames.replacedForMSAL(in: error.description), details(of: error))
        case let error as DeviceError: nsError(entry(for: error), error.description + hint(error))
        case let error as ClientFault: nsError(error.entry, error.description)
        case is CancellationError: error
        // Asked of its type, since every error can be seen as one.
        case _ where type(of: error) is NSError.Type: error
        default: nsError(Entry(.unexpected), "\(error)")
        }
    }

    private static func details(of error: BatonError) -> [String: Any] {
        let details = TokenErrorDetails(error.details)
        var values: [String: Any] = [BatonErrorNameKey: error.name.rawValue]
        for (key, text) in [
            MSALOAuthErrorKey: details.reason, MSALOAuthSubErrorKey: details.subError,
            MSALCorrelationIDKey: details.correlationID,
        ] where !text.isEmpty {
            values[key] = text
        }
        if !details.errorCodes.isEmpty { values[MSALSTSErrorCodesKey] = details.errorCodes.map { Int(clamping: $0) } }
        if error.code == .serverDeclinedScopes {
            values[MSALGrantedScopesKey] = details.grantedScopes
            values[MSALDeclinedScopesKey] = details.declinedScopes
        }
        return values
    }

    private static func hint(_ error: DeviceError) -> String {
        guard case .noDaemon = error else { return "" }
        return " Start batond, and set BATON_BUS to system or session if it is on another bus."
    }

    private static func nsError(_ entry: Entry, _ text: String, _ details: [String: Any] = [:]) -> NSError {
        var values = details
        values[NSLocalizedDescriptionKey] = text
        values[MSALErrorDescriptionKey] = text
        values[MSALInternalErrorCodeKey] = entry.internalCode?.rawValue
        return NSError(domain: MSALErrorDomain, code: entry.code.rawValue, userInfo: values)
    }
}

/// Runs what may fail; its errors become those that apps know.
func speakingMSAL<Value>(_ work: () async throws -> Value) async throws -> Value {
    do {
        return try await work()
    } catch {
        throw MSALErrorTable.error(error)
    }
}

func speakingMSAL<Value>(_ work: () throws -> Value) throws -> Value {
    do {
        return try work()
    } catch {
        throw MSALErrorTable.error(error)
    }
}
