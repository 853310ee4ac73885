import Vocabulary

/// Judges further arguments of the browser's program: what the proof of a sign-out rests on is not theirs to change.
enum BrowserArgument {
    /// Names without dashes, in lower case; a `*` at the end stands for anything.
    private static let refused: [(name: String, why: String)] = [
        ("remote-debugging-*", port), ("remote-allow-*", port), ("start-debugger-server", port), ("marionette*", port),
        ("devtools-server*", port), ("auto-open-devtools*", port),
        ("no-sandbox", sandbox), ("no-zygote*", sandbox), ("single-process", sandbox), ("in-process-gpu", sandbox),
        ("allow-sandbox-debugging", sandbox), ("renderer-cmd-prefix", sandbox), ("utility-cmd-prefix", sandbox),
        ("gpu-launcher", sandbox), ("browser-subprocess-path", sandbox),
        ("user-data-dir", profile), ("profile-directory", profile), ("disk-cache-dir", profile), ("profile", profile),
        ("p", profile), ("profilemanager", profile), ("createprofile", profile), ("migration", profile),
        ("crash-dumps-dir", profile), ("load-extension", extensions), ("disable-extensions-except", extensions),
        ("load-component-extension", extensions), ("disable-web-security", guards), ("allow-loopback*", guards),
        ("allow-insecure-localhost", guards), ("allow-running-insecure-content", guards),
        ("ignore-certificate-errors*", guards), ("allow-file-access*", guards), ("disable-site-isolation*", guards),
    ]

    private static let port = "is refused: it would let other programs drive the browser"
    private static let sandbox = "is refused: it would switch the browser's own sandbox off"
    private static let profile = "is refused: it would keep a worker's data where Baton does not wipe it"
    private static let extensions = "is refused: an extension could record a worker's actions"
    private static let guards =
        "is refused: it would switch off the isolation of pages from each other and from this machine"

    /// Why it is not passed on, to stand behind it; nil when it is.
    static func refusal(_ text: String) -> String? {
        guard text.utf8.count <= 4096, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f }) else {
            return "is too long or has control characters"
        }
        guard text.hasPrefix("-"), text.contains(where: { $0 != "-" }) else {
            return "is not an option: it must begin with -; the first page is \(SettingsKey.browserStartPage.leaf)"
        }
        // Browsers take one dash and two.
        let name = text.drop { $0 == "-" }.prefix { $0 != "=" && $0 != " " }.lowercased()
        if name.hasPrefix("disable-"), name.hasSuffix("sandbox") { return sandbox }
        return refused.first { entry in
            entry.name.hasSuffix("*") ? name.hasPrefix(entry.name.dropLast()) : name == entry.name
        }?.why
    }
}
