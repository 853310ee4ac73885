import LocalAccounts
import Presentation
public import Vocabulary

/// What workers read on the terminal, and how it looks: `start-page`.
public struct StartPageSettings: Sendable, Hashable {
    /// Where a worker's own is not known.
    public var language = Language.english
    /// What the terminal is called; empty: each language's own words.
    public var name = ""
    /// The path of a picture; nil: none.
    public var logo: String?
    /// `#rrggbb`.
    public var accent = "#0b5cad"
    /// Whom to call, as people read it; empty: the administrator, without a number.
    public var contact = ""

    /// Workers of an identity provider may sign in with another device: the page shows a code for it.
    public var offersPhone = false
    /// Of local accounts.
    public var recent = RecentWorkers.off
    public var keyboard = ScreenKeyboard.auto
    /// Of the bar above a worker's pages and apps.
    public var bar = BarPlace.bottomLeft
    /// Calls, the account and a log, for people who write apps.
    public var isForDevelopers = false

    public init() {}
}

/// Reads `start-page`.
enum StartPageReader {
    /// Of text with white, and of the page's own dark ground (WCAG 2.2, 1.4.3).
    private static let leastContrast = 4.5
    private static let longest = 80

    static func read(from reader: inout SettingsReader) -> StartPageSettings {
        var page = StartPageSettings()
        page.language = reader.word(.startPageLanguage, default: page.language)
        page.name = reader.value(
            .startPageName, default: page.name, expected: "a line of at most \(longest) characters", line)
        page.logo = reader.value(
            .startPageLogo, default: page.logo,
            expected: "the absolute path of a .png, .svg, .jpg or .webp file"
        ) { $0.isEmpty ? .some(nil) : logo($0).map { .some($0) } }
        page.contact = reader.value(
            .startPageContact, default: page.contact, expected: "a line of at most \(longest) characters", line)
        page.offersPhone = reader.flag(.startPagePhone, default: page.offersPhone)
        page.recent = reader.word(.startPageRecent, default: page.recent)
        page.keyboard = reader.word(.startPageKeyboard, default: page.keyboard)
        page.bar = reader.word(.startPageBar, default: page.bar)
        page.isForDevelopers = reader.flag(.startPageDeveloper, default: page.isForDevelopers)
        page.accent = accent(from: &reader, default: page.accent)
        return page
    }

    private static func accent(from reader: inout SettingsReader, default fallback: String) -> String {
        let key = SettingsKey.startPageAccent
        let colour = reader.optional(key, expected: "a colour in quotes, such as \"#0b5cad\"") { Colour($0) }
        guard let colour else { return fallback }
        let contrast = colour.contrast(with: .white)
        guard contrast >= leastContrast else {
            let tenths = Int(contrast * 10)
            reader.refuse(
                key,
                "\(colour.text) cannot be read on white: its contrast is \(tenths / 10).\(tenths % 10), and 4.5 is the least; "
                    + "take a darker colour")
            return fallback
        }
        return colour.text
    }

    private static func line(_ text: String) -> String? {
        text.count <= longest && text.utf8.count <= 4 * longest && SettingsText.isPlain(text) ? text : nil
    }

    private static func logo(_ text: String) -> String? {
        let isPicture = [".png", ".svg", ".jpg", ".webp"].contains { text.lowercased().hasSuffix($0) }
        return isPicture && text.hasPrefix("/") && text.utf8.count <= 4095 && SettingsText.isPlain(text) ? text : nil
    }
}
