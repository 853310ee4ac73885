import DBus
import LinuxSystem
import Secrets

/// The random bytes that show batond that an app is the one which the agent started: in a memory file that no process can
/// change, handed over as a descriptor. It never stands in an environment, on a command line or in a file.
struct LaunchToken: Sendable {
    /// Where a started app finds the number of its descriptor.
    static let variable = "BATON_TOKEN_FD"
    /// The app's number of it.
    static let number: Int32 = 9

    let descriptor: Descriptor

    /// Nil when the system has no descriptors left.
    init?() {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        guard let file = try? SealedMemory.make(Secret(bytes), name: "token") else { return nil }
        descriptor = Descriptor(owning: file)
    }

    /// A duplicate for a message.
    var owned: OwnedDescriptor? { OwnedDescriptor(duplicating: descriptor.raw) }
}
