import FoundationEssentials
import Presentation
import Testing
import Vocabulary

@Suite struct WorkerTextsTests {
    private func fields(of language: Language) throws -> [String: String] {
        try JSONDecoder().decode([String: String].self, from: JSONEncoder().encode(WorkerTexts.of(language)))
    }

    private func places(in text: String) -> Set<String> {
        Set(text.matches(of: /{[^}]*}/).map { String($0.output) })
    }

    @Test(arguments: Language.allCases)
    func `each text is there, with the same places, and is no other language's`(language: Language) throws {
        let english = try fields(of: .english)
        for (name, text) in try fields(of: language) {
            #expect(!text.trimmed.isEmpty && text == text.trimmed, "\(name)")
            #expect(places(in: text) == places(in: english[name] ?? ""), "\(name)")
            // Words of a letter or two, and loan words, may be the same.
            if language != .english, text.count > 9 { #expect(text != english[name], "\(name)") }
        }
    }

    @Test func `each message has a text of its name`() throws {
        let english = try fields(of: .english)
        for message in WorkerMessage.allCases { #expect(english[message.rawValue] != nil, "\(message)") }
    }

    @Test func `each place of a receipt has a text of its name, and each row of a receipt its place`() throws {
        let english = try fields(of: .english)
        for place in ReceiptPlace.allCases { #expect(english[place.rawValue] != nil, "\(place)") }
        let rows =
            HolderName.allCases.map(\.rawValue) + [
                "turn", "apps", "processes", "files", "screen", "screen-properties", "earlier-processes", "user-units",
                "screen-settings",
                "ipc", "kept-files", "other-folders", "browser",
            ]
        for row in rows { #expect(ReceiptPlace(row: row) != .other, "\(row)") }
        #expect(ReceiptPlace(row: "of-another-version") == .other)
    }

    @Test(arguments: [
        ("de", Language.german), ("de-AT", .german), ("hu_HU.UTF-8", .hungarian), ("CS", .czech), ("ru@x", .russian),
    ]) func `a locale has its language`(locale: String, language: Language) {
        #expect(Language(locale: locale) == language)
    }

    @Test(arguments: ["", "-", "hr", "deu", "english", "C", "d"])
    func `a locale of another language has none`(locale: String) { #expect(Language(locale: locale) == nil) }

    @Test(arguments: [
        ("{name}: {seconds} s", "{seconds}: 9 s"), ("{other} {name", "{other} {name"), ("{name}", "{seconds}"),
        ("", ""),
        ("{", "{"), ("}{", "}{"),
    ]) func `what is filled in stays as it is`(text: String, filled: String) {
        #expect(WorkerTexts.filled(text, ["name": "{seconds}", "seconds": "9"]) == filled)
    }
}

extension String {
    fileprivate var trimmed: String { split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ") }
}
