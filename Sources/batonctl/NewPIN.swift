import LocalAccounts
import Secrets

/// Asks for a new PIN and hashes it.
enum NewPIN {
    /// - Parameter least: How many bytes it must have.
    static func hash(fromInput: Bool, least: Int = PINHash.shortestPIN) async throws -> PINHash {
        let pin = try await interruptibly { try await PINPrompt.askNew(fromInput: fromInput) }
        guard pin.count >= least || pin.count == 0 else { throw PINFault.tooShort(least: least) }
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
