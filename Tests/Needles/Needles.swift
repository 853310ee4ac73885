import FoundationEssentials
import Glibc

/// The forms in which a text may lie about, and the search for them.
public struct Needles: Sendable {
    let forms: [(name: String, bytes: [UInt8])]
    let longest: Int

    public init(_ text: String) {
        let plain = Array(text.utf8)
        let wide = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        var forms = [("UTF-8", plain), ("UTF-16", wide)]
        let percent = plain.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        forms += [("percent", Array(percent.utf8)), ("percent", Array(percent.uppercased().utf8))]
        forms.append(("hex", Array(percent.utf8.filter { $0 != UInt8(ascii: "%") })))
        // As it looks when 0, 1 or 2 bytes stand before it; only the letters that no neighbour changes.
        for shift in 0..<3 {
            let text = Data([UInt8](repeating: 0, count: shift) + plain).base64EncodedString().utf8
            let whole = (shift + plain.count) / 3 * 4
            let letters = Array(text.prefix(whole).dropFirst(shift == 0 ? 0 : 4))
            forms.append(("base64", letters))
            let url = letters.map {
                $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
            }
            if url != letters { forms.append(("base64url", url)) }
        }
        self.forms = forms.filter { $0.1.count >= 8 }
        longest = self.forms.map(\.bytes.count).max() ?? 0
    }

    /// Which forms are in these bytes.
    public func found(in bytes: UnsafeRawBufferPointer) -> Set<String> {
        var found: Set<String> = []
        guard let start = bytes.baseAddress else { return found }
        for form in forms where !found.contains(form.name) {
            if Self.has(form.bytes, in: UnsafeRawBufferPointer(start: start, count: bytes.count)) {
                found.insert(form.name)
            }
        }
        return found
    }

    /// By the C library's search for one byte, the one of them that memory has least of.
    private static func has(_ needle: [UInt8], in bytes: UnsafeRawBufferPointer) -> Bool {
        let rarest = needle.indices.min { commonness(needle[$0]) < commonness(needle[$1]) }
        guard let base = bytes.baseAddress, let rarest else { return false }
        var offset = 0
        while bytes.count - offset >= needle.count {
            let starts = bytes.count - offset - needle.count + 1
            guard let hit = memchr(base + offset + rarest, Int32(needle[rarest]), starts) else { return false }
            offset = UnsafeRawPointer(hit) - base - rarest
            if memcmp(base + offset, needle, needle.count) == 0 { return true }
            offset += 1
        }
        return false
    }

    /// By guess, of programs for x86-64 and of text.
    private static func commonness(_ byte: UInt8) -> Int {
        switch byte {
        case 0, 0xff: 5
        case UInt8(ascii: "H"), UInt8(ascii: "D"), UInt8(ascii: "L"), UInt8(ascii: "A"), UInt8(ascii: "%"): 4
        case UInt8(ascii: "a")...UInt8(ascii: "z"): 3
        case UInt8(ascii: "0")...UInt8(ascii: "9"): 2
        default: 1
        }
    }

    /// Reads on while `read` fills the buffer; pieces overlap, so that nothing is cut in two.
    public func found(reading read: (UnsafeMutableRawBufferPointer) -> Int) -> Set<String> {
        var found: Set<String> = []
        withUnsafeTemporaryAllocation(byteCount: 1 << 20, alignment: 16) { buffer in
            var kept = 0
            while true {
                let count = read(UnsafeMutableRawBufferPointer(rebasing: buffer[kept...]))
                guard count > 0 else { return }
                let full = kept + count
                found.formUnion(self.found(in: UnsafeRawBufferPointer(rebasing: buffer[..<full])))
                kept = min(full, max(longest - 1, 0))
                if let base = buffer.baseAddress { memmove(base, base + (full - kept), kept) }
            }
        }
        return found
    }
}
