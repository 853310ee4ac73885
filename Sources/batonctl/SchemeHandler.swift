import SystemPackage

/// The desktop file that brings an app's redirects to batonctl.
struct SchemeHandler: Sendable {
    var scheme: RedirectScheme
    /// The absolute path of batonctl.
    var program: String

    static let prefix = "org.baton.scheme."
    private static let mark = "X-Baton-App="

    var name: String { "\(Self.prefix)\(scheme.app).desktop" }
    var mimeType: String { "x-scheme-handler/\(scheme.scheme)" }

    var text: String {
        """
        [Desktop Entry]
        Type=Application
        Name=Sign-in for \(scheme.app)
        Comment=Brings the identity provider's answer to Baton
        NoDisplay=true
        Terminal=false
        StartupNotify=false
        Exec=\(Self.quoted(program)) handle-url %u
        MimeType=\(mimeType);
        \(Self.mark)\(scheme.app)

        """
    }

    /// Whether this command wrote it.
    static func isOurs(_ text: String) -> Bool { text.split(separator: "\n").contains { $0.hasPrefix(mark) } }

    /// A program's path for `Exec`, by the rules of the Desktop Entry Specification: quoted where needed, then escaped
    /// once more as every string value is.
    static func quoted(_ path: String) -> String {
        let doubled = path.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
        let isPlain = doubled.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF: true
            default: "/._-+@%,:=".utf8.contains(byte)
            }
        }
        if isPlain { return doubled }
        let quoted = doubled.map { "\"`$\\".contains($0) ? "\\\($0)" : String($0) }.joined()
        return "\"" + quoted.map { $0 == "\\" ? "\\\\" : String($0) }.joined() + "\""
    }
}
