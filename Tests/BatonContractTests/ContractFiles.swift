import BusTesting
import FolderTesting

/// The files of the public contract.
enum ContractFiles {
    static let folder = String(#filePath.dropLast("Tests/BatonContractTests/ContractFiles.swift".count)) + "dbus/"

    static func text(_ name: String) throws -> String {
        guard let text = contents(folder + name) else { throw TestingError("cannot read \(name)") }
        return text
    }

    /// The lines that count: without comments, indentation and empty lines.
    static func lines(_ xml: String) -> [String] {
        var rest = xml[...]
        var kept = ""
        while let start = firstRange(of: "<!--", in: rest),
            let end = firstRange(of: "-->", in: rest[start.upperBound...])
        {
            kept += rest[..<start.lowerBound]
            rest = rest[end.upperBound...]
        }
        kept += rest
        return kept.split(separator: "\n").compactMap { line in
            let trimmed = line.drop { $0 == " " }
            return trimmed.isEmpty ? nil : String(trimmed)
        }
    }

    private static func firstRange(of mark: String, in text: Substring) -> Range<Substring.Index>? {
        text.indices.lazy.filter { text[$0...].hasPrefix(mark) }.first.map {
            $0..<text.index($0, offsetBy: mark.count)
        }
    }
}
