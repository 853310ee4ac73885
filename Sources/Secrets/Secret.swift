import CLinux
import Synchronization

/// Bytes that are never shown and are overwritten when the last holder lets go.
///
/// Swift may have copied an array before it came here; fill the secret in place where that matters.
public final class Secret: Sendable {
    private let bytes: Mutex<[UInt8]>

    /// The number of bytes, which is not secret.
    public let count: Int

    /// Takes over the bytes of an array.
    public init(_ bytes: consuming [UInt8]) {
        count = bytes.count
        self.bytes = Mutex(bytes)
    }

    /// Makes a secret of at most `capacity` bytes; `fill` writes into the memory and returns how many it wrote.
    public init<Failure: Error>(
        capacity: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        var bytes = [UInt8](repeating: 0, count: max(capacity, 0))
        let result: Result<Int, Failure> = bytes.withUnsafeMutableBytes { memory in
            do throws(Failure) {
                return .success(try fill(memory))
            } catch {
                Secret.erase(memory)
                return .failure(error)
            }
        }
        let written = min(max(try result.get(), 0), bytes.count)
        count = written
        bytes.removeLast(bytes.count - written)
        self.bytes = Mutex(bytes)
    }

    deinit {
        bytes.withLock { bytes in bytes.withUnsafeMutableBytes { Secret.erase($0) } }
    }

    /// Lends the bytes for the time of the call; do not keep the pointer.
    public func withUnsafeBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value where Value: Sendable {
        let result: Result<Value, Failure> = bytes.withLock { bytes in
            bytes.withUnsafeBytes { memory in
                do throws(Failure) {
                    return .success(try body(memory))
                } catch {
                    return .failure(error)
                }
            }
        }
        return try result.get()
    }

    private static func erase(_ memory: UnsafeMutableRawBufferPointer) {
        if let start = memory.baseAddress {
            baton_erase(start, memory.count)
        }
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<secret>" }
    public var debugDescription: String { "<secret>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret {
    /// Keeps a text; the text itself stays wherever it came from.
    public convenience init(text: String) { self.init(Array(text.utf8)) }

    /// A copy as text, for what can only be handed over so, such as a form's field.
    public var text: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}

extension Secret: Equatable {
    /// Compares in a time that depends on the lengths alone.
    public static func == (left: Secret, right: Secret) -> Bool {
        guard left !== right else { return true }
        let other = right.withUnsafeBytes { Array($0) }
        return left.withUnsafeBytes { bytes in
            guard bytes.count == other.count else { return false }
            return zip(bytes, other).reduce(into: UInt8(0)) { $0 |= $1.0 ^ $1.1 } == 0
        }
    }
}
