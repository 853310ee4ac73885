import CLinux
import Glibc
import Secrets

/// Reads a foreign pipe to its end within a time, whatever flags the other side sets on it meanwhile.
///
/// `read` after `poll` can still block when another holder of the reading end was faster. So the bytes are first moved
/// into a pipe of our own, without waiting.
struct PipeReader {
    private let foreign: Int32
    private let limit: Int

    init(_ descriptor: Int32, limit: Int) {
        foreign = descriptor
        self.limit = limit
    }

    func read(milliseconds: Int) throws(PINDescriptor.Fault) -> Secret {
        let flags = fcntl(foreign, F_GETFL)
        guard flags >= 0, flags & O_ACCMODE != O_WRONLY else { throw .unsuitable }
        var ends: (Int32, Int32) = (-1, -1)
        let made = withUnsafeMutablePointer(to: &ends) { pointer in
            pointer.withMemoryRebound(to: Int32.self, capacity: 2) { baton_pipe($0, O_NONBLOCK) }
        }
        guard made == 0 else { throw .system(-made) }
        let own = ends
        defer {
            close(own.0)
            close(own.1)
        }
        let end = Self.now() + Int64(max(milliseconds, 0))
        return try Secret(capacity: limit + 1) { (memory) throws(PINDescriptor.Fault) -> Int in
            var filled = 0
            while filled <= limit {
                let moved = try next(into: own.1, until: end)
                guard moved > 0 else { return filled }
                var left = moved
                while left > 0, filled < memory.count {
                    let start = memory.baseAddress?.advanced(by: filled)
                    let got = Glibc.read(own.0, start, min(left, memory.count - filled))
                    if got < 0, errno == EINTR { continue }
                    guard got > 0 else { throw .system(got < 0 ? errno : EIO) }
                    filled += got
                    left -= got
                }
            }
            throw .tooLong
        }
    }

    /// Moves what there is; 0 at the end of the data.
    private func next(into own: Int32, until end: Int64) throws(PINDescriptor.Fault) -> Int {
        while true {
            let moved = baton_splice(foreign, own, limit + 1)
            if moved >= 0 { return moved }
            guard errno == EAGAIN || errno == EINTR else { throw errno == EINVAL ? .unsuitable : .system(errno) }
            let remaining = end - Self.now()
            guard remaining > 0 else { throw .timedOut }
            var wanted = pollfd(fd: foreign, events: Int16(POLLIN), revents: 0)
            if poll(&wanted, 1, Int32(clamping: remaining)) < 0, errno != EINTR { throw .system(errno) }
        }
    }

    /// Milliseconds of a clock that cannot be set.
    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
