import Browsers
import Sandbox
import TurnControl

/// A browser and what it is for.
final class BrowserInstance: Sendable {
    let browser: any Browser
    /// What the start page in this browser shows with each request; a page of another origin cannot read it, and another browser
    /// has another one.
    let token: String

    /// As which turn user it runs; nil: as the agent's own.
    let user: TurnNumber?

    init(_ browser: any Browser, as user: TurnNumber? = nil) {
        self.browser = browser
        self.user = user
        token = Self.random()
    }

    /// By which requests of this browser are known.
    var id: ObjectIdentifier { ObjectIdentifier(browser.confinement.process) }

    /// 128 bits, in hexadecimal digits.
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
