import TerminalTesting

extension Terminal {
    /// A participant in a process of its own, which a test may stop and the agent may kill.
    func startSilentApp(_ id: String) async throws -> Program {
        let app = try run(["batonctl", "participate", id])
        try await app.line(containing: "ready")
        return app
    }
}
