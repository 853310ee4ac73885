import FolderTesting
import FoundationEssentials
import Testing

@testable import Baton

@Suite struct ParticipationMemoryTests {
    @Test func `what is written is read at the next start`() throws {
        let folder = try TemporaryFolder("memory")
        let memory = ParticipationMemory.file(folder.path(of: "deep/er/app.json"))
        #expect(memory.read() == .init())
        #expect(memory.write(.init(journalID: "j", clearedThrough: 17)))
        #expect(memory.read() == .init(journalID: "j", clearedThrough: 17))
        #expect(folder.text(of: "deep/er/app.json") == #"{"cleared-through":17,"journal-id":"j"}"#)
        #expect(names(in: folder.path(of: "deep/er")) == ["app.json"])
    }

    @Test func `a damaged file is a memory that is lost`() throws {
        let folder = try TemporaryFolder("memory")
        let memory = ParticipationMemory.file(try folder.write("{\"cleared-through\":", to: "app.json"))
        #expect(memory.read() == .init())
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
