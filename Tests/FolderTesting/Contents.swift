import Glibc

/// All of a file, also of one in /proc, whose size is not known before; nil when it cannot be read.
public func contents(_ path: String) -> String? { bytes(in: path).map { String(decoding: $0, as: UTF8.self) } }

public func bytes(in path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65536)
    while case let count = read(file, &piece, piece.count), count > 0 { bytes += piece.prefix(count) }
    return bytes
}

/// Whether there is something, also a link that leads nowhere.
public func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
}
