import BatonContract
import Presentation

/// How start pages look, which stays while they are open.
struct StartPageLook: Sendable, Equatable {
    /// The ground of the page at night.
    private static let night = Colour(red: 0x1a, green: 0x25, blue: 0x2e)
    private static let standard = Colour(red: 0x0b, green: 0x5c, blue: 0xad)
    /// WCAG 2.2, 1.4.3.
    private static let leastContrast = 4.5

    /// By day and by night, with what can be read on them.
    let accent: Colour
    let nightAccent: Colour
    /// A data address; empty: no picture.
    let logo: String
    /// The page has the part for people who write apps.
    let isForDevelopers: Bool

    init(accent: String = "", logo: String = "", isForDevelopers: Bool = false) {
        self.accent = Colour(accent) ?? Self.standard
        nightAccent = self.accent.readable(on: Self.night, contrast: Self.leastContrast)
        self.logo = logo
        self.isForDevelopers = isForDevelopers
    }

    init(_ settings: AgentConfiguration.StartPage) async {
        let picture = settings.logo.isEmpty ? nil : await AppIcon.load(settings.logo)
        self.init(
            accent: settings.accent, logo: picture.map { "data:\($0.type);base64,\($0.base64)" } ?? "",
            isForDevelopers: settings.isForDevelopers)
    }
}
