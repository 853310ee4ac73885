import BusTesting
public import DBus
import LocalAccounts
import Secrets

/// A text in a memory file that nobody can change, as a PIN travels.
public func sealedMemory(_ text: String) throws -> OwnedDescriptor { try sealedMemory(bytes: Array(text.utf8)) }

public func sealedMemory(bytes: [UInt8]) throws -> OwnedDescriptor {
    OwnedDescriptor(owning: try PINDescriptor.sealed(Secret(bytes)))
}
