import Testing
import WebText

@Suite("JSON from outside", .timeLimit(.minutes(1)))
struct JSONValueTests {
    @Test func `JSON is read within bounds`() {
        #expect(
            JSONValue(Array("[[1, 2.5, true, null, \"x\", {\"a\": 9007199254740993}]]".utf8))
                == .array([
                    .array([
                        .integer(1), .number(2.5), .boolean(true), .null, .string("x"),
                        .object(["a": .integer(9_007_199_254_740_993)]),
                    ])
                ]))
        let nested = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        #expect(JSONValue(Array(nested(32).utf8)) != nil && JSONValue(Array(nested(33).utf8)) == nil)
        let wide = { (count: Int) in "[" + String(repeating: "0,", count: count) + "0]" }
        #expect(JSONValue(Array(wide(4_999).utf8)) != nil && JSONValue(Array(wide(5_000).utf8)) == nil)
        // Marks in texts are no structure, whatever is escaped before them.
        #expect(JSONValue(Array(#"{"a":"\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\\"}"#.utf8)) != nil)
        for text in ["", "{", "[1,,]", "{\"a\" 1}", "nul", "\"\\ud800\"", "[1e999]", "]", "\u{FEFF}x"] {
            #expect(JSONValue(Array(text.utf8)) == nil, "\(text)")
        }
    }

    @Test func `the largest JSON that is read takes little time`() {
        let clock = ContinuousClock()
        for unit in ["[],", "{},", "true,", "1.5,", "\"x\","] {
            let text =
                "[" + String(repeating: unit, count: 4_990 / (unit.contains("]") || unit.contains("}") ? 2 : 1)) + "0]"
            let time = clock.measure { #expect(JSONValue(Array(text.utf8)) != nil) }
            #expect(time < .seconds(10))
        }
    }

    @Test func `JSON is read up to a megabyte`() {
        let text = { (count: Int) in "\"" + String(repeating: "x", count: count - 2) + "\"" }
        #expect(JSONValue(text(JSONValue.largest).utf8)?.string?.utf8.count == JSONValue.largest - 2)
        #expect(JSONValue(text(JSONValue.largest + 1).utf8) == nil)
    }

    @Test(
        arguments: [
            ("3600", 3600, 3600), ("3600.0", 3600, 3600), ("1.5", nil, 1), ("-1.5", nil, -2), ("1e400", nil, nil),
            ("1e30", nil, nil), ("\"3600\"", nil, nil), ("true", nil, nil), ("9223372036854775808", nil, nil),
        ] as [(String, Int64?, Int64?)])
    func `a number is whole, a date cut to whole seconds`(text: String, integer: Int64?, date: Int64?) {
        let value = JSONValue(text.utf8)
        #expect(value?.integer == integer && value?.date == date)
    }

    @Test func `what is of another kind than asked for is nothing`() {
        let value = JSONValue(#"{"text": "12", "list": ["a", 1], "texts": ["a"], "no": null}"#.utf8)
        #expect(value?["text"]?.integer == nil && value?["text"]?.lenientInteger == 12)
        #expect(value?["list"]?.strings == nil && value?["texts"]?.strings == ["a"])
        #expect(value?["no"] == .null && value?["missing"] == nil)
        #expect(value?["text"]?["text"] == nil && value?.array == nil && value?.boolean == nil)
    }

    @Test(
        arguments: [[0xFF], [0x22, 0xC3, 0x22], [0x22, 0x0A, 0x22], Array("{} {}".utf8), Array("'a'".utf8)] as [[UInt8]]
    )
    func `bytes that are no JSON are nothing`(bytes: [UInt8]) { #expect(JSONValue(bytes) == nil) }

    @Test(
        arguments: [
            (["b": 1, "a": [true, .null], "B": .number(-2.5)], #"{"B":-2.5,"a":[true,null],"b":1}"#),
            ("a/b\"\\\u{1F}é\u{2028}", "\"a/b\\\"\\\\\\u001fé\u{2028}\""), ([:], "{}"), ([], "[]"), ("", "\"\""),
            (.null, "null"),
            (.integer(.min), "-9223372036854775808"), (.number(.infinity), "null"), ([.number(.nan)], "[null]"),
            (.strings(["b", "a"]), #"["b","a"]"#),
        ] as [(JSONValue, String)])
    func `a value has one text`(value: JSONValue, text: String) { #expect(value.text == text) }

    @Test func `what is written is read again`() {
        let value: JSONValue = [
            "": "../../etc/passwd", "__proto__": .integer(.min), "n": .number(-1e308),
            "l": ["\u{202E}", [], [:], 1, false],
            "t": "\u{0}\r\nSet-Cookie: a=b\u{1B}]0;x\u{7}<script>\u{7F}",
            "k": .string(String(repeating: "k", count: 4096)),
        ]
        #expect(JSONValue(value.bytes) == value)
    }

    @Test func `more is written than is read`() {
        let deep = (0..<200).reduce(JSONValue.integer(1)) { inner, _ in [inner] }
        #expect(deep.text == String(repeating: "[", count: 200) + "1" + String(repeating: "]", count: 200))
        #expect(JSONValue(deep.bytes) == nil)
    }
}
