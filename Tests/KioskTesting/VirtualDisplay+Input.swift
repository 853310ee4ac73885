import BusTesting

extension VirtualDisplay {
    /// Types, points and presses as a person does.
    ///
    /// - Parameter arguments: As xdotool(1) has them.
    public func xdotool(_ arguments: [String]) async throws {
        let result = await (try ChildProcess(["xdotool"] + arguments, environment: ["DISPLAY": display])).end()
        guard result.status == 0 else { throw TestingError("xdotool ended with \(result.status): \(result.output)") }
    }

    public func xdotool(_ arguments: String...) async throws { try await xdotool(arguments) }

    /// Without a place: in the middle of the screen.
    public func click(_ x: Int = 640, _ y: Int = 400) async throws {
        try await xdotool("mousemove", "\(x)", "\(y)", "click", "1")
    }
}
