/// By what the worker of a locked screen shows that they are back.
public enum UnlockProof: Hashable, Sendable {
    case pin
    /// At the identity provider, with another device.
    /// - comesFirst: It is asked for at the lock: an attempt of any other program gives way.
    case phone(comesFirst: Bool)

    /// A PIN is looked at in a moment, and is waited for. A phone may never answer, and keeps no PIN away.
    ///
    /// - Parameter other: What is tried already; nil: that opens no lock.
    func takesThePlace(of other: UnlockProof?) -> Bool {
        switch (self, other) {
        case (_, nil), (.pin, .phone), (.phone(comesFirst: true), .phone): true
        case (_, .pin), (.phone(comesFirst: false), .phone): false
        }
    }
}
