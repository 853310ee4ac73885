/// Whether the start page has keys of its own; the words of `start-page.keyboard`.
public enum ScreenKeyboard: String, Hashable, Sendable, CaseIterable {
    /// Where the machine has no keyboard.
    case auto
    case on
    case off
}
