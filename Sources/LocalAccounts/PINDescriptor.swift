import CLinux
import Glibc
import LinuxSystem
public import Secrets
import Synchronization

/// How a PIN travels over the bus: as a descriptor, so that no message and no message log holds it.
public enum PINDescriptor {
    /// The most that is read, in bytes, a trailing newline included.
    public static let limit = 256
    /// How long a pipe may take, in milliseconds.
    public static let patience = 2000
    /// Pipes that are waited for at a time, each with a thread.
    public static let pipes = 32
    private static let waiting = Atomic<Int>(0)

    /// Why a descriptor gave no PIN; the text is fit for the caller.
    public enum Fault: Error, Equatable, CustomStringConvertible {
        /// Neither a pipe's reading end nor a memory file with the seals against write, grow and shrink.
        case unsuitable
        /// More than `limit` bytes.
        case tooLong
        /// The pipe's writing end stayed open for longer than `patience`.
        case timedOut
        /// `pipes` are waited for already.
        case busy
        /// The system refused, with this error number.
        case system(Int32)

        public var description: String {
            switch self {
            case .unsuitable: "the pin must be a pipe, or a memfd sealed against write, grow and shrink"
            case .tooLong: "the pin has more than \(limit) bytes"
            case .timedOut: "the pin did not end within \(patience) ms; close the writing end of the pipe"
            case .busy: "other pins are waited for; try again, or bring the pin in a sealed memfd"
            case .system(let number): "the pin could not be read (error \(number))"
            }
        }
    }

    /// Reads the PIN from a descriptor that another process made; one trailing newline is dropped.
    ///
    /// A memory file is read at once. The descriptor stays open and belongs to the caller, also when the task is cancelled,
    /// which does not shorten the wait for a pipe: it ends within `patience`. The sender's flags, other readers and later
    /// writes cannot block it.
    public static func read(_ descriptor: Int32, patience: Int = patience) async throws(Fault) -> Secret {
        do throws(SealedMemory.Fault) {
            return try SealedMemory.read(descriptor, limit: limit).withoutNewline()
        } catch {
            // Of a descriptor of any other kind the kernel says so without asking the program that made it.
            guard error == .unsuitable, baton_pipe_size(descriptor) > 0 else { throw Fault(error) }
        }
        guard waiting.add(1, ordering: .relaxed).newValue <= pipes else {
            waiting.subtract(1, ordering: .relaxed)
            throw .busy
        }
        let result: Result<Secret, Fault> = await OwnThread.runAlways {
            do throws(Fault) {
                return .success(try PipeReader(descriptor, limit: limit).read(milliseconds: patience).withoutNewline())
            } catch {
                return .failure(error)
            }
        }
        waiting.subtract(1, ordering: .relaxed)
        return try result.get()
    }

    /// Puts a PIN into a memory file that no process can change any more; the caller closes the descriptor.
    public static func sealed(_ pin: Secret) throws(Fault) -> Int32 {
        do throws(SealedMemory.Fault) {
            return try SealedMemory.make(pin, name: "pin")
        } catch {
            throw Fault(error)
        }
    }
}

extension PINDescriptor.Fault {
    fileprivate init(_ fault: SealedMemory.Fault) {
        self =
            switch fault {
            case .unsuitable: .unsuitable
            case .tooLong: .tooLong
            case .system(let code): .system(code)
            }
    }
}

extension Secret {
    /// The same bytes without one newline at the end.
    fileprivate func withoutNewline() -> Secret {
        withUnsafeBytes { bytes in
            guard bytes.last == UInt8(ascii: "\n") else { return self }
            return Secret(capacity: bytes.count - 1) { memory in
                memory.copyBytes(from: bytes.dropLast())
                return memory.count
            }
        }
    }
}
