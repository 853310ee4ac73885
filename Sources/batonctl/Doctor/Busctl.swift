import DBus
import Subprocess

/// Calls of which busctl(1) reads the answer: lists of structures.
enum Busctl {
    /// - Parameters:
    ///   - arguments: The signature and the values, as busctl takes them.
    ///   - seconds: How long the answer may take.
    ///   - size: How long it may be, in bytes.
    /// - Returns: What busctl prints as JSON; nil: the call was refused, or not answered in time.
    static func call(
        _ member: String, of interface: InterfaceName, at path: ObjectPath, of name: BusName,
        _ arguments: [String] = [],
        seconds: Int, size: Int
    ) async throws -> String? {
        let words = [
            "--json=short", "--timeout=\(seconds)", "call", name.rawValue, path.rawValue, interface.rawValue, member,
        ]
        let result = try await Subprocess.run(
            .name("busctl"), arguments: Arguments(words + arguments), input: .none, output: .string(limit: size),
            error: .discarded)
        guard case .exited(0) = result.terminationStatus else { return nil }
        return result.standardOutput
    }
}
