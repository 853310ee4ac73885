public import Vocabulary

extension BrowserKind {
    /// What is started when the settings name no program: the browser itself and not the script before it, which knows nothing
    /// of sandboxes; empty for none.
    public var standardExecutable: String {
        switch self {
        case .none: ""
        case .chromium: "/usr/lib/chromium/chromium"
        case .firefox: "/usr/lib/firefox-esr/firefox-esr"
        }
    }
}
