import Baton
import ReceiptChain
import SystemPackage

/// An export of receipts, read line by line; it may be anything.
enum ExportFile {
    /// Far more than any receipt has, in bytes.
    static let longestLine = 16 << 20

    /// - Parameter path: `-`: standard input.
    /// - Parameter body: Is given the entry of each line.
    /// - Throws: What `body` throws; `ChainFault.malformed` for a line that is no entry; `Errno` where it cannot be read.
    static func read(_ path: String, _ body: (ReceiptEntry) throws(ChainFault) -> Void) throws {
        let file: FileDescriptor =
            path == "-" ? .standardInput : try .open(FilePath(path), .readOnly, options: [.closeOnExec])
        defer { if path != "-" { try? file.close() } }
        var number = 0
        func take(_ line: ArraySlice<UInt8>) throws(ChainFault) {
            number += 1
            guard let entry = ReceiptEntry(json: line) else { throw ChainFault(.malformed, place: number) }
            try body(entry)
        }
        var rest: [UInt8] = []
        while true {
            let part = try [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            guard !part.isEmpty else { break }
            var lines = part[...]
            while let end = lines.firstIndex(of: UInt8(ascii: "\n")) {
                rest += lines[..<end]
                try take(rest[...])
                rest.removeAll(keepingCapacity: true)
                lines = lines[(end + 1)...]
            }
            rest += lines
            guard rest.count <= longestLine else { throw ChainFault(.malformed, place: number + 1) }
        }
        // Written without an end: what is missing of it shows.
        if !rest.isEmpty { try take(rest[...]) }
    }
}
