struct GetVersion: ChromiumCommand {
    static let method = "Browser.getVersion"

    struct Answer: Decodable, Sendable {
        var product: String
    }
}

struct SetDownloadBehavior: ChromiumCommand {
    static let method = "Browser.setDownloadBehavior"

    var behavior = "deny"
}

struct CloseBrowser: ChromiumCommand {
    static let method = "Browser.close"
}

/// Selects targets by type; without one, all of them, hidden ones too.
struct TargetFilter: Encodable, Sendable {
    var type: String?
}

struct SetDiscoverTargets: ChromiumCommand {
    static let method = "Target.setDiscoverTargets"

    var discover = true
    var filter = [TargetFilter()]
}

struct CreateTarget: ChromiumCommand {
    static let method = "Target.createTarget"

    struct Answer: Decodable, Sendable {
        var targetId: String
    }

    var url: String
    var newWindow: Bool?
    var windowState: String?
    var hidden: Bool?

    /// Any other state than full screen shows the address bar, also under `--kiosk`.
    static func window(_ url: String) -> Self { Self(url: url, newWindow: true, windowState: "fullscreen") }
    /// The browser makes none before it had a window.
    static func hidden(_ url: String) -> Self { Self(url: url, hidden: true) }
}

/// Has each target that there is, and each one that comes, be attached to. One that comes waits until it is let run.
struct SetAutoAttach: ChromiumCommand {
    static let method = "Target.setAutoAttach"

    var autoAttach = true
    var waitForDebuggerOnStart = true
    /// Over this very channel.
    var flatten = true
    var filter = ["page", "iframe", "worker", "shared_worker", "service_worker"].map {
        TargetFilter(type: $0)
    }
}

struct RunIfWaiting: ChromiumCommand {
    static let method = "Runtime.runIfWaitingForDebugger"
}

struct Navigate: ChromiumCommand {
    static let method = "Page.navigate"

    var url: String
}

/// What numbers and dates are written like.
struct SetLocaleOverride: ChromiumCommand {
    static let method = "Emulation.setLocaleOverride"

    var locale: String
}

/// What servers and scripts are told of the wanted languages.
struct SetAcceptLanguage: ChromiumCommand {
    static let method = "Network.setUserAgentOverride"

    /// Empty: the browser's own.
    var userAgent = ""
    var acceptLanguage: String
}

struct CloseTarget: ChromiumCommand {
    static let method = "Target.closeTarget"

    var targetId: String
}

struct GetTargets: ChromiumCommand {
    static let method = "Target.getTargets"

    struct Answer: Decodable, Sendable {
        var targetInfos: [TargetInfo]
    }

    var filter = [TargetFilter()]
}

/// Replaces the earlier patterns; requests that wait are not touched.
struct EnableFetch: ChromiumCommand {
    static let method = "Fetch.enable"

    struct Pattern: Encodable, Sendable, Equatable {
        var urlPattern: String
        var resourceType: String?
        var requestStage: String?
    }

    var patterns: [Pattern]
}

struct ContinueRequest: ChromiumCommand {
    static let method = "Fetch.continueRequest"

    var requestId: String
}

struct FailRequest: ChromiumCommand {
    static let method = "Fetch.failRequest"

    var requestId: String
    var errorReason = "BlockedByClient"
}

struct FulfillRequest: ChromiumCommand {
    static let method = "Fetch.fulfillRequest"

    struct Header: Encodable, Sendable {
        var name: String
        var value: String
    }

    var requestId: String
    var responseCode: Int
    var responseHeaders: [Header] = []
    /// In base64.
    var body = ""
}

struct GetCookies: ChromiumCommand {
    static let method = "Storage.getCookies"

    /// Without its value, which is never read.
    struct Cookie: BrowserCookie, Decodable, Sendable {
        var name: String
        var domain: String
        var path: String
        var httpOnly: Bool
        var secure: Bool
    }

    struct Answer: Decodable, Sendable {
        var cookies: [Cookie]
    }
}
