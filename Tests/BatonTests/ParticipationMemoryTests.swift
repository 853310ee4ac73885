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

    @Test(arguments: ["", "j", "b0a7c0b3-5d11", "a\"b\\c/d\n\u{0}", "Žižka 🦊", "\"}", ",\"journal-id\":\""])
    func `whatever the journal's id is, it is read as it was written`(id: String) throws {
        let contents = ParticipationMemory.Contents(journalID: id, clearedThrough: .greatest)
        #expect(ParticipationMemory.Contents(text: contents.text) == contents)
        // As any other reader of JSON would.
        let json = try JSONDecoder().decode(File.self, from: Data(contents.text.utf8))
        #expect(json.id == id && json.clearedThrough == Epoch.greatest.rawValue)
    }

    private struct File: Decodable {
        var id: String
        var clearedThrough: UInt64

        enum CodingKeys: String, CodingKey {
            case id = "journal-id"
            case clearedThrough = "cleared-through"
        }
    }

    @Test(arguments: [
        "", "{}", #"{"cleared-through":1,"journal-id":"}"#, #"{"cleared-through":1,"journal-id":"a"b"}"#,
        #"{"cleared-through":-1,"journal-id":"j"}"#, #"{"cleared-through":18446744073709551616,"journal-id":"j"}"#,
        #"{"cleared-through":1,"journal-id":"\u12"}"#, #"{"cleared-through":1,"journal-id":"\"}"#,
    ])
    func `text of another form is none`(text: String) {
        #expect(ParticipationMemory.Contents(text: text) == nil)
    }

    @Test func `an id that is no file name is not remembered`() {
        #expect(ParticipationMemory.standard(for: "../evil").write(.init()))
        #expect(ParticipationMemory.standard(for: "../evil").read() == .init())
    }
}
