import FoundationEssentials
import GRDB
import Vocabulary

/// What is wrong with a row or a value, before it is known whether that is a fault of the file or of the writer.
struct UnusableValue: Error {
    let what: String

    init(_ what: String) { self.what = what }
}

/// Between values and columns; nothing that stands in a file can trap here.
enum JournalCoding {
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func value<Value: Decodable>(_ type: Value.Type, _ column: DatabaseValue, _ table: String) throws -> Value {
        try value(type, try text(column, table), table)
    }

    static func value<Value: Decodable>(_ type: Value.Type, _ text: String, _ table: String) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(text.utf8))
        } catch {
            // The error's own text may quote the row, which may name a worker.
            throw UnusableValue("a row of the table \(table) cannot be read")
        }
    }

    static func text(_ column: DatabaseValue, _ table: String) throws -> String {
        guard case .string(let text) = column.storage else {
            throw UnusableValue("a row of the table \(table) has no text where one belongs")
        }
        return text
    }

    static func integer(_ column: DatabaseValue, _ table: String) throws -> Int64 {
        guard case .int64(let number) = column.storage else {
            throw UnusableValue("a row of the table \(table) has no number where one belongs")
        }
        return number
    }

    static func number<Number: FixedWidthInteger>(_ column: DatabaseValue, _ table: String) throws -> Number {
        guard let number = Number(exactly: try integer(column, table)) else {
            throw UnusableValue("a row of the table \(table) has a number out of range")
        }
        return number
    }

    /// A number as SQLite can hold it.
    static func column(_ number: some SerialNumber) throws -> Int64 {
        guard let column = Int64(exactly: number.rawValue) else { throw UnusableValue("\(number) is out of range") }
        return column
    }

    /// A text that is a key: SQLite would cut it at a NUL, and two keys could become one.
    static func key(_ text: String) throws -> String {
        if text.utf8.contains(0) { throw UnusableValue("a name has a NUL in it") }
        return text
    }
}
