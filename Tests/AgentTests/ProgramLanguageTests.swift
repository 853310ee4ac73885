import Testing

@testable import Agent

struct ProgramLanguageTests {
    @Test(arguments: [
        ("de-AT", "de_AT.UTF-8", "de_AT:de"), ("de_AT.UTF-8@euro", "de_AT.UTF-8", "de_AT:de"),
        ("de", "de_DE.UTF-8", "de"),
        ("cs", "cs_CZ.UTF-8", "cs"), ("sr-Latn-RS", "sr_RS.UTF-8", "sr_RS:sr"),
        ("EN", "en_US.UTF-8", "en"),
    ]) func `programs get a locale that the system has`(
        locale: String, name: String, languages: String
    ) {
        let own = ["LC_TIME": "en_GB.UTF-8", "LC_ALL": "", "HOME": "/"]
        #expect(
            ProgramLanguage.environment(locale: locale, own: own) { $0 == name }
                == ["LANG": name, "LANGUAGE": languages, "LC_TIME": name])
        #expect(
            ProgramLanguage.environment(locale: locale, own: own) { _ in false } == [
                "LANGUAGE": languages
            ])
    }

    @Test(arguments: ["", "C", "POSIX", "x", "../de", "d\u{e9}", "12_34", "toolong"])
    func `a text that names no language changes nothing`(locale: String) {
        #expect(ProgramLanguage.environment(locale: locale, own: [:]) { _ in true }.isEmpty)
    }

    @Test func `the system itself is asked`() {
        #expect(ProgramLanguage.environment(locale: "xx-XX", own: [:]) == ["LANGUAGE": "xx_XX:xx"])
    }
}
