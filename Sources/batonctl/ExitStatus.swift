import ArgumentParser
import Baton
import Glibc
import LocalAccounts

/// The numbers that batonctl ends with.
enum ExitStatus {
    static let refused: Int32 = 1
    /// Of `doctor`.
    static let warnings: Int32 = 2
    static let contained: Int32 = 3
    static let owed: Int32 = 4
    static let quarantined: Int32 = 5
    static let usage: Int32 = 64
    static let noDaemon: Int32 = 69
    static let notAllowed: Int32 = 77
    static let settings: Int32 = 78
    static let noProgram: Int32 = 127

    static func of(_ outcome: Outcome) -> Int32 {
        switch outcome {
        case .cleared: 0
        case .contained: contained
        case .owed: owed
        case .quarantined: quarantined
        }
    }

    /// Of `sign-out`: what is so when it ends.
    static func of(_ receipt: Receipt?, now phase: Phase?) -> Int32 {
        if phase == .quarantined { return quarantined }
        guard let receipt, receipt.release == nil else { return 0 }
        return of(receipt.outcome)
    }

    /// Of `call`: the first digit of a status that is no success.
    static func of(httpStatus status: Int) -> Int32 {
        switch status {
        case 200..<300: 0
        case 300..<600: Int32(status / 100)
        default: refused
        }
    }

    static func of(_ error: any Error) -> Int32 {
        switch error {
        case let error as BatonError: error.code == .notAuthorized ? notAllowed : refused
        case DeviceError.noDaemon: noDaemon
        case DeviceError.notAllowed: notAllowed
        case let error as AccountsFile.Fault:
            // What the file says is a fault of the settings; that it cannot be written, of the one who asks.
            switch error {
            case .system(_, let number) where [EPERM, EACCES, EROFS].contains(number): notAllowed
            case .exists, .unknown: refused
            case .system, .content, .unusable: settings
            }
        case is SettingsLocation.Unknown, is CommandLineTokens.Off: settings
        case is CallOrigin.Refused: notAllowed
        default: refused
        }
    }
}

/// Runs a command's work: an error becomes one line on standard error and the right exit code.
func reporting(_ work: () async throws -> Void) async throws {
    do {
        try await work()
    } catch let code as ExitCode {
        throw code
    } catch let error as ValidationError {
        throw error
    } catch {
        Terminal.complain(Text.failure(error))
        throw ExitCode(ExitStatus.of(error))
    }
}
