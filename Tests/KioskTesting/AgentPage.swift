import BusTesting
import FoundationEssentials

/// The page of an agent's Chromium, which its agent alone has on a pipe: for that this one has a port too.
public struct AgentPage: Sendable {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().path

    /// Whether a sandbox shows the browser that lies there: of these folders it shows nothing.
    public static let isShown = !["/tmp/", "/var/tmp/", "/dev/shm/", "/run/"].contains { folder.hasPrefix($0) }

    /// The first of the ports that its browsers have.
    public let port = Int.random(in: 20_000...29_000)

    public init() {}

    /// Keys of the section `browser`.
    public var settings: String {
        "kind: chromium, executable: \(Self.folder)/chromium-with-port, arguments: [\"--baton-test-port=\(port)\"]"
    }

    /// What `page.py` prints of it.
    public func ask(_ words: String...) async throws -> String {
        let command = ["/usr/bin/python3", "\(Self.folder)/page.py", "\(port)"]
        let tool = try ChildProcess(command + words, environment: [:])
        let (output, status) = await tool.end()
        guard status == 0 else { throw TestingError("\(words.prefix(2)): \(output.suffix(300))") }
        return output.split(separator: "\n").joined(separator: "\n")
    }

    /// What an expression in the page, or the promise that it is, comes to.
    public func value(of expression: String) async throws -> String { try await ask("value", expression) }

    /// Presses what a selector of CSS finds first.
    public func press(_ selector: String) async throws { _ = try await ask("press", selector) }
}
