import CLinux
import Glibc
import Synchronization

/// Tells exactly once when a watched process is gone.
///
/// One thread sleeps in epoll for all of them and does not wake while nothing happens.
public final class ProcessWatch: Sendable {
    /// The numbers under which processes were watched, as these end. For one consumer.
    public let exits: AsyncStream<UInt64>

    private let news: AsyncStream<UInt64>.Continuation
    private let epoll: Descriptor
    /// Its other end is watched by the thread; shut down, it wakes the thread for the last time.
    private let bell: Descriptor
    private let watched: Mutex<[UInt64: ProcessHandle]>

    private static let stop = UInt64.max

    /// Nil when the system has no descriptors or threads left.
    public init?() {
        let raw = baton_epoll_create()
        if raw < 0 { return nil }
        epoll = Descriptor(owning: raw)
        guard let ends = Descriptor.pipe() else { return nil }
        let listening = ends.read
        bell = ends.write
        watched = Mutex([:])
        (exits, news) = AsyncStream.makeStream(of: UInt64.self)
        if baton_epoll_add(epoll.raw, listening.raw, Self.stop) < 0 { return nil }
        let started = OwnThread.start { [weak self, epoll, listening] in
            var token: UInt64 = 0
            while true {
                let count = baton_epoll_next(epoll.raw, &token)
                if count < 0 || (count > 0 && token == Self.stop) { break }
                if count > 0 { self?.ended(token) }
            }
            _ = listening
        }
        if !started { return nil }
    }

    deinit {
        // The thread holds neither the watch nor the bell: closing the bell ends it.
        news.finish()
    }

    /// Watches a process under a number; false when the number is taken or is the largest one.
    public func add(_ process: ProcessHandle, as number: UInt64) -> Bool {
        if number == Self.stop { return false }
        return watched.withLock { watched in
            if watched[number] != nil { return false }
            watched[number] = process
            if baton_epoll_add(epoll.raw, process.descriptor.raw, number) < 0 {
                watched[number] = nil
                return false
            }
            return true
        }
    }

    /// Forgets a process; its end is then not told.
    public func remove(_ number: UInt64) {
        watched.withLock { watched in
            if let process = watched.removeValue(forKey: number) {
                _ = baton_epoll_remove(epoll.raw, process.descriptor.raw)
            }
        }
    }

    private func ended(_ number: UInt64) {
        let told = watched.withLock { watched in
            guard let process = watched.removeValue(forKey: number) else { return false }
            process.noteEnd()
            _ = baton_epoll_remove(epoll.raw, process.descriptor.raw)
            return true
        }
        if told {
            news.yield(number)
        }
    }
}
