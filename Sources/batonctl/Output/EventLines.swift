import Glibc
import Synchronization
import SystemPackage

/// Lines of JSON for a program that follows a command with a duty.
///
/// A reader that does not read holds up no clearing: a line for which there is no room is dropped, and the next one says how
/// many were.
final class EventLines: Sendable {
    private let descriptor: FileDescriptor
    private let dropped = Mutex(0)

    init(to descriptor: FileDescriptor) { self.descriptor = descriptor }

    /// Writes an event, with the time.
    func write(_ event: ParticipantReport) {
        dropped.withLock { dropped in
            var event = event
            event.time = LocalTime.now()
            event.dropped = dropped > 0 ? dropped : nil
            guard hasRoom, let line = try? JSONOutput.line(event) else { return dropped += 1 }
            Terminal.write(line + "\n", to: descriptor)
            dropped = 0
        }
    }

    /// For a whole line: a pipe that takes anything takes 4 KiB.
    private var hasRoom: Bool {
        var item = pollfd(fd: descriptor.rawValue, events: Int16(POLLOUT), revents: 0)
        return poll(&item, 1, 0) > 0
    }
}
