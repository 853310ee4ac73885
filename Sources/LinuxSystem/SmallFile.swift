import Glibc

/// All of a file that is expected to be small, such as those in `/proc`; nil when it cannot be read, is empty, or has more
/// bytes than that.
package func readSmallFile(_ path: String, most: Int = 65536) -> [UInt8]? {
    let raw = open(path, O_RDONLY | O_CLOEXEC)
    if raw < 0 { return nil }
    let descriptor = Descriptor(owning: raw)
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while result.count <= most {
        let count = read(descriptor.raw, &buffer, buffer.count)
        if count < 0 { return nil }
        if count == 0 { return result.isEmpty ? nil : result }
        result += buffer.prefix(count)
    }
    return nil
}
