import FoundationEssentials
import Testing

@testable import Baton

@Suite struct ParticipationMemoryTests {
    private func withFolder(_ work: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "baton-memory-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try work(folder)
    }

    @Test func `what is written is read at the next start`() throws {
        try withFolder { folder in
            let memory = ParticipationMemory.file(folder + "/deep/er/app.json")
            #expect(memory.read() == .init())
            #expect(memory.write(.init(journalID: "j", clearedThrough: 17)))
            #expect(memory.read() == .init(journalID: "j", clearedThrough: 17))
            let text = try String(contentsOfFile: folder + "/deep/er/app.json", encoding: .utf8)
            #expect(text == #"{"cleared-through":17,"journal-id":"j"}"#)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/deep/er") == ["app.json"])
        }
    }

    @Test func `a damaged file is a memory that is lost`() throws {
        try withFolder { folder in
            let memory = ParticipationMemory.file(folder + "/app.json")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data("{\"cleared-through\":".utf8).write(to: URL(filePath: folder + "/app.json"))
            #expect(memory.read() == .init())
        }
    }

    @Test func `an id that is no file name is not remembered`() {
        #expect(ParticipationMemory.standard(for: "../evil").write(.init()))
        #expect(ParticipationMemory.standard(for: "../evil").read() == .init())
    }
}
