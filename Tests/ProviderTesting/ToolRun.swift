import BusTesting

/// Runs a tool to its end and returns what it printed.
@discardableResult
func run(_ arguments: [String]) async throws -> String {
    let (output, status) = await (try ChildProcess(arguments)).end()
    guard status == 0 else { throw TestingError("\(arguments.first ?? "") ended with \(status): \(output)") }
    return output
}
