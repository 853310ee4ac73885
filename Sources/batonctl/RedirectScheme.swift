import LocalAccounts
import SystemPackage

/// The scheme of an app's redirect URI that only this app should have (RFC 8252, section 7.1).
struct RedirectScheme: Hashable, Sendable {
    var app: String
    var scheme: String

    /// What `apps.d` says, and which files could not be used.
    struct Listing: Sendable {
        var schemes: [RedirectScheme] = []
        var faults: [String] = []
    }

    /// Reads the folder `apps.d`.
    static func list(in folder: FilePath) throws -> Listing {
        var listing = Listing()
        for name in try TextFile.names(in: folder).sorted() where name.hasSuffix(".yaml") && !name.hasPrefix(".") {
            let (app, file) = (String(name.dropLast(5)), folder.appending(name))
            guard isAppID(app) else { continue }
            do {
                guard let text = try TextFile.read(file) else { continue }
                guard let uri = try MarkedYAML.parse(text)?.pair("redirect-uri")?.value.text else { continue }
                if let scheme = privateUse(of: uri) { listing.schemes.append(Self(app: app, scheme: scheme)) }
            } catch let error as MarkedYAML.Faults {
                let fault = error.all.first
                listing.faults.append("\(file):\(fault?.line ?? 1): \(fault?.message ?? "not YAML")")
            } catch {
                listing.faults.append("\(file): \(error)")
            }
        }
        return listing
    }

    /// The scheme in small letters; nil when it is the web's, or one that belongs to other programs.
    static func privateUse(of uri: String) -> String? {
        guard let colon = uri.firstIndex(of: ":") else { return nil }
        let scheme = uri[..<colon].lowercased()
        return isScheme(scheme[...]) && !taken.contains(scheme) ? scheme : nil
    }

    static func isScheme(_ text: Substring) -> Bool {
        (1...128).contains(text.utf8.count) && text.utf8.first.map(isLetter) ?? false
            && text.utf8.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
    }

    /// As batond's own rule; it also makes the id fit for a file's name.
    static func isAppID(_ text: String) -> Bool {
        (1...200).contains(text.utf8.count) && text.utf8.first.map { isLetter($0) || isDigit($0) } ?? false
            && !text.contains("..") && text.utf8.allSatisfy { isLetter($0) || isDigit($0) || "._-".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// An app that takes one of these over breaks the desktop.
    private static let taken: Set<String> = [
        "about", "apt", "blob", "callto", "data", "file", "flatpak", "flatpak+https", "ftp", "ftps", "geo", "git",
        "help", "http", "https", "imap", "info", "irc", "ircs", "javascript", "ldap", "ldaps", "magnet", "mailto",
        "man", "matrix", "mms", "news", "nfs", "rdp", "rtsp", "sftp", "sip", "sips", "smb", "sms", "snap", "ssh",
        "tel", "telnet", "trash", "urn", "view-source", "vnc", "webcal", "webcals", "ws", "wss", "xmpp",
    ]
}
