import Testing
import WebText

@Suite("Form text", .timeLimit(.minutes(1)))
struct FormTextTests {
    private static func texts(_ fields: [(name: String, value: String)]?) -> [[String]]? {
        fields?.map { [$0.name, $0.value] }
    }

    @Test(arguments: ["", "plain", "a&b=c", "ü€🙂", "100% + 1", "~._-", "a/b?c#d", "\n"])
    func `what is written can be read again`(text: String) {
        let written = FormText.encoded([(name: "name", value: text)])
        #expect(written.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        #expect(written == "name=\(FormText.escaped(text))")
        let read = FormText.decoded(written[...])
        if text == "\n" { #expect(read == nil) } else { #expect(Self.texts(read) == [["name", text]]) }
    }

    @Test func `fields come in their order, also twice, also without a value`() {
        let fields = FormText.decoded("b=1&a=2&&b=&c&d=e=f&g+h=%2b")
        let expected = [["b", "1"], ["a", "2"], ["b", ""], ["c", ""], ["d", "e=f"], ["g h", "+"]]
        #expect(Self.texts(fields) == expected)
        #expect(Self.texts(FormText.decoded("")) == [])
    }

    @Test(arguments: [
        "a=%", "a=%4", "a=%4g", "a=%g4", "a=%%41", "%zz=1", "=1", "a=1&=2", "a=%00", "a=%0A", "a=%7f", "a=\t", "a=%ff",
        "a=%c3", "a=%ed%a0%80", "%ff=1",
    ])
    func `a broken escape, a control character or what is no UTF-8 is refused`(query: String) {
        #expect(FormText.decoded(query[...]) == nil)
    }

    @Test func `what decides nothing is cleaned`() {
        let fields = FormText.decoded("state=1&text=a%0ab%zz%ff+c%", strict: ["state"])
        #expect(Self.texts(fields) == [["state", "1"], ["text", "a b%zz\u{FFFD} c%"]])
        #expect(FormText.decoded("state=%zz&text=a", strict: ["state"]) == nil)
        // A name decides always.
        #expect(FormText.decoded("%zz=1", strict: ["state"]) == nil)
    }

    @Test func `too many fields are refused`() {
        let query = { (count: Int) in Array(repeating: "a=1", count: count).joined(separator: "&") }
        #expect(FormText.decoded(query(64)[...])?.count == 64)
        #expect(FormText.decoded(query(65)[...]) == nil)
        #expect(FormText.decoded(query(3)[...], limit: 2) == nil)
    }

    @Test(arguments: [
        ("https://a/", "https://a/?b=c%20d"), ("https://a/?", "https://a/?b=c%20d"),
        ("https://a?x", "https://a?x&b=c%20d"),
        ("https://a?x&", "https://a?x&b=c%20d"),
    ])
    func `fields go behind those that an address has`(url: String, expected: String) {
        #expect(FormText.address(url, adding: [(name: "b", value: "c d")]) == expected)
        #expect(FormText.address(url, adding: []) == url)
    }

    @Test(arguments: [
        ("a+b%20c", "a b c"), ("%", "%"), ("%4", "%4"), ("%zz", "%zz"), ("%%41", "%A"), ("%0a", "\n"),
        ("%ff", "\u{FFFD}"), ("%+5", "% 5"), ("%2B", "+"),
    ])
    func `one text can be read leniently`(text: String, expected: String) {
        #expect(FormText.lenient(text[...]) == expected)
    }

    @Test(
        arguments: [
            ("", []), ("&&", []), ("b=1&a=2&b=", [["b", "1"], ["a", "2"], ["b", ""]]), ("c", [["c", ""]]),
            ("=1", [["", "1"]]), ("=", [["", ""]]), ("d=e=f", [["d", "e=f"]]), ("g+h=%2b+%2B", [["g h", "+ +"]]),
            ("a=%&%zz=%4", [["a", "%"], ["%zz", "%4"]]), ("a=%0a\t%00", [["a", "\n\t\0"]]),
            ("a=%ff&%c3=1", [["a", "\u{FFFD}"], ["\u{FFFD}", "1"]]), ("a=%C3%A9", [["a", "é"]]),
            ("a=1&\u{301}b=2", [["a", "1"], ["\u{301}b", "2"]]), ("a=%EF%BB%BF1", [["a", "\u{FEFF}1"]]),
            ("a;b=1", [["a;b", "1"]]), ("a=%u0041", [["a", "%u0041"]]),
        ] as [(String, [[String]])])
    func `a server refuses nothing of a form`(text: String, fields: [[String]]) {
        #expect(Self.texts(FormText.lenientFields(text[...], limit: 9)) == fields)
    }

    @Test func `what exceeds the limit of a lenient reader is left out`() {
        #expect(Self.texts(FormText.lenientFields("a=1&&b=2&c=3", limit: 2)) == [["a", "1"], ["b", "2"]])
    }

    @Test(arguments: [("a+b%20c", "a+b c"), ("%2B", "+"), ("%2F", "/"), ("%", "%"), ("%+5", "%+5"), ("", "")])
    func `in a path a plus is a plus`(text: String, expected: String) {
        #expect(FormText.lenientSegment(text[...]) == expected)
    }
}
