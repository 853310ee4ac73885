import Glibc

/// The names in a folder, sorted; none where it cannot be read.
public func names(in path: String) -> [String] {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return [] }
    defer { close(folder) }
    return Names.raw(in: folder).map { name in
        String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }.sorted()
}

enum Names {
    /// Each as it is, of any bytes, with the zero at its end.
    static func raw(in folder: Int32) -> [[CChar]] {
        // Opened anew: a copy of the descriptor would go on where the last reading ended.
        let descriptor = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        guard let stream = fdopendir(descriptor) else {
            close(descriptor)
            return []
        }
        defer { closedir(stream) }
        var names: [[CChar]] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { $0.prefix { $0 != 0 }.map(CChar.init(bitPattern:)) }
            if name != [0x2E], name != [0x2E, 0x2E] { names.append(name + [0]) }
        }
        return names
    }
}
