import BatonContract
import CLinux
package import DBus
import Glibc
package import Secrets
import Waiting

/// What the agent that batond itself started shows when it registers: bytes that only it was handed, and its process.
///
/// Any program of the same user can call; none of them has the bytes of the agent's own socket, and each start has others.
package actor AgentCredential {
    private static let length = 32

    private nonisolated let thread: BusThread
    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private var secret: Secret?
    private var pid: Int32?
    /// Of its process, whatever becomes of the number.
    private var handle: OwnedDescriptor?
    /// Calls that came before the process id of the start was known here.
    private let early = WaiterList<Void>()

    package init(thread: BusThread) { self.thread = thread }

    /// New bytes for an agent that is about to be started.
    package func issue() -> Secret {
        let secret = Secret(capacity: Self.length) { memory in
            var random = SystemRandomNumberGenerator()
            for index in memory.indices { memory[index] = UInt8.random(in: .min ... .max, using: &random) }
            return memory.count
        }
        self.secret = secret
        pid = nil
        handle = nil
        return secret
    }

    package func started(_ pid: Int32) {
        self.pid = pid
        let handle = baton_pidfd_open(pid)
        self.handle = handle >= 0 ? OwnedDescriptor(owning: handle) : nil
        early.wakeAll()
    }

    /// Kills the agent that was started, and with it all that it has started; false when there is none with that process.
    func kill(_ agent: Int32) -> Bool {
        guard let pid, let handle, pid == agent else { return false }
        return baton_pidfd_send_signal(handle.rawValue, SIGKILL) == 0
    }

    /// A process that comes now is not that agent.
    package func ended() {
        secret = nil
        pid = nil
        handle = nil
        early.wakeAll()
    }

    /// - Parameter pid: The caller's process, as the bus says.
    package func check(_ descriptor: OwnedDescriptor?, pid caller: Int32) async throws {
        guard let descriptor, let shown = try? SealedMemory.read(descriptor.rawValue, limit: Self.length) else {
            throw BatonError(
                .notAuthorized,
                "batond starts the agent itself. This process does not have the credential of that agent.")
        }
        if let secret, shown == secret, pid == nil { await early.wait() }
        guard let secret, shown == secret, let pid, pid == caller else {
            throw BatonError(.notAuthorized, "This is not the agent that batond started.")
        }
    }
}
