import BusTesting
import DBus
import TerminalTesting

/// The values of the next signal.
func next<Values: Sendable>(_ iterator: inout SignalStream<Values>.AsyncIterator) async throws -> Values {
    guard let signal = try await iterator.next(isolation: #isolation) else { throw TestingError("no more signals") }
    return signal.values
}
