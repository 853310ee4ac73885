import BatonContract
import Display
import Glibc
import LinuxSystem
import Presentation
import Processes

/// Reads what drawn things have of the site's own look. A picture that is no PNG is made one by gdk-pixbuf-thumbnailer(1), whose loaders
/// a terminal with Chromium has.
struct SiteLookReader: Sendable {
    private static let converter = "/usr/bin/gdk-pixbuf-thumbnailer"
    /// Bytes: of one picture without any compression at all.
    private static let most = 8 << 20

    /// The agent's own.
    let folder: String
    let launcher: Launcher

    /// What is drawn without a browser is dark, as the page is at night.
    ///
    /// - Returns: The look, and why it lacks the logo that the settings want.
    func read(_ settings: AgentConfiguration.StartPage) async -> (look: SiteLook, warning: String?) {
        var look = SiteLook()
        let accent = StartPageLook(accent: settings.accent).nightAccent
        (look.red, look.green, look.blue) = (accent.red, accent.green, accent.blue)
        guard !settings.logo.isEmpty else { return (look, nil) }
        guard let picture = await AppIcon.read(settings.logo) else {
            return (look, "the logo \(settings.logo) is not shown: it cannot be read, or is larger than 256 KiB")
        }
        let isPNG = picture.type == "image/png"
        if let png = isPNG ? picture.bytes : await converted(settings.logo) { look.logo = SiteLogo(png: png) }
        guard look.logo == nil else { return (look, nil) }
        let reason =
            isPNG || access(Self.converter, X_OK) == 0
            ? "it cannot be read as \(picture.type), which for SVG needs the package librsvg2-common and for WebP "
                + "webp-pixbuf-loader"
            : "there is no \(Self.converter) (package libgdk-pixbuf2.0-bin)"
        return (look, "covers, lock and countdown do not show the logo \(settings.logo): \(reason)")
    }

    private func converted(_ path: String) async -> [UInt8]? {
        let result = folder + "/logo.png"
        defer { unlink(result) }
        unlink(result)
        let tool = ToolRun(
            [Self.converter, "-s", "\(SiteLogo.widest)", path, result],
            environment: ["LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"])
        guard case .ended(0, _)? = try? await tool.run(by: launcher, limit: TimeLimit(.seconds(5))) else { return nil }
        return await OwnThread.run { readSmallFile(result, most: Self.most) } ?? nil
    }
}
