import LinuxSystem
import LocalAccounts
import Secrets
import Vocabulary

/// How far the worker of a turn is with choosing a PIN.
enum TurnPINChoice {
    /// Nothing was chosen since batond began.
    case none
    case choosing(Epoch)
    case chosen(TurnPIN)

    var epoch: Epoch? {
        switch self {
        case .none: nil
        case .choosing(let epoch): epoch
        case .chosen(let pin): pin.epoch
        }
    }

    func pin(of epoch: Epoch) -> TurnPIN? {
        if case .chosen(let pin) = self, pin.epoch == epoch { pin } else { nil }
    }
}

/// The PIN that a worker has chosen for one turn, since their account has none here. In memory alone, and gone with the turn.
struct TurnPIN: Sendable {
    let epoch: Epoch
    private let hash: PINHash

    /// How many digits it has.
    static let digits = 4...12

    static func isFit(_ pin: Secret) -> Bool {
        digits.contains(pin.count) && pin.withUnsafeBytes { $0.allSatisfy { (48...57).contains($0) } }
    }

    /// Nil: it could not be computed.
    static func make(_ pin: Secret, for epoch: Epoch) async -> TurnPIN? {
        let hash = await OwnThread.runAlways { try? PINHash.make(pin: pin) }
        return hash.map { TurnPIN(epoch: epoch, hash: $0) }
    }

    func isRight(_ pin: Secret) async -> Bool {
        await OwnThread.runAlways { [hash] in hash.verify(pin: pin) }
    }
}
