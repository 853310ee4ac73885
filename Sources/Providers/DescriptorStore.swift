import CLinux
import DBus
import Glibc
package import LinuxSystem
import Secrets
import SessionMachine
package import Vocabulary

/// Sessions that systemd keeps while batond is restarted: sealed memory files in its descriptor store, never on a disk.
///
/// See sd_notify(3), `FDSTORE=1`, and `FileDescriptorStoreMax=` in systemd.service(5). Without a store everything here
/// does nothing, and a restart loses the tokens.
package struct DescriptorStore: Sendable {
    package let notice: ReadyNotice

    package init(notice: ReadyNotice) { self.notice = notice }

    /// Of one session, in bytes.
    static let largest = 1 << 20
    private static let prefix = "baton-session-"

    /// Keeps a session of an epoch; `generation` counts up with each change of its tokens.
    func keep(_ session: Secret, of epoch: Epoch, generation: UInt64) {
        guard let file = try? SealedMemory.make(session, name: "session") else { return }
        let descriptor = OwnedDescriptor(owning: file)
        // The new one first: between the two a restart finds both, and takes the newer one.
        notice.send(
            "FDSTORE=1\nFDPOLL=0\nFDNAME=\(Self.prefix)\(epoch)-\(generation)", keeping: descriptor.rawValue)
        if generation > 0 { remove(epoch, generation: generation - 1) }
    }

    package func remove(_ epoch: Epoch, generation: UInt64) {
        notice.send("FDSTOREREMOVE=1\nFDNAME=\(Self.prefix)\(epoch)-\(generation)")
    }

    /// A session that an earlier batond left.
    package struct Kept: Sendable {
        package var epoch: Epoch
        package var generation: UInt64
        /// Nil: something that no batond put there.
        var session: Secret?
    }

    /// Takes what systemd passed at the start, the newest first: sd_listen_fds_with_names(3). Call once.
    package static func inherited(_ environment: [String: String]) -> InheritedSessions {
        guard let pid = environment["LISTEN_PID"], pid == "\(getpid())",
            let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), (1...1024).contains(count)
        else { return InheritedSessions([]) }
        let names = (environment["LISTEN_FDNAMES"] ?? "").split(separator: ":", omittingEmptySubsequences: false)
        var kept: [Kept] = []
        for (offset, descriptor) in (3..<3 + count).enumerated() {
            let owned = OwnedDescriptor(owning: descriptor)
            guard names.indices.contains(offset), let (epoch, generation) = parse(names[offset]) else { continue }
            let session = try? SealedMemory.read(owned.rawValue, limit: largest)
            kept.append(Kept(epoch: epoch, generation: generation, session: session))
        }
        return InheritedSessions(kept.sorted { ($0.epoch, $0.generation) > ($1.epoch, $1.generation) })
    }

    private static func parse(_ name: Substring) -> (Epoch, UInt64)? {
        guard name.hasPrefix(prefix) else { return nil }
        let numbers = name.dropFirst(prefix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard numbers.count == 2, let epoch = Epoch(numbers[0]), let generation = UInt64(numbers[1]) else { return nil }
        return (epoch, generation)
    }
}
