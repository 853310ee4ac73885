import Settings
import Testing
import Vocabulary

@Suite struct KeyboardSettingsTests {
    @Test func `a worker's locale has a layout, that of a territory before that of its language`() throws {
        let keyboards = try parse("desktop: {keyboards: {de: de, de-CH: ch, cs: cz(qwertz), no: no}}\n")
            .settings.desktop.keyboards
        let found = ["de", "de_AT.UTF-8", "DE-at", "de_CH", "de-CH-1996", "cs@x", "no", "d", "den", "", "_", "fr"]
            .map { keyboards[$0]?.text }
        #expect(found == ["de", "de", "de", "ch", "ch", "cz(qwertz)", "no", nil, nil, nil, nil, nil])
        #expect(try parse("").settings.desktop.keyboards.isEmpty)
    }

    @Test(arguments: [
        ("[de]", "must be pairs"), ("{de: '-option'}", "'-option' is not a keyboard layout"),
        ("{de: 'de;id'}", "is not a keyboard layout"), ("{de: 'de(fr'}", "is not a keyboard layout"),
        ("{de: [de]}", "the value is not a keyboard layout"), ("{de: }", "the value is not a keyboard layout"),
        ("{'d e': de}", "'d e' is not a locale"), ("{de_AT: de, de-at: at}", "'de-at' is there twice"),
    ]) func `what is no layout or no locale is refused in its line`(text: String, words: String) {
        let found = faults("desktop:\n  keyboards: \(text)\n")
        #expect(found.count == 1 && found.first?.contains("2: desktop.keyboards: ") == true, "\(found)")
        #expect(found.first?.contains(words) == true, "\(found)")
    }

    @Test(arguments: [
        "", "(", "()", "de()", "(fr)", "de(fr)x", "de(fr)(fr)", "de (fr)", "-de", "de(-x)", "d\u{e9}", "de\n", "de\0",
        "../de",
        "de,us", "de\"", "$(id)", "`id`", String(repeating: "a", count: 33),
    ]) func `a text that could be more than a name is no layout`(text: String) {
        #expect(KeyboardLayout(text) == nil)
    }

    @Test(arguments: ["de", "ch(fr)", "us(dvorak-intl)", "cz(qwerty_bksl)", "pl(T3)", "3l"])
    func `a layout comes back as it was`(text: String) { #expect(KeyboardLayout(text)?.text == text) }
}
