import BatonContract
import LocalAccounts
import Vocabulary
import WebText

/// Reads `browser`.
enum BrowserReader {
    static func read(from reader: inout SettingsReader) -> BrowserSettings {
        var browser = BrowserSettings()
        browser.kind = reader.word(.browserKind, default: browser.kind)
        browser.executable = reader.value(
            .browserExecutable, default: browser.executable, expected: "the absolute path of a program",
            optionally(path))
        browser.startPage = reader.value(
            .browserStartPage, default: browser.startPage, expected: "an http or https address",
            optionally { WebAddress($0) == nil ? nil : $0 })
        browser.address = reader.value(
            .browserAddress, default: browser.address,
            expected: "an origin without a path: https://host, or http:// on 127.0.0.1, [::1] and localhost", address)
        browser.allow = reader.list(
            .browserAllow, default: browser.allow,
            expected: "an origin, such as https://intranet.example.org, or a host",
            allowed)
        browser.signInPages = reader.list(
            .browserSignInPages, default: browser.signInPages,
            expected: "an origin, such as https://login.example.org, or a host", allowed)
        browser.leftAfter = reader.duration(
            .browserLeftAfter, default: browser.leftAfter, in: .seconds(1)...Duration.seconds(3600))
        browser.startLimit = reader.duration(
            .browserStartLimit, default: browser.startLimit, in: .seconds(1)...Duration.seconds(600))
        browser.signOut = reader.word(.browserSignOut, default: browser.signOut)
        browser.hasSpare = reader.flag(.browserSpare, default: browser.hasSpare)
        browser.sessionCookie = reader.value(
            .browserSessionCookie, default: browser.sessionCookie, expected: "a cookie's name", optionally(cookie))
        browser.arguments = reader.texts(
            .browserArguments, default: browser.arguments, expected: "an argument", refusal: BrowserArgument.refusal)
        return browser
    }

    /// An empty text is the default, which is none.
    private static func optionally(_ parse: @escaping (String) -> String?) -> (String) -> String?? {
        { text in text.isEmpty ? .some(nil) : parse(text).map { .some($0) } }
    }

    private static func path(_ text: String) -> String? {
        text.hasPrefix("/") && text.utf8.count <= 4095 && SettingsText.isPlain(text) ? text : nil
    }

    private static func address(_ text: String) -> String? {
        guard let address = WebAddress(text), address.isBare,
            address.scheme == "https" || address.site.isCommonLoopback
        else { return nil }
        // As browsers write it, since what they ask for is compared with it.
        return address.origin
    }

    private static func allowed(_ text: String) -> String? {
        if text.contains("/") {
            guard let address = WebAddress(text), address.isBare else { return nil }
            return text
        }
        guard let host = WebHost(text[...]), host.port == nil else { return nil }
        return text.lowercased()
    }

    private static func cookie(_ text: String) -> String? {
        let isToken = text.utf8.allSatisfy { byte in
            (0x21...0x7e).contains(byte) && !"()<>@,;:\\\"/[]?={}".utf8.contains(byte)
        }
        return isToken && text.utf8.count <= 256 ? text : nil
    }
}
