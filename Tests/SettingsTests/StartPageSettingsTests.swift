import Settings
import Testing
import Vocabulary

@Suite struct StartPageSettingsTests {
    @Test func `the start page has a language, a name, a colour and a contact`() throws {
        #expect(try parse("").settings.startPage == StartPageSettings())
        let page = try parse(
            """
            start-page:
              language: cs
              name: Oddělení 3
              logo: /usr/share/ward/logo.SVG
              accent: "#176B3A"
              contact: IT, 4711
              bar: top-right
              recent: initials
              keyboard: on
              developer: true

            """
        ).settings.startPage
        #expect(page.language == .czech && page.name == "Oddělení 3" && page.logo == "/usr/share/ward/logo.SVG")
        #expect(page.accent == "#176b3a" && page.contact == "IT, 4711" && page.bar == .topRight)
        #expect(page.recent == .initials && page.keyboard == .on && page.isForDevelopers)
    }

    @Test(arguments: [
        ("{language: hr}", "language", "en or de"), ("{logo: logo.png}", "logo", "absolute path"),
        ("{logo: /etc/passwd}", "logo", ".png"), ("{accent: blue}", "accent", "in quotes"),
        ("{accent: \"#ffee00\"}", "accent", "contrast is 1.2"), ("{name: \"a\\nb\"}", "name", "a line"),
        ("{contact: \(String(repeating: "x", count: 81))}", "contact", "80"), ("{title: x}", "title", "unknown"),
        ("{bar: left}", "bar", "top-left or"),
    ]) func `what cannot be shown is refused`(text: String, key: String, words: String) {
        let found = faults("start-page: \(text)\n")
        #expect(found.count == 1 && found.first?.contains("start-page.\(key)") == true, "\(found)")
        #expect(found.first?.contains(words) == true, "\(found)")
    }
}
