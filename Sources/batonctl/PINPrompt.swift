import DBus
import Glibc
import LinuxSystem
import LocalAccounts
import Secrets
import Synchronization

/// Why there is no PIN.
enum PINFault: Error {
    case noTerminal, empty, tooLong, different, unreadable
    case tooShort(least: Int)

    var text: String {
        switch self {
        case .noTerminal: Text.noTerminal
        case .empty: Text.emptyPIN
        case .tooLong: Text.longPIN
        case .tooShort(let least): Text.shortPIN(least)
        case .different: Text.differentPINs
        case .unreadable: Text.pinFailed
        }
    }
}

/// Gets a PIN from the person at the terminal, or from standard input.
enum PINPrompt {
    /// The PIN of a worker who signs in.
    static func ask(fromInput: Bool) async throws -> Secret {
        if fromInput { return try await read(STDIN_FILENO) }
        return try await onTerminal([Text.askPIN])
    }

    /// A new PIN, asked twice.
    static func askNew(fromInput: Bool) async throws -> Secret {
        if fromInput { return try await read(STDIN_FILENO) }
        return try await onTerminal([Text.askNewPIN, Text.askPINAgain])
    }

    /// Asks once for each text; the answers must be the same.
    private static func onTerminal(_ texts: [String]) async throws -> Secret {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { throw PINFault.noTerminal }
        defer { close(terminal) }
        guard let quiet = QuietTerminal(terminal) else { throw PINFault.noTerminal }
        defer { quiet.restore() }
        var answer: Secret?
        for text in texts {
            let bytes = Array(text.utf8)
            _ = write(terminal, bytes, bytes.count)
            defer { _ = write(terminal, "\n", 1) }
            let next = try await read(terminal)
            if let answer, !answer.isSame(as: next) { throw PINFault.different }
            answer = next
        }
        guard let answer else { throw PINFault.empty }
        return answer
    }

    /// One line; ends at once when the task is cancelled.
    static func read(_ descriptor: Int32) async throws -> Secret {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0, let wakeUp = ends.first, let bell = ends.last else { throw PINFault.unreadable }
        let reader = OwnedDescriptor(owning: wakeUp)
        let writer = Mutex<OwnedDescriptor?>(OwnedDescriptor(owning: bell))
        let result: Result<Secret, any Error> = await withTaskCancellationHandler {
            // Reading blocks, and the threads that tasks share must not.
            await OwnThread.run { LineReader(descriptor, stop: reader.rawValue).read() }
                ?? .failure(PINFault.unreadable)
        } onCancel: {
            // The other end of the pipe goes, which wakes the reader.
            writer.withLock { $0 = nil }
        }
        return try result.get()
    }
}

extension OwnedDescriptor {
    /// As a PIN travels over the bus.
    convenience init(sealing pin: Secret) throws { self.init(owning: try PINDescriptor.sealed(pin)) }
}

extension Secret {
    fileprivate func isSame(as other: Secret) -> Bool {
        guard count == other.count else { return false }
        return withUnsafeBytes { mine in
            other.withUnsafeBytes { theirs in zip(mine, theirs).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0 }
        }
    }
}
