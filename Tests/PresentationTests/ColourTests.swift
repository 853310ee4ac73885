import Presentation
import Testing

@Suite struct ColourTests {
    @Test(arguments: [
        ("#000000", 21.0), ("#ffffff", 1), ("#767676", 4.54), ("#0000ff", 8.59), ("#ffff00", 1.07),
    ]) func `contrast with white is WCAG's`(text: String, contrast: Double) throws {
        let colour = try #require(Colour(text))
        #expect(abs(colour.contrast(with: .white) - contrast) < 0.01)
        #expect(colour.text == text)
        #expect(max(colour.contrast(with: .white), colour.contrast(with: .black)) == colour.contrast(with: colour.ink))
    }

    @Test(arguments: ["", "#fff", "0b5cad", "#0b5cag", "#+b5cad", "#-b5cad", "#0b5cad0", "#ébcd"])
    func `another text is no colour`(text: String) { #expect(Colour(text) == nil) }

    @Test(arguments: ["#000000", "#0b5cad", "#176b3a", "#9b1c1c"])
    func `a dark colour is made light enough for a dark ground`(text: String) throws {
        let ground = try #require(Colour("#1a252e"))
        let colour = try #require(Colour(text)).readable(on: ground, contrast: 4.5)
        #expect(colour.contrast(with: ground) >= 4.5)
    }
}
