import Glibc
import Secrets
import SystemPackage

/// An opened file that the settings name; what was judged is what is read.
final class ReferencedFile {
    static let largest = 1 << 20

    /// What keeps a file from being used.
    enum Fault: Error, Hashable {
        case missing, link, noFile, empty, tooLarge, noCertificate, noKey
        case unreadable(Errno)
        case owner(UInt32)
        case mode(UInt32)
    }

    private let descriptor: Int32
    private let status: stat

    init(_ path: FilePath, followsLinks: Bool) throws(Fault) {
        // Without O_NONBLOCK a pipe in the file's place would hold the start for ever.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW)
        let opened = path.withPlatformString { open($0, flags) }
        guard opened >= 0 else {
            switch errno {
            case ENOENT: throw .missing
            case ELOOP where !followsLinks: throw .link
            case let number: throw .unreadable(Errno(rawValue: number))
            }
        }
        var status = stat()
        let failure = fstat(opened, &status) == 0 ? 0 : errno
        descriptor = opened
        self.status = status
        guard failure == 0 else { throw .unreadable(Errno(rawValue: failure)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .noFile }
        guard status.st_size <= Self.largest else { throw .tooLarge }
    }

    deinit { close(descriptor) }

    /// The bytes, without line ends after them.
    func read() throws(Fault) -> Secret {
        let secret = try Secret(capacity: Self.largest + 1) { memory throws(Fault) in
            var filled = 0
            while filled < memory.count {
                let got = Glibc.read(descriptor, memory.baseAddress?.advanced(by: filled), memory.count - filled)
                if got < 0, errno == EINTR { continue }
                guard got >= 0 else { throw .unreadable(Errno(rawValue: errno)) }
                guard got > 0 else { break }
                filled += got
            }
            guard filled <= Self.largest else { throw .tooLarge }
            while filled > 0, [0x0a, 0x0d].contains(memory[filled - 1]) { filled -= 1 }
            return filled
        }
        guard secret.count > 0 else { throw .empty }
        return secret
    }

    /// The bytes of a file that only its owner can read, who must be one of `owners`; nil: no owner or mode is asked.
    func secret(owners: Set<UInt32>?) throws(Fault) -> Secret {
        if let owners {
            guard owners.contains(status.st_uid) else { throw .owner(status.st_uid) }
            let mode = UInt32(status.st_mode) & 0o7777
            guard mode & 0o7177 == 0 else { throw .mode(mode) }
        }
        return try read()
    }
}

extension ReferencedFile.Fault {
    /// This user has no permission to read it.
    var isForbidden: Bool { self == .unreadable(.permissionDenied) }

    /// What is wrong and what to do, to stand behind the path.
    func text(_ path: FilePath) -> String {
        switch self {
        case .missing: "does not exist"
        case .link: "is a symbolic link; name the file that it leads to"
        case .noFile: "is not a file"
        case .empty: "is empty"
        case .tooLarge: "is larger than 1 MiB"
        case .noCertificate: "has no certificate: it must be a PEM file with -----BEGIN CERTIFICATE-----"
        case .noKey: "has no private key: it must be a PEM file with the key and its certificate"
        case .unreadable(let number): "cannot be read: \(number)"
        case .owner(let user):
            "belongs to user \(user), who could change it; give it to the daemon's user: chown baton \(path)"
        case .mode(let mode):
            "has mode \(String(mode, radix: 8)), which gives others access; chmod 0600 \(path)"
        }
    }
}

extension Secret {
    /// Whether the ASCII text is somewhere in it.
    func contains(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return withUnsafeBytes { bytes in
            guard !wanted.isEmpty, bytes.count >= wanted.count else { return false }
            return (0...bytes.count - wanted.count).contains { bytes[$0..<$0 + wanted.count].elementsEqual(wanted) }
        }
    }
}
