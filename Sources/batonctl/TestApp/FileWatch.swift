import Glibc
import LinuxSystem
import SystemPackage

/// Notices which of the files that are in the data folders now get lost, also those that come back at once: while a worker
/// is signed in, nothing may take their work away.
struct FileWatch: Sendable {
    private let descriptor: Descriptor
    private let folders: [Int32: String]
    /// With their sizes.
    private let files: [String: Int64]

    /// Nil: there is nothing to watch.
    ///
    /// - Throws: `Errno` when the machine gives no means: all of the user's inotify instances (`EMFILE`) or watches (`ENOSPC`) are in use.
    init?(_ data: DataFolders) throws(Errno) {
        let found = data.walk()
        guard !found.files.isEmpty, !found.folders.isEmpty else { return nil }
        let raw = inotify_init1(O_NONBLOCK | O_CLOEXEC)
        guard raw >= 0 else { throw Errno(rawValue: errno) }
        descriptor = Descriptor(owning: raw)
        var folders: [Int32: String] = [:]
        for folder in found.folders {
            let watch = inotify_add_watch(raw, folder, UInt32(IN_DELETE | IN_MOVED_FROM))
            if watch >= 0 {
                folders[watch] = folder
            } else if errno != ENOENT {
                throw Errno(rawValue: errno)
            }
        }
        self.folders = folders
        files = Dictionary(found.files.map { ($0.path, $0.size) }, uniquingKeysWith: { first, _ in first })
    }

    /// Those that were removed or emptied so far, in the order of their names.
    func lost() -> [String] {
        var lost = removed()
        for (file, size) in files where size > 0 {
            if (FileFacts(path: file)?.size ?? 0) == 0 { lost.insert(file) }
        }
        return lost.sorted()
    }

    private func removed() -> Set<String> {
        var removed: Set<String> = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let header = MemoryLayout<inotify_event>.size
        while true {
            let count = read(descriptor.raw, &buffer, buffer.count)
            guard count > 0 else { return removed }
            var offset = 0
            while offset + header <= count {
                let (watch, length) = buffer.withUnsafeBytes { bytes in
                    (
                        bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self),
                        Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
                    )
                }
                let name = buffer.dropFirst(offset + header).prefix(length).prefix { $0 != 0 }
                if let folder = folders[watch] {
                    let file = folder + "/" + String(decoding: name, as: UTF8.self)
                    if files[file] != nil { removed.insert(file) }
                }
                offset += header + length
            }
        }
    }
}
