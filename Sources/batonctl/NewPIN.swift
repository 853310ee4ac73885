import LocalAccounts
import Secrets

/// Asks for a new PIN and hashes it.
enum NewPIN {
    static func hash(fromInput: Bool) async throws -> PINHash {
        let pin = try await interruptibly { try await PINPrompt.askNew(fromInput: fromInput) }
        do throws(PINHash.Fault) {
            return try PINHash.make(pin: pin)
        } catch {
            switch error {
            case .empty: throw PINFault.empty
            case .tooLong: throw PINFault.tooLong
            case .computation: throw PINFault.unreadable
            }
        }
    }
}
