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
        await read(icon).map { ($0.type, Data($0.bytes).base64EncodedString()) }
    }

    /// The same picture, as its file has it.
    static func read(_ icon: String) async -> (type: String, bytes: [UInt8])? {
        let paths = icon.hasPrefix("/") ? [icon] : themed(icon)
        return await OwnThread.run {
            for path in paths {
                guard let dot = path.lastIndex(of: "."), let type = types[path[path.index(after: dot)...].lowercased()],
                    let bytes = readSmallFile(path, most: most)
                else { continue }
                return (type, bytes)
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
