import CLinux
import Glibc
import LinuxSystem
import Synchronization

/// Messages to and from a program over two pipes, each ended by a NUL byte.
///
/// One thread reads and writes, so that a program that was stopped holds up no caller: what it does not read is queued, and
/// `send` refuses what exceeds the queue. A message above the limit is left out; its sender then waits for nothing.
final class PipeChannel: Sendable {
    struct Limits: Sendable {
        /// Bytes of one message that arrives.
        var incoming = 32 << 20
        /// Bytes that wait to be read by the program.
        var outgoing = 16 << 20
    }

    private struct State {
        var queue: [UInt8] = []
        /// What is queued or being written.
        var unsent = 0
        var isClosed = false
    }

    private let reading: Descriptor
    private let writing: Descriptor
    private let wake: (read: Descriptor, write: Descriptor)
    private let limits: Limits
    private let state = Mutex(State())

    /// - Parameters:
    ///   - reading: Our end of what the program writes; made non-blocking here.
    ///   - writing: Our end of what it reads.
    init?(reading: Descriptor, writing: Descriptor, limits: Limits = Limits()) {
        guard let wake = Descriptor.pipe(O_NONBLOCK) else { return nil }
        self.wake = wake
        for descriptor in [reading, writing] {
            guard fcntl(descriptor.raw, F_SETFL, O_NONBLOCK) == 0 else { return nil }
        }
        self.reading = reading
        self.writing = writing
        self.limits = limits
    }

    /// Starts the thread, which lives until the program or `close` ends the channel.
    ///
    /// - Parameters:
    ///   - receive: Called there with each message, without its NUL.
    ///   - ended: Called there, once, as the last.
    func start(receive: @escaping @Sendable ([UInt8]) -> Void, ended: @escaping @Sendable () -> Void) -> Bool {
        OwnThread.start { [self] in
            run(receive)
            state.withLock { state in
                state.isClosed = true
                state.queue = []
            }
            ended()
        }
    }

    /// Queues a message; false when the channel is closed or the program has left too much unread.
    func send(_ message: [UInt8]) -> Bool {
        let isQueued = state.withLock { state in
            guard !state.isClosed, message.count < limits.outgoing - state.unsent else { return false }
            state.queue += message
            state.queue.append(0)
            state.unsent += message.count + 1
            return true
        }
        if isQueued { ring() }
        return isQueued
    }

    /// Ends it, and lets the thread go. What is still queued is lost.
    func close() {
        state.withLock { $0.isClosed = true }
        ring()
    }

    private func ring() {
        var byte: UInt8 = 0
        // A full pipe wakes the thread as well.
        _ = write(wake.write.raw, &byte, 1)
    }

    private func run(_ receive: (([UInt8]) -> Void)) {
        // A write to a program that is gone must not end us; the thread's mask goes with the thread.
        var pipe = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipe, nil)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var messages = MessageAssembly(limit: limits.incoming)
        var outgoing: ArraySlice<UInt8> = []
        while true {
            let isClosed = state.withLock { state in
                if outgoing.isEmpty {
                    outgoing = state.queue[...]
                    state.queue = []
                }
                return state.isClosed
            }
            if isClosed { return }
            let ready = wait(toWrite: !outgoing.isEmpty)
            if ready.canWrite {
                guard let count = put(outgoing) else { return }
                outgoing = outgoing.dropFirst(count)
                state.withLock { $0.unsent -= count }
            }
            if ready.canRead {
                let count = read(reading.raw, &buffer, buffer.count)
                if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { return }
                messages.add(buffer.prefix(max(count, 0)), receive)
            }
            if ready.isBroken { return }
        }
    }

    private func wait(toWrite: Bool) -> (canRead: Bool, canWrite: Bool, isBroken: Bool) {
        var items = [
            pollfd(fd: wake.read.raw, events: Int16(POLLIN), revents: 0),
            pollfd(fd: reading.raw, events: Int16(POLLIN), revents: 0),
            pollfd(fd: writing.raw, events: toWrite ? Int16(POLLOUT) : 0, revents: 0),
        ]
        guard poll(&items, nfds_t(items.count), -1) > 0 else { return (false, false, false) }
        let events = items.map { CInt($0.revents) }
        if events[0] != 0 {
            var bytes = [UInt8](repeating: 0, count: 256)
            _ = read(wake.read.raw, &bytes, bytes.count)
        }
        // POLLHUP of the reading end is not broken: what was sent before is read first.
        return (
            events[1] != 0, events[2] & CInt(POLLOUT) != 0,
            events[1] & CInt(POLLNVAL) != 0 || events[2] & CInt(POLLERR | POLLNVAL) != 0
        )
    }

    /// The number of bytes that the pipe took; nil if no process reads it any more.
    private func put(_ bytes: ArraySlice<UInt8>) -> Int? {
        let count = bytes.withUnsafeBytes { write(writing.raw, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }
}

/// Puts messages together from what arrives.
struct MessageAssembly {
    let limit: Int
    private var message: [UInt8] = []
    private var isTooLong = false

    init(limit: Int) { self.limit = limit }

    mutating func add(_ bytes: ArraySlice<UInt8>, _ receive: ([UInt8]) -> Void) {
        var rest = bytes
        while let end = rest.firstIndex(of: 0) {
            collect(rest[..<end])
            if !isTooLong { receive(message) }
            message = []
            isTooLong = false
            rest = rest[(end + 1)...]
        }
        collect(rest)
    }

    private mutating func collect(_ bytes: ArraySlice<UInt8>) {
        if isTooLong { return }
        if bytes.count > limit - message.count {
            isTooLong = true
            message = []
        } else {
            message += bytes
        }
    }
}
