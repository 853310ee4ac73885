import FolderTesting
import TerminalTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct DescriptorLimitTests {
    @Test func `batond may have more files open than it was started with`() async throws {
        let terminal = try Terminal()
        let daemon = try terminal.run([
            "sh", "-c", "ulimit -Sn 512; exec \"$0\" --session", "\(Terminal.binaries)/batond",
        ])
        try await daemon.line(containing: "the agent has registered")
        let lines = (contents("/proc/\(daemon.pid)/limits") ?? "").split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("Max open files") })
        #expect(try #require(line.split(separator: " ").dropFirst(3).first.flatMap { Int($0) }) > 4096)
        await daemon.kill()
    }
}
