import Glibc
public import LinuxSystem

/// The control group of a turn's slice: what the turn's user runs is in it, and nothing else.
///
/// One write ends all of it, also what forks meanwhile, stands still, or ignores signals; whether it is empty is the kernel's
/// word. Neither PID 1 nor a bus is needed for that. `baton-turn-own@N.service` gives batond the two files that it writes.
/// See cgroups(7) and the kernel's admin-guide/cgroup-v2, `cgroup.kill`, `cgroup.freeze`, `cgroup.events`.
public struct TurnSlice: Sendable {
    public enum Population: Sendable, Equatable {
        /// No process is in it, or it does not exist.
        case empty
        case populated
        /// The kernel's file cannot be read: `reason` is why.
        case unknown(reason: String)
    }

    public struct Failure: Error, Sendable, Equatable {
        public let reason: String
    }

    /// Where systemd has its control groups, version 2 alone.
    public static let hierarchy = "/sys/fs/cgroup"

    private let folder: String

    /// - Parameter hierarchy: Where version 2 is mounted.
    public init(_ number: TurnNumber, hierarchy: String = TurnSlice.hierarchy) {
        self.init(folder: "\(hierarchy)/baton.slice/baton-turn.slice/\(number.slice)")
    }

    package init(folder: String) { self.folder = folder }

    /// The group of one program in a turn; nil: the process is gone, or is not in that turn's slice.
    public init?(of pid: Int32, in number: TurnNumber) {
        guard let lines = readSmallFile("/proc/\(pid)/cgroup") else { return nil }
        let inside = "/baton.slice/baton-turn.slice/\(number.slice)/"
        // `0::` is version 2; the path is as seen from the reader's own root of control groups.
        for line in String(decoding: lines, as: UTF8.self).split(separator: "\n") where line.hasPrefix("0::") {
            let path = line.dropFirst(3)
            guard path.hasPrefix(inside), !path.contains("/../") else { return nil }
            self.init(folder: Self.hierarchy + path)
            return
        }
        return nil
    }

    /// Ends all processes in it at once. Succeeds if it does not exist.
    public func kill() throws(Failure) { try write("1", to: "cgroup.kill") }

    /// Stops all of it where it stands, or lets it go on.
    public func freeze(_ isFrozen: Bool) throws(Failure) { try write(isFrozen ? "1" : "0", to: "cgroup.freeze") }

    /// Whether a process is in it now. A process that has ended and was not yet collected does not count.
    public func population() -> Population {
        guard let events = openEvents() else { return Self.absence(errno) }
        return Self.population(of: events)
    }

    /// Waits until it is empty. Blocks the calling thread.
    ///
    /// - Returns: The last word of the kernel: `empty`, or what held when the time was over.
    public func waitUntilEmpty(limit: TimeLimit) -> Population {
        guard let events = openEvents() else { return Self.absence(errno) }
        while true {
            let found = Self.population(of: events)
            guard found == .populated, !limit.isOver else { return found }
            // The kernel says so on the file itself whenever what it holds has changed since it was read.
            var wait = pollfd(fd: events.raw, events: Int16(POLLPRI), revents: 0)
            _ = poll(&wait, 1, limit.milliseconds(cap: 1000))
        }
    }

    private func openEvents() -> Descriptor? {
        let raw = open("\(folder)/cgroup.events", O_RDONLY | O_CLOEXEC)
        return raw < 0 ? nil : Descriptor(owning: raw)
    }

    private static func absence(_ error: CInt) -> Population {
        error == ENOENT ? .empty : .unknown(reason: "cgroup.events: \(reason(error))")
    }

    private static func population(of events: Descriptor) -> Population {
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = pread(events.raw, &bytes, bytes.count, 0)
        // The group was removed while its file was open, which the kernel allows for an empty one only.
        if count < 0, errno == ENODEV { return .empty }
        guard count > 0 else { return .unknown(reason: "cgroup.events: \(reason(count < 0 ? errno : EIO))") }
        for line in bytes.prefix(count).split(separator: UInt8(ascii: "\n")) {
            if line.elementsEqual("populated 0".utf8) { return .empty }
            if line.elementsEqual("populated 1".utf8) { return .populated }
        }
        return .unknown(reason: "cgroup.events does not say whether a process is there")
    }

    private func write(_ text: String, to file: String) throws(Failure) {
        let raw = open("\(folder)/\(file)", O_WRONLY | O_CLOEXEC)
        if raw < 0 {
            if errno == ENOENT, access(folder, F_OK) != 0, errno == ENOENT { return }
            throw Failure(reason: "\(file): \(reason(errno))")
        }
        let descriptor = Descriptor(owning: raw)
        let count = text.withCString { Glibc.write(descriptor.raw, $0, strlen($0)) }
        if count < 0, errno != ENODEV { throw Failure(reason: "\(file): \(reason(errno))") }
    }
}
