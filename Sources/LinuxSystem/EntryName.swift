package import Glibc

/// One name in a directory: bytes, not text, since a file may be called anything.
package struct EntryName: Hashable {
    /// Ends with NUL, ready for system calls.
    package let bytes: [CChar]

    package init(_ text: some StringProtocol) {
        bytes = text.utf8.map { CChar(bitPattern: $0) } + [0]
    }

    package init(_ entry: UnsafeMutablePointer<dirent>) {
        // The kernel's record is shorter than `dirent`, so the name is read where it lies and never copied whole.
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
        bytes = Array(UnsafeBufferPointer(start: name, count: strlen(name))) + [0]
    }

    /// By its bytes: a walk asks for each entry.
    package var isDots: Bool {
        let dot = CChar(bitPattern: UInt8(ascii: "."))
        return bytes.count <= 3 && bytes.first == dot && bytes.dropLast().allSatisfy { $0 == dot }
    }

    /// For people and logs: control characters are replaced, so that a name cannot forge a line.
    package var text: String {
        let decoded = String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return String(decoded.map { $0.isNewline || ($0.asciiValue ?? 32) < 32 || $0 == "\u{7F}" ? "?" : $0 })
    }
}
