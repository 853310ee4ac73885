import FoundationEssentials
import Presentation
import Testing
import Vocabulary

@testable import BatonctlProgram

@Suite struct WorkerLanguageTests {
    private func fields(of language: Language) throws -> [String: String] {
        try JSONDecoder().decode([String: String].self, from: JSONEncoder().encode(CommandTexts.of(language)))
    }

    @Test(arguments: Language.allCases)
    func `each text is there, with the same places and blanks, and is no other language's`(language: Language) throws {
        let english = try fields(of: .english)
        for (name, text) in try fields(of: language) {
            let other = english[name] ?? ""
            func places(_ text: String) -> Set<String> { Set(text.matches(of: /{[^}]*}/).map { String($0.output) }) }
            #expect(places(text) == places(other), "\(name)")
            #expect(!text.isEmpty && text.hasSuffix(" ") == other.hasSuffix(" "), "\(name)")
            if language != .english, text.count > 9 { #expect(text != other, "\(name)") }
        }
    }

    @Test(arguments: [
        ([:], Language.english), (["LANG": "C"], .english), (["LANG": "POSIX"], .english),
        (["LANG": "en_GB.UTF-8"], .english),
        (["LANG": "C.UTF-8", "LC_ALL": ""], .english), (["LANG": "hr_HR.UTF-8"], .english),
        (["LANG": "de_AT.UTF-8"], .german), (["LANG": "de_AT.utf8@euro"], .german), (["LANG": "pl"], .polish),
        (["LANG": "de_DE.UTF-8", "LC_MESSAGES": "hu_HU.UTF-8"], .hungarian),
        (["LANG": "de_DE.UTF-8", "LC_MESSAGES": "hu_HU.UTF-8", "LC_ALL": "C"], .english),
        (["LC_ALL": "ru_RU.KOI8-R"], .english), (["LC_ALL": "cs_CZ.UTF-8", "LANG": "C"], .czech),
    ]) func `the environment says the language, as far as it can be written`(
        environment: [String: String], language: Language
    ) {
        #expect(Language(environment: environment) == language)
    }

    @Test func `an unused language changes nothing for programs that read English`() {
        #expect(Text.language == .english)
        #expect(Text.worker(\.isLocked, ["seconds": "7"]) == "locked, sign-out in 7 s")
        #expect(Text.timeLeft(61) == "1:01 left" && Text.timeLeft(0) == "The code has expired.")
        #expect(Text.shortPIN(4) == "A PIN must have at least 4 characters.")
    }
}
