import FoundationEssentials
import LinuxSystem

/// The picture of an app on the start page.
enum AppIcon {
    private static let types = ["png": "image/png", "svg": "image/svg+xml", "jpg": "image/jpeg", "webp": "image/webp"]
    /// Bytes.
    private static let most = 256 << 10

    /// Nil when there is none that a page can show: an absolute path to a PNG, SVG, JPEG or WebP file of at most 256 KiB, or
    /// an icon's name in the default theme.
    static func load(_ icon: String) async -> (type: String, base64: String)? {
        let paths = icon.hasPrefix("/") ? [icon] : themed(icon)
        return await OwnThread.run {
            for path in paths {
                guard let dot = path.lastIndex(of: "."), let type = types[path[path.index(after: dot)...].lowercased()],
                    let bytes = readSmallFile(path, most: most)
                else { continue }
                return (type, Data(bytes).base64EncodedString())
            }
            return nil
        } ?? nil
    }

    private static func themed(_ name: String) -> [String] {
        guard !name.isEmpty, !name.contains(where: { "/.".contains($0) }) else { return [] }
        let base = "/usr/share/icons/hicolor"
        return ["48x48", "64x64", "128x128"].map { "\(base)/\($0)/apps/\(name).png" } + [
            "\(base)/scalable/apps/\(name).svg"
        ]
    }
}
